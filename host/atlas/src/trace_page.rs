//! The traces: as text on the page of an algorithm, and one page that plays any of them, or two side by side.

use assay_trace::{PLAYER_SCRIPT, empty_player};
use maud::{Markup, html};

use crate::entry::file_stem;
use crate::frame::{self, PagePlace, TRACE};
use crate::{Atlas, AtlasEntry, SiteFile, TracedExample};

/// The script of the player, which the page loads after the traces.
const PLAYER: &str = "player.js";
/// The folder of the traces, a script for each.
const TRACES: &str = "trace";

/// The page, its scripts, and the trace of each algorithm.
pub(crate) fn files(atlas: &Atlas) -> Vec<SiteFile> {
    let traced = atlas.entries.iter().filter_map(|entry| Some((entry, entry.trace.as_ref()?.data.as_ref()?)));
    let mut files: Vec<SiteFile> = traced
        .map(|(entry, data)| {
            // A script, because a page of a local file may load scripts, and no data.
            SiteFile::new(format!("{TRACES}/{}.js", file_stem(&entry.id)), format!("traced({data});\n"))
        })
        .collect();
    let page =
        empty_player("A search, step by step", &lead(atlas).into_string(), include_str!("site/trace.js"));
    files.push(SiteFile::new(TRACE, page));
    files.push(SiteFile::new(PLAYER, PLAYER_SCRIPT));
    files
}

/// What stands before the player: the way back, and the choice of algorithms.
fn lead(atlas: &Atlas) -> Markup {
    let choice = |name: &str, none: Option<&str>| {
        html! {
            select name=(name) id=(name) {
                @if let Some(none) = none { option value="" { (none) } }
                @for entry in atlas.entries.iter().filter(|entry| is_playable(entry)) {
                    option value=(file_stem(&entry.id)) { (entry.id) }
                }
            }
        }
    };
    html! {
        p { a href=(frame::HOME) { "All algorithms" } span #pages {} }
        noscript { p.notice { "The player needs a script. The page of each algorithm has its trace as text." } }
        form method="get" action=(TRACE) {
            label { "algorithm " (choice("a", None)) }
            label { "beside " (choice("b", Some("none"))) }
            button { "Show" }
        }
    }
}

fn is_playable(entry: &AtlasEntry) -> bool {
    entry.trace.as_ref().is_some_and(|trace| trace.data.is_some())
}

/// The trace on the page of an algorithm.
pub(crate) fn section(entry: &AtlasEntry) -> Markup {
    let Some(TracedExample { pattern, text, rendered, data, problem, .. }) = &entry.trace else {
        return html! { p { "It has no twin, and only a twin reports what it does." } };
    };
    html! {
        @if !pattern.is_empty() { p { "It searches for " code { (pattern) } " in " code { (text) } "." } }
        @if let Some(problem) = problem { p.notice { (problem) "." } }
        @if data.is_some() {
            @let address = PagePlace::Algorithm.to_main(&format!("{TRACE}?a={}", file_stem(&entry.id)));
            p { a href=(address) { "Play it" } ", alone or beside another" }
        }
        @if !rendered.is_empty() {
            details { summary { "All steps as text" } pre.trace { (rendered) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn each_trace_is_a_script_and_all_pages_share_the_player() {
        let files = files(&atlas());
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["trace/bf.js", "trace/hor.js", TRACE, PLAYER], "`new` has no trace");
        assert_eq!(files[1].content, "traced([\"hor\"]);\n");
        assert!(files[2].content.contains("<option value=\"hor\">hor</option>"));
    }

    #[test]
    fn a_trace_that_failed_says_so_and_keeps_what_was_recorded() {
        let atlas = atlas();
        let failed = section(&atlas.entries[2]).into_string();
        assert!(failed.contains("class=\"notice\"") && failed.contains("attempt of &lt;script"), "{failed}");
        assert!(!failed.contains("trace.html"), "it can't be played: {failed}");
        assert!(section(&atlas.entries[1]).into_string().contains("href=\"../trace.html?a=hor\""));
    }
}
