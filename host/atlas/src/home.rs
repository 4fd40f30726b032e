//! The first page: what the atlas is, the runs that it comes from, and the table of all algorithms.

use assay_base::columns::Call;
use assay_base::io::console::counted;
use assay_report::wording;
use assay_store::folder::moment_of_id;
use assay_store::overall::Place;
use maud::{Markup, html};

use crate::frame::{self, PagePlace};
use crate::{Atlas, AtlasEntry, AtlasRun, downloads};

/// Texts with a column of their own. With more of them, the table would be too wide to read.
const MOST_COLUMNS: usize = 6;

/// The page.
pub(crate) fn page(atlas: &Atlas) -> String {
    let content = html! {
        header {
            h1 { "An atlas of exact string search" }
            p {
                (counted(atlas.entries.len(), "algorithm"))
                ": how each works, where it comes from, and how fast it was in " (counted(atlas.timed.len(), "run"))
                " of " code { "assay" } ". All times are of the machines named below; on another machine, the order "
                "may be another."
            }
        }
        main {
            (table(atlas))
            section { h2 { "Runs" } (runs(atlas)) }
            section {
                h2 { "Downloads" }
                ul.plain {
                    li { a href=(downloads::FIGURES) { (downloads::FIGURES) } ": all figures of the runs with times" }
                    @if !atlas.counted.is_empty() {
                        li {
                            a href=(downloads::COUNTS) { (downloads::COUNTS) } ": all figures of the runs with counts"
                        }
                    }
                    li { a href=(downloads::REFERENCES) { (downloads::REFERENCES) } ": the references as BibTeX" }
                }
            }
            section {
                h2 { "Make it again" }
                p { "This command made the atlas:" }
                pre { (atlas.command) }
            }
        }
    };
    frame::page(PagePlace::Main, "Algorithms", &content)
}

/// The runs, each with its machine and how to repeat it.
fn runs(atlas: &Atlas) -> Markup {
    html! {
        @for run in atlas.timed.iter().chain(&atlas.counted) {
            @let facts = run.facts();
            div.run {
                @let kind = if facts.instrumented() { "counts" } else { "times" };
                p { b { (run.text()) } ", " (wording::lengths(facts)) ": " (kind) }
                p {
                    (facts.machine.cpu.as_deref().unwrap_or(&facts.machine.architecture))
                    @if let Some(moment) = moment_of_id(&facts.id) { ", " (moment.strftime("%-d %B %Y").to_string()) }
                    ", " (counted(run.report.algorithms().len(), "algorithm"))
                    ", patterns of " (lengths_in_words(&run.lengths())) " bytes"
                    @if let Some(amount) = run.report.repetitions() { ", " (wording::from_to(amount)) " repetitions" }
                    ", seed " (facts.seed) ", assay " (facts.machine.assay)
                }
                @for condition in wording::unusual_conditions(facts).iter().chain(&wording::remarks(facts)) {
                    p.notice { (condition) }
                }
                @if run.experiment.is_some() {
                    @let file = downloads::experiment_file(run);
                    @let name = downloads::experiment_name(run);
                    p { "Repeat it: " code { "assay run " (name) } " (" a href=(file) { "the experiment" } ")" }
                }
            }
        }
    }
}

/// "4, 8 and 32".
fn lengths_in_words(lengths: &[u64]) -> String {
    let words: Vec<String> = lengths.iter().map(u64::to_string).collect();
    match words.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The searchable table of all algorithms.
fn table(atlas: &Atlas) -> Markup {
    let shown: Vec<&AtlasRun> = atlas.timed.iter().take(MOST_COLUMNS).collect();
    html! {
        form.search data-table="algorithms" hidden {
            label { "Search " input type="search" placeholder="name, author, year, idea" size="28"; }
            output role="status" {}
        }
        p.legend {
            "The last columns have the search time over all pattern lengths of a run as a multiple of the best one's "
            "(geometric mean). Algorithms marked as best are best or statistically tied with the best."
        }
        div.scroll {
            table.sortable #algorithms {
                thead { tr {
                    th scope="col" { "id" } th scope="col" { "name" }
                    th.number scope="col" { "year" } th scope="col" { "family" } th scope="col" { "status" }
                    @for run in &shown { th.number scope="col" { (run.text()) } }
                } }
                tbody { @for entry in &atlas.entries { (row(entry, &shown)) } }
            }
        }
    }
}

/// The row of an algorithm. Its idea and its authors can be searched, and are not shown.
fn row(entry: &AtlasEntry, shown: &[&AtlasRun]) -> Markup {
    html! {
        tr {
            th scope="row" { a href=(PagePlace::Main.to_algorithm(&entry.file())) { (entry.id) } }
            td.wide { (entry.name) span hidden { " " (entry.fact("authors")) " " (entry.fact("idea")) } }
            td.number data-value=(entry.year.map_or(String::new(), |year| year.to_string())) {
                (entry.year.map_or("-".to_owned(), |year| year.to_string()))
            }
            td { (entry.fact("family")) }
            td { (entry.fact("status").split(':').next().unwrap_or_default()) }
            @for run in shown {
                @match place(run, &entry.id) {
                    Some(place) => td.number.best[place.rank == Some(1)] data-value=(place.to_best.ratio) {
                        (format!("{:.2}", place.to_best.ratio))
                    },
                    None => td.number data-value="" { "-" },
                }
            }
        }
    }
}

/// The place of an algorithm over all pattern lengths of a run, by its search time.
fn place(run: &AtlasRun, id: &str) -> Option<Place> {
    let overall = run.results.overall.iter().find(|overall| overall.algorithm == id)?;
    *overall.places.get(Some(Call::Search))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn the_page_has_a_row_for_each_algorithm_and_escapes_what_libraries_write() {
        let page = page(&atlas());
        assert_eq!(page.matches("<th scope=\"row\">").count(), 3);
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script>"),
            "{page}"
        );
        assert!(page.contains("<a href=\"algorithm/hor.html\">hor</a>"), "{page}");
    }

    #[test]
    fn the_best_are_marked_and_who_was_not_measured_has_no_figure() {
        let page = page(&atlas());
        let cell = |id: &str| {
            let row =
                page.split(&format!("algorithm/{id}.html")).nth(1).and_then(|row| row.split("</tr>").next());
            row.and_then(|row| row.rsplit("<td").next()).unwrap_or_default().to_owned()
        };
        assert!(
            cell("hor").contains("best") && cell("bf").contains(">1.5"),
            "{} {}",
            cell("hor"),
            cell("bf")
        );
        assert!(cell("new").contains('-') && !cell("new").contains("best"), "{}", cell("new"));
    }

    #[test]
    fn lengths_are_listed_as_in_a_sentence() {
        assert_eq!([&[4, 8, 32][..], &[4]].map(lengths_in_words), ["4, 8 and 32", "4"]);
    }
}
