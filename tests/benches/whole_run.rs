//! What a whole run costs beside what it measures: all algorithms, 12 lengths, 500 patterns, 1 MiB of
//! English. Target: the run takes no more than 5 % longer than its set-up and the sum of what it measured.
//!
//! `ASSAY_BENCH_RUNS` sets another number of patterns.

use std::time::Instant;

use assay_tests::{assay, run};

fn main() {
    let runs = std::env::var("ASSAY_BENCH_RUNS").unwrap_or_else(|_| "500".to_owned());
    let common = [
        "--all",
        "--corpus",
        "english",
        "--seed",
        "1",
        "--time-limit",
        "5000",
        "--no-save",
        "--format",
        "json",
    ];
    let mut command = assay();
    let start = Instant::now();
    let ran = run(command.arg("run").args(common).args(["--runs", &runs]));
    let wall = start.elapsed().as_secs_f64();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = json["results"].as_array().expect("results");
    let figure = |value: &serde_json::Value| value.as_f64().expect("a number");
    let nanoseconds: f64 =
        results.iter().map(|cell| figure(&cell["total_ns"]["avg"]) * figure(&cell["repetitions"])).sum();
    let (measured, set_up) = (nanoseconds / 1e9, figure(&json["experiment"]["elapsed"]["set_up_s"]));
    println!("{} cells of {runs} patterns: {wall:.2} s in all", results.len());
    println!("measured {measured:.2} s, set-up {set_up:.2} s");
    println!("the rest is {:.2} % of both", 100.0 * (wall / (measured + set_up) - 1.0));
}
