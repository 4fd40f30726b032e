//! The quantities that a page shows, and the table of one.

use assay_plugin_api::Semantics;
use maud::{Markup, html};

use super::grid::Grid;
use crate::columns::{self, Call};
use crate::report::export::numbers::{decimals, grouped};
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
    less_is_better: bool,
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
            Quantity::Time(Some(call)) => cell.time(call),
            Quantity::Time(None) => cell.total_ns,
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
            less_is_better: false,
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
            less_is_better: true,
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
            less_is_better: false,
        };
        standard.chain(extra).map(figure).collect()
    }

    fn value(&self, cell: &CellResult) -> Option<f64> {
        let summary = self.quantity.of(cell).filter(|_| cell.status == Status::Ok);
        summary.map(|summary| summary.med / self.scale)
    }

    /// A row for each algorithm, a column for each pattern length.
    pub fn table(&self, grid: &Grid<'_>) -> Markup {
        let value = |algorithm, length| grid.get(algorithm, length).and_then(|cell| self.value(cell));
        let best = |length| {
            let values = grid.algorithms.iter().filter_map(|algorithm| value(algorithm, length));
            values.reduce(f64::min).filter(|_| self.less_is_better)
        };
        let columns: Vec<(usize, Option<f64>)> =
            grid.lengths.iter().map(|&length| (length, best(length))).collect();
        let decimals = decimals(grid.ok().filter_map(|cell| self.value(cell)));
        html! {
            section {
                h2 { (self.title) @if !self.unit.is_empty() { " " small { "in " (self.unit) } } }
                p.faint {
                    (self.included) " Median of " (grid.repetitions()) " repetitions."
                    @if self.less_is_better {
                        " Marked: the smallest of each column; the others say how many times that."
                    }
                }
                div.scroll tabindex="0" role="region" aria-label=(self.title) {
                    table {
                        thead { tr {
                            th scope="col" { "pattern length" }
                            @for (length, _) in &columns { th scope="col" { (length) } }
                        } }
                        tbody {
                            @for algorithm in &grid.algorithms { tr {
                                th scope="row" { (algorithm) }
                                @for &(length, best) in &columns {
                                    @match value(algorithm, length) {
                                        Some(value) => (shown(value, decimals, best)),
                                        None => td.status { (absent(grid.get(algorithm, length))) },
                                    }
                                }
                            } }
                        }
                    }
                }
            }
        }
    }
}

fn shown(value: f64, decimals: usize, best: Option<f64>) -> Markup {
    let shown = grouped(value, decimals);
    match best {
        Some(best) if value == best => html! { td.best { (shown) small { "best" } } },
        Some(best) if best > 0.0 => html! { td { (shown) small { "× " (format!("{:.2}", value / best)) } } },
        _ => html! { td { (shown) } },
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
