//! `assay merge much`, and what every merge says of its result.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, run, shared};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn merge(folder: &Path, arguments: &[&str]) -> Ran {
    run(assay().current_dir(folder).arg("merge").args(arguments))
}

/// The rows of a CSV file, each with its cells by title.
fn rows(path: &Path) -> Vec<HashMap<String, String>> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("`{cell}` is no number"))
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} for {expected}");
}

/// Two sub-experiments of 40 rows, in the second of which the anchor has moved by this much.
fn moved(by: i32) -> String {
    let row = |i: i32| format!("{},{},{},{}", i, (i * 17) % 40, i + by, (i * 13) % 40);
    let rows: Vec<String> = (0..40).map(row).collect();
    format!("X1,X2,X1.1,X3\n{}\n", rows.join("\n"))
}

#[test]
fn the_published_data_set_has_the_reference_parameters() {
    let Some(reference) = shared("reference/merging") else { return };
    let folder = folder(&[]);
    let mut command = assay();
    command.current_dir(folder.path()).args(["merge", "much", "--counters", "6"]);
    command.arg(reference.join("much_raw.csv")).arg("--names").arg(reference.join("t2080_codes.csv"));
    let ran =
        run(command.args(["--compat", "--diagnostics", "quality", "--out", "merged.csv", "--seed", "1"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);

    let pairs = rows(&folder.path().join("quality/pairs.csv"));
    let expected = rows(&reference.join("pairs_expected.csv"));
    assert_eq!((pairs.len(), expected.len()), (120, 120));
    for (pair, expected) in pairs.iter().zip(&expected) {
        assert_eq!([&pair["event"], &pair["other"]], [&expected["h1"], &expected["h2"]]);
        assert_eq!([&pair["blocks"], &pair["rows"]], [&expected["blocks"], &expected["n_kept"]]);
        close(number(&pair["measured"]), number(&expected["cor"]));
    }
    let margins = rows(&folder.path().join("quality/margins.csv"));
    for (event, expected) in margins.iter().zip(rows(&reference.join("means_expected.csv"))) {
        assert_eq!([&event["event"], &event["rows"]], [&expected["HEM"], &expected["n_kept"]]);
        assert_eq!(event["state"] == "kept", expected["kept_0.85"] == "1", "{event:?}");
        close(number(&event["mean"]), number(&expected["mean"]));
        close(number(&event["standard deviation"]), number(&expected["sd"]));
    }

    let kept = fs::read_to_string(reference.join("kept_0.85_expected.txt")).unwrap();
    let kept: Vec<&str> = kept.lines().collect();
    let merged = rows(&folder.path().join("merged.csv"));
    assert_eq!(merged.len(), 1000);
    let header = fs::read_to_string(folder.path().join("merged.csv")).unwrap();
    assert_eq!(header.lines().next().unwrap().split(',').collect::<Vec<_>>(), kept);
    // The sum over the whole matrix: each pair stands there twice, and the diagonal is right.
    let apart = |pair: &HashMap<String, String>| number(&pair["reached"]) - number(&pair["asked"]);
    let used = pairs.iter().filter(|pair| pair["state"] == "measured");
    let error = 2.0 * used.map(|pair| apart(pair).powi(2)).sum::<f64>() / (kept.len() * kept.len()) as f64;
    assert!((5.5e-4..1.1e-3).contains(&error), "{error}");
    let dropped = "dropped, for their correlation with L2_MISSES: L2_DEMAND_ACCESSES (1.0000)";
    assert!(ran.stderr.contains(dropped), "{}", ran.stderr);
}

#[test]
fn a_seed_gives_the_same_bytes() {
    let folder = folder(&[("raw.csv", &moved(0))]);
    let arguments = ["much", "raw.csv", "--counters", "4", "--runs", "20", "--dependency", "1"];
    // The events stand once in a sub-experiment.
    fs::write(folder.path().join("raw.csv"), moved(0).replace("X1.1", "X4")).unwrap();
    let with = |seed| merge(folder.path(), &[&arguments[..], &["--seed", seed]].concat());
    assert_eq!((with("7").code, with("7").stdout.lines().count()), (Some(0), 21), "{}", with("7").stderr);
    assert_eq!(with("7"), with("7"));
    assert_ne!(with("7").stdout, with("8").stdout);
}

#[test]
fn a_moved_anchor_is_a_warning_and_strict_refuses_it() {
    let folder = folder(&[("moved.csv", &moved(30)), ("still.csv", &moved(0))]);
    let of = |file, more: &[&str]| {
        merge(
            folder.path(),
            &[&["hrm", file, "--counters", "2", "--anchor", "X1", "--out", "merged.csv"], more].concat(),
        )
    };
    assert_eq!(of("still.csv", &["--strict"]).code, Some(0));
    fs::remove_file(folder.path().join("merged.csv")).unwrap();
    let ran = of("moved.csv", &["--strict", "--diagnostics", "quality"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    for said in [
        "warning: distributions differ between sub-experiments: X1 (distance 0.75",
        "error: the result is refused",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 2, "nothing is written");
    let ran = of("moved.csv", &["--diagnostics", "quality"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning: distributions differ"), "{}", ran.stderr);
    let events = rows(&folder.path().join("quality/events.csv"));
    close(number(&events[0]["distance between blocks"]), 0.75);
}

#[test]
fn correlations_are_drawn_and_checked() {
    let folder = folder(&[("raw.csv", &moved(0))]);
    let arguments = ["hrm", "raw.csv", "--counters", "2", "--anchor", "X1", "--out", "merged.csv"];
    let more = ["--picture", "drawn.svg", "--check", "--diagnostics", "quality"];
    let ran = merge(folder.path(), &[&arguments[..], &more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("note: check: merged from half of the rows"), "{}", ran.stderr);
    let check = rows(&folder.path().join("quality/check.csv"));
    let events: Vec<[&String; 2]> = check.iter().map(|row| [&row["event"], &row["other"]]).collect();
    assert_eq!(events, [["X1", "X2"], ["X1", "X3"]]);
    for row in &check {
        let band = number(&row["reached from"])..=number(&row["reached to"]);
        assert!(band.contains(&number(&row["first half"])), "{row:?}");
    }
    let drawing = fs::read_to_string(folder.path().join("drawn.svg")).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"), "{drawing}");
    assert!(["asked", "reached", "difference", "X3"].iter().all(|part| drawing.contains(part)), "{drawing}");
}

#[test]
fn bad_input_is_refused_or_repaired_and_said() {
    let long = moved(0);
    let folder = folder(&[
        ("raw.csv", &long),
        ("cell.csv", "X1,X2\n1,2\n1,?\n"),
        ("ragged.csv", "X1,X2\n1,2\n1\n"),
        ("infinite.csv", "X1,X2\n1,2\ninf,3\n"),
        ("empty.csv", ""),
        ("header.csv", "X1,X2\n"),
        ("apart.csv", "X1,X2,X3,X4\n1,2,3,4\n3,2,1,1\n2,5,6,7\n"),
    ]);
    let cases: [(&[&str], &str); 15] = [
        (&["cell.csv", "--counters", "2"], "error: cell.csv, line 3, column 2 (X2): `?` is not a number"),
        (&["ragged.csv", "--counters", "2"], "error: ragged.csv, line 3: the number of cells is 1"),
        (
            &["infinite.csv", "--counters", "2"],
            "error: infinite.csv, line 3, column 1 (X1): `inf` is not a finite number",
        ),
        (&["empty.csv", "--counters", "2"], "error: empty.csv is empty"),
        (&["header.csv", "--counters", "2"], "error: header.csv has no rows"),
        (&["raw.csv", "--counters", "5"], "error: raw.csv has 4 columns, fewer than --counters 5"),
        (
            &["raw.csv", "--counters", "2"],
            "and 1 of 3 never met: X2 and X3. Measure them together, or let the merger auto",
        ),
        (&["raw.csv", "--counters", "2", "--compat"], "dropped, for a mean of at most 100"),
        (
            &["apart.csv", "--counters", "2"],
            "and 4 of 6 never met: X1 and X3, X1 and X4, X2 and X3, X2 and X4.",
        ),
        (
            &["apart.csv", "--counters", "4", "--dependency", "1.5"],
            "option dependency: 1.5 is not from 0 to 1",
        ),
        (&["apart.csv", "--counters", "4", "--dependency", "x"], "--dependency"),
        (&["apart.csv", "--counters", "4", "--runs", "2"], "option runs: 2 is not from 3 to 10000000"),
        (&["apart.csv", "--counters", "4", "--sims", "0"], "--sims"),
        (&["apart.csv", "--counters", "4", "--anchor", "X11"], "error: unknown event `X11`"),
        (&["apart.csv", "--counters", "4", "--check"], "3 rows are too few for --check"),
    ];
    for (arguments, message) in cases {
        let ran = merge(folder.path(), &[&["much", "--out", "x.csv"][..], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 7, "nothing is written");

    let repaired: [(&str, &[&str], &str); 4] = [
        (
            "a,b\n1,2\n3,5\nNaN,4\n2,9\n",
            &["--counters", "2"],
            "dropped 1 of 4 rows, because a cell is missing",
        ),
        (
            "a,b,c\n1,7,3\n2,7,1\n3,7,5\n",
            &["--counters", "3"],
            "never change, so they correlate with nothing: b",
        ),
        ("a,b\n1,7\n1,7\n", &["--counters", "2"], "never change, so they correlate with nothing: a, b"),
        (
            "a,b,a.1,b.1,a.2\n1,7,2,4,9\n2,5,1,8,8\n4,5,1,9,8\n",
            &["--counters", "2"],
            "a sub-experiment of 1 column, not 2",
        ),
    ];
    for (table, arguments, said) in repaired {
        fs::write(folder.path().join("x.csv"), table).unwrap();
        let ran = merge(folder.path(), &[&["much", "x.csv", "--runs", "3"], arguments].concat());
        assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 4), "{table}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{table}: {}", ran.stderr);
    }
}
