//! What the wall time of a run went to.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_tests::{Ran, assay, run};
use serde_json::Value;

fn in_folder(folder: &Path, words: &str) -> Ran {
    run(assay().args(words.split(' ')).current_dir(folder))
}

/// The only run that is saved in a folder.
fn saved(folder: &Path) -> PathBuf {
    fs::read_dir(folder.join("results")).unwrap().next().unwrap().unwrap().path()
}

/// The sum of a column of `measurements.csv`.
fn sum(rows: &str, column: &str) -> u64 {
    let place = rows.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    rows.lines().skip(1).map(|row| row.split(',').nth(place).unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn the_activities_of_a_run_add_up_to_its_wall_time() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let words = "run hor bf --plen 4,8 --runs 20 --time-limit 60000 --format json";
    let ran = in_folder(folder.path(), words);
    let wall_ns = begun.elapsed().as_nanos() as u64;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let facts = &json["experiment"];
    let spent = facts["parts"][0]["spent"].as_object().unwrap();
    let part = |name: &str| spent[name].as_u64().unwrap();
    let all: u64 = spent.values().map(|ns| ns.as_u64().unwrap()).sum();
    let elapsed = ["set_up_s", "measuring_s"].map(|name| facts["elapsed"][name].as_f64().unwrap());
    assert!(all <= wall_ns, "{all} of {wall_ns}: {spent:?}");
    let elapsed_ns = elapsed.iter().sum::<f64>() * 1e9;
    // More time passes after the last measurement, until the figures are computed.
    assert!(all as f64 >= (1.0 - 1e-9) * elapsed_ns, "{all} of {elapsed_ns}: {spent:?}");

    let rows = fs::read_to_string(saved(folder.path()).join("measurements.csv")).unwrap();
    assert_eq!(part("searching_ns"), sum(&rows, "search_ns"));
    assert_eq!(part("preparing_ns"), sum(&rows, "prepare_ns"));
    for name in ["warmup_ns", "workers_ns", "set_up_ns", "counting_ns", "writing_ns", "rest_ns"] {
        assert!(part(name) > 0, "{name}: {spent:?}");
    }

    let report = in_folder(folder.path(), "report -v");
    assert!(
        report.stderr.contains("the run took ") && report.stderr.contains(", warm-up "),
        "{}",
        report.stderr
    );
    assert!(!in_folder(folder.path(), "report").stderr.contains("the run took "));
    let page = fs::read_to_string(saved(folder.path()).join("report.html")).unwrap();
    assert!(page.contains("<h2>Where the time went</h2><dl><dt>wall time</dt>"));
}

#[test]
fn a_run_of_an_earlier_version_says_that_its_times_are_missing() {
    let folder = assay_tests::repository().join("tests/fixtures/saved_run");
    let report = run(assay().arg("report").arg(folder).arg("-v"));
    let missing = "where the time went is not known: an earlier version of assay measured the run";
    assert!(report.code == Some(0) && report.stderr.contains(missing), "{}", report.stderr);
}
