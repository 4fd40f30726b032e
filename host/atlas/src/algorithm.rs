//! The page of one algorithm.

use maud::{Markup, html};

use crate::frame::{self, PagePlace, linked};
use crate::{Atlas, AtlasEntry, Relative, TracedExample, counts, rank_table, trace_page};

/// Facts that are shown elsewhere: as relatives, or in no atlas.
const ELSEWHERE: [&str; 3] = ["kind", "builds on", "built upon by"];

/// The fact whose value is the lines of a program.
pub const IN_RUST: &str = "in Rust";

/// The page.
pub(crate) fn page(atlas: &Atlas, entry: &AtlasEntry) -> String {
    let title = match entry.name.as_str() {
        "" => entry.id.clone(),
        name => format!("{}: {name}", entry.id),
    };
    let known = atlas.by_id();
    let content = html! {
        header {
            h1 { (title) }
            @let idea = entry.fact("idea");
            @if !idea.is_empty() { p { (idea) } }
        }
        main {
            section { h2 { "Facts" } (facts(entry)) }
            section {
                h2 { "Relatives" }
                dl {
                    dt { "builds on" }
                    dd { (relatives(&entry.builds_on, &known, "nothing in this atlas, as far as its library says")) }
                    dt { "built upon by" }
                    dd { (relatives(&entry.built_upon_by, &known, "nothing in this atlas")) }
                }
            }
            section { h2 { "Step by step" } (trace_page::section(entry)) }
            section { h2 { "Speed" } (rank_table::tables(atlas, entry, &known)) }
            @if let Some(counts) = counts::section(atlas, entry) { (counts) }
            @if let Some(bibtex) = &entry.bibtex {
                section { h2 { "Reference" } pre { (bibtex) } }
            }
            section {
                h2 { "Try it" }
                pre {
                    "assay info " (entry.id) "\n"
                    @if let Some(TracedExample { text, pattern, .. }) = &entry.trace {
                        "assay trace " (entry.id) " --data " (text) " --pattern " (pattern) "\n"
                    }
                    "assay run " (entry.id) " --plen 8,32"
                }
            }
        }
    };
    frame::page(PagePlace::Algorithm, &title, &content)
}

/// The facts, in the order of `assay info`.
fn facts(entry: &AtlasEntry) -> Markup {
    let shown = entry.facts.iter().filter(|(name, _)| !ELSEWHERE.contains(&name.as_str()) && name != "idea");
    html! {
        dl {
            @for (name, value) in shown {
                dt { (name) }
                dd {
                    @match name.as_str() {
                        "doi" => (linked(&format!("https://doi.org/{value}"))),
                        IN_RUST => pre { (value) },
                        _ => (linked(value)),
                    }
                }
            }
        }
    }
}

/// The algorithms of a list, with links to those that have a page.
fn relatives(
    relatives: &[Relative],
    known: &std::collections::HashMap<&str, &AtlasEntry>,
    none: &str,
) -> Markup {
    html! {
        @for (place, Relative { label, id }) in relatives.iter().enumerate() {
            @if place > 0 { ", " }
            @match id.as_deref().and_then(|id| known.get(id)) {
                Some(entry) => a href=(PagePlace::Algorithm.to_algorithm(&entry.file())) { (label) },
                None => (label),
            }
        }
        @if relatives.is_empty() { span.faint { (none) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{HOSTILE, atlas};

    #[test]
    fn texts_of_libraries_stay_texts() {
        let atlas = atlas();
        let page = page(&atlas, &atlas.entries[2]);
        assert!(
            !page.contains("<script>") && !page.contains(HOSTILE) && !page.contains("\"javascript:"),
            "{page}"
        );
        assert_eq!(page.matches("<script").count(), 1, "only the script of the atlas");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;"), "{page}");
    }

    #[test]
    fn the_lines_of_a_program_stay_lines() {
        let mut atlas = atlas();
        atlas.entries[1].facts.push((IN_RUST.to_owned(), "use a::B;\nB::<1>".to_owned()));
        let page = page(&atlas, &atlas.entries[1]);
        assert!(page.contains("<dd><pre>use a::B;\nB::&lt;1&gt;</pre></dd>"), "{page}");
    }

    #[test]
    fn a_page_links_to_relatives_and_to_the_doi() {
        let atlas = atlas();
        let page = page(&atlas, &atlas.entries[1]);
        assert!(page.contains("<a href=\"bf.html\">bf</a>"), "{page}");
        assert!(page.contains("href=\"https://doi.org/10.1002/spe.4380100608\""), "{page}");
    }
}
