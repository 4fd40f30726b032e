//! The quantities that a page shows, and the table of one.

use assay_plugin_api::Semantics;
use maud::{Markup, html};

use super::grid::Grid;
use crate::columns::{self, Call};
use crate::io::numbers::{decimals, grouped};
use crate::results::ranking::Rank;
use crate::results::{CellResult, Run, Status};
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
    Counter(&'a str),
    Field(&'a str),
    Extra(&'a str),
}

impl Quantity<'_> {
    fn of(self, cell: &CellResult) -> Option<Summary> {
        match self {
            Quantity::Time(call) => cell.time(call),
            Quantity::Counter(name) => cell.counters.get(name).copied(),
            Quantity::Field(name) => cell.stats.get(name).copied(),
            Quantity::Extra(name) => cell.extra.get(name).copied(),
        }
    }
}

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
        let times = times.map(|(title, call, included)| Figure::time(title, call, included));
        let counters = grid.names(|cell| &cell.counters);
        let counters = counters.into_iter().map(|name| Figure::counter(name, run));
        times.into_iter().chain(counters).collect()
    }

    fn counter(name: &'a str, run: &'a Run) -> Self {
        let facts = run.experiment.counters.iter().find(|facts| facts.name == name);
        Figure {
            title: name.to_owned(),
            unit: facts.map_or("", |facts| &facts.unit),
            scale: 1.0,
            included: match facts.is_some_and(|facts| facts.semantics == Semantics::Instant) {
                true => "A level, read when one search of the text had ended.",
                false => "Counted during one search of the text. Preparing the pattern is not included.",
            },
            quantity: Quantity::Counter(name),
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

    /// A row for each algorithm, a column for each pattern length.
    pub fn table(&self, grid: &Grid<'_>) -> Markup {
        let decimals = decimals(grid.ok().filter_map(|cell| self.value(cell)));
        let ranked = grid.ok().filter_map(|cell| self.rank(cell)).any(|rank| rank.standing.is_some());
        html! {
            section {
                h2 { (self.title) @if !self.unit.is_empty() { " " small { "in " (self.unit) } } }
                p.faint {
                    (self.included) " Median of " (grid.repetitions()) " repetitions."
                    @if ranked {
                        " Marked: the best of each column, and those that can't be told from it; the others take so many \
                         times as long."
                    }
                }
                div.scroll tabindex="0" role="region" aria-label=(self.title) {
                    table {
                        thead { tr {
                            th scope="col" { "pattern length" }
                            @for length in &grid.lengths { th scope="col" { (length) } }
                        } }
                        tbody {
                            @for algorithm in &grid.algorithms { tr {
                                th scope="row" { (algorithm) }
                                @for &length in &grid.lengths {
                                    @let cell = grid.get(algorithm, length);
                                    @match cell.and_then(|cell| Some((self.summary(cell)?, self.rank(cell)))) {
                                        Some((summary, rank)) => (self.shown(summary, rank, decimals)),
                                        None => td.status { (absent(cell)) },
                                    }
                                }
                            } }
                        }
                    }
                }
            }
        }
    }

    /// A figure; its interval shows where the mouse rests.
    fn shown(&self, summary: Summary, rank: Option<Rank>, decimals: usize) -> Markup {
        let written = |value: f64| grouped(value / self.scale, decimals);
        let interval = summary
            .ci95
            .map(|ci95| format!("95 % interval: {} to {}", written(ci95.low), written(ci95.high)));
        let rank = rank.unwrap_or_default();
        let note = match rank.standing {
            _ if rank.below_floor => "too short to compare".to_owned(),
            Some(_) if rank.is_best() => "best".to_owned(),
            Some(standing) => format!("× {:.2}", standing.to_best.ratio),
            None => String::new(),
        };
        html! {
            td.best[rank.is_best()] title=[interval] {
                (written(summary.med)) @if !note.is_empty() { small { (note) } }
            }
        }
    }
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
