//! `assay info`: one thing of any kind.

use std::process::Command;

use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// What a command did that ended as it should.
#[track_caller]
fn succeed(command: &mut Command) -> Ran {
    let ran = run(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

#[test]
fn an_algorithm_is_shown_with_its_reference_its_status_and_its_twin() {
    let shown = succeed(assay().args(["info", "quick search"])).stdout;
    for part in
        ["qs: Quick Search\n", "10.1145/", "from the paper", "stat_qs", "pattern bytes", "assay-comparison"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("entry type"), "{shown}");
    let json = succeed(assay().args(["info", "qs", "--format", "json"])).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!([&json[0]["id"], &json[0]["twin"]], ["qs", "stat_qs"]);
    assert_eq!(json[0]["after"], serde_json::json!(["bm"]));
    let later: Vec<&str> =
        json[0]["built_upon_by"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    assert!(
        ["smith", "gqs2", "gqs8"].iter().all(|id| later.contains(id)) && !later.contains(&"zt"),
        "{later:?}"
    );
    assert_eq!(json[0]["facts"]["year"], "1990");
}

#[test]
fn an_algorithm_comes_with_the_lines_of_a_rust_program_and_a_metric_without() {
    let shown = succeed(assay().args(["info", "bndmq4"])).stdout;
    let lines = [
        "in Rust           use assay_bitparallel::bndm_like::bndmq::Bndmq;",
        "let finder = assay_plugin_api::Finder::<Bndmq<4>>::new(pattern)?;",
        "let count = finder.count(text);",
    ];
    let end: Vec<&str> = shown.lines().map(str::trim_start).collect();
    assert!(end.ends_with(&lines), "{shown}");
    assert!(!succeed(assay().args(["info", "gbps"])).stdout.contains("in Rust"));
}

#[test]
fn what_an_algorithm_builds_on_and_what_builds_on_it_are_shown_with_variants_as_one() {
    let line = |id: &str, name: &str| {
        let shown = succeed(assay().args(["info", id])).stdout;
        let line = shown.lines().find_map(|line| line.trim_start().strip_prefix(name));
        line.map(|line| line.trim().split(", ").map(str::to_owned).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(line("distq3", "builds on"), ["hash3..8", "kmp"]);
    assert_eq!(line("stat_br", "builds on"), ["qs", "zt"]);
    let later = line("hash5", "built upon by");
    assert!(["distq1..8", "hq-ph3..8"].iter().all(|id| later.iter().any(|other| other == id)), "{later:?}");
    assert!(line("bm", "builds on").is_empty() && line("gbps", "built upon by").is_empty());
}

#[test]
fn things_of_other_kinds_are_found_and_a_typing_error_is_answered_with_near_names() {
    for (id, kind) in
        [("gbps", "metric"), ("med", "statistic"), ("hrm", "merger"), ("tsc", "counter"), ("rand4", "corpus")]
    {
        let shown = succeed(assay().args(["info", id])).stdout;
        assert!(
            shown.lines().any(|line| line.trim_start().starts_with("kind") && line.ends_with(kind)),
            "{id}: {shown}"
        );
    }
    let ran = run(assay().args(["info", "horr"]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("did you mean hor?"), "{}", ran.stderr);
    let many = run(assay().args(["info", "bndmq.*"]));
    assert_eq!(many.code, Some(2));
    assert!(many.stderr.contains("name one of them: bndmq2"), "{}", many.stderr);
}
