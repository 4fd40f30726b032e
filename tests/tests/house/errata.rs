//! The programs of SMART that the page of errata lists do count wrongly, where they are at hand.

use std::fs;

use assay_tests::{assay, repository, run, shared};
use serde_json::Value;

/// The ids of the table between the marks of the page.
fn listed(page: &str) -> Vec<String> {
    let table =
        page.split("<!-- smart -->").nth(1).and_then(|rest| rest.split("<!-- end of smart -->").next());
    let table = table.expect("the page marks its table");
    let cells =
        table.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split(" | ").next());
    let ids = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    ids.map(|id| format!("smart:{id}")).collect()
}

#[test]
fn each_program_of_smart_on_the_page_of_errata_fails_its_test() {
    let page = fs::read_to_string(repository().join("docs/src/errata.md")).expect("it is a page of the book");
    let ids = listed(&page);
    assert_eq!(ids.len(), 69, "{ids:?}");
    let Some(folder) = shared("peers/smart") else { return };
    let ran = run(assay().arg("test").args(&ids).args(["--format", "json", "--plugin-dir"]).arg(folder));
    let tests: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let tests = tests["results"].as_array().expect("a list of tests");
    let right =
        tests.iter().filter(|test| !["failed", "crashed"].iter().any(|wrong| test["status"] == **wrong));
    let right: Vec<&Value> = right.map(|test| &test["id"]).collect();
    assert!(tests.len() == 69 && right.is_empty(), "{} tests; without a fault: {right:?}", tests.len());
}
