//! Names in the source of the host: one name for each type, and no names of what plugins bring.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assay_tests::assay;

use crate::house_rules::{files, text};

/// Type names that may be defined more than once: each command has its arguments in a struct of this name.
const SHARED_TYPE_NAMES: [&str; 1] = ["Args"];

/// The ids that the host names, each with its file. ARCHITECTURE.md lists the same exceptions.
const NAMED_BY_THE_HOST: [(&str, &str); 21] = [
    // What `--rand`, `--simulate` and `--cpu-stats` mean, and what `report` shows if nothing is asked for.
    ("host/assay/src/cli/run/options.rs", "rand"),
    ("host/assay/src/cli/run/definition.rs", "cachegrind"),
    ("host/assay/src/cli/run/definition.rs", "perf"),
    ("host/assay/src/cli/report/figures.rs", "microseconds"),
    ("host/assay/src/cli/report/figures.rs", "med"),
    // The mergers that a plan is made for.
    ("host/assay/src/cli/collect.rs", "hrm"),
    ("host/assay/src/cli/collect.rs", "much"),
    // Algorithms are ranked by medians, and captions call these metrics a time.
    ("host/report/src/export/caption.rs", "microseconds"),
    ("host/report/src/export/caption.rs", "med"),
    ("host/report/src/export/stat_table.rs", "med"),
    // A run compares the ticks of this backend with the clock.
    ("host/store/src/provenance.rs", "tsc"),
    // Names of something else: features of a CPU, the key of a flag, the counts of
    // `--stats perf`, a column of a table, a clock source of the kernel, packages of a distribution.
    ("host/doctor/src/clocks.rs", "tsc"),
    ("host/doctor/src/programs.rs", "papi"),
    ("host/doctor/src/programs.rs", "pcp"),
    ("host/experiment/src/cpu.rs", "tbm"),
    ("host/experiment/src/cpu.rs", "tsc"),
    ("host/experiment/src/keys.rs", "rand"),
    ("host/assay/src/cli/summary.rs", "rand"),
    ("host/assay/src/cli/results.rs", "perf"),
    ("host/assay/src/cli/smart/options.rs", "perf"),
    ("host/stats/src/summary.rs", "med"),
];

/// Ids that are words of the language, of or of formats too. In the files of the host they mean that.
const ALSO_WORDS: [&str; 13] =
    ["all", "auto", "avg", "clock", "col", "cycles", "max", "min", "ms", "own", "pair", "seconds", "std"];

/// The Rust sources of the host without their tests.
fn host_sources() -> Vec<(PathBuf, String)> {
    let is_test = |file: &Path| {
        let name = file.file_name().unwrap_or_default();
        name == "tests.rs"
            || name == "testing.rs"
            || file.components().any(|part| part.as_os_str() == "tests")
    };
    let files = files(".rs").into_iter().filter(|file| file.starts_with("host") && !is_test(file));
    files.filter_map(|file| text(&file).map(|text| (file, text))).collect()
}

/// The names of the types that a source defines.
fn type_names(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let keyword = words.iter().position(|word| ["struct", "enum"].contains(word))?;
        let visible = words[..keyword].iter().all(|word| word.starts_with("pub"));
        let name = words.get(keyword + 1)?.split(|letter: char| !letter.is_alphanumeric()).next()?;
        (visible && name.starts_with(char::is_uppercase)).then_some(name)
    })
}

#[test]
fn each_type_of_the_host_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (file, source) in host_sources() {
        for name in type_names(&source) {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 300, "only {} types were found", places.len());
    places.retain(|name, files| files.len() > 1 && !SHARED_TYPE_NAMES.contains(&name.as_str()));
    assert!(places.is_empty(), "these names stand for several types: {places:#?}");
}

/// The string literals of a source, outside of comments and tests.
fn literals(source: &str) -> impl Iterator<Item = &str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2))
}

#[test]
fn the_host_names_nothing_that_plugins_bring() {
    let listing = assay().args(["list", "--format", "csv"]).output().expect("the program runs");
    let listing = String::from_utf8(listing.stdout).expect("it is text");
    let ids: BTreeSet<&str> = listing.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert!(ids.contains("hor") && ids.contains("med") && ids.contains("hrm"), "these are all: {ids:?}");
    let mut named = BTreeSet::new();
    for (file, source) in host_sources() {
        // An example is a program of its own, which must name what it measures.
        if file.components().any(|part| part.as_os_str() == "examples") {
            continue;
        }
        for literal in
            literals(&source).filter(|literal| ids.contains(literal) && !ALSO_WORDS.contains(literal))
        {
            named.insert((file.to_string_lossy().into_owned(), literal.to_owned()));
        }
    }
    let allowed = NAMED_BY_THE_HOST.map(|(file, id)| (file.to_owned(), id.to_owned()));
    assert_eq!(named, allowed.into_iter().collect(), "found, and allowed");
}
