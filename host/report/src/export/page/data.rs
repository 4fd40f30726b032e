//! What the script of a page draws from: one JSON object.

use std::collections::BTreeMap;

use assay_stats::Summary;
use assay_stats::significance::{Ratio, Standing};
use assay_store::overall::Place;
use assay_store::{CellResult, Run, Status};
use serde::{Serialize, Serializer};

use super::grid::Grid;
use super::quantity::PageQuantity;
use super::table::absent;
use crate::export::caption;
use crate::export::picture::palette::Palette;

/// All figures of a page.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    /// Of which text, how often and where was measured, for those who copy a table.
    caption: String,
    algorithms: Vec<PageAlgorithm<'a>>,
    axis: PageAxis,
    /// How many repetitions there are: `[algorithm][value]`.
    repetitions: Vec<Vec<usize>>,
    /// What stands where there is no figure.
    absent: Vec<Vec<String>>,
    quantities: Vec<PageQuantityFacts>,
}

/// What varies from column to column.
#[derive(Serialize)]
struct PageAxis {
    /// "pattern length"
    name: &'static str,
    plural: &'static str,
    /// Whether its values lie on a line, and are not only different.
    scale: bool,
    /// "pattern length in bytes"
    title: String,
    /// Its values ..
    values: Vec<u64>,
    /// .. as columns have them ..
    labels: Vec<String>,
    /// .. and with what they are.
    headings: Vec<String>,
    /// Beyond which values something is different.
    marks: Vec<(u64, String)>,
}

#[derive(Serialize)]
struct PageAlgorithm<'a> {
    id: &'a str,
    colour: String,
    marker: &'static str,
}

#[derive(Serialize)]
struct PageQuantityFacts {
    name: String,
    unit: String,
    group: &'static str,
    about: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legend: Vec<String>,
    #[serde(flatten)]
    figures: PageFigures,
}

/// Figures, or how they come from those of another quantity.
#[derive(Serialize)]
#[serde(untagged)]
enum PageFigures {
    Measured {
        /// `[algorithm][value]`
        cells: Vec<Vec<Option<PageCell>>>,
        /// `[algorithm]`
        #[serde(skip_serializing_if = "Vec::is_empty")]
        overall: Vec<Option<PageOverall>>,
    },
    /// Those of quantity `of` times the `factor` of their column; or that over them.
    Derived { of: usize, factor: Vec<f64>, over: bool },
}

#[derive(Serialize)]
struct PageCell {
    /// Least, median, mean, greatest, standard deviation, ends of the interval.
    s: Vec<Number>,
    /// Rank, ratio to the best, ends of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<[Number; 4]>,
    #[serde(skip_serializing_if = "String::is_empty")]
    mark: String,
}

/// Rank, mean ratio to the best, ends of its interval, at how many values.
#[derive(Serialize)]
struct PageOverall(Option<usize>, [Number; 3], usize);

/// A number with nine digits at least: a median of times in microseconds has no more, and is rounded once,
/// where it is shown.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Number(value) = *self;
        // An f64 holds all whole numbers up to this one.
        if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
            return serializer.serialize_i64(value as i64);
        }
        let rounded = format!("{value:.8e}").parse().unwrap_or(value);
        serializer.serialize_f64(if value.abs() < 1e7 { rounded } else { value.round() })
    }
}

impl<'a> PageData<'a> {
    /// The data of the page of a run.
    pub(super) fn new(run: &Run, grid: &Grid<'a>, quantities: &[PageQuantity<'_>]) -> Self {
        let palette = Palette::new(grid.algorithms.iter().copied());
        let algorithm = |&id: &&'a str| {
            let look = palette.look(id);
            PageAlgorithm { id, colour: look.css(), marker: look.marker.name() }
        };
        let bytes: Vec<f64> =
            grid.values.iter().map(|value| run.experiment.searched_bytes(*value) as f64).collect();
        let mut shown: Vec<PageQuantityFacts> =
            quantities.iter().map(|quantity| measured(run, grid, quantity)).collect();
        for (of, quantity) in quantities.iter().enumerate() {
            shown.extend(derived(of, quantity, &bytes));
        }
        let counts: Vec<usize> = grid.ok().map(|cell| cell.repetitions).collect();
        let repetitions = counts.iter().min().copied().zip(counts.iter().max().copied());
        let failed = run.results.iter().filter(|cell| cell.status != Status::Ok);
        let failed = failed.map(|cell| (cell.algorithm.as_str(), cell.status.words(), cell.value()));
        PageData {
            caption: caption::facts(&run.experiment, repetitions, failed),
            algorithms: grid.algorithms.iter().map(algorithm).collect(),
            axis: PageAxis {
                name: grid.axis.words(),
                plural: grid.axis.over.plural(),
                scale: grid.axis.is_number(),
                title: grid.axis.title(),
                values: grid.values.iter().copied().collect(),
                labels: grid.values.iter().map(|value| grid.axis.label(*value)).collect(),
                headings: grid.values.iter().map(|value| grid.axis.heading(*value)).collect(),
                marks: match (grid.values.first(), grid.values.last()) {
                    (Some(least), Some(most)) => grid.axis.marks(*least, *most).collect(),
                    _ => Vec::new(),
                },
            },
            repetitions: grid.map(|cell| cell.map_or(0, |cell| cell.repetitions)),
            absent: grid.map(absent),
            quantities: shown,
        }
    }

    /// As part of a page: nothing in it ends the element that it stands in.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("figures have a JSON form").replace('<', "\\u003c")
    }
}

