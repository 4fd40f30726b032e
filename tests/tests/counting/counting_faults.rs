//! A counter backend that passes its trial and counts nonsense afterwards, or fails in the middle of a run,
//! costs its own counts, under its own name.

use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, fixture, run};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with the library of such backends.
fn odd_backends() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let library = fixture("odd_kinds");
    fs::copy(&library, folder.path().join(library.file_name().unwrap())).unwrap();
    folder
}

/// The file in which the fixture marks each opening of a set.
fn marks(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("marks")
}

/// Measures two algorithms in two rounds, ten repetitions of two lengths each.
fn measure(folder: &TempDir, counters: &str, more: &[&str], marks: Option<&Path>) -> (Ran, Value) {
    let mut command = assay();
    command.args(["run", "hor", "so", "--data", &"the cat sat on the mat, ".repeat(40)]);
    command.args(["--plen", "4,8", "--runs", "10", "--rounds", "2", "--seed", "1", "--no-save"]);
    command.args(["--format", "json", "--counters", counters, "--plugin-dir"]).arg(folder.path()).args(more);
    command.env("ASSAY_PATIENCE_MS", "2000");
    if let Some(marks) = marks {
        // In the sandbox, a backend could not write to that file.
        command.arg("--no-sandbox").env("ASSAY_TEST_MARKS", marks);
    }
    let ran = run(&mut command);
    let json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}", ran.stderr));
    (ran, json)
}

/// Whether each cell is there, with its times and the counts of the clock, and without those of the other
/// backends, which is a failure.
#[track_caller]
fn nothing_else_is_lost(ran: &Ran, json: &Value) {
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let cells = json["results"].as_array().unwrap();
    assert_eq!(cells.len(), 4);
    for cell in cells {
        assert_eq!((&cell["status"], &cell["repetitions"]), (&"ok".into(), &10.into()), "{cell:#}");
        assert!(cell["search_ns"]["med"].is_number(), "{cell:#}");
        for counter in json["experiment"]["counters"].as_array().unwrap() {
            let name = counter["name"].as_str().unwrap();
            let counted = cell["counters"][name]["med"].is_number();
            assert_eq!(counted, name == "clock:ns", "{name}: {cell:#}");
        }
    }
}

#[test]
fn counts_that_cannot_be_are_left_out_and_said_once() {
    let folder = odd_backends();
    let (ran, json) = measure(&folder, "nan,backwards,clock:ns,overlong", &[], None);
    nothing_else_is_lost(&ran, &json);
    let expected = [
        "warning: counter `nan:it`: 80 counts of 80 left out: not a number",
        "warning: counter `backwards:it`: 80 counts of 80 left out: went backwards",
        "warning: counter `overlong:it`: 80 counts of 80 left out: ran longer than it was enabled",
    ];
    assert_eq!(ran.warnings(), expected);
    let kept = json["experiment"]["noise"]["left_out"].as_array().unwrap();
    assert_eq!(kept.len(), 3);
    assert_eq!((&kept[0]["counter"], &kept[0]["not_a_number"]), (&"nan:it".into(), &80.into()));
}

#[test]
fn counts_that_could_not_be_read_are_said_once() {
    let folder = odd_backends();
    let (ran, json) = measure(&folder, "unread,clock:ns", &[], Some(&marks(&folder)));
    nothing_else_is_lost(&ran, &json);
    assert_eq!(ran.warnings(), ["warning: counter `unread:it`: 80 counts of 80 left out: could not be read"]);
}

#[test]
fn a_backend_that_fails_during_a_run_is_named_and_used_no_more() {
    let cases = [
        ("hangs-read", "read", "it hangs: no answer within 2 s"),
        ("crashes-read", "read", "it crashes the process (SIGABRT: it gave up)"),
        ("hangs-stop", "stopped", "it hangs: no answer within 2 s"),
        ("crashes-start", "started", "it crashes the process (SIGABRT: it gave up)"),
        ("refuses-start", "started", "twice is too often"),
        ("kills-start", "started", "it kills the parent of the process"),
        ("kills-late", "read", "it kills the parent of the process"),
    ];
    for (backend, deed, fault) in cases {
        let folder = odd_backends();
        let (ran, json) = measure(&folder, &format!("{backend},clock:ns"), &[], Some(&marks(&folder)));
        nothing_else_is_lost(&ran, &json);
        let warnings = ran.warnings();
        assert_eq!(warnings.len(), 2, "{backend}: {}", ran.stderr);
        let unknown = "warning: what counting costs in this run is not known: ";
        let (costs, warnings): (Vec<&str>, Vec<&str>) =
            warnings.into_iter().partition(|warning| warning.starts_with(unknown));
        assert_eq!(costs.len(), 1, "{backend}: {}", ran.stderr);
        let beginning = format!("warning: counter backend `{backend}`, {deed} for ");
        assert!(warnings[0].starts_with(&beginning), "{}", warnings[0]);
        let end = format!("): {fault}; its counts are missing from there on");
        assert!(warnings[0].ends_with(&end), "{}", warnings[0]);
        let kept = &json["experiment"]["noise"]["lost_backends"];
        assert_eq!((&kept[0]["backend"], kept[1].is_null()), (&backend.into(), true), "{kept}");
        let opened = fs::metadata(marks(&folder)).unwrap().len();
        assert_eq!(opened, 3, "{backend}: for its trial, for what it costs, and by the worker that it fails");
    }
}

