//! The quantities that a page shows, and the table of one.

use assay_plugin_api::Field;
use maud::{Markup, html};
use serde_json::Value;

use super::results::{Results, status};
use crate::report::export::numbers::{decimals, grouped};
use crate::report::unit_of;

/// A quantity, shown by its median for each algorithm and pattern length.
pub(super) struct Figure<'a> {
    title: String,
    unit: &'a str,
    /// How many units of the results make one unit here.
    scale: f64,
    /// What the figure stands for.
    included: &'static str,
    path: Vec<&'a str>,
    less_is_better: bool,
}

impl<'a> Figure<'a> {
    /// The quantities that the run measured. Times of an instrumented run say nothing about the algorithms, and are left
    /// out.
    pub fn all(report: &'a Value, results: &Results<'a>) -> Vec<Figure<'a>> {
        if report["experiment"]["stats"] == "algo" {
            return Figure::measurements(results);
        }
        let times = [
            ("Search", "search_ns", "One search of the text. Preparing the pattern is not included."),
            ("Preparation", "prepare_ns", "Preparing one pattern. Searching is not included."),
            ("Preparation and search", "total_ns", "Preparing one pattern and searching the text for it."),
        ];
        let times = times.map(|(title, name, included)| Figure::time(title, name, included, results));
        let counters = results.members("counters").into_iter().map(|name| Figure::counter(name, report));
        times.into_iter().chain(counters).collect()
    }

    fn counter(name: &'a str, report: &'a Value) -> Self {
        let known = report["experiment"]["counters"].as_array().into_iter().flatten();
        let facts = known.into_iter().find(|facts| facts["name"] == name).unwrap_or(&Value::Null);
        Figure {
            title: name.to_owned(),
            unit: facts["unit"].as_str().unwrap_or_default(),
            scale: 1.0,
            included: match facts["semantics"] == "instant" {
                true => "A level, read when one search of the text had ended.",
                false => "Counted during one search of the text. Preparing the pattern is not included.",
            },
            path: vec!["counters", name],
            less_is_better: false,
        }
    }

    fn time(title: &str, name: &'a str, included: &'static str, results: &Results<'_>) -> Self {
        let mut figure = Figure {
            title: title.to_owned(),
            unit: "ns",
            scale: 1.0,
            included,
            path: vec![name],
            less_is_better: true,
        };
        let most = results.ok().filter_map(|result| figure.value(result)).fold(0.0, f64::max);
        (figure.unit, figure.scale) = match most {
            1e9.. => ("s", 1e9),
            1e6.. => ("ms", 1e6),
            1e3.. => ("µs", 1e3),
            _ => ("ns", 1.0),
        };
        figure
    }

    /// The standard measurements in their order, then the fields that the algorithms added.
    fn measurements(results: &Results<'a>) -> Vec<Self> {
        let place = |name: &&str| Field::ALL.iter().position(|field| field.name() == *name);
        let mut names: Vec<&str> = results.members("stats").into_iter().collect();
        names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
        let standard = names.into_iter().map(|name| ("stats", name));
        let extra = results.members("extra").into_iter().map(|name| ("extra", name));
        let figure = |(object, name): (&'a str, &'a str)| Figure {
            title: capitalised(&name.replace('_', " ")),
            unit: unit_of(name),
            scale: 1.0,
            included: "Counted by the instrumented algorithm for one pattern and one search of the text.",
            path: vec![object, name],
            less_is_better: false,
        };
        standard.chain(extra).map(figure).collect()
    }

    fn value(&self, result: &Value) -> Option<f64> {
        let summary = self.path.iter().fold(result, |value, name| &value[name]);
        summary["med"].as_f64().filter(|_| result["status"] == "ok").map(|value| value / self.scale)
    }

    /// A row for each algorithm, a column for each pattern length.
    pub fn table(&self, results: &Results<'_>) -> Markup {
        let value = |algorithm, length| results.get(algorithm, length).and_then(|result| self.value(result));
        let best = |length| {
            let values = results.algorithms.iter().filter_map(|algorithm| value(algorithm, length));
            values.reduce(f64::min).filter(|_| self.less_is_better)
        };
        let columns: Vec<(u64, Option<f64>)> =
            results.lengths.iter().map(|&length| (length, best(length))).collect();
        let decimals = decimals(results.ok().filter_map(|result| self.value(result)));
        html! {
            section {
                h2 { (self.title) @if !self.unit.is_empty() { " " small { "in " (self.unit) } } }
                p.faint {
                    (self.included) " Median of " (results.repetitions()) " repetitions."
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
                            @for algorithm in &results.algorithms { tr {
                                th scope="row" { (algorithm) }
                                @for &(length, best) in &columns {
                                    @match value(algorithm, length) {
                                        Some(value) => (cell(value, decimals, best)),
                                        None => td.status { (status(results.get(algorithm, length))) },
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

fn cell(value: f64, decimals: usize, best: Option<f64>) -> Markup {
    let shown = grouped(value, decimals);
    match best {
        Some(best) if value == best => html! { td.best { (shown) small { "best" } } },
        Some(best) if best > 0.0 => html! { td { (shown) small { "× " (format!("{:.2}", value / best)) } } },
        _ => html! { td { (shown) } },
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
