//! The page of the book that says what each source file holds, made from the first sentence of each file.
//!
//! `UPDATE_CODE_MAP=1 cargo test -p assay-tests --test house code_map` writes the page anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::repository;

use crate::house_rules::{files, text};

/// The page, relative to the repository.
const PAGE: &str = "docs/src/code-map.md";

const HEAD: &str = "# Code map

What each source file holds: the first sentence of its documentation. A test writes this page
(`UPDATE_CODE_MAP=1 cargo test -p assay-tests --test house code_map`). [Architecture](ARCHITECTURE.md) says how the parts
work together.

Files of algorithms are left out: each is named by the id of its algorithm, and the pages of the
[families](families/comparison-prefix.md) describe them. So are files of tests, called `tests.rs` beside what they test.
";

/// The files that give their sentence to the folder in which they lie.
const OF_FOLDER: [&str; 3] = ["mod.rs", "lib.rs", "main.rs"];

/// The first sentence of a file's documentation.
fn summary(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//! "));
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph[..end].to_owned()
}

fn is_on_the_map(file: &Path, source: &str) -> bool {
    let registered = source.split("register!(").skip(1).map(str::trim_start);
    let is_algorithm = registered.into_iter().any(|what| what.starts_with("algorithm "));
    file.file_name().is_some_and(|name| name != "tests.rs") && !is_algorithm
}

/// The file that speaks for a folder: in it, or beside it with the name of the folder.
fn speaker<'a>(folder: &Path, sources: &'a BTreeMap<PathBuf, String>) -> Option<&'a String> {
    let inside = OF_FOLDER.iter().map(|name| folder.join(name));
    inside.chain([folder.with_extension("rs")]).find_map(|file| sources.get(&file))
}

fn page() -> String {
    let sources: BTreeMap<PathBuf, String> =
        files(".rs").into_iter().filter_map(|file| Some((file.clone(), text(&file)?))).collect();
    let mut folders = BTreeMap::<&Path, Vec<&Path>>::new();
    for (file, source) in &sources {
        let folder = folders.entry(file.parent().expect("it lies in a folder")).or_default();
        if is_on_the_map(file, source) && !OF_FOLDER.iter().any(|name| file.ends_with(name)) {
            folder.push(file);
        }
    }
    let mut page = HEAD.to_owned();
    for (folder, files) in folders {
        if files.is_empty() && !OF_FOLDER.iter().any(|name| sources.contains_key(&folder.join(name))) {
            continue;
        }
        let spoken = speaker(folder, &sources).map(|source| summary(source) + "\n").unwrap_or_default();
        let _ = write!(page, "\n## `{}/`\n\n{spoken}", folder.display());
        if !files.is_empty() {
            let gap = if spoken.is_empty() { "" } else { "\n" };
            let _ = write!(page, "{gap}| file | holds |\n| --- | --- |\n");
        }
        for file in files {
            let name = file.file_name().expect("a file has a name").display();
            let _ = writeln!(page, "| `{name}` | {} |", summary(&sources[file]).replace('|', "\\|"));
        }
    }
    page
}

#[test]
fn the_code_map_is_that_of_the_sources() {
    let file = repository().join(PAGE);
    let page = page();
    let written = fs::read_to_string(&file).unwrap_or_default();
    if std::env::var_os("UPDATE_CODE_MAP").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let differences: Vec<&str> =
        page.lines().filter(|line| !written.lines().any(|old| old == *line)).collect();
    assert!(
        written == page,
        "{PAGE} is old: set UPDATE_CODE_MAP=1 for this test, and look at the difference. New lines:\n{}",
        differences.join("\n")
    );
}

#[test]
fn a_summary_is_the_first_sentence_even_if_it_goes_on_in_a_second_line() {
    let source = "//! What is kept: rows,\n//! and facts. And more\n//! of it.\n\nuse std::fs;\n";
    assert_eq!(summary(source), "What is kept: rows, and facts.");
    assert_eq!(summary("//! One\n//!\n//! Two.\n"), "One");
}
