//! Counts by simulation, through the backend `cachegrind`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assay_plugin_api::testing::skip;
use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// Whether there is a simulator, on a machine that it knows.
fn valgrind() -> bool {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = quiet(Command::new("valgrind").arg("--version")).is_ok_and(|status| status.success());
    if !there {
        skip("the package valgrind is missing");
    }
    there
}

/// Counts of two algorithms, in a folder of its own.
fn counted(folder: &Path, rest: &[&str]) -> Ran {
    let fixed = "run bf hor --corpus rand64 --plen 8 --seed 7 --out out";
    let counters =
        "--counters=cachegrind:instructions,cachegrind:L1-dcache-loads,cachegrind:conditional-branches";
    run(assay().args(fixed.split(' ')).arg(counters).args(rest).current_dir(folder).env("TMPDIR", folder))
}

const SHORT: [&str; 3] = ["--text-size=20KiB", "--runs=3", "--format=json"];

/// The least and the greatest count of each algorithm and event.
fn extremes(ran: &Ran) -> BTreeMap<String, [u64; 2]> {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut found = BTreeMap::new();
    for cell in json["results"].as_array().unwrap() {
        for (event, figures) in cell["counters"].as_object().unwrap() {
            let extremes = ["min", "max"].map(|name| figures[name].as_f64().unwrap() as u64);
            found.insert(format!("{} {event}", cell["algorithm"].as_str().unwrap()), extremes);
        }
    }
    found
}

#[test]
fn simulated_counts_are_the_same_each_time_and_grow_with_the_text() {
    if !valgrind() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let first = counted(folder.path(), &SHORT);
    let counts = extremes(&first);
    assert_eq!(counts.len(), 6, "{}", first.stdout);
    assert_eq!(counts, extremes(&counted(folder.path(), &SHORT)), "not repeatable");
    let n = 20 * 1024;
    for (name, [least, greatest]) in &counts {
        // Brute force looks at each window, Horspool at every eighth or so.
        let expected = if name.starts_with("bf") { n..40 * n } else { n / 10..20 * n };
        assert!(expected.contains(least) && least <= greatest, "{name}: {least} to {greatest}");
    }
    let longer = extremes(&counted(folder.path(), &["--text-size=40KiB", "--runs=3", "--format=json"]));
    for (name, [_, greatest]) in counts {
        let ratio = longer[&name][1] as f64 / greatest as f64;
        assert!((1.6..2.4).contains(&ratio), "{name}: {ratio}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["out"], "nothing else is left behind");
}

#[test]
fn times_of_a_simulation_are_not_shown_and_not_ranked() {
    if !valgrind() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let ran = counted(folder.path(), &["--text-size=20KiB", "--runs=12"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("no times of this machine") && !ran.stdout.contains("µs"), "{}", ran.stdout);
    assert!(!ran.stdout.contains('+'), "a best: {}", ran.stdout);
    let saved = fs::read_dir(folder.path().join("out")).unwrap().next().unwrap().unwrap().path();
    let read = |name: &str| fs::read_to_string(saved.join(name)).unwrap();
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    let launcher = report["experiment"]["launcher"].as_array().unwrap();
    assert!(launcher.contains(&"--D1=49152,12,64".into()), "{launcher:?}");
    assert_eq!(report["results"][0]["ranks"]["search_ns"]["standing"], Value::Null);
    assert!(
        read("report.html").contains("valgrind") && !read("report.html").contains("µs"),
        "the page shows times"
    );
    let report = run(assay().args(["report", "--metric", "microseconds"]).arg(&saved));
    assert!(report.stderr.contains("no times of this machine"), "{}{}", report.stdout, report.stderr);
}

#[test]
fn a_simulation_runs_alone_and_in_processes_of_its_own() {
    if !valgrind() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let both = counted(folder.path(), &["--counters", "clock:ns"]);
    assert_eq!(both.code, Some(2));
    assert!(both.stderr.contains("clock would count the work of that program"), "{}", both.stderr);
    let here = counted(folder.path(), &["--in-process"]);
    assert_eq!(here.code, Some(2));
    assert!(here.stderr.contains("leave out --in-process"), "{}", here.stderr);
    // With this among its own options valgrind would not start.
    let wrong = "--no-such-option=yes";
    fs::write(folder.path().join(".valgrindrc"), wrong).unwrap();
    let mut bf = assay();
    bf.args("run bf --corpus rand64 --text-size=20KiB --plen 8 --runs 3 --no-save --format json".split(' '));
    bf.args(["--seed", "7", "--counters", "cachegrind:instructions"]).env("VALGRIND_OPTS", wrong);
    let ran = run(bf.current_dir(folder.path()).env("HOME", folder.path()));
    assert!(extremes(&ran)["bf cachegrind:instructions"][0] > 0, "{}", ran.stderr);
    let cost =
        run(assay().args("counters cost cachegrind:instructions --experiments 1 --reads 3".split(' ')));
    assert_eq!((cost.code, cost.stdout.lines().count()), (Some(0), 2), "{}", cost.stderr);
}

#[test]
fn a_simulator_that_ends_in_the_middle_fails_the_row() {
    if !valgrind() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = std::env::var("PATH").unwrap();
    let which = run(Command::new("sh").args(["-c", "command -v valgrind"]));
    let stand_in = folder.path().join("valgrind");
    let script = format!("#!/bin/sh\nexec timeout --foreground -s KILL 8 {} \"$@\"\n", which.stdout.trim());
    fs::write(&stand_in, script).unwrap();
    fs::set_permissions(&stand_in, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut bf = assay();
    bf.args(
        "run bf --corpus rand64 --text-size=1MiB --plen 8 --runs 2000 --no-save --format json".split(' '),
    );
    bf.args(["--counters", "cachegrind:instructions"])
        .env("PATH", format!("{}:{path}", folder.path().display()));
    let ran = run(&mut bf);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let cell = &json["results"][0];
    assert!(cell["status"] == "crashed" || cell["status"] == "error", "{cell}");
    assert!(cell["message"].as_str().unwrap().contains("exit status 137"), "{cell}");
}
