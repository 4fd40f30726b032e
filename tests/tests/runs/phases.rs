//! Under which conditions a search is timed, and that no phase is taken for another: the start of a worker,
//! cold caches, and debug builds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// The columns of what happens once in a worker.
const ONCE: [&str; 5] = ["load_ns", "initialise_ns", "first_prepare_ns", "first_search_ns", "read_back_ns"];

/// A command of `assay` in a folder.
fn command(folder: &Path, words: &str) -> Command {
    let mut command = assay();
    command.args(words.split(' ')).current_dir(folder);
    command
}

fn well(mut command: Command) -> Ran {
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// The JSON of a run that ends well.
fn json(folder: &Path, words: &str) -> Value {
    serde_json::from_str(&well(command(folder, &format!("{words} --format json"))).stdout).unwrap()
}

fn saved(folder: &Path) -> PathBuf {
    fs::read_dir(folder.join("results")).unwrap().next().expect("it was saved").unwrap().path()
}

#[test]
fn the_start_of_a_worker_is_separate_in_every_output() {
    let folder = tempfile::tempdir().unwrap();
    let ran = json(folder.path(), "run hor bf --runs 60 --plen 4,8 --rounds 6 --counters clock:ns");
    let starts = ran["starts"].as_array().unwrap();
    assert_eq!(starts.len(), 2);
    for (start, algorithm) in starts.iter().zip(["hor", "bf"]) {
        assert_eq!((&start["algorithm"], &start["workers"]), (&algorithm.into(), &6.into()));
        let shortest =
            |phase: &str| start[phase]["min"].as_f64().unwrap_or_else(|| panic!("{phase} in {start}"));
        // Opening a file, or making a mapping, takes longer than a call.
        for slow in ["load_ns", "initialise_ns"] {
            assert!(shortest(slow) > 1000.0, "{start}");
        }
        assert!(
            ONCE.iter().all(|phase| shortest(phase) > 0.0 && !ran["experiment"]["phases"][phase].is_null())
        );
    }
    let folder_of_run = saved(folder.path());
    let mut blocks = csv::Reader::from_path(folder_of_run.join("blocks.csv")).unwrap();
    let titles = blocks.headers().unwrap().clone();
    let place = |title: &str| titles.iter().position(|other| other == title).expect(title);
    let rows: Vec<_> = blocks.records().map(Result::unwrap).collect();
    let began = rows.iter().filter(|row| !row[place("load_ns")].is_empty()).count();
    assert_eq!((rows.len(), began), (24, 12), "a worker begins in the first of its two blocks of a round");
    assert!(fs::read_to_string(folder_of_run.join("report.html")).unwrap().contains("Start of a worker"));

    let title = "Start of a worker, median in µs";
    for (words, is_shown) in [("report", false), ("report --phases", true)] {
        let shown = well(command(folder.path(), words)).stdout;
        assert_eq!(shown.contains(title) && shown.contains("first search"), is_shown, "{shown}");
    }
    let report = "report --metric first_search_ns,load_ns --stat all --format csv";
    let figures = well(command(folder.path(), report)).stdout;
    // A length with which no worker began has a line without a figure.
    let of = |phase: &str| {
        let of_phase = figures.lines().filter(|line| line.contains(&format!(",{phase},ns,all,start,")));
        of_phase.filter(|line| !line.ends_with(',')).count()
    };
    assert_eq!((of("first_search_ns"), of("load_ns")), (12, 12), "{figures}");
    let asked = well(command(folder.path(), "run hor --runs 5 --plen 4 --no-save --metric first_search_ns"));
    assert!(asked.stdout.contains("first_search_ns in ns"), "{}", asked.stdout);
    let heading = well(command(folder.path(), "report --metric load_ns")).stdout;
    assert!(heading.contains("`load_ns` of blocks.csv") && heading.contains("\nworkers "), "{heading}");
}

#[test]
fn the_first_search_is_no_repetition_with_and_without_warm_up() {
    let folder = tempfile::tempdir().unwrap();
    for warmup in [0, 1, 3] {
        let words = format!("run hor --runs 5 --rounds 1 --plen 4 --no-save --warmup {warmup}");
        let ran = json(folder.path(), &words);
        assert_eq!(ran["results"][0]["repetitions"], 5);
        assert_eq!(ran["starts"][0]["workers"], 1);
        assert!(ran["starts"][0]["first_search_ns"]["med"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn where_no_process_begins_or_no_time_counts_there_is_no_start() {
    let folder = tempfile::tempdir().unwrap();
    for words in ["--in-process", "--stats algo"] {
        let ran = json(folder.path(), &format!("run hor --runs 5 --plen 4 --no-save {words}"));
        assert!(ran["starts"].is_null(), "{words}: {}", ran["starts"]);
    }
    let ran = well(command(folder.path(), "run hor --runs 5 --plen 4 --no-save --in-process --phases"));
    assert!(ran.stdout.contains("The start of a worker was not timed."), "{}", ran.stdout);
    let mut saved = command(folder.path(), "run hor --runs 5 --plen 4 --stats algo");
    saved.args(["--seed", "1"]);
    well(saved);
    let ran = run(&mut command(folder.path(), "report --metric load_ns"));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("`load_ns` is of the start of a worker, which this run did not time"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_cold_search_takes_longer_and_every_output_says_cold() {
    let folder = tempfile::tempdir().unwrap();
    // Each step waits for one character, far from the last in a text that fits the second cache: 18 times as
    // slow when cold.
    let words = "run hor --corpus rand256 --text-size 256KiB --plen 1024 --runs 60 --rounds 6 --seed 1";
    let median = |json: &Value| json["results"][0]["search_ns"]["med"].as_f64().expect("it was measured");
    let warm = json(folder.path(), &format!("{words} --no-save"));
    let cold = json(folder.path(), &format!("{words} --cold"));
    assert!(median(&cold) > 2.0 * median(&warm), "{} cold, {} warm", median(&cold), median(&warm));
    assert!(warm["experiment"]["definition"]["cold"].is_null());
    assert_eq!(cold["experiment"]["definition"]["cold"], true);

    let told = "Cold: the text was flushed from the caches before each repetition";
    let page = fs::read_to_string(saved(folder.path()).join("report.html")).unwrap();
    let report = well(command(folder.path(), "report --metric ns")).stdout;
    let shown = well(command(folder.path(), "report")).stdout;
    assert!([page, report, shown].iter().all(|output| output.contains(told)));
    // Who repeats it gets the same.
    let again = json(folder.path(), "run last --runs 3 --no-save");
    assert_eq!(again["experiment"]["definition"]["cold"], true);
}

#[test]
fn what_has_no_caches_to_flush_is_not_cold() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &str, message: &str| {
        let ran = run(&mut command(folder.path(), words));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    };
    refused("run hor --cold --stats algo", "leave out --cold");
    if Command::new("valgrind").arg("--version").output().is_ok() {
        refused("run hor --cold --counters cachegrind:instructions", "caches of its own");
    } else {
        assay_tests::skip("the package valgrind is missing");
    }
}

#[test]
fn a_debug_build_is_marked_and_warned_of() {
    if !cfg!(debug_assertions) {
        assay_tests::skip("this is no debug build");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let ran = |words: &str| {
        let mut command = command(folder.path(), &format!("run hor --runs 3 --plen 4 {words}"));
        let output = command.env_remove("ASSAY_ALLOW_DEBUG").output().unwrap();
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let mark = "Debug build: assay, assay-comparison; times of a release build are others";
    for (words, is_marked, is_warned) in
        [("--no-save", true, true), ("--allow-debug", true, false), ("--stats algo --no-save", false, false)]
    {
        let [stdout, stderr] = ran(words);
        assert_eq!(stdout.contains(mark), is_marked, "{words}: {stdout}");
        assert_eq!(stderr.contains("warning: this assay is a debug build"), is_warned, "{words}: {stderr}");
    }
    let facts: Value =
        serde_json::from_slice(&fs::read(saved(folder.path()).join("report.json")).unwrap()).unwrap();
    assert_eq!(facts["experiment"]["libraries"][0]["debug"], true);
    let page = fs::read_to_string(saved(folder.path()).join("report.html")).unwrap();
    assert!(page.contains(mark));
}
