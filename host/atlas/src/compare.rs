//! Any two algorithms compared. The page has all figures, from which its script makes the tables.

use assay_base::columns::Call;
use assay_plugin_api::Field;
use assay_store::Status;
use maud::html;
use serde_json::{Value, json};

use crate::entry::file_stem;
use crate::frame::{self, PagePlace, script_json};
use crate::map::run_name;
use crate::{Atlas, AtlasRun, SiteFile, counts};

/// The script of the page.
const SCRIPT: &str = "compare.js";
/// The counts that are compared.
const COUNTS: [Field; 4] = [Field::TextBytesRead, Field::PatternBytesRead, Field::Lookups, Field::Branches];

/// The page and its script.
pub(crate) fn files(atlas: &Atlas) -> Vec<SiteFile> {
    vec![SiteFile::new(frame::COMPARE, page(atlas)), SiteFile::new(SCRIPT, include_str!("site/compare.js"))]
}

fn page(atlas: &Atlas) -> String {
    let choice = |name: &str, first: usize| {
        html! {
            select name=(name) id=(name) {
                @for (place, entry) in atlas.entries.iter().enumerate() {
                    option value=(file_stem(&entry.id)) selected[place == first] { (entry.id) }
                }
            }
        }
    };
    let content = html! {
        header {
            h1 { "Two compared" }
            p {
                "Median times in µs with their 95 % intervals, and what the twins counted for each character of the "
                "text. A ratio of two medians has no interval here: " code { "assay report RUN --claim A B" }
                " computes one, from the times for the same patterns."
            }
        }
        main {
            noscript { p.notice { "This page needs a script. The page of each algorithm has its figures." } }
            form method="get" action=(frame::COMPARE) {
                label { "algorithm " (choice("a", 0)) }
                label { "and " (choice("b", 1)) }
                button { "Compare" }
            }
            div #comparison {}
            script type="application/json" id="figures" { (script_json(&figures(atlas).to_string())) }
            script src=(SCRIPT) {}
        }
    };
    frame::page(PagePlace::Main, "Two compared", &content)
}

/// All figures: those of an algorithm by run and pattern length.
fn figures(atlas: &Atlas) -> Value {
    let run = |run: &AtlasRun| {
        let name = run_name(atlas, run);
        json!({ "id": run.facts().id, "name": name, "lengths": run.lengths() })
    };
    let algorithms = atlas.entries.iter().map(|entry| {
        let times = atlas
            .timed
            .iter()
            .map(|run| run.lengths().iter().map(|length| times(run, &entry.id, *length)).collect());
        let times: Vec<Vec<Value>> = times.collect();
        let counts = atlas.counted.iter().map(|run| {
            let at = |length: &u64| {
                COUNTS.map(|field| counts::count(run, &entry.id, *length, field).map(rounded)).to_vec()
            };
            run.lengths().iter().map(at).collect::<Vec<_>>()
        });
        let counts: Vec<Vec<Vec<Option<f64>>>> = counts.collect();
        let is_traced = entry.trace.as_ref().is_some_and(|trace| trace.data.is_some());
        json!({
            "id": entry.id, "file": file_stem(&entry.id), "name": entry.name, "traced": is_traced,
            "times": times, "counts": counts,
        })
    });
    json!({
        "timed": atlas.timed.iter().map(run).collect::<Vec<_>>(),
        "counted": atlas.counted.iter().map(run).collect::<Vec<_>>(),
        "counts": COUNTS.map(|field| field.name().replace('_', " ")),
        "algorithms": algorithms.collect::<Vec<_>>(),
    })
}

/// The times of a cell in µs: of the search, and of preparation and search; or its status.
fn times(run: &AtlasRun, id: &str, length: u64) -> Value {
    let Some(cell) = run.cell(id, length) else { return Value::Null };
    if cell.status != Status::Ok {
        return cell.status.words().into();
    }
    let time = |call: Option<Call>| {
        cell.time(call).map(|time| {
            let ends = time.ci95.map(|ci95| [ci95.low, ci95.high]);
            let numbers = std::iter::once(time.med).chain(ends.into_iter().flatten());
            numbers.map(|ns| rounded(ns / 1e3)).collect::<Vec<f64>>()
        })
    };
    json!([time(Some(Call::Search)), time(None)])
}

/// A number with four decimals, because more would make the page longer and say nothing.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{HOSTILE, atlas};

    #[test]
    fn the_page_has_the_figures_of_each_algorithm() {
        let figures = figures(&atlas());
        let hor = &figures["algorithms"][1];
        assert_eq!((&hor["id"], &hor["times"][0][0][0][0]), (&json!("hor"), &json!(1.002)));
        assert_eq!(figures["algorithms"][0]["times"][0][1], "timed out");
        assert_eq!(hor["counts"][0][0][0], 0.125);
        assert_eq!(figures["algorithms"][2]["times"][0][0], Value::Null, "it was not measured");
    }

    #[test]
    fn no_text_of_a_library_ends_the_figures() {
        let page = page(&atlas());
        assert!(!page.contains(HOSTILE) && !page.contains("<script>"), "{page}");
    }
}
