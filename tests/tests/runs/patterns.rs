//! `run --patterns`: which patterns are searched for, as a saved run tells them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{Ran, assay, run};

/// A pattern of `patterns.csv`: its position, its occurrences, and its bytes in hexadecimal where it has no
/// position.
type Line = (Option<usize>, u64, String);

fn measure(folder: &Path, words: &str) -> Ran {
    run(assay().arg("run").args(words.split_whitespace()).current_dir(folder))
}

/// The newest of the saved runs.
fn newest(folder: &Path) -> PathBuf {
    let saved = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
    let written = |path: &PathBuf| fs::metadata(path.join("report.html")).unwrap().modified().unwrap();
    saved.max_by_key(written).unwrap()
}

/// What a run on the embedded text searched for.
fn patterns(folder: &Path, words: &str) -> Vec<Line> {
    let ran = measure(folder, &format!("hor {words} --seed 5 --quiet"));
    assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
    let csv = fs::read_to_string(newest(folder).join("patterns.csv")).unwrap();
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[2].parse().ok(), cells[3].parse().unwrap(), cells[4].to_owned())
    };
    csv.lines().skip(1).map(line).collect()
}

fn mean(patterns: &[Line]) -> f64 {
    patterns.iter().map(|(_, occurrences, _)| *occurrences as f64).sum::<f64>() / patterns.len() as f64
}

#[test]
fn absent_patterns_occur_nowhere_and_are_the_same_in_a_repeated_run() {
    let folder = tempfile::tempdir().unwrap();
    let absent = patterns(folder.path(), "--plen 2,16 --runs 30 --patterns absent");
    assert_eq!(absent.len(), 60);
    assert!(absent.iter().all(|(position, occurrences, _)| position.is_none() && *occurrences == 0));
    let different: BTreeSet<&String> = absent.iter().map(|(_, _, bytes)| bytes).collect();
    assert!(different.len() > 30, "{} of 60 are different", different.len());
    let saved = newest(folder.path());
    let again = measure(
        folder.path(),
        &format!("results/{} --quiet --out again", saved.file_name().unwrap().display()),
    );
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let repeated = fs::read_dir(folder.path().join("again")).unwrap().next().unwrap().unwrap().path();
    let csv = |folder: &Path| fs::read_to_string(folder.join("patterns.csv")).unwrap();
    assert_eq!(csv(&saved), csv(&repeated));
    assert!(fs::read_to_string(repeated.join("experiment.toml")).unwrap().contains("kind = \"absent\""));
}

#[test]
fn rare_patterns_occur_less_and_common_ones_more_than_those_that_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let [rare, drawn, common] = ["rare", "drawn", "common"]
        .map(|kind| mean(&patterns(folder.path(), &format!("--plen 3 --runs 40 --patterns {kind}"))));
    assert!(rare >= 1.0 && 2.0 * rare < drawn && drawn < common, "{rare} {drawn} {common}");
}

#[test]
fn placed_patterns_stand_where_the_experiment_says() {
    let folder = tempfile::tempdir().unwrap();
    let placed = patterns(folder.path(), "--plen 5 --runs 6 --patterns at:start,end,100 --text-size 1000B");
    let positions: Vec<Option<usize>> = placed.iter().map(|(position, ..)| *position).collect();
    assert_eq!(positions, [0, 995, 100, 0, 995, 100].map(Some));
}

#[test]
fn a_file_and_its_table_say_which_patterns_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let toml = "algorithms = [\"hor\"]\nruns = 4\n[patterns]\nlengths = [4]\nkind = \"common\"\n";
    fs::write(folder.path().join("common.toml"), toml).unwrap();
    let ran = measure(folder.path(), "common.toml");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let heading = "Common patterns: the most frequent tenth of a sample of the text";
    assert!(ran.stdout.contains(heading), "{}", ran.stdout);
    assert!(ran.stdout.contains("Patterns: 4 patterns of each length, common in the text"), "{}", ran.stdout);
    let report = run(assay().args(["report", "last", "--format", "latex"]).current_dir(folder.path()));
    assert!(report.stdout.contains(heading), "{}", report.stdout);
    let drawn = measure(folder.path(), "common.toml --patterns drawn");
    assert!(!drawn.stdout.contains("Common"), "{}", drawn.stdout);
}

#[test]
fn what_cannot_be_is_refused_in_one_message() {
    let folder = tempfile::tempdir().unwrap();
    for (words, message) in [
        ("--rand 2 --plen 2,4,64 --patterns absent", "no pattern of 2, 4 bytes is absent"),
        ("--data aaaa --plen 2 --patterns absent", "all patterns of the 1 letter(s)"),
        ("--data abcd --plen 2 --patterns at:3", "2 bytes at 3 would end after the text of 4 bytes"),
        ("--patterns seldom", "`seldom` is none of drawn, absent, rare, common and at:PLACE"),
        ("--patterns at:left", "`left` is not a place"),
        ("--patterns rare --pattern abc", "cannot be used with"),
    ] {
        let ran = measure(folder.path(), &format!("hor {words} --runs 2 --no-save"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{words}: {}", ran.stderr);
    }
}

#[test]
fn absent_patterns_occur_in_none_of_several_texts() {
    let folder = tempfile::tempdir().unwrap();
    // All pairs but `bb` stand in one, which the other has.
    fs::write(folder.path().join("one"), "aabacab".repeat(9) + "cbcc").unwrap();
    fs::write(folder.path().join("other"), "dbbd".repeat(9)).unwrap();
    let ran =
        measure(folder.path(), "hor --plen 2 --patterns absent --sum-range text=one --no-save --seed 1");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = measure(
        folder.path(),
        "hor --plen 2 --patterns absent --sum-range text=one,other --no-save --seed 1",
    );
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("no pattern of 2 bytes is absent"), "{}", ran.stderr);
    let searched = patterns(folder.path(), "--plen 3 --patterns absent --sum-range text=one,other --runs 50");
    assert!(searched.iter().all(|(position, occurrences, _)| (*position, *occurrences) == (None, 0)));
}
