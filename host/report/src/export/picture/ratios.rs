//! Ratios of times between saved runs, with their intervals: over the range for two runs, and over the runs
//! for a series.

use std::collections::BTreeSet;

use assay_stats::significance::{NullRange, Ratio, Verdict};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::contest::time_name;
use super::label::{shortened_apart, width};
use super::lines::labels;
use super::palette::Palette;
use super::sheet::{DrawResult, FAINT, GRID, INK, LINE, Pixel, Plot, Sheet};
use crate::compare::{ComparedRun, ComparedTimes, RunComparison};
use crate::{Call, RangeAxis, Report};

/// The ratios of later runs to the first.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioChart {
    /// What is compared: "search time, now over before".
    pub quantity: String,
    /// What the places along the axis are: "pattern length in bytes", "run".
    along: String,
    /// The labels of these places, from left to right.
    places: Vec<String>,
    /// Ratios in this range show no difference.
    null: NullRange,
    /// A line for each algorithm.
    lines: Vec<RatioLine>,
    /// The explanation below the picture.
    note: &'static str,
}

/// The ratios of an algorithm.
#[derive(Clone, Debug, PartialEq)]
struct RatioLine {
    name: String,
    /// Ascending by place.
    points: Vec<RatioPoint>,
}

/// A ratio at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RatioPoint {
    place: usize,
    ratio: Ratio,
    /// Whether a difference is shown: to the first of two runs, or to the run before in a series.
    differs: bool,
}

impl RatioChart {
    /// The ratios of a later run over the range, or of several over these runs.
    pub fn new(first: &Report, later: &[Report], call: Option<Call>, found: &RunComparison) -> Self {
        let time = time_name(first, call);
        match (later, found.runs.as_slice()) {
            ([report], [run]) => Self::of_pair(&RangeAxis::new(&report.facts), run, &time),
            _ => {
                let ids = std::iter::once(first).chain(later).map(|report| report.facts.id.clone());
                Self::of_series(ids, found, &time)
            }
        }
    }

    fn of_pair(axis: &RangeAxis, run: &ComparedRun, time: &str) -> Self {
        let mut values: Vec<u64> = run.cells.iter().filter_map(|times| times.value).collect();
        values.sort_unstable();
        values.dedup();
        let mut lines = Vec::new();
        for times in &run.cells {
            let place = times.value.and_then(|value| values.binary_search(&value).ok());
            let (Some(place), Some(comparison)) = (place, times.comparison) else { continue };
            let differs = comparison.verdict != Verdict::Tied;
            add(&mut lines, name(times), RatioPoint { place, ratio: comparison.ratio, differs });
        }
        RatioChart {
            quantity: format!("{time}, now over before"),
            along: axis.title(),
            places: values.into_iter().map(|value| axis.label(value)).collect(),
            null: run.null_range,
            lines,
            note: "symbol: faster or slower; dot: neither is shown; stroke: 95 % interval; grey: noise of a run",
        }
    }

    /// The lines are those of the means over the range, or of the cell of an algorithm that has one alone and
    /// therefore no mean.
    fn of_series(ids: impl Iterator<Item = String>, found: &RunComparison, time: &str) -> Self {
        let means = found.runs.iter().flat_map(|run| &run.overall);
        let with_mean: BTreeSet<&str> = means.filter_map(|times| times.algorithm.as_deref()).collect();
        let mut lines = Vec::new();
        for (run, place) in found.runs.iter().zip(1..) {
            let alone = run.cells.iter().filter(|times| !with_mean.contains(name(times)));
            for times in alone.chain(run.overall.iter().filter(|times| times.algorithm.is_some())) {
                let Some(comparison) = times.comparison else { continue };
                let differs = times.step.is_some_and(|step| step.change().is_some());
                add(&mut lines, name(times), RatioPoint { place, ratio: comparison.ratio, differs });
            }
        }
        let of_first =
            RatioPoint { place: 0, ratio: Ratio { ratio: 1.0, low: 1.0, high: 1.0 }, differs: false };
        lines.iter_mut().for_each(|line| line.points.insert(0, of_first));
        RatioChart {
            quantity: format!("{time} over that in the first run"),
            along: "run".to_owned(),
            places: ids.collect(),
            null: NullRange::within(found.floor),
            lines,
            note: "symbol: changed since the run before; dot: no change shown; stroke: 95 % interval; grey: noise of a run",
        }
    }

