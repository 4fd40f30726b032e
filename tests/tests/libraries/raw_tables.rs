//! A library that fills in the tables of the ABI itself: needs that only other dialects have, answers that
//! this host does not know, and tables that are wrong.

use assay_tests::{Ran, assay, fixture, run};
use serde_json::Value;

/// Searches a small text five times with one of its algorithms.
fn search(id: &str, more: &[&str]) -> Ran {
    let library = fixture("raw_tables");
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(library, folder.path().join("libraw_tables.so")).unwrap();
    let mut command = assay();
    command.args(["run", id, "--pattern", "aba", "--data", "abababa", "--runs", "5", "--no-save"]);
    run(command.args(["--format", "csv", "--plugin-dir"]).arg(folder.path()).args(more))
}

#[test]
fn an_algorithm_that_wants_a_fresh_process_for_each_pattern_gets_it() {
    let ran = search("once", &["--warmup", "2"]);
    assert_eq!((ran.code, ran.warnings()), (Some(0), vec![]), "{}", ran.stdout);
}

#[test]
fn an_algorithm_that_wants_fresh_processes_is_refused_where_there_is_one_alone() {
    let ran = search("once", &["--in-process"]);
    let told = ran.stdout + &ran.stderr;
    assert!(told.contains("it needs a process for each pattern"), "{told}");
}

#[test]
fn what_lies_around_the_text_can_be_written_to_by_who_asks_for_it() {
    let ran = search("around", &[]);
    assert_eq!((ran.code, ran.warnings()), (Some(0), vec![]), "{}", ran.stdout);
}

#[test]
fn needs_that_cannot_be_met_are_reported() {
    for (id, words) in [
        ("far", "it needs 1073741824 bytes before the text, more than the "),
        ("later", "it needs what this version of assay does not know (flags 0x10000000000)"),
        ("unsure", "its needs for patterns of 3 bytes: it has no formula"),
        ("odd", "it has its reasons"),
    ] {
        let ran = search(id, &[]);
        let told = ran.stdout + &ran.stderr;
        assert!(told.contains(words), "{id}: {told}");
    }
}

#[test]
fn of_several_calls_the_one_that_answers_an_error_is_named() {
    // It searches once for each preparation.
    let ran = search("stale", &["--searches", "2"]);
    let told = ran.stdout + &ran.stderr;
    assert!(told.contains("error: `search2` of repetition 0: it has its reasons"), "{told}");
}

/// What `plugins check` says of the library if this is wrong with it.
fn refusal(fault: &str) -> String {
    let mut check = assay();
    check.args(["plugins", "check"]).arg(fixture("raw_tables")).env("ASSAY_TEST_TABLE", fault);
    // What it says this time is nothing to be remembered.
    let cache = tempfile::tempdir().unwrap();
    let ran = run(check.env("ASSAY_CACHE_DIR", cache.path()));
    let told = ran.stdout + &ran.stderr;
    assert_eq!(ran.code, Some(1), "{fault}: {told}");
    told
}

#[test]
fn a_list_that_is_too_long_is_refused_by_its_length() {
    let told = refusal("long list").replace("\n  ", " ");
    let words = "its list of the kind metric has 1125899906842624 items; at most 65536 are read";
    assert!(told.contains(words), "{told}");
}

#[test]
fn a_table_that_is_wrong_is_refused_by_name() {
    for (fault, words) in [
        ("short", "its table says that it has 16 bytes; its first version has 48"),
        ("endless", "its table says that it has 18446744073709551615 bytes"),
        ("null", "its table lies at the impossible address 0x0"),
        ("unaligned", "its table lies at the impossible address 0x"),
        ("empty", "its table has no function `evaluate`"),
    ] {
        let told = refusal(fault);
        assert!(
            told.contains("it brings the metric `wrong`, and ") && told.contains(words),
            "{fault}: {told}"
        );
    }
}

#[test]
fn a_false_twin_of_another_algorithm_is_refused_and_changes_no_figure() {
    let counts = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = assay();
        command.args(["run", "hor", "--stats", "algo", "--pattern", "aba", "--data", "abababa"]);
        command.args(["--runs", "5", "--no-save", "--format", "json"]).args(more);
        // What the library says this time is nothing to be remembered.
        let ran = run(command.env("ASSAY_TEST_TABLE", "twin").env("ASSAY_CACHE_DIR", folder.path()));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
        (ran, json["results"].clone())
    };
    let library = fixture("raw_tables");
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("libraw_tables.so");
    std::fs::copy(library, &place).unwrap();
    let (alone, expected) = counts(&[]);
    let (ran, found) = counts(&["--plugin-dir", folder.path().to_str().unwrap()]);
    assert_eq!((alone.code, ran.code), (Some(0), Some(0)), "{}", ran.stderr);
    assert!(expected[0]["stats"]["jumps"]["med"].is_number(), "{expected:#}");
    assert_eq!(found, expected);
    let words = "its algorithm `usurper` calls itself the twin of `hor`";
    let warnings = ran.warnings();
    assert!(warnings.len() == 1 && warnings[0].contains(place.to_str().unwrap()), "{}", ran.stderr);
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

#[test]
fn impossible_measurements_are_an_error_of_the_algorithm() {
    let ran = search("boastful", &["--stats", "algo"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let warnings = ran.warnings();
    let begins = "warning: boastful m=3 error: repetition 0 reports an impossible figure: ";
    assert!(warnings.len() == 1 && warnings[0].starts_with(begins), "{}", ran.stderr);
    assert!(warnings[0].contains("18446744073709551615"), "{}", ran.stderr);
}

#[test]
fn an_instrumented_algorithm_that_measures_nothing_is_named_with_its_library() {
    let ran = search("silent", &["silent", "--stats", "algo"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let warnings = ran.warnings();
    assert!(warnings.len() == 1, "{}", ran.stderr);
    assert!(warnings[0].starts_with("warning: `silent` measured nothing (/"), "{}", ran.stderr);
    assert!(warnings[0].ends_with("/libraw_tables.so)"), "{}", ran.stderr);
}

#[test]
fn plugins_check_tries_the_tables_with_the_kit_of_authors() {
    let ran = run(assay().args(["plugins", "check"]).arg(fixture("raw_tables")));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for (id, state, words) in [
        ("once", "ok", "1 cases, all right"),
        ("around", "ok", " cases, all right"),
        ("far", "FAIL", "1073741824 bytes before the text"),
        ("unsure", "FAIL", "it has no formula"),
        ("spills", "FAIL", "bytes after the text were written to (pattern "),
        ("stale", "FAIL", "in a second search, it has its reasons (pattern "),
        ("displaced", "FAIL", "found [1], expected [0] (pattern "),
    ] {
        let line = ran.stdout.lines().find(|line| line.contains(&format!(" {id}: ")));
        let line = line.unwrap_or_else(|| panic!("{id}: {}", ran.stdout)).trim_start();
        assert!(line.starts_with(state) && line.contains(words), "{line}");
    }
}
