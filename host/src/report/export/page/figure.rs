//! The quantities that a page shows, and the table of one.

use assay_plugin_api::Semantics;
use maud::{Markup, html};

use super::grid::Grid;
use crate::columns::{self, Call};
use crate::io::numbers::{decimals, grouped};
use crate::report::export::marks::{self, BEST, mark};
use crate::results::ranking::Rank;
use crate::results::{CellResult, CounterFacts, Run, Status};
use crate::summary::Summary;

/// A quantity, shown by its median for each algorithm and pattern length.
pub(super) struct Figure<'a> {
    title: String,
    unit: &'a str,
    /// How many units of the results make one unit here.
    scale: f64,
    /// What the figure stands for.
    included: &'static str,
    quantity: Quantity<'a>,
}

/// Where a result has the statistics of a quantity.
#[derive(Clone, Copy)]
enum Quantity<'a> {
    /// Of a call, or of all together.
    Time(Option<Call>),
    Counter(&'a str, Option<&'a CounterFacts>),
    SetMetric(&'a str),
    Field(&'a str),
    Extra(&'a str),
}

impl Quantity<'_> {
    fn of(self, cell: &CellResult) -> Option<Summary> {
        match self {
            Quantity::Time(call) => cell.time(call),
            Quantity::Counter(name, _) => cell.counters.get(name).copied(),
            Quantity::SetMetric(name) => cell.set_metrics.get(name).copied(),
            Quantity::Field(name) => cell.stats.get(name).copied(),
            Quantity::Extra(name) => cell.extra.get(name).copied(),
        }
    }
}

/// What stands above the algorithms.
const LENGTHS: &str = "pattern length";
/// Characters that a block of a table has room for, on a sheet of A4 or Letter.
const ROOM: usize = 124;
/// Characters between two columns.
const GAP: usize = 2;
/// A column has room for these at least: `± 12.3 %`, or a long word for what went wrong.
const NARROWEST: usize = 7;

impl<'a> Figure<'a> {
    /// The quantities that the run measured. Times of an instrumented run say nothing about the algorithms, and are left
    /// out.
    pub fn all(run: &'a Run, grid: &Grid<'a>) -> Vec<Figure<'a>> {
        if run.experiment.instrumented() {
            return Figure::measurements(grid);
        }
        let times = [
            ("Search", Some(Call::Search), "One search of the text. Preparing the pattern is not included."),
            ("Preparation", Some(Call::Prepare), "Preparing one pattern. Searching is not included."),
            ("Preparation and search", None, "Preparing one pattern and searching the text for it."),
        ];
        let times = times.into_iter().filter(|_| run.experiment.has_times());
        let times = times.map(|(title, call, included)| Figure::time(title, call, included));
        let counters = grid.names(|cell| &cell.counters);
        let counters = counters.into_iter().map(|name| Figure::counter(name, run));
        let metrics = grid.names(|cell| &cell.set_metrics);
        let metrics = metrics.into_iter().map(|name| Figure::set_metric(name, run));
        times.chain(counters).chain(metrics).collect()
    }

    fn set_metric(name: &'a str, run: &'a Run) -> Self {
        let (set, own) = name.split_once('.').unwrap_or((name, ""));
        let set = run.experiment.event_sets.iter().find(|other| other.name == set);
        let metric = set.and_then(|set| set.metrics.iter().find(|metric| metric.name == own));
        Figure {
            title: metric.map_or_else(|| name.to_owned(), |metric| format!("{name} = {}", metric.formula)),
            unit: metric.map_or("", |metric| &metric.unit),
            scale: 1.0,
            included: "Computed of each search of the text. Preparing the pattern is not included.",
            quantity: Quantity::SetMetric(name),
        }
    }

    fn counter(name: &'a str, run: &'a Run) -> Self {
        let facts = run.experiment.counters.iter().find(|facts| facts.name == name);
        Figure {
            title: name.to_owned(),
            unit: facts.map_or("", |facts| &facts.unit),
            scale: 1.0,
            included: match facts {
                Some(facts) if facts.per_round => {
                    "Counted around all repetitions of a round, with what lies between them, and divided by their number."
                }
                Some(facts) if facts.semantics == Semantics::Instant => {
                    "A level, read when one search of the text had ended."
                }
                _ => "Counted during one search of the text. Preparing the pattern is not included.",
            },
            quantity: Quantity::Counter(name, facts),
        }
    }

    fn time(title: &str, call: Option<Call>, included: &'static str) -> Self {
        Figure {
            title: title.to_owned(),
            // As in the tables of `run` and `report`.
            unit: "µs",
            scale: 1e3,
            included,
            quantity: Quantity::Time(call),
        }
    }

    /// The standard measurements, then the fields that the algorithms added.
    fn measurements(grid: &Grid<'a>) -> Vec<Self> {
        let standard = grid.names(|cell| &cell.stats).into_iter().map(|name| (name, Quantity::Field(name)));
        let extra = grid.names(|cell| &cell.extra).into_iter().map(|name| (name, Quantity::Extra(name)));
        let figure = |(name, quantity): (&'a str, Quantity<'a>)| Figure {
            title: capitalised(&name.replace('_', " ")),
            unit: columns::unit(name),
            scale: 1.0,
            included: "Counted by the instrumented algorithm for one pattern and one search of the text.",
            quantity,
        };
        standard.chain(extra).map(figure).collect()
    }

    fn summary(&self, cell: &CellResult) -> Option<Summary> {
        self.quantity.of(cell).filter(|_| cell.status == Status::Ok)
    }

    fn value(&self, cell: &CellResult) -> Option<f64> {
        self.summary(cell).map(|summary| summary.med / self.scale)
    }

    /// Where a time stands.
    fn rank(&self, cell: &CellResult) -> Option<Rank> {
        match self.quantity {
            Quantity::Time(call) => Some(cell.ranks.of(call)),
            _ => None,
        }
    }

    /// A row for each algorithm, a column for each pattern length, in blocks that a sheet of paper has room for.
    pub fn section(&self, grid: &Grid<'_>) -> Markup {
        let decimals = decimals(grid.ok().filter_map(|cell| self.value(cell)));
        html! {
            section {
                h2 { (self.title) @if !self.unit.is_empty() { " " small { "in " (self.unit) } } }
                p.faint { (self.included) " Median of " (grid.repetitions()) " repetitions." }
                div.blocks {
                    @for lengths in self.blocks(grid, decimals) { (self.block(grid, &lengths, decimals)) }
                }
                @for line in self.legend(grid) { p.faint.legend { (line) } }
            }
        }
    }

    /// The pattern lengths of each block: as few blocks as there is room for, and each about as wide as the others.
    fn blocks(&self, grid: &Grid<'_>, decimals: usize) -> Vec<Vec<usize>> {
        let names = grid.algorithms.iter().map(|algorithm| algorithm.len()).chain([LENGTHS.len()]);
        let values = grid.ok().filter_map(|cell| self.value(cell));
        // A figure has room for its mark.
        let widths = values.map(|value| grouped(value, decimals).len() + 1).chain([NARROWEST]);
        let [names, width] = [names.max(), widths.max()].map(|width| width.unwrap_or_default() + GAP);
        let lengths: Vec<usize> = grid.lengths.iter().copied().collect();
        let most = (ROOM.saturating_sub(names) / width).max(1);
        let blocks = lengths.len().div_ceil(most).max(1);
        lengths.chunks(lengths.len().div_ceil(blocks).max(1)).map(<[usize]>::to_vec).collect()
    }

    fn block(&self, grid: &Grid<'_>, lengths: &[usize], decimals: usize) -> Markup {
        html! {
            div.scroll tabindex="0" role="region" aria-label=(self.title) {
                table {
                    thead { tr {
                        th scope="col" { (LENGTHS) }
                        @for length in lengths { th scope="col" { (length) } }
                    } }
                    tbody {
                        @for algorithm in &grid.algorithms { tr {
                            th scope="row" { (algorithm) }
                            @for &length in lengths {
                                @let cell = grid.get(algorithm, length);
                                @match cell.and_then(|cell| Some((cell, self.summary(cell)?))) {
                                    Some((cell, summary)) => (self.shown(cell, summary, grid, decimals)),
                                    None => td.status { (absent(cell)) },
                                }
                            }
                        } }
                    }
                }
            }
        }
    }

    /// What stands in the cells besides the medians, and is there.
    fn legend(&self, grid: &Grid<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let ranks: Vec<Rank> = grid.ok().filter_map(|cell| self.rank(cell)).collect();
        if grid.ok().filter_map(|cell| self.summary(cell)).any(|summary| half_width(summary).is_some()) {
            lines.push(
                "± half of the 95 % interval of the median, from the medians of the rounds; its ends show where the mouse rests"
                    .to_owned(),
            );
        }
        if matches!(self.quantity, Quantity::Time(_)) {
            lines.extend(marks::legend(&ranks, grid.is_alone(), grid.floor_ns));
        }
        if ranks.iter().any(|rank| self.times_as_long(*rank, grid).is_some()) {
            lines.push(
                "× so many times as long as the best takes: the median of the ratios for the same pattern, \
                 which is not the ratio of the two medians shown"
                    .to_owned(),
            );
        }
        if let Quantity::Counter(_, Some(facts)) = self.quantity {
            lines.extend(marks::coarse(grid.ok(), facts));
            let marked = grid.ok().any(|cell| cell.impossible.contains(&facts.name));
            lines.extend(marked.then(|| marks::IMPOSSIBLE_COUNTS.to_owned()));
        }
        lines
    }

    /// A figure, how well it is known, and where it stands.
    fn shown(&self, cell: &CellResult, summary: Summary, grid: &Grid<'_>, decimals: usize) -> Markup {
        let written = |value: f64| grouped(value / self.scale, decimals);
        let interval = summary
            .ci95
            .map(|ci95| format!("95 % interval: {} to {}", written(ci95.low), written(ci95.high)));
        let rank = self.rank(cell).unwrap_or_default();
        let mark = match self.quantity {
            Quantity::Counter(_, Some(facts)) => marks::of_count(cell, facts, Call::Search),
            _ => mark(rank, grid.is_alone()),
        };
        html! {
            td.best[mark == BEST] title=[interval] {
                (written(summary.med)) @if mark != ' ' { (mark) }
                @if let Some(width) = half_width(summary) { small { "± " (format!("{width:.1}")) " %" } }
                @if let Some(ratio) = self.times_as_long(rank, grid) { small { "× " (format!("{ratio:.2}")) } }
            }
        }
    }

    /// How many times as long as the best one takes that is not among the best.
    fn times_as_long(&self, rank: Rank, grid: &Grid<'_>) -> Option<f64> {
        rank.standing.filter(|_| !rank.is_best() && !grid.is_alone()).map(|standing| standing.to_best.ratio)
    }
}

/// Half of the interval in percent; of a median of 0, no share is known.
fn half_width(summary: Summary) -> Option<f64> {
    summary.ci95.map(|ci95| 100.0 * ci95.relative_half_width()).filter(|width| width.is_finite())
}

/// What stands where nothing was measured.
fn absent(cell: Option<&CellResult>) -> String {
    match cell.map(|cell| cell.status) {
        None | Some(Status::Ok) => "-".to_owned(),
        Some(status) => status.words(),
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
