//! A plugin can do anything wrong, and costs only its own row.

use std::path::PathBuf;
use std::sync::OnceLock;

use assay_tests::{Ran, assay, fixture, run};
use serde_json::Value;

/// The folder with the library of faulty algorithms.
fn faulty() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = assay_tests::scratch().join("faulty");
        std::fs::create_dir_all(&folder).unwrap();
        let library = fixture("faulty_plugin");
        std::fs::copy(&library, folder.join(library.file_name().unwrap())).unwrap();
        folder
    })
}

/// Runs faulty algorithms beside `hor`, which must not suffer.
fn run_with(algorithms: &[&str], more: &[&str]) -> (Ran, Value) {
    let mut command = assay();
    command.arg("run").args(algorithms).arg("hor").arg("--plugin-dir").arg(faulty());
    command.args(["--data", &"the cat sat on the mat, ".repeat(40), "--plen", "4", "8"]);
    command.args(["--runs", "10", "--seed", "1", "--no-save", "--format", "json"]).args(more);
    let ran = run(&mut command);
    let json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}", ran.stderr));
    (ran, json)
}

/// Status and message of an algorithm at a pattern length.
fn cell(json: &Value, algorithm: &str, length: u64) -> (String, String) {
    let results = json["results"].as_array().unwrap();
    let cell = results.iter().find(|cell| cell["algorithm"] == algorithm && cell["pattern_length"] == length);
    let cell = cell.unwrap_or_else(|| panic!("no {algorithm} m={length} in {json:#}"));
    (cell["status"].as_str().unwrap().to_owned(), cell["message"].as_str().unwrap_or("").to_owned())
}

