//! `assay doctor`: every check in every format, commands that a shell accepts, and estimates that hold.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_tests::{Ran, assay, only_entry, run};
use serde_json::Value;

/// The checks that every machine gets, in order.
const CHECKS: [&str; 24] = [
    "machine",
    "frequency scaling",
    "turbo",
    "hyper-threads",
    "kinds of cores",
    "isolated CPUs",
    "pinning",
    "CPU quota",
    "load",
    "clock source",
    "time stamp counter",
    "hardware counters",
    "perf_event_paranoid",
    "NMI watchdog",
    "transparent huge pages",
    "swap",
    "sandbox",
    "throttling",
    "reported frequency",
    "timer",
    "plugin folders",
    "optional programs",
    "memory",
    "disk",
];

/// Runs `assay doctor` in a folder. It ends with 0 or 1, as the machine is.
fn doctor(folder: &Path, words: &str) -> Ran {
    let ran = run(assay().arg("doctor").args(words.split_whitespace()).current_dir(folder));
    assert!(matches!(ran.code, Some(0 | 1)), "{words}: {}", ran.stderr);
    ran
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

#[test]
fn every_check_has_an_outcome_and_the_status_says_whether_one_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let ran = doctor(folder.path(), "--format json");
    let report = json(&ran);
    let checks = report["checks"].as_array().unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(names, CHECKS);
    for check in checks {
        let fields: Vec<&String> = check.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["name", "outcome", "found", "effect", "remedy"], "{check}");
        let outcome = check["outcome"].as_str().unwrap();
        let wrong = ["warning", "problem"].contains(&outcome);
        assert!(wrong || ["ok", "unknown"].contains(&outcome), "{check}");
        assert_eq!((check["effect"].is_string(), check["remedy"].is_object()), (wrong, wrong), "{check}");
        if wrong {
            let fields: Vec<&String> = check["remedy"].as_object().unwrap().keys().collect();
            assert_eq!(fields, ["commands", "undo", "advice"], "{check}");
        }
    }
    let problem = checks.iter().any(|check| check["outcome"] == "problem");
    assert_eq!(ran.code, Some(i32::from(problem)));
    assert_eq!(report["outcome"] == "problem", problem);
    assert!(report.get("experiment").is_none());
    assert!(!folder.path().join("results").exists(), "it makes no folder");
}

#[test]
fn lines_for_people_and_rows_for_programs_have_every_check() {
    let folder = tempfile::tempdir().unwrap();
    let text = doctor(folder.path(), "").stdout;
    let csv = doctor(folder.path(), "--format csv").stdout;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(rows.headers().unwrap(), ["check", "outcome", "found", "effect", "remedy", "undo"].as_slice());
    let names: Vec<String> = rows.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(names, CHECKS);
    for name in CHECKS {
        assert!(
            text.lines().any(|line| line.get(9..).is_some_and(|rest| rest.starts_with(name))),
            "{name}: {text}"
        );
    }
    assert!(!text.contains('\x1b'), "a pipe gets no colours");
    assert!(doctor(folder.path(), "--color always").stdout.contains("\x1b[32mok\x1b[0m "));
}

#[test]
fn the_commands_of_all_remedies_are_a_script_and_none_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = doctor(folder.path(), "--fix").stdout;
    assert!(script.starts_with("#!/bin/sh\n# "), "{script}");
    let mut shell = Command::new("sh").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success(), "{script}");
    let refused = run(assay().args(["doctor", "--fix", "--format", "json"]));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}

/// Within a factor of two, as the book says. Time is not compared, because other tests run on this machine.
#[test]
fn an_experiment_takes_the_rows_and_the_disk_that_were_estimated() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("small", "hor bm --plen 8 --runs 60 --text-size 16KiB"),
        ("counted", "hor bf kmp --plen 4,16,64 --runs 200 --rounds 5 --counters clock --text-size 8KiB"),
    ] {
        let mut words: Vec<&str> = words.split_whitespace().collect();
        words.extend(["--seed", "3", "--time-limit", "60000"]);
        let dry = run(assay().arg("run").args(&words).arg("--dry-run").current_dir(&folder));
        fs::write(folder.path().join("x.toml"), dry.stdout).unwrap();
        let estimate = json(&doctor(folder.path(), "x.toml --format json"))["experiment"].take();
        let ran = run(assay().args(["run", "x.toml", "--out", name, "--quiet"]).current_dir(&folder));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let saved = only_entry(&folder.path().join(name));
        let rows = fs::read_to_string(saved.join("measurements.csv")).unwrap().lines().count() - 1;
        assert_eq!(estimate["rows"], rows);
        let disk: u64 =
            fs::read_dir(&saved).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
        let estimated = estimate["disk_bytes"].as_u64().unwrap();
        assert!(estimated / 2 <= disk && disk <= estimated * 2, "{name}: {estimated} of {disk}");
        assert!(estimate["seconds"].as_f64().unwrap() > 0.0 && estimate["most_rows"].is_null(), "{estimate}");
        assert!(estimate["memory_bytes"].as_u64().unwrap() > 1 << 20, "{estimate}");
    }
}

#[test]
fn a_run_that_may_continue_has_a_range_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let words = "run hor --plen 8 --runs 10 --until 1% --most-runs 50 --text-size 4KiB --dry-run";
    let dry = run(assay().args(words.split(' ')).current_dir(&folder));
    fs::write(folder.path().join("x.toml"), dry.stdout).unwrap();
    let estimate = json(&doctor(folder.path(), "x.toml --format json"))["experiment"].take();
    assert_eq!((&estimate["rows"], &estimate["most_rows"]), (&10.into(), &50.into()));
}

#[test]
fn a_saved_run_is_an_experiment_too() {
    let folder = tempfile::tempdir().unwrap();
    let words = "run hor bm --plen 8 --runs 4 --text-size 4KiB --seed 1";
    assert_eq!(run(assay().args(words.split(' ')).current_dir(&folder)).code, Some(0));
    let estimate = json(&doctor(folder.path(), "last --format json"))["experiment"].take();
    assert_eq!(estimate["rows"], 8);
    let unknown = run(assay().args(["doctor", "lst"]).current_dir(&folder));
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("no saved run `lst` in `results`"), "{}", unknown.stderr);
}

#[test]
fn a_run_keeps_the_checks_that_cost_little() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(assay()
        .args("run hor --plen 8 --runs 4 --text-size 4KiB --format json --no-save".split(' '))
        .current_dir(&folder));
    let checks = json(&ran)["experiment"]["checks"].take();
    let checks = checks.as_array().unwrap();
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    // That of throttling watches the machine for a while.
    let cheap: Vec<&str> = CHECKS.into_iter().filter(|name| *name != "throttling").take(18).collect();
    assert_eq!(names, cheap);
}

#[test]
fn what_is_no_experiment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), "algorithms = [\"hor\"]\nruns = 0\n").unwrap();
    for (file, message) in [("x.toml", "x.toml:2: "), ("none.toml", "none.toml")] {
        let ran = run(assay().args(["doctor", file]).current_dir(&folder));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}
