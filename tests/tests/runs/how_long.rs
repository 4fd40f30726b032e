//! `run --until` and `--budget`: runs that decide themselves how long they go on.

use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// Runs `assay run` with a time limit that no search reaches on a busy machine.
fn measure(folder: &Path, words: &str) -> Ran {
    let words = words.split_whitespace();
    run(assay().args(["run", "--time-limit", "60000"]).args(words).current_dir(folder))
}

/// The repetitions of each cell.
fn repetitions(json: &Value) -> Vec<u64> {
    let cells = json["results"].as_array().unwrap();
    cells.iter().map(|cell| cell["repetitions"].as_u64().unwrap()).collect()
}

/// Half of the search's interval as a share of its middle.
fn width(cell: &Value) -> f64 {
    let end = |end: &str| cell["search_ns"]["ci95"][end].as_f64().unwrap();
    (end("high") - end("low")) / (end("high") + end("low"))
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn what_goes_on_begins_as_the_run_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let words = "hor bm --plen 4,8 --runs 14 --rounds 7 --seed 3 --text-size 4KiB --quiet --format json";
    let plain = json(&measure(folder.path(), &format!("{words} --out plain")));
    assert_eq!(repetitions(&plain), [14; 4]);
    let wanted = "--until 0.0001% --most-runs 30";
    let longer = json(&measure(folder.path(), &format!("{words} {wanted} --out longer")));
    let longest = repetitions(&longer).into_iter().max();
    assert!(longest.is_some_and(|most| most <= 30), "15 rounds of 2: {longest:?}");
    let rows = |out: &str, file: &str, columns: usize| -> Vec<String> {
        let saved = fs::read_dir(folder.path().join(out)).unwrap().next().unwrap().unwrap().path();
        let csv = fs::read_to_string(saved.join(file)).unwrap();
        csv.lines().map(|line| line.split(',').take(columns).collect::<Vec<_>>().join(",")).collect()
    };
    let (plain, longer) = (rows("plain", "measurements.csv", 5), rows("longer", "measurements.csv", 5));
    assert_eq!(plain[..], longer[..plain.len()], "the same repetitions in the same rounds and order");
    assert!(longer.len() > plain.len());
    let patterns = rows("longer", "patterns.csv", 5);
    assert!(rows("plain", "patterns.csv", 5).iter().all(|pattern| patterns.contains(pattern)));
}

#[test]
fn until_is_kept_or_the_heading_says_by_whom_not() {
    let folder = tempfile::tempdir().unwrap();
    let words = "hor bm --plen 4,64 --runs 12 --rounds 6 --text-size 16KiB --most-runs 240";
    let ran = json(&measure(folder.path(), &format!("{words} --until 10% --quiet --format json")));
    for cell in ran["results"].as_array().unwrap() {
        let repetitions = cell["repetitions"].as_u64().unwrap();
        // Two checks in a row: after 6 rounds of 2 repetitions and after 7.
        assert!((14..=240).contains(&repetitions), "{repetitions}");
        assert!(width(cell) <= 0.1 || repetitions == 240, "{} after {repetitions}", width(cell));
    }
    let shown = run(assay().args(["report", "last", "--format", "latex"]).current_dir(folder.path()));
    let rule = "Repeated 12 times, then until each interval was within ±";
    assert!(shown.stdout.contains(&rule.replace('±', r"$\pm$")), "{}", shown.stdout);
    let never = measure(folder.path(), &format!("{words} --until 0.00001% --no-save"));
    assert!(never.stdout.contains(rule), "{}", never.stdout);
    let went_on = never.stdout.lines().find(|line| line.starts_with("Continued from 6 to ")).unwrap();
    assert!(
        went_on.contains("120 rounds") && went_on.ends_with(", the limit of 240 repetitions (--most-runs)"),
        "{went_on}"
    );
    assert!(never.stdout.contains("Still wider than ±0.00001%: "), "{}", never.stdout);
}

#[test]
fn a_budget_is_used_and_ends_in_time() {
    let folder = tempfile::tempdir().unwrap();
    // Two rounds start few workers, so a busy machine has them done long before the budget is used.
    let words = "hor bm --plen 4,64 --runs 4 --rounds 2 --text-size 4KiB --most-runs 600000";
    let ran = json(&measure(folder.path(), &format!("{words} --budget 4s --quiet --format json")));
    let repetitions = repetitions(&ran);
    assert!(repetitions.iter().all(|repetitions| *repetitions >= 4), "{repetitions:?}");
    assert!(repetitions.iter().any(|repetitions| *repetitions > 4), "{repetitions:?}");
    let measuring = ran["experiment"]["elapsed"]["measuring_s"].as_f64().unwrap();
    let set_up = ran["experiment"]["elapsed"]["set_up_s"].as_f64().unwrap();
    assert!(measuring + set_up > 2.0, "{set_up} and {measuring} s");
    assert_eq!(ran["experiment"]["interrupted"], false);
    // Both algorithms of a length took part in the same rounds.
    assert!(repetitions[0].abs_diff(repetitions[1]) <= 2 && repetitions[2].abs_diff(repetitions[3]) <= 2);
}

#[test]
fn what_was_asked_for_is_measured_though_the_budget_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let ran = measure(
        folder.path(),
        "bf --rand 4 --text-size 1MiB --plen 4 --runs 1500 --rounds 6 --budget 1s --no-save",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\nStopped after 6 rounds\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("The rounds that were asked for took ") && ran.stdout.contains("more than 1s")
    );
}

#[test]
fn how_long_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let ran = measure(folder.path(), "hor --until 2% --budget 90s --most-runs 5000 --dry-run");
    for line in ["until = \"2%\"", "budget = \"1min 30s\"", "most_runs = 5000"] {
        assert!(ran.stdout.lines().any(|other| other == line), "{line} in\n{}", ran.stdout);
    }
    fs::write(folder.path().join("e.toml"), &ran.stdout).unwrap();
    assert_eq!(measure(folder.path(), "e.toml --dry-run").stdout, ran.stdout);
}

#[test]
fn what_makes_no_sense_is_refused_in_one_message() {
    let folder = tempfile::tempdir().unwrap();
    for (words, message) in [
        ("--until 2", "`2` is not a percentage between 0 and 100: write, for example, 2%"),
        ("--budget soon", "`soon` is not a time of at least one second"),
        ("--most-runs 7000", "--most-runs is the limit of --until and --budget"),
        ("--until 2% --most-runs 100", "--until continues after --runs 500, and --most-runs is less"),
        (
            "--until 2% --most-runs 549",
            "--until continues in whole rounds, and --most-runs 549 leaves no room",
        ),
        ("--until 2% --stats algo", "--until needs intervals of times, and --stats algo has no times"),
        (
            "--budget 5s --order sequential",
            "--budget needs several rounds, and the order `sequential` has only one",
        ),
    ] {
        let ran = measure(folder.path(), &format!("hor {words} --no-save"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{words}: {}", ran.stderr);
    }
}