    /// Whether there is nothing to draw, because the runs have one round each.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The ids of the algorithms.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.name.as_str())
    }
}

fn name(times: &ComparedTimes) -> &str {
    times.algorithm.as_deref().unwrap_or_default()
}

/// Adds a point to the line with this name.
fn add(lines: &mut Vec<RatioLine>, name: &str, point: RatioPoint) {
    match lines.iter_mut().find(|line| line.name == name) {
        Some(line) => line.points.push(point),
        None => lines.push(RatioLine { name: name.to_owned(), points: vec![point] }),
    }
}

const WIDE: f64 = 720.0;
/// The greatest width of a label that hangs below its place; longer ones are shortened.
const LONGEST: f64 = 160.0;
/// The least space between two labels in a line.
const GAP: f64 = 6.0;
/// The share of the space between two places in which the algorithms stand beside each other, so that their
/// intervals are not drawn on each other.
const SPREAD: f64 = 0.5;
/// The half of the side of a dot, in pixels.
const DOT: f64 = 1.6;

/// The ends of the plot in x, and the labels below it.
struct RatioLayout {
    left: f64,
    right: f64,
    labels: Vec<String>,
    /// Whether the labels hang, because they are wider than their places.
    hanging: bool,
}

impl RatioLayout {
    fn new(chart: &RatioChart, figures: f64) -> Self {
        let names = chart.names().map(width).fold(0.0, f64::max);
        let (left, right) = (figures + 34.0, WIDE - names - 44.0);
        let room = (right - left) / chart.places.len().max(1) as f64;
        let labels = shortened_apart(&chart.places, LONGEST);
        let hanging = labels.iter().any(|label| width(label) + GAP > room);
        RatioLayout { left, right, labels, hanging }
    }

    /// The height of the labels beyond that of a line.
    fn extra_height(&self) -> f64 {
        let labels = self.labels.iter().filter(|_| self.hanging);
        labels.map(|label| width(label) - LINE).fold(0.0, f64::max)
    }
}

/// The widest figures of an axis of ratios, in pixels: whether labels hang must not depend on the ticks.
const FIGURES: f64 = 40.0;

/// The size in pixels.
pub(super) fn size(chart: &RatioChart) -> (f64, f64) {
    let lines = LINE * chart.lines.len() as f64 + 90.0;
    (WIDE, lines.max(430.0) + RatioLayout::new(chart, FIGURES).extra_height())
}