#[test]
fn a_backend_that_hangs_when_it_is_closed_does_not_delay_the_run() {
    let folder = odd_backends();
    let (ran, json) = measure(&folder, "hangs-close,clock:ns", &[], Some(&marks(&folder)));
    assert_eq!((ran.code, ran.warnings()), (Some(0), vec![]), "{}", ran.stderr);
    for cell in json["results"].as_array().unwrap() {
        assert!(cell["counters"]["hangs-close:it"]["med"].is_number(), "{cell:#}");
    }
}

#[test]
fn in_process_a_backend_that_refuses_to_go_on_is_used_no_more() {
    let folder = odd_backends();
    let (ran, json) = measure(&folder, "refuses-start,clock:ns", &["--in-process"], Some(&marks(&folder)));
    nothing_else_is_lost(&ran, &json);
    assert_eq!(ran.warnings().len(), 2, "{}", ran.stderr);
    assert!(
        ran.warnings()[0].contains("is not known: counter backend `refuses-start`: twice"),
        "{}",
        ran.stderr
    );
    assert!(ran.warnings()[1].contains("`refuses-start`, started for "), "{}", ran.stderr);
}

#[test]
fn a_backend_that_ends_the_process_of_the_host_does_not_pass_for_a_success() {
    let folder = odd_backends();
    let mut command = assay();
    command.args(
        "run hor --plen 4 --runs 3 --no-save --no-sandbox --in-process --counters exits-read --plugin-dir"
            .split(' '),
    );
    let ran = run(command.arg(folder.path()).env("ASSAY_TEST_MARKS", marks(&folder)));
    assert_ne!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("ended this process in the middle of the run"), "{}", ran.stderr);
}

#[test]
fn a_backend_that_writes_everywhere_reaches_no_file_of_the_caller_and_is_named() {
    let folder = odd_backends();
    let mine = folder.path().join("mine");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" 9>\"$MINE\""]).arg(assay_tests::libraries().join("assay"));
    assay_tests::isolate(&mut command);
    command.args(
        "run hor --plen 4 --runs 3 --rounds 1 --no-save --no-sandbox --counters scribbles --plugin-dir"
            .split(' '),
    );
    command.arg(folder.path()).env("ASSAY_TEST_MARKS", marks(&folder)).env("MINE", &mine);
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(fs::read(&mine).unwrap(), b"", "the caller's own");
    let told = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("by the algorithm or by what counts there (scribbles)"), "{}", ran.stderr);
}

#[test]
fn backends_are_read_in_one_order_in_all_workers_of_a_run() {
    let folder = odd_backends();
    let order = folder.path().join("order");
    let mut command = assay();
    command
        .args("run hor so bf --plen 4 --runs 12 --rounds 6 --no-save --no-sandbox --plugin-dir".split(' '))
        .arg(folder.path());
    let ran = run(command.args(["--counters", "tells-one,tells-other"]).env("ASSAY_TEST_ORDER", &order));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut by_process: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
    for line in fs::read_to_string(&order).unwrap().lines() {
        let (process, letter) = line.split_once(' ').unwrap();
        by_process.entry(process.to_owned()).or_default().push_str(letter);
    }
    // A worker tries each by itself. Then a repetition reads both before and after its preparation, and
    // before and after its search, one within the other.
    let begins = |order: &str| by_process.values().filter(|read| read[2..].starts_with(order)).count();
    let (outer_one, outer_other) = (begins("abbaabba"), begins("baabbaab"));
    assert_eq!((outer_one.min(outer_other), outer_one.max(outer_other)), (0, 18), "{by_process:?}");
}

#[test]
fn an_algorithm_that_fails_leaves_no_backend_counting() {
    let folder = odd_backends();
    let library = fixture("faulty_plugin");
    fs::copy(&library, folder.path().join(library.file_name().unwrap())).unwrap();
    for more in [&["--in-process"][..], &[]] {
        let mut command = assay();
        command.args("run panics hor --plen 4,8 --runs 3 --rounds 1 --no-save --format json".split(' '));
        command.args(["--counters", "strict", "--plugin-dir"]).arg(folder.path()).args(more);
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            json["experiment"]["noise"]["lost_backends"].as_array().map(Vec::len),
            Some(0),
            "{}",
            ran.stderr
        );
        let ok = json["results"].as_array().unwrap().iter().filter(|cell| cell["status"] == "ok");
        let counted = ok.filter(|cell| cell["counters"]["strict:it"]["med"].is_number());
        assert_eq!(counted.count(), 2, "{}", ran.stdout);
    }
}

#[test]
fn a_backend_that_starts_programs_must_declare_it() {
    let folder = odd_backends();
    let mut command = assay();
    command.args(["run", "hor", "--plen", "4", "--runs", "3", "--no-save", "--counters", "launches:it"]);
    command.arg("--plugin-dir").arg(folder.path()).env("ASSAY_TEST_MARKS", marks(&folder));
    let ran = run(&mut command);
    assert!(ran.stderr.contains("does not declare `programs` in its ACCESS"), "{}", ran.stderr);
    let mut check = assay();
    check.args(["plugins", "check"]).arg(folder.path().join("libodd_kinds.so"));
    // Other backends of this library hang, which need not take long.
    check.env("ASSAY_PATIENCE_MS", "300").env("ASSAY_TEST_MARKS", marks(&folder));
    let checked = run(&mut check);
    assert!(!marks(&folder).exists(), "its program was started: {}{}", checked.stdout, checked.stderr);
}
