//! The data of the script of a page: one JSON object.

use std::collections::BTreeMap;

use assay_stats::Summary;
use assay_stats::significance::{Ratio, Standing};
use assay_store::overall::Place;
use assay_store::{CellResult, Run, Status};
use serde::{Serialize, Serializer};

use super::grid::Grid;
use super::is_ordered;
use super::quantity::PageQuantity;
use super::table::absent;
use crate::NotMadeFor;
use crate::export::caption;
use crate::export::picture::palette::Palette;

/// All figures of a page.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    /// The text, the repetitions and the machine, which the script adds to a copied table.
    caption: String,
    algorithms: Vec<PageAlgorithm<'a>>,
    axis: PageAxis,
    /// The numbers of repetitions: `[algorithm][value]`.
    repetitions: Vec<Vec<usize>>,
    /// The words for cells without a figure: `[algorithm][value]`; empty if the algorithm is not made for it.
    absent: Vec<Vec<String>>,
    /// What a dash in such a cell means.
    dash: String,
    /// Whether the order of the algorithms was asked for, so that their ranks do not order them.
    ordered: bool,
    quantities: Vec<PageQuantityFacts>,
}

/// The figures of one of several runs.
#[derive(Serialize)]
struct NamedData<'a> {
    name: &'a str,
    data: PageData<'a>,
}

/// What varies from column to column.
#[derive(Serialize)]
struct PageAxis {
    /// "pattern length"
    name: &'static str,
    plural: &'static str,
    /// Whether its values are numbers, which have places on a scale.
    scale: bool,
    /// "pattern length in bytes"
    title: String,
    /// Its values.
    values: Vec<u64>,
    /// The values as heads of columns: "8".
    labels: Vec<String>,
    /// The values as headings: "patterns of 8 bytes".
    headings: Vec<String>,
    /// Values with a name that is drawn as a line, such as the sizes of caches.
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

/// The figures of a quantity, or the way to compute them from another quantity.
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
    /// The figures of quantity `of` times the `factor` of their column, or with `over` the factor divided by
    /// them.
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

/// Rank, mean ratio to the best with the ends of its interval, and the number of range values.
#[derive(Serialize)]
struct PageOverall(Option<usize>, [Number; 3], usize);

impl PageOverall {
    fn new(place: &Place) -> Self {
        let Ratio { ratio, low, high } = place.to_best;
        PageOverall(place.rank, [ratio, low, high].map(Number), place.lengths)
    }
}

/// A number with at least nine digits. A median of times in microseconds has no more, so the page rounds it
/// once only, where it shows it.
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
    pub(super) fn new(
        run: &Run,
        grid: &Grid<'a>,
        quantities: &[PageQuantity<'_>],
        palette: &Palette,
    ) -> Self {
        let looks = grid.algorithms.iter().map(|&id| (id, palette.look(id)));
        let algorithms =
            looks.map(|(id, look)| PageAlgorithm { id, colour: look.css(), marker: look.marker.name() });
        let bytes: Vec<f64> =
            grid.values.iter().map(|value| run.experiment.searched_bytes(*value) as f64).collect();
        let mut shown: Vec<PageQuantityFacts> =
            quantities.iter().map(|quantity| measured(run, grid, quantity)).collect();
        for (of, quantity) in quantities.iter().enumerate() {
            shown.extend(derived(of, quantity, &bytes));
        }
        let counts: Vec<usize> = grid.ok().map(|cell| cell.repetitions).collect();
        let repetitions = counts.iter().min().copied().zip(counts.iter().max().copied());
        let has_refusals = run.results.iter().any(|cell| cell.status == Status::CannotSearch);
        let dash = if has_refusals { caption::dash(&grid.axis) } else { String::new() };
        let failed = run.results.iter().filter(|cell| cell.status != Status::Ok);
        let failed = failed.map(|cell| (cell.algorithm.as_str(), cell.status.name(), cell.value()));
        PageData {
            caption: caption::facts(&run.experiment, repetitions, failed) + &dash,
            algorithms: algorithms.collect(),
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
            dash: NotMadeFor::dash(&grid.axis),
            ordered: is_ordered(run),
            quantities: shown,
        }
    }
}

/// JSON for an element of a page. `<` is escaped, because it could end the element.
pub(super) fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("figures have a JSON form").replace('<', "\\u003c")
}

/// The figures of several runs as [`json`], each with the name of its run.
pub(super) fn json_of_runs<'a>(runs: impl Iterator<Item = (&'a String, PageData<'a>)>) -> String {
    let runs: Vec<NamedData<'_>> = runs.map(|(name, data)| NamedData { name, data }).collect();
    json(&BTreeMap::from([("runs", runs)]))
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
    let overall = if overall.is_empty() {
        Vec::new()
    } else {
        grid.algorithms.iter().map(|id| overall.get(id).map(PageOverall::new)).collect()
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
    let rank = quantity.rank(cell).standing.filter(|_| !grid.is_alone()).map(|Standing { rank, to_best }| {
        [rank as f64, to_best.ratio, to_best.low, to_best.high].map(Number)
    });
    Some(PageCell {
        s: s.map(|value| Number(value / quantity.scale)).collect(),
        r: rank,
        mark: quantity.mark(cell, grid).to_string().trim().to_owned(),
    })
}

/// The quantities per byte of the text, which can be compared between texts of different lengths: a time or
/// count per byte, and the throughput of a time.
fn derived(of: usize, quantity: &PageQuantity<'_>, bytes: &[f64]) -> Vec<PageQuantityFacts> {
    if !quantity.is_of_the_text() || bytes.contains(&0.0) {
        return Vec::new();
    }
    if quantity.time().is_none() {
        let figures = PageFigures::Derived { of, factor: per_byte(1.0, bytes), over: false };
        let name = format!("{} per byte", quantity.name);
        return vec![derived_facts(name, quantity.unit, &quantity.about, PER_BYTE, figures)];
    }
    // A byte per nanosecond is a gigabyte per second.
    let rate = bytes.iter().map(|bytes| bytes / quantity.scale).collect();
    let throughput = PageFigures::Derived { of, factor: rate, over: true };
    let time = PageFigures::Derived { of, factor: per_byte(quantity.scale, bytes), over: false };
    vec![
        derived_facts("throughput".to_owned(), "GB/s", &quantity.about, THROUGHPUT, throughput),
        derived_facts("time per byte".to_owned(), "ns", &quantity.about, PER_BYTE, time),
    ]
}

/// The factor of a figure per byte, for each length of the text.
fn per_byte(unit: f64, bytes: &[f64]) -> Vec<f64> {
    bytes.iter().map(|bytes| unit / bytes).collect()
}

const PER_BYTE: &str = "Divided by the length of the text.";
const THROUGHPUT: &str =
    "The length of the text over this time: of the least time it is the greatest throughput.";

/// The facts of a quantity that the script computes from another one, which is `about` something.
fn derived_facts(
    name: String,
    unit: &str,
    about: &str,
    formula: &str,
    figures: PageFigures,
) -> PageQuantityFacts {
    PageQuantityFacts {
        name,
        unit: unit.to_owned(),
        group: "For each byte of the text",
        about: format!("{about} {formula}"),
        legend: Vec::new(),
        figures,
    }
}
