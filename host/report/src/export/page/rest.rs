//! The part of a page below the figures: the starts of workers, the command that repeats the run, its facts,
//! and its files.

use assay_base::io::numbers::grouped;
use assay_base::io::table::{Datum, Table};
use assay_store::{BLOCKS, EXPERIMENT, MEASUREMENTS, RESULTS, Run};
use maud::{Markup, html};

use super::facts;
use crate::export::picture::palette::MANY;
use crate::export::starts;

/// The part below the figures.
pub(super) fn rest(run: &Run) -> Markup {
    html! {
        (starts(run))
        (again(run))
        (facts::section(run))
        (files())
    }
}

/// The starts of workers. Of many algorithms, the table opens on a click, because it would be most of the
/// page, on paper too.
fn starts(run: &Run) -> Markup {
    html! {
        @if let Some(table) = starts::table(run, 1, str::to_owned) {
            section {
                h2 { (starts::TITLE) }
                p.faint { "A worker's first search is no repetition; workers begin at any value of the range." }
                @if table.rows.len() > MANY {
                    details { summary { "The starts of " (table.rows.len()) " algorithms" } (table_of_starts(&table)) }
                } @else {
                    (table_of_starts(&table))
                }
                @if let Some(line) = starts::missing(run) { p.faint { (line) } }
            }
        }
    }
}

fn table_of_starts(table: &Table) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(starts::TITLE) {
            table.sorts {
                thead { tr { @for column in &table.columns { th scope="col" { (column) } } } }
                tbody {
                    @for row in &table.rows { tr {
                        @for datum in row { @match datum {
                            Datum::Text(algorithm) => th scope="row" { (algorithm) },
                            Datum::Number(value, decimals) => td { (grouped(*value, *decimals)) },
                            _ => td { "-" },
                        } }
                    } }
                }
            }
        }
    }
}

/// The command that repeats the run. It has no path, because readers may have the folder elsewhere, and the
/// path could be private.
fn again(run: &Run) -> Markup {
    html! {
        @if let Some(definition) = &run.experiment.definition {
            section {
                h2 { "Again" }
                p {
                    code { "assay run " (EXPERIMENT) } " in the folder of this run (" (run.experiment.id)
                    ") measures the same again: the same text, the same patterns"
                    @if run.experiment.gathered.is_none() { ", the same order" } "."
                }
                details { summary { (EXPERIMENT) } pre { (definition.to_toml()) } }
            }
        }
    }
}

fn files() -> Markup {
    let files = [
        (MEASUREMENTS, "every repetition"),
        (BLOCKS, "under which conditions each block of repetitions was measured"),
        ("statistics.csv", "the statistics of each quantity, also of those that are 0 everywhere"),
        ("patterns.csv", "the patterns"),
        (EXPERIMENT, "the experiment, to run it again"),
        (RESULTS, "everything that is known of the run, for programs"),
    ];
    html! {
        section {
            h2 { "Beside this page" }
            dl { @for (file, content) in files { dt { a href=(file) { (file) } } dd { (content) } } }
        }
    }
}
