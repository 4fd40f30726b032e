//! `assay merge`.

use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, fixture, run, shared};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn merge(folder: &TempDir, arguments: &[&str]) -> Ran {
    run(assay().current_dir(folder.path()).arg("merge").args(arguments))
}

/// Merges with what the fixture brings.
fn merge_oddly(folder: &TempDir, arguments: &[&str]) -> Ran {
    let library = fixture("odd_kinds");
    let plugins = tempfile::tempdir().unwrap();
    fs::copy(&library, plugins.path().join(library.file_name().unwrap())).unwrap();
    run(assay()
        .current_dir(folder.path())
        .arg("--plugin-dir")
        .arg(plugins.path())
        .arg("merge")
        .args(arguments))
}

fn numbers(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let titles = reader.headers().unwrap().iter().map(str::to_owned).collect();
    (
        titles,
        reader.records().map(|row| row.unwrap().iter().map(|cell| cell.parse().unwrap()).collect()).collect(),
    )
}

/// Of two columns that rise together, and do so in the result.
const SUMMARY: &str = "note: correlations of 2 pairs: what was asked is reached\n";

#[test]
fn hrm_equals_the_reference_value_for_value() {
    let Some(reference) = shared("reference/merging") else { return };
    let folder = folder(&[]);
    let out = folder.path().join("merged.csv");
    for (anchor, mode) in [("PROCESSOR_CYCLES", None), ("1", Some("--compat"))] {
        let mut command = assay();
        command.args(["merge", "hrm", "--counters", "6", "--anchor", anchor]).args(mode);
        command.arg(reference.join("hrm_raw.csv")).arg("--names").arg(reference.join("t2080_codes.csv"));
        let ran = run(command.arg("--out").arg(&out));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 2, "only how good it is is said: {}", ran.stderr);
        assert_eq!(numbers(&out), numbers(&reference.join("hrm_expected.csv")));
    }
}

#[test]
fn columns_or_files_are_sub_experiments() {
    let (first, second) = ("X1,X2\n3,30\n1,10\n", "X1,X3\n2,200\n4,400\n");
    let together = folder(&[("raw.csv", "X1,X2,X1.1,X3\n3,30,2,200\n1,10,4,400\n")]);
    let apart = folder(&[("a.csv", first), ("b.csv", second)]);
    let expected = "X1,X2,X3\n1,10,200\n4,30,400\n";
    for (folder, arguments) in [
        (&together, &["hrm", "raw.csv", "--counters", "2", "--anchor", "X1"][..]),
        (&apart, &["hrm", "a.csv", "b.csv", "--anchor", "1"]),
        (&apart, &["hrm", "a.csv", "b.csv", "--counters", "2", "--anchor", "1"]),
    ] {
        let ran = merge(folder, arguments);
        let said = format!(
            "{SUMMARY}note: 1 pair of 3 were never measured together: what the result says of them is inferred\n"
        );
        assert_eq!(ran, Ran { code: Some(0), stdout: expected.to_owned(), stderr: said });
    }
    let ran = merge(&together, &["hrm", "raw.csv", "--counters", "2", "--anchor", "X1", "--format", "json"]);
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["rows"][1], serde_json::json!({"X1": 4, "X2": 30, "X3": 400}));
    assert_eq!(result["tables"]["pairs"][2]["state"], "inferred");
    assert_eq!(
        (result["tables"]["events"][0]["rows"].as_i64(), result["warnings"].as_array().unwrap().len()),
        (Some(4), 0)
    );
    let ran = merge(&together, &["hrm", "raw.csv", "--counters", "2", "--anchor", "X1", "--rows", "1"]);
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

