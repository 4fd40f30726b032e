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
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), expected));
        let said = format!(
            "{SUMMARY}note: 1 pair of 3 was never measured together: what the result says of it is inferred\n\
             warning: few rows, whose correlations are mostly chance: 2 in "
        );
        assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
    }
    let ran = merge(&together, &["hrm", "raw.csv", "--counters", "2", "--anchor", "X1", "--format", "json"]);
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(result["rows"][1], serde_json::json!({"X1": 4, "X2": 30, "X3": 400}));
    assert_eq!(result["tables"]["pairs"][2]["state"], "inferred");
    assert_eq!(
        (result["tables"]["events"][0]["rows"].as_i64(), result["warnings"].as_array().unwrap().len()),
        (Some(4), 1)
    );
    let ran = merge(&together, &["hrm", "raw.csv", "--counters", "2", "--anchor", "X1", "--rows", "1"]);
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
}

/// The titles of what is merged from these columns, the first of each sub-experiment being its anchor.
fn merged_titles(folder: &TempDir, file: &str, counters: &str) -> Vec<String> {
    let ran = merge(folder, &["auto", file, "--counters", counters, "--rows", "20", "--seed", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout.lines().next().unwrap().split(',').map(str::to_owned).collect()
}

/// The sub-experiments of these numbers, of a table that is cut into groups of `counters` columns.
fn part_of(table: &str, counters: usize, chosen: &[usize]) -> String {
    let mut part = String::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let groups: Vec<&[&str]> = cells.chunks(counters).collect();
        let row: Vec<&str> = chosen.iter().flat_map(|group| groups[*group]).copied().collect();
        part += &format!("{}\n", row.join(","));
    }
    part
}

/// The events that titles of R stand for, each once.
fn events_of(table: &str) -> Vec<String> {
    let mut events: Vec<String> = Vec::new();
    for title in table.lines().next().unwrap().split(',') {
        let event = title.split('.').next().unwrap();
        if !events.iter().any(|known| known == event) {
            events.push(event.to_owned());
        }
    }
    events
}

#[test]
fn a_part_of_a_wide_file_has_the_events_of_its_titles() {
    let mut wide = "X1,X2,X3,X1.1,X2.1,X4,X1.2,X3.1,X4.1,X1.3,X2.2,X5\n".to_owned();
    for row in 0..20 {
        let cells: Vec<String> =
            (0..12).map(|column| ((row * (column + 3)) % 23 + 100).to_string()).collect();
        wide += &format!("{}\n", cells.join(","));
    }
    for chosen in [&[0, 1, 2, 3][..], &[1, 2, 3], &[3, 1], &[2]] {
        let part = part_of(&wide, 3, chosen);
        let folder = folder(&[("part.csv", &part)]);
        assert_eq!(merged_titles(&folder, "part.csv", "3"), events_of(&part), "{chosen:?}");
    }
}

#[test]
fn a_part_of_the_published_table_has_the_events_of_its_titles() {
    let Some(reference) = shared("reference/merging") else { return };
    let wide = fs::read_to_string(reference.join("hrm_raw.csv")).unwrap();
    for chosen in [&[1, 2][..], &[2, 1], &[0, 2]] {
        let part = part_of(&wide, 6, chosen);
        let folder = folder(&[("part.csv", &part)]);
        assert_eq!(merged_titles(&folder, "part.csv", "6"), events_of(&part), "{chosen:?}");
    }
}

#[test]
fn numbers_of_names_that_may_be_r_s_are_refused() {
    let folder = folder(&[
        ("wide.csv", "t,load.1,t.1,load.5\n1,2,3,4\n2,3,4,5\n"),
        ("a.csv", "A,load\n1,2\n2,3\n3,5\n"),
        ("b.csv", "A,load.1\n1,20\n2,30\n3,10\n"),
    ]);
    let ran = merge(&folder, &["auto", "wide.csv", "--counters", "2"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("error: wide.csv: `load.1` and `load.5` may be one event"),
        "{}",
        ran.stderr
    );
    for method in [&["auto"][..], &["hrm", "--anchor", "A"]] {
        let ran = merge(&folder, &[method, &["a.csv", "b.csv"]].concat());
        assert!(ran.stdout.starts_with("A,load,load.1\n"), "{ran:?}");
    }
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
         note: raw.csv, columns 1 to 2: dropped 1 of 3 rows, because a cell is missing\n\
         note: raw.csv, columns 3 to 4: dropped 1 of 3 rows, because a cell is missing\n\
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
            stderr: "note: 2 blocks\nwarning: few rows, whose correlations are mostly chance: 2 in raw.csv, column 1; 2 \
                     in raw.csv, column 2\n"
                .to_owned()
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
        ("raw.csv", "X1,X2,X1.1,X3\n1,2,3,4\n5,6,7,8\n"),
        ("row.csv", "X1,X2\n1,2\n,3\n"),
        ("cell.csv", "X1,X2\n1,2\n1,?\n"),
        ("ragged.csv", "X1,X2\n1,2\n1\n"),
        ("twice.csv", "X1,X1.1\n1,2\n"),
        ("missing.csv", "X1,X2\n,2\n"),
        ("empty.csv", ""),
    ]);
    let cases: [(&[&str], &str); 20] = [
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
        (&["missing.csv", "--counters", "2"], "error: missing.csv: every row has a missing cell"),
        (&["empty.csv", "--counters", "2"], "error: empty.csv is empty"),
        (&["no.csv", "--counters", "2"], "error: can't read `no.csv`: No such file or directory"),
        (
            &["row.csv", "--counters", "2"],
            "error: row.csv: a correlation needs at least two rows, and this sub-experiment has one",
        ),
        (
            &["raw.csv", "--counters", "2", "--picture", "x.png"],
            "error: --picture x.png: it is an SVG or a page",
        ),
        (
            &["raw.csv", "--counters", "2", "--out", "raw.csv"],
            "error: `raw.csv` is read and would be overwritten",
        ),
        (
            &["raw.csv", "--counters", "2", "--anchor", "1", "--option", "anchor=1"],
            "the option anchor is given twice",
        ),
        (&["raw.csv", "--counters", "2", "--format", "parquet"], "Parquet"),
        (
            &["raw.csv", "--counters", "2", "--validate", "cell.csv", "--picture", "./cell.csv"],
            "error: `cell.csv` is read and would be overwritten",
        ),
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
    assert_eq!(folder.path().read_dir().unwrap().count(), 7, "nothing is written");
    let ran = merge(&folder, &["hmr", "raw.csv", "--counters", "2"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("hrm"), "{}", ran.stderr);
}

/// Rows of two events, the second of which may follow the first.
fn rows(titles: &str, of: impl Fn(usize) -> [usize; 2]) -> String {
    let rows = (0..30).map(of).map(|[a, b]| format!("{a},{b}\n"));
    format!("{titles}\n{}", rows.collect::<String>())
}

#[test]
fn an_anchor_that_never_changes_is_warned_of_and_ties_are_said() {
    let scattered = |i: usize| i * 17 % 31;
    let folder = folder(&[
        ("a.csv", &rows("k,a", |i| [7, scattered(i)])),
        ("b.csv", &rows("k,b", |i| [7, scattered(i + 3)])),
        ("ties.csv", &rows("k,a", |i| [i / 2, scattered(i)])),
    ]);
    let ran = merge(&folder, &["hrm", "a.csv", "b.csv", "--strict"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("warning: the anchor k never changes in block 1 (a.csv), block 2 (b.csv)"),
        "{}",
        ran.stderr
    );
    let ran = merge(&folder, &["hrm", "ties.csv", "ties.csv", "--anchor", "k"]);
    assert!(
        ran.stderr.contains(
            "rows with the same k keep the order in which they came: 30 of 30 in block 1 (ties.csv)"
        ),
        "{}",
        ran.stderr
    );
    // What never changes is no anchor: nothing is joined by the order of the files.
    let ran = merge(&folder, &["auto", "a.csv", "b.csv", "--option", "quick=yes"]);
    assert!(ran.stderr.contains("nothing that was measured connects a with b"), "{}", ran.stderr);
}

#[test]
fn an_event_is_named_by_its_code_in_an_option_too() {
    let folder = folder(&[
        ("a.csv", &rows("X17,X2", |i| [i, i * 7 % 31])),
        ("b.csv", &rows("X17,X3", |i| [i + 1, i * 5 % 31])),
    ]);
    let by_name = merge(&folder, &["hrm", "a.csv", "b.csv", "--anchor", "X17"]);
    let by_code = merge(&folder, &["hrm", "a.csv", "b.csv", "--option", "anchor=17"]);
    assert_eq!(by_name.code, Some(0), "{}", by_name.stderr);
    assert_eq!(by_name, by_code);
}

#[test]
fn rows_of_several_algorithms_are_warned_of() {
    let line = |i: usize, algorithm: &str| format!("{algorithm},8,{i},{}\n", i * 7 % 31);
    let text: String = (0..30).flat_map(|i| [line(i, "hor"), line(i, "bf")]).collect();
    let folder = folder(&[("a.csv", &format!("algorithm,pattern_length,x,y\n{text}"))]);
    let arguments = ["hrm", "a.csv", "--counters", "2", "--columns", "x,y", "--anchor", "x"];
    let ran = merge(&folder, &arguments);
    assert!(
        ran.warnings()[0].contains("rows of 2 algorithms are merged as if they were one"),
        "{}",
        ran.stderr
    );
    let ran = merge(&folder, &[&arguments[..], &["--where", "algorithm=hor"]].concat());
    assert_eq!((ran.code, ran.warnings()), (Some(0), vec![]));
}

#[test]
fn the_name_of_a_file_decides_its_format() {
    let folder = folder(&[
        ("a.csv", &rows("t,a", |i| [i, i * 7 % 31])),
        ("b.csv", &rows("t,b", |i| [i + 1, i * 5 % 31])),
    ]);
    let with = |more: &[&str]| {
        let ran = merge(&folder, &[&["hrm", "a.csv", "b.csv"][..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    };
    with(&["--out", "m.json", "--picture", "m.html"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&read("m.json")).unwrap()["rows"].is_array());
    let page = read("m.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg ") && page.contains("<h2>pairs</h2>"));
    with(&["--out", "m.txt", "--picture", "m.svg"]);
    assert!(read("m.txt").starts_with("t,a,b\n") && read("m.svg").starts_with("<svg "));
    with(&["--out", "m.md"]);
    assert!(read("m.md").starts_with("| t | a | b |\n| ---: | ---: | ---: |\n| 0 | "), "{}", read("m.md"));
    with(&["--out", "m.tex"]);
    let latex = read("m.tex");
    assert!(latex.starts_with("\\begin{tabular}{rrr}\n\\toprule\nt & a & b \\\\\n\\midrule\n"), "{latex}");
    let refused = merge(&folder, &["hrm", "a.csv", "b.csv", "--out", "m.png"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.starts_with("error: a merged data set can't be written as png"),
        "{}",
        refused.stderr
    );
}