/// Draws the picture; without any ratio, it stays empty.
pub(super) fn draw<D: DrawingBackend>(
    chart: &RatioChart,
    palette: &Palette,
    sheet: &Sheet<'_, D>,
) -> DrawResult<D> {
    let null = [1.0 / (1.0 + chart.null.faster()), 1.0 + chart.null.slower()];
    let ratios = chart.lines.iter().flat_map(|line| &line.points).map(|point| point.ratio);
    let ends = ratios.flat_map(|ratio| [ratio.low, ratio.ratio, ratio.high]);
    let Some(y) = Axis::covering(ends.chain(null)).filter(|_| !chart.is_empty()) else { return Ok(()) };
    let layout = RatioLayout::new(chart, FIGURES);
    let (_, high) = size(chart);
    let bottom = high - 62.0 - layout.extra_height();
    let x = Axis::columns(chart.places.len());
    let plot = Plot { left: layout.left, top: 14.0, right: layout.right, bottom, x, y };
    sheet.rectangle((plot.left, plot.y_at(null[1])), (plot.right, plot.y_at(null[0])), GRID, 0.5)?;
    sheet.grid(&plot)?;
    sheet.line(&[(plot.left, plot.y_at(1.0)), (plot.right, plot.y_at(1.0))], FAINT, 1.0)?;
    for (place, label) in layout.labels.iter().enumerate() {
        let at = plot.x_at(place as f64);
        if layout.hanging {
            sheet.hanging(label, (at, bottom + 6.0), INK)?;
        } else {
            sheet.text(label, (at, bottom + 11.0), HPos::Center, INK)?;
        }
    }
    let middle = f64::midpoint(plot.left, plot.right);
    sheet.text(&chart.along, (middle, high - 33.0), HPos::Center, INK)?;
    sheet.upright(&chart.quantity, (12.0, f64::midpoint(plot.top, bottom)), INK)?;
    sheet.text(chart.note, (14.0, high - 12.0), HPos::Left, FAINT)?;
    let count = chart.lines.len();
    let mut ends = Vec::new();
    for (number, line) in chart.lines.iter().enumerate() {
        let beside = SPREAD * ((number as f64 + 0.5) / count as f64 - 0.5);
        let look = palette.look(&line.name);
        let at = |point: &RatioPoint| plot.at(point.place as f64 + beside, point.ratio.ratio);
        let path: Vec<Pixel> = line.points.iter().map(at).collect();
        sheet.line(&path, look.colour, 1.0)?;
        for (point, &(x, y)) in line.points.iter().zip(&path) {
            let [low, high] = [point.ratio.low, point.ratio.high].map(|ratio| plot.y_at(ratio));
            sheet.line(&[(x, low), (x, high)], look.colour, 1.6)?;
            if point.differs {
                sheet.marker(look, (x, y))?;
            } else {
                sheet.rectangle((x - DOT, y - DOT), (x + DOT, y + DOT), look.colour, 1.0)?;
            }
        }
        ends.push(path.last().copied());
    }
    labels(&chart.names().collect::<Vec<_>>(), &ends, palette, &plot, sheet)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The chart of two runs at these lengths, of algorithms with these ratios.
    pub(crate) fn example(names: &[&str], lengths: &[&str]) -> RatioChart {
        let point = |place: usize| {
            let ratio = 0.9 + 0.1 * place as f64;
            let ratio = Ratio { ratio, low: ratio / 1.02, high: ratio * 1.02 };
            RatioPoint { place, ratio, differs: place == 0 }
        };
        let line = |name: &&str| RatioLine {
            name: (*name).to_owned(),
            points: (0..lengths.len()).map(point).collect(),
        };
        RatioChart {
            quantity: "search time, now over before".to_owned(),
            along: "pattern length in bytes".to_owned(),
            places: lengths.iter().map(|length| (*length).to_owned()).collect(),
            null: NullRange::within(0.02),
            lines: names.iter().map(line).collect(),
            note: "a note",
        }
    }

    #[test]
    fn labels_that_are_wider_than_their_places_hang_and_have_room() {
        let ids: Vec<String> = (1..=9).map(|day| format!("2026010{day}-030405-ab12")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let (short, long) = (example(&["hor"], &["4", "8"]), example(&["hor"], &ids));
        assert!(!RatioLayout::new(&short, FIGURES).hanging && RatioLayout::new(&long, FIGURES).hanging);
        assert!(size(&long).1 - size(&short).1 > 100.0);
    }

    #[test]
    fn a_line_has_one_point_for_each_place_and_its_symbol_where_a_difference_is_shown() {
        let mut lines = Vec::new();
        for point in example(&["hor"], &["4", "8", "16"]).lines.remove(0).points {
            add(&mut lines, "hor", point);
        }
        let differs: Vec<bool> = lines[0].points.iter().map(|point| point.differs).collect();
        assert_eq!((lines.len(), differs), (1, vec![true, false, false]));
    }
}
