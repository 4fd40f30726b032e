//! Saved runs that somebody edited, or that were damaged: refused, or harmless.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{assay, repository, run};
use serde_json::Value;

fn fixtures() -> PathBuf {
    repository().join("tests/fixtures")
}

/// A saved run with other texts in its files.
fn edited(edit: impl Fn(&str) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["report.json", "measurements.csv"] {
        let text = fs::read_to_string(fixtures().join("saved_run").join(name)).unwrap();
        fs::write(folder.path().join(name), edit(&text)).unwrap();
    }
    folder
}

#[test]
fn no_text_of_an_edited_run_reaches_the_terminal_as_a_command() {
    let forged =
        |value: &Value| value.as_str().map(|text| format!("{text}\u{1b}[31m\u{202e}\nforged").into());
    fn each(value: &mut Value, forged: &impl Fn(&Value) -> Option<Value>) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(|value| each(value, forged)),
            Value::Object(fields) => {
                // Choices are no texts.
                let texts = [
                    "id",
                    "description",
                    "cpu",
                    "kernel",
                    "compiler",
                    "version",
                    "prepare_ns",
                    "name",
                    "unit",
                ];
                for (name, value) in fields {
                    match forged(value).filter(|_| texts.contains(&name.as_str())) {
                        Some(text) => *value = text,
                        None => each(value, forged),
                    }
                }
            }
            _ => {}
        }
    }
    // A round for each repetition, so that there is something to compare.
    let in_rounds = |(i, line): (usize, &str)| match i {
        0 => format!("{line},round\n"),
        _ => format!("{line},{}\n", line.split(',').nth(2).unwrap()),
    };
    let make = |text: &str| match serde_json::from_str::<Value>(text) {
        Err(_) => text.lines().enumerate().map(in_rounds).collect(),
        Ok(mut json) => {
            json["experiment"]["definition"]["description"] = "what it is".into();
            each(&mut json, &forged);
            json.to_string()
        }
    };
    let (one, two) = (edited(make), edited(make));
    let [place, other] = [&one, &two].map(|folder| folder.path().to_str().unwrap());
    let outputs: [&[&str]; 7] = [
        &["report", place],
        &["report", place, "--metric", "ns", "--format", "json"],
        &["report", place, "--metric", "ns", "--format", "markdown"],
        &["report", place, "--metric", "ns", "--format", "svg"],
        &["report", place, "--format", "html"],
        &["report", place, "--baseline", "bf"],
        &["compare", place, other],
    ];
    for words in outputs {
        let ran = run(assay().args(words));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        let told = ran.stdout + &ran.stderr;
        let obeyed = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
        assert!(!told.contains(obeyed) && !told.contains("\nforged"), "{words:?}: {told:?}");
    }
}

#[test]
fn an_algorithm_whose_name_moves_the_cursor_is_refused_by_line_and_column() {
    let folder = edited(|text| text.replace("so,100,1,", "s\u{1b}[1mo,100,1,"));
    let ran = run(assay().arg("report").arg(folder.path()));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("line 12, column `algorithm`: `s\\u{1b}[1mo` is not a name"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_run_without_rows_has_no_measurements_whatever_is_asked_of_it() {
    let folder = edited(|text| match text.split_once("\nbf,") {
        Some((header, _)) => format!("{header}\n"),
        None => text.to_owned(),
    });
    for more in
        [&[][..], &["--baseline", "bf"], &["--variance"], &["--metric", "gbps"], &["--format", "html"]]
    {
        let ran = run(assay().arg("report").arg(folder.path()).args(more));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("has no measurements"), "{more:?}: {}", ran.stderr);
    }
}

/// A run of two algorithms that was saved below a folder; and the folder of the run itself.
fn saved_below(out: &str) -> PathBuf {
    let words = ["run", "hor", "bf", "--data", "abcabcabcabc", "--plen", "2", "--runs", "6", "--out", out];
    assert_eq!(run(assay().args(words)).code, Some(0));
    let mut saved = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
    saved.find(|path| path.join("measurements.csv").is_file()).unwrap()
}

/// Leaves a saved run as versions wrote it that had no checksums of rows.
fn without_checksums(folder: &Path) {
    fs::remove_file(folder.join("blocks.csv")).unwrap();
}

#[test]
fn a_row_that_is_lost_is_missed_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let saved = saved_below(out);
    let path = saved.join("measurements.csv");
    let report = |more: &[&str]| run(assay().args(["report", "last", "--out", out]).args(more));
    assert!(!report(&[]).stderr.contains("changed"));
    let rows = fs::read_to_string(&path).unwrap();
    let fewer: Vec<&str> = rows.lines().take(rows.lines().count() - 1).collect();
    fs::write(&path, fewer.join("\n") + "\n").unwrap();
    let forms = [&[][..], &["--format", "html"], &["--metric", "microseconds"], &["--baseline", "hor"]];
    for form in forms {
        let ran = report(form);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{form:?}: {}", ran.stderr);
        // The block of the row is not complete.
        assert!(ran.stderr.contains(" rows, and the run wrote 12"), "{form:?}: {}", ran.stderr);
    }
    without_checksums(&saved);
    for form in forms {
        let ran = report(form);
        assert_eq!(ran.code, Some(0), "{form:?}: {}", ran.stderr);
        let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("`measurements.csv` has 11 rows, and the run wrote 12"), "{form:?}: {said}");
    }
}

