//! Pages about the algorithms name only algorithms that exist.

use std::collections::BTreeSet;
use std::fs;

use assay_plugin_api::private::{Registration, inventory};
use assay_tests::repository;
use {assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_engines as _};
use {assay_hashing as _, assay_hybrid as _, assay_own as _, assay_packed as _};

/// The pages of the book whose words in backticks are mostly ids of algorithms.
const PAGES: [&str; 9] = [
    "fastest",
    "not-here",
    "pitfalls",
    "published-against-measured",
    "smart",
    "statuses",
    "timed",
    "validation",
    "what-is-counted",
];

/// Words in backticks that could be an id by their letters, but are none, or one of an algorithm that is not
/// here.
const WORDS: [&str; 31] = [
    "aa",
    "aab",
    "clock",
    "compare",
    "engine",
    "english",
    "error",
    "extra",
    "fhc",
    "fibonacci",
    "histogram",
    "host",
    "let",
    "metadata",
    "msbm",
    "note",
    "protein",
    "rand2",
    "rand256",
    "rare",
    "report",
    "run",
    "search",
    "sliceslice",
    "smart",
    "stats",
    "status",
    "statuses",
    "strstr",
    "tests",
    "unclear",
];

/// Whether a text has the letters of an id: words of small letters and digits, with hyphens between.
fn is_like_an_id(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.split('-').all(is_word) && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// The texts in backticks of a page, without those of blocks of code.
fn in_backticks(page: &str) -> Vec<&str> {
    let lines = page.split("```").step_by(2).flat_map(str::lines);
    lines.flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn pages_about_algorithms_name_only_those_that_exist() {
    let mut ids = BTreeSet::new();
    for registration in inventory::iter::<Registration>() {
        let Some((_, identity)) = registration.algorithm() else { continue };
        // Variants by number are named together without it.
        ids.insert(identity.id.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned());
        ids.insert(identity.id);
    }
    let (mut unused, mut wrong) = (BTreeSet::from(WORDS), Vec::new());
    for page in PAGES {
        let text = fs::read_to_string(repository().join(format!("docs/src/{page}.md"))).unwrap();
        for word in in_backticks(&text).into_iter().filter(|word| is_like_an_id(word)) {
            if !ids.contains(word) && !unused.remove(word) && !WORDS.contains(&word) {
                wrong.push(format!("{page}.md: `{word}` is no algorithm, and not among WORDS of this test"));
            }
        }
    }
    wrong.extend(unused.iter().map(|word| format!("no page has `{word}`, which is among WORDS")));
    wrong.extend(WORDS.into_iter().filter(|word| ids.contains(*word)).map(|id| format!("`{id}` is an id")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn texts_in_backticks_that_could_be_ids_are_found() {
    let page = "`hor` and `a b`\n```console\n`none`\n```\n`fs-w1`, `P::COUNTS`";
    assert_eq!(in_backticks(page), ["hor", "a b", "fs-w1", "P::COUNTS"]);
    let like_ids = ["hor", "fs-w1", "2block", "a b", "P::COUNTS", "12", "a-", "-"].map(is_like_an_id);
    assert_eq!(like_ids, [true, true, true, false, false, false, false, false]);
}
