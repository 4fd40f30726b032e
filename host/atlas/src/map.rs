//! The map: the best at each text and pattern length, today and by year.

use std::collections::HashMap;

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_report::Undecided;
use assay_store::null::floor;
use maud::{Markup, html};

use crate::best_set::{self, BestSet, ratio};
use crate::frame::{self, PagePlace};
use crate::rank_table::{TIMES, link};
use crate::{Atlas, AtlasEntry, AtlasRun};

/// The years of the map by year: before and after a decade of much work each, from the year of Boyer-Moore and
/// Knuth-Morris-Pratt on.
const YEARS: [u32; 5] = [1977, 1990, 2000, 2010, 2020];
/// Names in a field that are shown at once.
const MOST_NAMES: usize = 5;

/// The page.
///
/// # Errors
/// If the measurements of a run can't be read again.
pub(crate) fn page(atlas: &Atlas) -> Result<String> {
    let known = atlas.by_id();
    let lengths = lengths(atlas);
    let mut eras = Vec::new();
    for run in &atlas.timed {
        eras.push(by_year(run, &known)?);
    }
    let content = html! {
        header {
            h1 { "Who is best where" }
            p {
                "Each field has the best algorithm at a pattern length in a text, with all that are statistically "
                "tied with it, and how many times as long the next one takes. The order within a field has no meaning."
            }
        }
        main {
            @for (call, title) in TIMES {
                section {
                    h2 { (title) }
                    div.scroll { table.map {
                        (heading("text", &lengths))
                        tbody { @for run in &atlas.timed { tr {
                            th scope="row" { (run_name(atlas, run)) }
                            @for length in &lengths { (field(run, *length, call, &known)) }
                        } } }
                    } }
                    @for run in &atlas.timed {
                        @if let Some(undecided) = undecided(run, call)? {
                            p.faint { (run_name(atlas, run)) ": " (undecided.sentence()) "." }
                        }
                    }
                }
            }
            section {
                h2 { "By year" }
                p {
                    "The best by search time among the algorithms that were published until a year, on the same "
                    "machine and with the same compiler. The factor is the time of the fastest of them as a multiple of "
                    "today's best: how much the years since then brought. An algorithm without a year, "
                    "and one that was improved since it was published, counts as of today alone."
                }
                @for (run, rows) in atlas.timed.iter().zip(&eras) {
                    h3 { (run_name(atlas, run)) }
                    (rows)
                }
            }
        }
    };
    Ok(frame::page(PagePlace::Main, "Map", &content))
}

/// The first row of a map.
fn heading(first: &str, lengths: &[u64]) -> Markup {
    html! {
        thead { tr { th scope="col" { (first) } @for length in lengths { th scope="col" { "m = " (length) } } } }
    }
}

/// All pattern lengths of the runs, ascending.
fn lengths(atlas: &Atlas) -> Vec<u64> {
    let mut lengths: Vec<u64> = atlas.timed.iter().flat_map(AtlasRun::lengths).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// The text of a run, with the run if several are of texts with this name.
pub(crate) fn run_name(atlas: &Atlas, run: &AtlasRun) -> String {
    let text = run.text();
    let is_shared = atlas.timed.iter().filter(|other| other.text() == text).count() > 1;
    if is_shared { format!("{text}, run {}", run.facts().id) } else { text }
}

/// The algorithms that the rounds of a run are too few to decide about; `None` if there are none.
///
/// # Errors
/// If the measurements can't be read again.
fn undecided(run: &AtlasRun, call: Option<Call>) -> Result<Option<Undecided>> {
    let floor = floor(run.report.null(call)?.as_ref(), call);
    Ok(Undecided::of_results(run.results.results.iter(), call, floor))
}

/// A field: the best, and the next.
fn field(run: &AtlasRun, length: u64, call: Option<Call>, known: &HashMap<&str, &AtlasEntry>) -> Markup {
    if !run.lengths().contains(&length) {
        return html! { td { "-" } };
    }
    let set = BestSet::new(&run.standings(length, call));
    html! {
        td {
            (set.names(known, MOST_NAMES))
            @if let Some((id, rank)) = &set.next {
                small { "next: × " (format!("{:.2}", ratio(*rank))) " " (link(id, known, PagePlace::Main)) }
            }
        }
    }
}

/// The table of the eras of a run: a row for each year, a column for each pattern length.
fn by_year(run: &AtlasRun, known: &HashMap<&str, &AtlasEntry>) -> Result<Markup> {
    let lengths = run.lengths();
    let mut rows = Vec::new();
    for year in YEARS {
        rows.push((format!("until {year}"), best_set::until(run, year, known)?));
    }
    let today =
        lengths.iter().map(|length| (*length, BestSet::new(&run.standings(*length, Some(Call::Search)))));
    rows.push(("today".to_owned(), Some(today.collect())));
    Ok(html! {
        div.scroll { table.map {
            (heading("published", &lengths))
            tbody { @for (name, sets) in &rows { tr {
                th scope="row" { (name) }
                @for length in &lengths {
                    @match sets.iter().flatten().find(|(value, _)| value == length) {
                        Some((_, set)) => td {
                            (set.names(known, MOST_NAMES))
                            @if let Some(factor) = factor(run, *length, set) { small { "× " (format!("{factor:.2}")) } }
                        },
                        None => td { "-" },
                    }
                }
            } } }
        } }
    })
}

/// The least ratio to today's best among a best set of an era.
fn factor(run: &AtlasRun, length: u64, set: &BestSet) -> Option<f64> {
    let today = |id: &str| {
        run.cell(id, length).map_or(f64::INFINITY, |cell| ratio(*cell.ranks.get(Some(Call::Search))))
    };
    let factor = set.best.iter().map(|(id, _)| today(id)).fold(f64::INFINITY, f64::min);
    factor.is_finite().then_some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn the_map_has_the_best_and_the_next_with_its_factor() {
        let page = page(&atlas()).unwrap();
        let (best, next) =
            ("<td><a href=\"algorithm/hor.html\">hor</a>", "<a href=\"algorithm/bf.html\">bf</a>");
        assert!(page.contains(&format!("{best}<small>next: × 1.50 {next}</small></td>")), "{page}");
    }

    #[test]
    fn an_era_says_how_much_the_years_since_then_brought() {
        let mut atlas = atlas();
        atlas.entries[0].year = Some(1970);
        let known = atlas.by_id();
        let table = by_year(&atlas.timed[0], &known).unwrap().into_string();
        let row = |name: &str| {
            table.split(name).nth(1).and_then(|row| row.split("</tr>").next()).unwrap().to_owned()
        };
        assert!(row("until 1977").contains("bf</a><small>× 1.50</small>"), "{table}");
        assert!(row("today").contains("hor</a><small>× 1.00</small>"), "{table}");
    }
}
