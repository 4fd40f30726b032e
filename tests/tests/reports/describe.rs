//! `assay describe`.

use std::fs::{self, File};
use std::process::Stdio;

use assay_tests::{Ran, assay, run, shared};

/// Describes a file of this content.
fn describe(content: &str, arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.csv"), content).unwrap();
    run(assay().current_dir(folder.path()).args(["describe", "x.csv"]).args(arguments))
}

#[test]
fn the_layout_of_benchstats_is_reproduced_to_the_byte() {
    let Some(folder) = shared("reference/benchstats") else { return };
    let expected = fs::read_to_string(folder.join("output.txt")).unwrap();
    let inside = run(assay().current_dir(&folder).args(["describe", "input.csv", "--format", "benchstats"]));
    assert_eq!(inside, Ran { code: Some(0), stdout: expected, stderr: String::new() });
    let outside = run(assay().arg("describe").arg(folder.join("input.csv")).args(["--format", "benchstats"]));
    assert_eq!(outside, inside);
}

#[test]
fn the_greatest_value_counts() {
    let ran = describe("a,b\n0,1\n10,1\n20,1\n20,1\n", &["--format", "benchstats"]);
    let counts: Vec<&str> =
        ran.stdout.lines().filter(|line| line.contains('%') && !line.contains("binCenter")).collect();
    assert_eq!(counts[..2], ["     5.0,        1, =25.00%", "    15.0,        3, =75.00%"]);
    assert_eq!(counts[2..], ["     1.5,        4, =100.00%", "     2.5,        0, = 0.00%"]);
}

#[test]
fn one_row_and_equal_values_are_described() {
    let ran = describe("a,b\n3,4\n", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("max without first        -"), "{}", ran.stdout);
    let ran = describe("a\n7\n7\n7\n", &["--format", "json"]);
    let columns: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(columns[0]["histogram"], serde_json::json!([{"from": 7.0, "to": 7.0, "count": 3}]));
    assert_eq!((&columns[0]["n"], &columns[0]["std"]), (&3.into(), &0.0.into()));
}

#[test]
fn csv_has_a_row_per_quantity() {
    let ran = describe("a,b\r\n1,2\r\n3,4\r\n", &["--format", "csv"]);
    let mut reader = csv::Reader::from_reader(ran.stdout.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(rows.iter().any(|row| row == vec!["b", "mean", "", "", "3"]), "{}", ran.stdout);
    assert!(rows.iter().any(|row| row == vec!["a", "count", "2", "3", "1"]), "{}", ran.stdout);
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    fs::write(&path, "a,b\n1,2\n").unwrap();
    let input = Stdio::from(File::open(path).unwrap());
    let ran = run(assay().stdin(input).args(["describe", "-", "--format", "benchstats"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("Stats for Initialization time in file 'standard input'.\n"));
}

#[test]
fn unusable_files_are_refused_with_the_place() {
    let cases = [
        ("", "error: x.csv is empty"),
        ("a,b\n", "error: x.csv has no rows"),
        ("a,b\n1,2\n3,x\n", "error: x.csv, line 3, column 2 (b): `x` is not a number"),
        ("a,b\n1,2\n\n3\n", "error: x.csv, line 4: the number of cells is 1, and the header has 2"),
        ("a\nNaN\n", "error: x.csv, line 2, column 1 (a): `NaN` is not a number"),
        ("a\n-inf\n", "error: x.csv, line 2, column 1 (a): `-inf` is not a finite number"),
        ("1,2\n3,4\n", "error: x.csv: the first line holds numbers, not titles"),
    ];
    for (content, message) in cases {
        for format in ["table", "benchstats"] {
            let ran = describe(content, &["--format", format]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{content:?}");
            assert!(ran.stderr.starts_with(message), "{content:?}: {}", ran.stderr);
        }
    }
    let ran = run(assay().args(["describe", "/no/such.csv"]));
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(2),
            "error: can't read `/no/such.csv`: No such file or directory\n  help: there is no folder `/no`: make it, or name another\n"
        )
    );
}
