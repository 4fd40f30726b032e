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
    assert_eq!(json[0]["facts"]["year"], "1990");
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
