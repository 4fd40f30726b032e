//! Algorithms that are not made for some pattern lengths, which is no failure.

use std::fs;

use assay_tests::{assay, run};

#[test]
fn what_an_algorithm_is_not_made_for_is_no_failure_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command.args(["run", "hash.*", "qf.*", "bf", "--plen", "1,16", "--runs", "12", "--seed", "1", "--out"]);
    let ran = run(command.arg(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let line = " algorithms are not made for some pattern lengths; -v lists them";
    let dash = "- the algorithm is not made for this pattern length";
    assert_eq!(ran.stderr.matches("not made for").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(line) && ran.warnings().is_empty(), "{}", ran.stderr);
    assert!(ran.stdout.contains(dash) && has_row_with_dash(&ran.stdout, "hash8"), "{}", ran.stdout);
    let report = |arguments: &[&str]| {
        let ran = run(assay().args(["report", "last", "--out"]).arg(folder.path()).args(arguments));
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("cannot search"), "{arguments:?}: {ran:?}");
        ran
    };
    let again = report(&[]);
    assert!(again.stdout == ran.stdout && again.stderr.contains(line), "{}", again.stderr);
    let verbose = report(&["--verbose"]).stderr;
    assert!(verbose.contains("note: hash8 is not made for m=1: "), "{verbose}");
    assert!(report(&["--metric", "ns"]).stdout.contains(dash));
    assert!(report(&["--baseline", "bf"]).stdout.contains("not made for it"));
    let page = report(&["--format", "html"]).stdout;
    assert!(page.contains("algorithms are not made for some pattern lengths</summary>"), "{page}");
    assert!(page.contains("<td class=\"faint\">-</td>") && !page.contains("Without a result"), "{page}");
    // Programs see it as before.
    let csv = fs::read_to_string(assay_tests::only_entry(folder.path()).join("measurements.csv")).unwrap();
    assert!(csv.contains(",cannot_search,"), "{csv}");
}

/// Whether the row of an algorithm, whose name may have marks, has a dash for its first figure.
fn has_row_with_dash(table: &str, id: &str) -> bool {
    let row = table.lines().find(|line| line.to_lowercase().starts_with(id)).unwrap_or_default();
    row.split_whitespace().nth(1) == Some("-")
}
