//! "Which one for me": the best sets as a list that can be narrowed by text, pattern length and preparation.

use assay_base::columns::Call;
use maud::{Markup, html};

use crate::best_set::{BestSet, ratio};
use crate::frame::{self, PagePlace};
use crate::map::run_name;
use crate::rank_table::link;
use crate::{Atlas, AtlasRun};

/// What is asked about the preparation, with the time that answers it.
const PREPARED: [(&str, Option<Call>); 2] = [("once", Some(Call::Search)), ("each time", None)];

/// The page.
pub(crate) fn page(atlas: &Atlas) -> String {
    let known = atlas.by_id();
    let mut lengths: Vec<u64> = atlas.timed.iter().flat_map(AtlasRun::lengths).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let texts: Vec<String> = atlas.timed.iter().map(|run| run_name(atlas, run)).collect();
    let rows = html! {
        @for (run, text) in atlas.timed.iter().zip(&texts) {
            @for length in run.lengths() {
                @for (prepared, call) in PREPARED {
                    @let set = BestSet::new(&run.standings(length, call));
                    tr {
                        th scope="row" { (text) }
                        td { (length) }
                        td { (prepared) }
                        td.wide {
                            @for (place, (id, rank)) in set.best.iter().enumerate() {
                                @if place > 0 { ", " }
                                (link(id, &known, PagePlace::Main)) " "
                                small.inline { (format!("× {:.2}", ratio(*rank))) }
                            }
                            @if set.uncertain > 0 { " and perhaps " (set.uncertain) " more, which have too few rounds" }
                            @if set.best.is_empty() { "not known: the times are too short, or the rounds too few" }
                        }
                    }
                }
            }
        }
    };
    let content = html! {
        header {
            h1 { "Which one for me?" }
            p {
                "Choose the text that is most like yours, the length of your patterns, and whether a pattern is "
                "prepared once and searched for often. The answer is a set: all of it are best or statistically tied "
                "with the best, so take the one that suits you otherwise. The ratio is the time as a multiple of the "
                "best one's."
            }
        }
        main {
            form.filter data-table="answers" hidden {
                (choice("text", 0, &texts))
                (choice("pattern length", 1, &lengths.iter().map(u64::to_string).collect::<Vec<_>>()))
                (choice("prepared", 2, &PREPARED.map(|(words, _)| words.to_owned())))
                output role="status" {}
            }
            div.scroll { table #answers {
                thead { tr {
                    th scope="col" { "text" } th scope="col" { "pattern length" } th scope="col" { "prepared" }
                    th.wide scope="col" { "best, or tied with the best" }
                } }
                tbody { (rows) }
            } }
        }
    };
    frame::page(PagePlace::Main, "Which one?", &content)
}

/// A menu that narrows the list by a column.
fn choice(name: &str, column: usize, values: &[String]) -> Markup {
    html! {
        label { (name) " " select data-column=(column) {
            option value="" { "any" }
            @for value in values { option { (value) } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn each_question_has_its_answer_without_a_script() {
        let page = page(&atlas());
        assert_eq!(page.matches("<th scope=\"row\">").count(), 4, "two lengths, prepared once or each time");
        assert!(
            page.contains("<td>4</td><td>once</td><td class=\"wide\"><a href=\"algorithm/hor.html\">"),
            "{page}"
        );
        assert!(page.contains("× 1.00"), "{page}");
    }
}