#[test]
fn rows_that_are_taken_more_than_once_or_left_out_are_said() {
    let folder = folder(&[("a.csv", "t,a\n1,10\n2,20\n"), ("b.csv", "t,b\n3,30\n4,40\n5,50\n6,60\n")]);
    let ran = merge(&folder, &["hrm", "a.csv", "b.csv", "--rows", "3"]);
    assert_eq!(ran.stdout, "t,a,b\n1,10,30\n3.5,20,50\n6,20,60\n");
    assert!(
        ran.stderr.starts_with(
            "note: block 1 (a.csv): 2 rows for 3 of the result: some of them are taken more than once\n\
             note: block 2 (b.csv): 4 rows for 3 of the result: the others are left out\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_left_out_is_said() {
    let folder = folder(&[("raw.csv", "X1,X2,X1.1,X3,X1.2\n1,NA,2,500,3\n4,50,5,600,6\n7,60,,700,9\n")]);
    let arguments = ["hrm", "raw.csv", "--counters", "2", "--anchor", "1", "--compat"];
    let ran = merge(&folder, &arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "X1,X3\n2,500\n9,600\n");
    let said: String = ran.stderr.lines().take(4).map(|line| format!("{line}\n")).collect();
    assert_eq!(
        said,
        "warning: raw.csv, column 5: a sub-experiment of 1 column, not 2\n\
         note: raw.csv, columns 1 to 2: dropped 1 of 3 rows, for lack of a cell\n\
         note: raw.csv, columns 3 to 4: dropped 1 of 3 rows, for lack of a cell\n\
         note: dropped, for a mean of at most 100: X2 (55)\n"
    );
    assert_eq!(merge(&folder, &[&arguments[..], &["--quiet"]].concat()).stderr, "");
}

#[test]
fn any_merger_of_any_library_merges() {
    let folder = folder(&[("raw.csv", "a,b\n1,0.1\n2,0.2\n")]);
    let arguments = ["raw.csv", "--counters", "1"];
    let ran = merge_oddly(&folder, &[&["sum"][..], &arguments, &["--option", "factor=2"]].concat());
    assert_eq!(
        ran,
        Ran {
            code: Some(0),
            stdout: "a,b\n6,0.6000000000000001\n".to_owned(),
            stderr: "note: 2 blocks\n".to_owned()
        }
    );
    let error = |arguments: &[&str]| {
        let ran = merge_oddly(&folder, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        ran.stderr
    };
    let stderr = error(&[&["sum"][..], &arguments, &["--anchor", "a"]].concat());
    assert!(stderr.starts_with("error: unknown option of merger sum: `anchor`"), "{stderr}");
    let stderr = error(&[&["ragged"][..], &arguments].concat());
    assert!(stderr.contains("2 values for `b` and 1 for the first column"), "{stderr}");
}

#[test]
fn unusable_input_is_refused_and_nothing_is_written() {
    let folder = folder(&[
        ("raw.csv", "X1,X2,X1.1,X3\n1,2,3,4\n"),
        ("cell.csv", "X1,X2\n1,2\n1,?\n"),
        ("ragged.csv", "X1,X2\n1,2\n1\n"),
        ("twice.csv", "X1,X1.1\n1,2\n"),
        ("missing.csv", "X1,X2\n,2\n"),
        ("empty.csv", ""),
    ]);
    let cases: [(&[&str], &str); 14] = [
        (
            &["raw.csv", "--counters", "2", "--anchor", "X11"],
            "error: unknown event `X11`\n  help: did you mean X1",
        ),
        (&["raw.csv", "--counters", "2", "--anchor", "X3"], "does not hold the anchor X3"),
        (&["raw.csv", "--counters", "5"], "error: raw.csv has 4 columns, fewer than --counters 5"),
        (&["raw.csv", "--counters", "0"], "--counters"),
        (&["raw.csv"], "error: how many columns of raw.csv were measured together?"),
        (&["cell.csv", "--counters", "2"], "error: cell.csv, line 3, column 2 (X2): `?` is not a number"),
        (&["ragged.csv", "--counters", "2"], "error: ragged.csv, line 3: the number of cells is 1"),
        (&["twice.csv", "--counters", "2"], "error: twice.csv: event `X1` stands there twice"),
        (&["missing.csv", "--counters", "2"], "error: missing.csv: no row without a missing cell"),
        (&["empty.csv", "--counters", "2"], "error: empty.csv is empty"),
        (&["no.csv", "--counters", "2"], "error: can't read `no.csv`: No such file or directory"),
        (&["raw.csv", "--counters", "2", "--names", "no.csv"], "error: can't read `no.csv`"),
        (&["raw.csv", "--counters", "2", "--out", "no/x.csv"], "error: can't write `no/x.csv`"),
        (
            &["raw.csv", "--counters", "2", "--out", "/dev/full"],
            "error: can't write `/dev/full`: No space left",
        ),
    ];
    for (arguments, message) in cases {
        let given = [&["hrm", "--out", "x.csv"][..], arguments].concat();
        let arguments = if arguments.contains(&"--out") { [&["hrm"][..], arguments].concat() } else { given };
        let ran = merge(&folder, &arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 6, "nothing is written");
    let ran = merge(&folder, &["hmr", "raw.csv", "--counters", "2"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("hrm"), "{}", ran.stderr);
}
