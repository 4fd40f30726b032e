//! A library that brings ids of ours: ours keep them, its own are named together with it, and commands that
//! use neither say nothing.

use std::fs;

use assay_tests::{Ran, assay, fixture, run};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with such a library.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture("same_ids"), folder.path().join("libsame_ids.so")).unwrap();
    folder
}

fn with(folder: &TempDir, words: &str) -> Ran {
    run(assay().args(words.split(' ')).arg("--plugin-dir").arg(folder.path()))
}

/// The notes on standard error, each as one line.
fn notes(ran: &Ran) -> Vec<String> {
    let joined = ran.stderr.replace("\n  ", " ");
    joined.lines().filter(|line| line.starts_with("note: ")).map(str::to_owned).collect()
}

#[test]
fn a_command_that_uses_no_shared_id_says_nothing_of_them() {
    let folder = folder();
    for words in ["list", "list --strict", "run bm --data abcabc --plen 2 --runs 1 --no-save --format csv"] {
        let ran = with(&folder, words);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{words}");
    }
    let listed = with(&folder, "list --format csv").stdout;
    for id in
        ["algorithm,hor", "algorithm,same_ids:hor", "algorithm,same_ids:stat_hor", "statistic,same_ids:med"]
    {
        assert!(listed.contains(&format!("\n{id},")), "{id}: {listed}");
    }
}

#[test]
fn an_id_is_ours_and_the_stranger_s_is_named_with_its_library() {
    let folder = folder();
    let measured = |names: &str, stats: &str| {
        let words =
            format!("run {names} --stats {stats} --data abcabcabc --plen 2 --runs 2 --no-save --format json");
        let ran = with(&folder, &words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        let cells = json["results"].as_array().unwrap().iter();
        let text = |cell: &Value, name: &str| cell[name].as_str().unwrap().to_owned();
        let cells = cells.map(|cell| {
            let library = text(cell, "library");
            (text(cell, "algorithm"), text(cell, "variant"), library.rsplit('/').next().unwrap().to_owned())
        });
        (cells.collect::<Vec<_>>(), notes(&ran))
    };
    let cell =
        |id: &str, variant: &str, library: &str| (id.to_owned(), variant.to_owned(), library.to_owned());
    let (cells, notes) = measured("hor same_ids:hor", "perf");
    let (ours, theirs) = ("libassay_comparison.so", "libsame_ids.so");
    assert_eq!(cells, [cell("hor", "hor", ours), cell("same_ids:hor", "same_ids:hor", theirs)]);
    let note = notes.iter().filter(|note| note.contains("algorithm `hor` is brought by"));
    let note: Vec<&String> = note.collect();
    assert_eq!(note.len(), 1, "{notes:?}");
    assert!(note[0].ends_with("which came with assay; name the other: same_ids:hor"), "{}", note[0]);

    let (cells, _) = measured("hor same_ids:hor", "algo");
    let twins = "libassay_stat_comparison.so";
    assert_eq!(cells, [cell("hor", "stat_hor", twins), cell("same_ids:hor", "same_ids:stat_hor", theirs)]);
    let (cells, notes) = measured("assay-comparison:hor", "perf");
    assert_eq!((cells, notes.len()), (vec![cell("hor", "hor", ours)], 0), "any library can be named");
}

#[test]
fn other_kinds_are_named_in_the_same_way() {
    let folder = folder();
    let saved = assay_tests::repository().join("tests/fixtures/saved_run");
    let report = |words: &str| {
        let words = format!("report {} --format csv --call search {words}", saved.display());
        with(&folder, &words)
    };
    let ran = report("--metric same_ids:gbps --stat same_ids:med");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let figures = ran.stdout.lines().skip(1).filter_map(|line| line.rsplit(',').next());
    // A cell that failed has none.
    let figures: Vec<&str> = figures.filter(|figure| !figure.is_empty()).collect();
    assert!(!figures.is_empty() && figures.iter().all(|figure| *figure == "7"), "{}", ran.stdout);
    let ran = report("--metric gbps --stat med");
    let shared = notes(&ran).into_iter().filter(|note| note.contains(" is brought by "));
    assert_eq!((ran.code, shared.count()), (Some(0), 2), "one for each: {}", ran.stderr);

    let run =
        "run bm --corpus same_ids:english --text-size 100B --pattern zz --runs 1 --no-save --format json";
    let ran = with(&folder, run);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["results"][0]["occurrences"], 99);
    assert!(with(&folder, "test same_ids:hor --quick").stdout.contains("same_ids:hor"));
}

#[test]
fn the_list_of_libraries_says_what_shared_ids_mean() {
    let folder = folder();
    let ran = with(&folder, "plugins list --format csv");
    let warnings = ran.warnings().join("\n");
    assert!(warnings.contains("both bring algorithm `hor`"), "{}", ran.stderr);
    assert!(warnings.contains("which came with assay; name the other: same_ids:ID"), "{}", ran.stderr);
    let status = |library: &str| {
        let line = ran.stdout.lines().find(|line| line.contains(library)).unwrap();
        line.split(',').next().unwrap().to_owned()
    };
    assert_eq!(
        (status("libsame_ids.so"), status("libassay_comparison.so")),
        ("conflict".into(), "used".into())
    );
    assert_eq!(with(&folder, "plugins list --strict").code, Some(2));
}