#[test]
fn figures_in_report_json_have_no_effect_and_what_ran_is_what_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let path = saved_below(out).join("report.json");
    let report = || {
        [&[][..], &["--format", "html"], &["--metric", "microseconds"], &["--phases"]]
            .map(|more| run(assay().args(["report", "last", "--out", out]).args(more)).stdout)
    };
    let before = report();
    let mut json: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    for cell in json["results"].as_array_mut().unwrap() {
        for figure in ["prepare_ns", "search_ns", "total_ns", "repetitions", "occurrences", "ranks", "clock"]
        {
            // As an infinite bound was saved once.
            cell[figure] = Value::Null;
        }
    }
    json["overall"] = 7.into();
    json["starts"] = Value::Null;
    fs::write(&path, json.to_string()).unwrap();
    assert_eq!(report(), before);
}

#[test]
fn a_run_of_many_algorithms_in_two_rounds_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let words = ["run", "b.*", "h.*", "--data", "abracadabra abracadabra", "--plen", "4", "--runs", "2"];
    let ran = run(assay().args(words).args(["--out", out]));
    assert!(ran.code == Some(0) || ran.code == Some(1), "{}", ran.stderr);
    for more in [&[][..], &["--metric", "gbps"], &["--baseline", "hor"], &["--format", "html"]] {
        let reported = run(assay().args(["report", "last", "--out", out]).args(more));
        assert_eq!(reported.code, Some(0), "{more:?}: {}", reported.stderr);
    }
    let reported = run(assay().args(["report", "last", "--out", out])).stdout;
    assert_eq!(reported, ran.stdout, "what `run` printed and what `report` prints are the same");
}

/// A run of two algorithms that was measured now, and its `measurements.csv` after an edit.
fn measured_and_edited(out: &Path, edit: impl Fn(Vec<String>) -> Vec<String>) -> PathBuf {
    let words = "run hor bm --plen 8 --runs 20 --text-size 64KiB --seed 1 --time-limit 60000 --quiet --out";
    let ran = run(assay().args(words.split(' ')).arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let folder = assay_tests::only_entry(out);
    let file = folder.join("measurements.csv");
    let lines = fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect();
    fs::write(&file, edit(lines).join("\n") + "\n").unwrap();
    without_checksums(&folder);
    folder
}

#[test]
fn a_time_of_0_is_marked_and_prevents_ranks() {
    let out = tempfile::tempdir().unwrap();
    let without_a_time = |mut lines: Vec<String>| {
        let columns: Vec<String> = lines[0].split(',').map(str::to_owned).collect();
        let place = |name: &str| columns.iter().position(|column| column == name).unwrap();
        let row = lines.iter_mut().find(|line| line.starts_with("hor,")).unwrap();
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        cells[place("total_ns")] = cells[place("prepare_ns")].clone();
        cells[place("search_ns")] = "0".to_owned();
        *row = cells.join(",");
        lines
    };
    let folder = measured_and_edited(out.path(), without_a_time);
    let ran = run(assay().arg("report").arg(folder));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let row = |name: &str| ran.stdout.lines().find(|line| line.to_lowercase().starts_with(name)).unwrap();
    assert!(row("hor").contains('~'), "{}", ran.stdout);
    assert!(!row("bm").contains('+') && !row("hor").contains('+'), "{}", ran.stdout);
}

#[test]
fn compare_warns_of_rows_that_are_missing() {
    let (before, now) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = measured_and_edited(before.path(), |lines| lines);
    let short = measured_and_edited(now.path(), |mut lines| {
        lines.pop();
        lines
    });
    let ran = run(assay().arg("compare").args([whole, short]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("has 39 rows, and the run wrote 40"), "{}", ran.stderr);
}
