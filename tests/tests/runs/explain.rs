//! `assay explain`: what the cost model says of times and counts. No test depends on how fast anything is, so none of them
//! expects a reason.

use std::path::Path;

use assay_tests::{Ran, assay, c_library, run};
use serde_json::Value;

const SHORT: [&str; 8] = ["--text-size", "32KiB", "--runs", "8", "--rounds", "2", "--plen", "4,8"];

/// The kinds of work that have a cost.
const KINDS: [&str; 5] = ["text_bytes_read", "lookups", "computations", "branches", "skips"];

fn explain(folder: &Path, args: &[&str]) -> Ran {
    let ran = run(assay().arg("explain").args(args).current_dir(folder));
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    ran
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&explain(folder, &[args, &["--format", "json"]].concat()).stdout).expect("JSON")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn two_algorithms_are_explained_with_yardsticks_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let explained = json(folder.path(), &[&["hor", "bndm", "--seed", "1"][..], &SHORT].concat());
    assert_eq!(explained["algorithms"], serde_json::json!(["hor", "bndm"]));
    let beside = list(&explained, "beside").len();
    assert!(beside >= 12, "{explained}");
    let cells = list(&explained, "cells");
    assert_eq!(cells.len(), 2 * (2 + beside), "one for each algorithm and length");
    for cell in cells {
        assert!(cell["time_ns"].as_f64().unwrap() > 0.0, "{cell}");
        for kind in KINDS {
            assert!(cell["counts"][kind].as_f64().unwrap() >= 0.0, "{kind}: {cell}");
            assert!(cell["parts_ns"][kind].as_f64().unwrap() >= 0.0, "{kind}: {cell}");
        }
    }
    let of = |id: &str, value: u64, kind: &str| {
        let cell = cells.iter().find(|cell| cell["algorithm"] == id && cell["value"] == value).unwrap();
        cell["counts"][kind].as_f64().unwrap()
    };
    let bytes = explained["text_bytes"].as_f64().unwrap();
    assert_eq!(of("so", 8, "lookups"), bytes, "a table entry for each character");
    assert!(of("hor", 8, "text_bytes_read") < of("bf", 8, "text_bytes_read"));
    assert!(of("bf", 8, "skips") < 10.0 && of("hor", 8, "skips") > 0.01 * bytes);
    for kind in KINDS {
        let cost = &explained["costs_ns"][kind];
        let [low, value, high] = ["low", "value", "high"].map(|end| cost[end].as_f64().unwrap());
        assert!(0.0 <= low && low <= value && value <= high, "{kind}: {cost}");
    }
    let differences = list(&explained, "differences");
    assert_eq!(differences.len(), 2, "{explained}");
    for difference in differences.iter().filter(|difference| difference["is_tied"] == false) {
        let parts = |end: &str| KINDS.map(|kind| difference["model"]["parts"][kind][end].as_f64().unwrap());
        let predicted = difference["model"]["predicted"]["value"].as_f64().unwrap();
        assert!((parts("value").iter().sum::<f64>() - predicted).abs() < 1e-9, "{difference}");
        assert!(explained["claims"] == true || difference["claims"] == false, "{difference}");
    }
}

#[test]
fn a_saved_run_is_explained_by_its_own_algorithms() {
    let folder = tempfile::tempdir().unwrap();
    let ids = ["hor", "bm", "bf", "so"];
    let ran = run(assay().arg("run").args(ids).args(SHORT).current_dir(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let explained = json(folder.path(), &["last", "bm", "hor"]);
    assert_eq!(explained["algorithms"], serde_json::json!(["bm", "hor"]));
    assert_eq!(explained["beside"], serde_json::json!(["bf", "so"]));
    assert!(
        explained["quality"].is_null() && explained["claims"] == false,
        "four algorithms are too few: {explained}"
    );
    let text = explain(folder.path(), &["last"]).stdout;
    assert!(text.starts_with("hor, bm, bf and so in embedded (32768 bytes). "), "{text}");
    assert!(text.contains("There is no cost model, and no reason is given"), "{text}");
    assert!(
        ["m=4: ", "m=8: "].iter().all(|at| text.lines().filter(|line| line.starts_with(at)).count() == 3),
        "{text}"
    );
    let drawing = folder.path().join("why.svg");
    explain(folder.path(), &["last", "hor", "bm", "--to", drawing.to_str().unwrap()]);
    let drawn = std::fs::read_to_string(drawing).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.matches(">bm</text>").count() == 2, "{drawn}");
}

#[test]
fn a_twin_that_counts_nothing_has_its_times_compared() {
    let folder = tempfile::tempdir().unwrap();
    // Its own clock says 0.01 ms, whatever the machine.
    let source = "
        int internal_search(unsigned char *p, int m, unsigned char *t, int n, double *pre, double *run,
                            long long *figures, void *names) {
            int found = 0;
            for (int s = 0; s + m <= n; s++) {
                int i = 0;
                while (i < m && p[i] == t[s + i]) i++;
                found += i == m;
            }
            *pre = *run = 0.01;
            return found;
        }";
    for name in ["uncounted", "stat_uncounted"] {
        let library = c_library(folder.path(), name, source, &["-O1", "-w", "-falign-functions=64"]);
        std::fs::rename(library, folder.path().join(format!("{name}.so"))).unwrap();
    }
    let ran = explain(folder.path(), &[&["uncounted", "qs", "--plugin-dir", "."][..], &SHORT].concat());
    for at in ["m=4: ", "m=8: "] {
        let line =
            ran.stdout.lines().find(|line| line.starts_with(at)).unwrap_or_else(|| panic!("{}", ran.stdout));
        assert!(line.contains("smart:uncounted") && line.contains("qs"), "{line}");
    }
    let explained = json(folder.path(), &[&["uncounted", "qs", "--plugin-dir", "."][..], &SHORT].concat());
    for difference in list(&explained, "differences") {
        assert_eq!(difference["left_out"], "smart:uncounted has no counts");
        assert!(difference["model"].is_null() && !difference["ratio"].is_null(), "{difference}");
    }
    assert_eq!(list(&explained, "differences").len(), 2);
}

#[test]
fn what_can_not_be_explained_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], reason: &str| {
        let ran = run(assay().arg("explain").args(args).current_dir(folder.path()));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{args:?}: {}", ran.stderr);
    };
    refused(&["hor"], "a difference takes two algorithms, and there is `hor` alone");
    refused(&["hor", "horr"], "unknown algorithm `horr`");
    refused(&["hor", "memmem"], "`memmem` has no twin, and only a twin counts what it does");
    refused(&["hor", "bm", "--cold"], "the cost model can't explain --cold");
    refused(&["hor", "bm", "--to", "why.png"], "does not end in .svg");
    refused(&["last", "hor", "bm"], "no run is saved in `results`");
    let counted =
        ["run", "hor", "bm", "--stats", "algo", "--runs", "1", "--plen", "4", "--text-size", "4KiB"];
    assert_eq!(run(assay().args(counted).current_dir(folder.path())).code, Some(0));
    refused(&["last", "hor", "bm"], "has no times to explain");
}
