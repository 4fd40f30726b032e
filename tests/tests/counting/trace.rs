//! `assay trace`: a search step by step, from the events of a twin.

use std::fs;
use std::process::Command;

use assay_tests::{Ran, assay, fixture, run, scratch};
use serde_json::Value;

/// What a command did that ended as it should.
#[track_caller]
fn succeed(command: &mut Command) -> Ran {
    let ran = run(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

const TEXT: &str = "GCATCGCAGAGAGTATACAGTACG";
const PATTERN: &str = "GCAGAGAG";

fn trace(id: &str) -> Value {
    let ran = succeed(assay().args(["trace", id, "--data", TEXT, "--pattern", PATTERN, "--format", "json"]));
    serde_json::from_str(&ran.stdout).expect("JSON")
}

#[test]
fn the_book_names_all_fields_of_the_json() {
    let page = include_str!("../../../docs/src/formats.md");
    let section = page.split("## trace --format json").nth(1).expect("a section");
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().expect("an object").keys().cloned().collect() };
    for id in ["hor", "so", "epsm"] {
        let trace = trace(id);
        let attempts = trace["attempts"].as_array().expect("attempts");
        let events = trace["events"].as_array().expect("events");
        let kinds = events.iter().map(|event| event["event"].as_str().expect("a name").to_owned());
        let mut names: Vec<String> = keys(&trace).into_iter().chain(kinds).collect();
        names.extend(attempts.iter().chain(events).flat_map(keys));
        for name in names {
            assert!(section.contains(&format!("`{name}`")), "{name}, of {id}");
        }
    }
}

/// The worked examples of Charras and Lecroq's handbook: comparisons of characters on its standard example.
#[test]
fn comparisons_are_those_of_the_handbook() {
    for (id, comparisons) in [("bf", 30), ("nsn", 27), ("raita", 18), ("bm", 17), ("br", 16), ("qs", 15)] {
        let trace = trace(id);
        let attempts = trace["attempts"].as_array().expect("attempts");
        let counted: usize =
            attempts.iter().map(|attempt| attempt["comparisons"].as_array().expect("a list").len()).sum();
        assert_eq!(counted, comparisons, "{id}");
    }
}

#[test]
fn windows_tables_and_counts_are_shown() {
    let ran = succeed(assay().args(["trace", "hor", "--data", TEXT, "--pattern", PATTERN]));
    let expected = "hor: Horspool\n\ntable 1: 256 entries: A 1, C 6, G 2, all others 8\n\nattempt 1, window at 0\n  \
                    text    GCATCGCAGAGAGTATACAGTACG\n  order   1234   5\n  pattern GCAGAGAG\n  result  ===x\n  \
                    table 1: A is 1\n  shift 1\n\n";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  occurrence at 5\n"), "{}", ran.stdout);
    let counts = succeed(assay().args([
        "run",
        "hor",
        "--data",
        TEXT,
        "--pattern",
        PATTERN,
        "--runs",
        "1",
        "--stats",
        "algo",
        "--no-save",
        "--format",
        "json",
    ]));
    let counts: Value = serde_json::from_str(&counts.stdout).expect("JSON");
    let stats = counts["results"][0]["stats"].as_object().expect("counts");
    let traced = trace("hor");
    for (name, total) in traced["totals"].as_object().expect("totals") {
        assert_eq!(stats[name]["avg"].as_f64(), total.as_f64(), "{name}");
        assert!(ran.stdout.contains(&format!("{name} {total}")), "{name}: {}", ran.stdout);
    }
    let events = traced["events"].as_array().expect("events");
    let begins = traced["search_begins"].as_u64().expect("a number") as usize;
    let is_table = |event: &Value| event["event"] == "table" || event["event"] == "entry";
    assert!(events[..begins].iter().any(is_table) && !events[begins..].iter().any(is_table));
}

#[test]
fn pages_and_pictures_are_files() {
    let folder = scratch();
    let both = ["trace", "hor", "--with", "bm", "--data", "a<b", "--pattern", "<"];
    let [page, picture] = ["page.html", "picture.svg"].map(|name| folder.join(name));
    succeed(assay().args(both).arg("--html").arg(&page));
    succeed(assay().args(both).arg("--to").arg(&picture));
    let [page, picture] = [page, picture].map(|file| fs::read_to_string(file).expect("it was written"));
    assert!(
        page.contains("Horspool and Boyer-Moore, step by step") && page.matches("</script>").count() == 2
    );
    assert!(picture.starts_with("<svg ") && picture.contains("a&lt;b"), "{picture}");
}

#[test]
fn signs_stand_under_their_characters_with_colours_too() {
    let trace = |color: &str| {
        succeed(assay().args(["trace", "hor", "--data", TEXT, "--pattern", PATTERN, "--color", color])).stdout
    };
    let (plain, colored) = (trace("never"), trace("always"));
    assert!(colored.contains("  result  \x1b[32m=\x1b[0m"), "{colored}");
    let bare = ["\x1b[32m", "\x1b[31m", "\x1b[0m"].iter().fold(colored, |text, code| text.replace(code, ""));
    assert_eq!(bare, plain);
}

#[test]
fn a_search_without_comparisons_has_the_windows_that_its_reads_show() {
    for (id, expected) in [("bndm", &[0, 5, 12][..]), ("bom", &[0, 5, 6, 14])] {
        let windows = |trace: &Value| -> Vec<Value> {
            let attempts = trace["attempts"].as_array().expect("attempts");
            attempts.iter().map(|attempt| attempt["window_by_reads"].clone()).collect()
        };
        assert_eq!(windows(&trace(id)), expected, "{id}");
        let ran = succeed(assay().args(["trace", id, "--data", TEXT, "--pattern", PATTERN]));
        assert!(ran.stdout.contains("  pattern      GCAGAGAG\n  occurrence at 5\n"), "{}", ran.stdout);
        assert!(ran.stdout.contains("  shift 5\n"), "{}", ran.stdout);
    }
    assert!(trace("so")["attempts"][0]["window_by_reads"].is_null());
}

#[test]
fn what_can_not_be_traced_is_refused_in_a_sentence() {
    let refused = |args: &[&str], reason: &str| {
        let ran = run(assay().arg("trace").args(args));
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{args:?}: {}", ran.stderr);
    };
    refused(&["hor", "--data", "ab", "--pattern", "abc"], "the pattern has 3 bytes, and the text 2");
    refused(&["horr", "--data", "ab", "--pattern", "a"], "unknown algorithm `horr`");
    refused(&["bndmq.*", "--data", "ab", "--pattern", "a"], "stands for");
    refused(&["memmem", "--data", "ab", "--pattern", "a"], "has no twin, and only a twin");
    refused(&["hor", "--data", "ab", "--pattern", "a", "--to", "x.png"], "does not end in .svg");
    refused(&["hor", "--data", "ab"], "--pattern");
}

#[test]
fn events_beyond_the_limit_are_counted_and_not_recorded() {
    let args = ["trace", "bf", "--data", TEXT, "--pattern", PATTERN, "--max-events", "20"];
    let ran = succeed(assay().args(args));
    assert!(
        ran.stdout.contains("more events were not recorded; --max-events sets the limit"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\n1 occurrence\n"), "{}", ran.stdout);
}

#[test]
fn a_twin_that_does_wrong_is_named_with_the_events_before_that() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture("faulty_twins"), folder.path().join("libfaulty_twins.so")).unwrap();
    for (id, code, said) in [
        ("crashes-watched", 1, "it crashes the process (SIGSEGV"),
        ("hangs-watched", 1, "it hangs: no answer within 10 s"),
        ("lies-watched", 1, "this record is wrong: it counts 2 occurrences, and the text has 1"),
    ] {
        let mut trace = assay();
        trace.args(["trace", id, "--with", "hor", "--data", "abab", "--pattern", "aba", "--plugin-dir"]);
        let ran = run(trace.arg(folder.path()).env("ASSAY_PATIENCE_MS", "10000"));
        assert_eq!(ran.code, Some(code), "{id}: {}", ran.stderr);
        assert!(ran.stdout.contains("attempt 1, window at 0"), "{id}: {}", ran.stdout);
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(said), "{id}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("hor: Horspool"), "{id}: {}", ran.stdout);
        trace.args(["--format", "json"]);
        let json: Value = serde_json::from_str(&run(&mut trace).stdout).expect("JSON");
        assert_eq!(json["contradiction"].is_string(), id == "lies-watched", "{id}");
        assert!(json["with"]["contradiction"].is_null(), "{id}");
    }
}
