//! The timeline and the family tree.

use std::collections::{BTreeMap, HashMap};

use maud::{Markup, html};

use crate::frame::{self, PagePlace};
use crate::{Atlas, AtlasEntry};

/// The page.
pub(crate) fn page(atlas: &Atlas) -> String {
    let mut years: BTreeMap<Option<u32>, Vec<&AtlasEntry>> = BTreeMap::new();
    for entry in &atlas.entries {
        years.entry(entry.year).or_default().push(entry);
    }
    let undated = years.remove(&None);
    let content = html! {
        header {
            h1 { "Timeline and family tree" }
            p { "Algorithms by the year of their publication; and each below the first of those that it builds on." }
        }
        main {
            section {
                h2 { "Timeline" }
                dl {
                    @for (year, entries) in &years {
                        dt { (year.unwrap_or_default()) }
                        dd { (names(entries)) }
                    }
                    @if let Some(entries) = &undated { dt { "no year" } dd { (names(entries)) } }
                }
            }
            section { h2 { "Family tree" } (tree(atlas)) }
        }
    };
    frame::page(PagePlace::Main, "Timeline and tree", &content)
}

fn names(entries: &[&AtlasEntry]) -> Markup {
    html! {
        @for (place, entry) in entries.iter().enumerate() { @if place > 0 { ", " } (named(entry)) }
    }
}

fn named(entry: &AtlasEntry) -> Markup {
    html! { a href=(PagePlace::Main.to_algorithm(&entry.file())) title=(entry.name) { (entry.id) } }
}

/// The algorithms below those that they build on.
fn tree(atlas: &Atlas) -> Markup {
    let known = atlas.by_id();
    let mut children: HashMap<Option<&str>, Vec<&AtlasEntry>> = HashMap::new();
    for entry in &atlas.entries {
        let mut parents = entry.builds_on.iter().filter_map(|parent| parent.id.as_deref());
        let parent = parents.find(|id| known.contains_key(id) && *id != entry.id);
        children.entry(parent).or_default().push(entry);
    }
    for entries in children.values_mut() {
        entries.sort_by_key(|entry| entry.year.unwrap_or(u32::MAX));
    }
    // Algorithms that build on each other in a circle have no root, so they stand in the list of years alone.
    branch(None, &children)
}

/// The algorithms that build on one; those that build on none for `None`.
fn branch(parent: Option<&str>, children: &HashMap<Option<&str>, Vec<&AtlasEntry>>) -> Markup {
    html! {
        @if let Some(entries) = children.get(&parent) {
            ul.tree {
                @for entry in entries {
                    li {
                        @if let Some(year) = entry.year { (year) " " }
                        (named(entry)) " " span.faint { (entry.name) }
                        (branch(Some(&entry.id), children))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Relative;
    use crate::testing::atlas;

    #[test]
    fn an_algorithm_stands_in_its_year_and_below_what_it_builds_on() {
        let page = page(&atlas());
        assert!(page.contains("<dt>1980</dt><dd><a href=\"algorithm/hor.html\""), "{page}");
        let tree = page.split("Family tree</h2>").nth(1).unwrap();
        let below = tree.split(">bf</a>").nth(1).unwrap().split("</ul>").next().unwrap();
        assert!(below.contains("<ul class=\"tree\"><li>1980 <a href=\"algorithm/hor.html\""), "{tree}");
    }

    #[test]
    fn a_circle_of_algorithms_ends() {
        let mut atlas = atlas();
        atlas.entries[0].builds_on = vec![Relative { label: "hor".to_owned(), id: Some("hor".to_owned()) }];
        assert!(!tree(&atlas).into_string().contains(">hor<"), "it has no root");
    }
}
