//! What a run knows of its own figures: rounds, intervals, shared ranks, floors and noise.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assay_tests::processes::once_it_measures;
use assay_tests::{assay, foreign_workspace_with, repository, run};
use serde_json::Value;

/// `assay run` with words.
fn runs(words: &str) -> Command {
    let mut command = assay();
    command.arg("run").args(words.split_whitespace());
    command
}

fn json(words: &str) -> Value {
    let ran = run(runs(words).args(["--format", "json", "--no-save"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON alone on standard output")
}

fn table(words: &str) -> String {
    let ran = run(runs(words).arg("--no-save"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

/// The rows of a CSV file of the one run saved in a folder.
fn rows(out: &Path, file: &str) -> Vec<BTreeMap<String, String>> {
    let saved = saved(out).join(file);
    csv::Reader::from_path(saved).unwrap().into_deserialize().map(Result::unwrap).collect()
}

fn saved(out: &Path) -> PathBuf {
    fs::read_dir(out).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn a_round_goes_through_all_lengths_and_algorithms_before_the_next_begins() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let ran = run(runs("bf hor kmp --plen 4 16 --runs 25 --rounds 5 --seed 3 --out").arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let rows = rows(out, "measurements.csv");
    let numbers: Vec<(usize, usize)> =
        rows.iter().map(|row| (row["round"].parse().unwrap(), row["repetition"].parse().unwrap())).collect();
    assert!(numbers.is_sorted_by_key(|(round, _)| *round));
    assert!(numbers.iter().all(|(round, repetition)| *round == repetition / 5));
    for round in rows.chunks(5 * 3 * 3) {
        let cells: std::collections::BTreeSet<_> =
            round.iter().map(|row| (&row["algorithm"], &row["pattern_length"])).collect();
        assert_eq!(cells.len(), 9);
    }
    let blocks = self::rows(out, "blocks.csv");
    assert_eq!(blocks.len(), 5 * 3 * 3);
    for column in ["floor_ns", "reference_ns", "cpu_ns", "elapsed_ns"] {
        assert!(blocks.iter().all(|block| block[column].parse::<u64>().unwrap() > 0), "{column}");
    }
}

#[test]
fn an_algorithm_that_is_named_twice_is_measured_twice() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("first");
    let ran = run(runs("hor bf HOR --plen 8 --runs 10 --seed 3 --out").arg(&out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let measured = |out: &Path| {
        let rows = rows(out, "measurements.csv");
        let mut ids: Vec<String> = rows.into_iter().map(|row| row["algorithm"].clone()).collect();
        ids.sort();
        assert_eq!(ids.len(), 30);
        ids.dedup();
        ids
    };
    assert_eq!(measured(&out), ["bf", "hor", "hor@2"]);
    let again = folder.path().join("again");
    let ran = run(runs("--out").arg(&again).arg(saved(&out).join("experiment.toml")));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(measured(&again), ["bf", "hor", "hor@2"]);
    // An expression names each algorithm once.
    assert_eq!(json("hor h.r --plen 8 --runs 2")["results"].as_array().unwrap().len(), 1);
}

/// Whether a figure has the mark of the best.
fn marks_a_best(table: &str) -> bool {
    table.lines().flat_map(|line| line.split_whitespace().skip(1)).any(|cell| cell.ends_with('+'))
}

#[test]
fn figures_have_intervals_and_ranks_and_the_run_knows_its_noise() {
    let words = "bf hor --plen 64 --runs 50 --seed 3";
    let json = json(words);
    let cell = |i: usize| &json["results"][i];
    let (bf, hor) = (cell(0), cell(1));
    for cell in [bf, hor] {
        let ci95 = &cell["search_ns"]["ci95"];
        assert!(ci95["low"].as_f64() < ci95["high"].as_f64(), "{cell:#}");
    }
    assert_eq!(hor["ranks"]["search_ns"]["standing"]["rank"], 1, "{hor:#}");
    let slower = &bf["ranks"]["search_ns"]["standing"];
    assert_eq!(slower["rank"], 2, "{bf:#}");
    assert!(slower["to_best"]["low"].as_f64() > Some(1.5), "{bf:#}");
    let noise = &json["experiment"]["noise"];
    let floor = noise["floor_ns"].as_f64().unwrap();
    assert!(0.0 < floor && floor < 100_000.0, "{noise:#}");
    for known in ["reference_fast_ns", "involuntary_switches", "cpu_used_percent", "load_before"] {
        assert!(noise[known].is_number(), "{known} in {noise:#}");
    }
    let table = table(words);
    let row = |id: &str| table.lines().find(|line| line.starts_with(id)).unwrap();
    assert!(marks_a_best(row("hor")) && !marks_a_best(row("bf")), "{table}");
    assert!(table.contains("(from 10 rounds)"), "{table}");
}

#[test]
fn one_round_has_no_interval_and_marks_no_best() {
    let words = "bf hor --plen 64 --runs 20 --order sequential";
    let json = json(words);
    assert!(json["results"][0]["search_ns"].get("ci95").is_none());
    assert_eq!(json["results"][1]["ranks"]["search_ns"]["standing"], Value::Null);
    let table = table(words);
    assert!(table.contains("no best is marked") && !marks_a_best(&table), "{table}");
}

#[test]
fn what_takes_less_than_ten_empty_calls_is_marked_and_not_ranked() {
    let table = table("bf hor --data abc --pattern abc --runs 20");
    assert!(table.contains('~') && !marks_a_best(&table), "{table}");
    assert!(table.contains("less than ten empty calls"), "{table}");
}

#[test]
fn counts_are_whole_and_what_is_below_ten_grains_is_marked() {
    let table = table("hor --plen 8 --runs 4 --counters rusage:user-time,rusage:minor-faults");
    let section = |title: &str| table.split(title).nth(1).unwrap().split("\n\n").next().unwrap().to_owned();
    let faults = section("rusage:minor-faults of the search");
    assert!(!faults.contains('.') && !faults.contains('~'), "{table}");
    assert!(section("rusage:user-time of the search").contains('~'), "{table}");
    assert!(table.contains("~ rusage:user-time moves every "), "{table}");
}

#[test]
fn a_second_run_on_the_same_cpu_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let with_locks = |words: &str| {
        let mut command = runs(words);
        command.env("XDG_RUNTIME_DIR", folder.path());
        command
    };
    let warned = |ran: &assay_tests::Ran| ran.stderr.contains("another run of assay");
    assert!(!warned(&run(&mut with_locks("hor --plen 8 --runs 2 --no-save"))));
    let out = folder.path().join("out");
    let mut first = with_locks("bf --plen 8 --runs 50000 --out");
    let mut first = first.arg(&out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    once_it_measures(&out);
    let second = run(&mut with_locks("hor --plen 8 --runs 2 --no-save"));
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(warned(&second), "{}", second.stderr);
}

#[test]
fn functions_that_begin_anywhere_are_reported_by_check() {
    let manifest = repository().join("tests/fixtures/copies/Cargo.toml");
    let check = |target: &str, flags: &str| {
        let folder = foreign_workspace_with(&manifest, &["--locked"], target, flags);
        let ran = run(assay().args(["plugins", "check"]).arg(folder.join("debug/libcopies.so")));
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    let told = "do not begin at multiples of 64 bytes";
    assert!(check("unaligned", "").contains(told));
    // The flags of the repository, so what is built for other tests serves here.
    assert!(!check("foreign", "-C llvm-args=-align-all-functions=6").contains(told));
}