#[track_caller]
fn costs_only_its_row(algorithm: &str, status: &str, message: &str) {
    let (ran, json) = run_with(&[algorithm], &["--time-limit", "200"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for length in [4, 8] {
        let (found, text) = cell(&json, algorithm, length);
        assert_eq!(found, status, "{text}");
        assert!(text.contains(message), "{text}");
        assert_eq!(cell(&json, "hor", length), ("ok".to_owned(), String::new()));
    }
    let row = json["results"].as_array().unwrap().iter().find(|cell| cell["algorithm"] == algorithm).unwrap();
    assert_eq!(row["search_ns"], Value::Null, "what failed has no statistics");
}

#[test]
fn a_crash() {
    costs_only_its_row("crashes", "crashed", "the search of repetition 0 crashes the process (SIGSEGV");
}

#[test]
fn an_endless_search() {
    costs_only_its_row("hangs", "timed_out", "the search of repetition 0 took more than 200 ms");
}

#[test]
fn an_endless_preparation() {
    costs_only_its_row(
        "hangs-preparing",
        "timed_out",
        "the preparation of repetition 0 took more than 200 ms",
    );
}

#[test]
fn of_several_calls_the_one_at_fault_is_named() {
    let message = |algorithm: &str| {
        let (_, json) = run_with(&[algorithm], &["--time-limit", "100", "--searches", "3"]);
        cell(&json, algorithm, 4).1
    };
    assert!(message("crashes").starts_with("`search1` of repetition 0 crashes the process (SIGSEGV"));
    // The limit is for all three searches.
    assert_eq!(message("hangs"), "repetition 0 took more than 300 ms, and was in `search1`");
}

#[test]
fn what_fails_before_any_pattern_fails_once_and_by_name() {
    let mut command = assay();
    command.args(["run", "hangs-made", "crashes-made", "--plugin-dir"]).arg(faulty());
    command.args(["--data", "the cat sat on the mat", "--plen", "1", "12", "--increment", "+1", "--no-save"]);
    let ran = run(command.env("ASSAY_PATIENCE_MS", "3000"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let expected = [
        (
            "crashes-made m=1,2,3,4,5,6,7,8,9,10,11,12 crashed: ",
            "its function `create` crashes the process (SIGABRT",
        ),
        (
            "hangs-made m=1,2,3,4,5,6,7,8,9,10,11,12 timed out: ",
            "its function `create` hangs: no answer within 3 s",
        ),
    ];
    let warnings = ran.warnings();
    assert_eq!(warnings.len(), expected.len(), "{}", ran.stderr);
    for (cells, words) in expected {
        let beginning = format!("warning: {cells}{words}");
        assert!(warnings.iter().any(|line| line.starts_with(&beginning)), "{}", ran.stderr);
    }
}

#[test]
fn an_exit_with_status_0() {
    costs_only_its_row("exits", "crashed", "the search of repetition 0 ends the process with exit status 0");
}

#[test]
fn a_panic() {
    costs_only_its_row("panics", "error", "out of ideas");
}

#[test]
fn a_stack_overflow() {
    costs_only_its_row("overflows", "crashed", "stack overflow");
}

#[test]
fn an_abort() {
    costs_only_its_row("aborts", "crashed", "SIGABRT");
}

#[test]
fn a_wrong_count() {
    costs_only_its_row("miscounts", "wrong", "occurrences; there are");
}

#[test]
fn a_write_to_the_text() {
    costs_only_its_row("writes-text", "error", "write at text offset 0");
    costs_only_its_row(
        "scribbles",
        "crashed",
        "the preparation of repetition 0 crashes the process (SIGSEGV",
    );
    // It may write to what lies on the same page.
    costs_only_its_row("overwrites", "error", "it writes to the text");
}

#[test]
fn a_death_that_leaves_a_child_running() {
    costs_only_its_row("forks", "crashed", "makes a system call that the sandbox forbids: `clone`");
    let (_, json) = run_with(&["forks"], &["--no-sandbox"]);
    assert!(cell(&json, "forks", 4).1.starts_with("the search of repetition 0 crashes the process (SIGABRT"));
    // Ours, not that of another checkout: its environment names our folder.
    let ours = assay_tests::scratch().display().to_string().into_bytes();
    let alive = || {
        let mut processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.any(|process| {
            let status = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            // A zombie has no environment left.
            status.contains("(assay-forked) ") && environment.windows(ours.len()).any(|part| part == ours)
        })
    };
    // A signal takes a moment to arrive.
    let gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        !alive()
    });
    assert!(gone, "the child ends with its worker");
}

#[test]
fn a_hang_outside_of_the_search() {
    let (ran, json) = run_with(&["hangs-asked"], &["--time-limit", "200"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let hung = ("timed_out".to_owned(), "its function `needs` hangs: no answer within 5 s".to_owned());
    assert_eq!([4, 8].map(|length| cell(&json, "hangs-asked", length)), [hung.clone(), hung]);
    assert_eq!(cell(&json, "hor", 8).0, "ok");
}

#[test]
fn garbage_on_standard_output_is_dropped() {
    let (ran, json) = run_with(&["prints"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(cell(&json, "prints", 4).0, "ok");
}

#[test]
fn declared_slack_can_be_written_to() {
    let (ran, json) = run_with(&["writes-slack"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(cell(&json, "writes-slack", 8).0, "ok");
}

#[test]
fn what_an_algorithm_is_not_made_for_is_no_failure() {
    let (ran, json) = run_with(&["picky", "no-such-cpu"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(cell(&json, "picky", 8).0, "ok");
    let refused = |algorithm| cell(&json, algorithm, 4);
    assert_eq!(refused("picky"), ("cannot_search".into(), "it takes patterns of 8 bytes or more".into()));
    assert_eq!(refused("no-such-cpu"), ("cannot_search".into(), "this CPU has no warp-drive".into()));
}

#[test]
fn in_process_a_panic_is_still_only_a_row() {
    let (ran, json) = run_with(&["panics"], &["--in-process"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!((cell(&json, "panics", 4).0, cell(&json, "hor", 8).0), ("error".into(), "ok".into()));
}