fn measured(run: &Run, grid: &Grid<'_>, quantity: &PageQuantity<'_>) -> PageQuantityFacts {
    let overall: BTreeMap<&str, Place> = match quantity.time() {
        Some(call) => {
            let known = run.overall.iter();
            known
                .filter_map(|overall| Some((overall.algorithm.as_str(), (*overall.places.get(call))?)))
                .collect()
        }
        None => BTreeMap::new(),
    };
    let over = |place: &Place| {
        let Ratio { ratio, low, high } = place.to_best;
        PageOverall(place.rank, [ratio, low, high].map(Number), place.lengths)
    };
    let overall = if overall.is_empty() {
        Vec::new()
    } else {
        grid.algorithms.iter().map(|id| overall.get(id).map(over)).collect()
    };
    PageQuantityFacts {
        name: quantity.name.clone(),
        unit: quantity.unit.to_owned(),
        group: quantity.group,
        about: quantity.about.to_string(),
        legend: quantity.legend(grid),
        figures: PageFigures::Measured { cells: grid.map(|found| cell(found?, grid, quantity)), overall },
    }
}

fn cell(cell: &CellResult, grid: &Grid<'_>, quantity: &PageQuantity<'_>) -> Option<PageCell> {
    let Summary { min, med, avg, max, std, ci95 } = quantity.summary(cell)?;
    let interval = ci95.into_iter().flat_map(|ci95| [ci95.low, ci95.high]);
    let s = [min, med, avg, max, std].into_iter().chain(interval);
    let rank = |standing: Standing| {
        let Ratio { ratio, low, high } = standing.to_best;
        [standing.rank as f64, ratio, low, high].map(Number)
    };
    Some(PageCell {
        s: s.map(|value| Number(value / quantity.scale)).collect(),
        r: quantity.rank(cell).standing.filter(|_| !grid.is_alone()).map(rank),
        mark: quantity.mark(cell, grid).to_string().trim().to_owned(),
    })
}

/// What can be compared between texts of other lengths too: how much there is for each byte, and how many
/// bytes a time is for.
fn derived(of: usize, quantity: &PageQuantity<'_>, bytes: &[f64]) -> Vec<PageQuantityFacts> {
    if !quantity.is_of_the_text() || bytes.contains(&0.0) {
        return Vec::new();
    }
    let shown = |name: String, unit: &str, how: &str, factor: Vec<f64>, over: bool| PageQuantityFacts {
        name,
        unit: unit.to_owned(),
        group: "For each byte of the text",
        about: format!("{} {how}", quantity.about),
        legend: Vec::new(),
        figures: PageFigures::Derived { of, factor, over },
    };
    let each = |factor: &dyn Fn(f64) -> f64| bytes.iter().map(|bytes| factor(*bytes)).collect::<Vec<f64>>();
    const PER_BYTE: &str = "Divided by the length of the text.";
    if quantity.time().is_none() {
        let name = format!("{} per byte", quantity.name);
        return vec![shown(name, quantity.unit, PER_BYTE, each(&|bytes| 1.0 / bytes), false)];
    }
    // A byte in a nanosecond is a gigabyte in a second.
    let (rate, time) = (each(&|bytes| bytes / quantity.scale), each(&|bytes| quantity.scale / bytes));
    let how = "The length of the text over this time: of the least time it is the greatest throughput.";
    vec![
        shown("throughput".to_owned(), "GB/s", how, rate, true),
        shown("time per byte".to_owned(), "ns", PER_BYTE, time, false),
    ]
}
