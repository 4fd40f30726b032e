//! What a whole run costs beside what it measures: all algorithms, 12 lengths, 500 patterns, 1 MiB of English. Target: the
//! run takes no more than 5 % longer than the sum of what it measured and its set-up.
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
    let timed = |runs: &str| {
        let start = Instant::now();
        let ran = run(assay().arg("run").args(common).args(["--runs", runs]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (start.elapsed().as_secs_f64(), serde_json::from_str::<serde_json::Value>(&ran.stdout).expect("JSON"))
    };
    let _ = timed("1");
    let (wall, json) = timed(&runs);
    let results = json["results"].as_array().expect("results");
    let measured: f64 = results
        .iter()
        .map(|cell| {
            cell["total_ns"]["avg"].as_f64().expect("a mean") * cell["repetitions"].as_f64().expect("a count")
        })
        .sum::<f64>()
        / 1e9;
    // Set-up: what the same run does for a single repetition, less what that measures; and the trusted counts.
    let (single, json) = timed("1");
    let single_measured: f64 = json["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|cell| cell["total_ns"]["avg"].as_f64())
        .sum();
    let trusted = trusted_counts(runs.parse().expect("a number"));
    let set_up = single - 2.0 * single_measured / 1e9 + trusted;
    println!("{} cells of {runs} patterns: {wall:.2} s in all", results.len());
    println!("measured {measured:.2} s, set-up {set_up:.2} s (of it {trusted:.2} s for trusted counts)");
    println!("the rest is {:+.2} % of both", 100.0 * (wall / (measured + set_up) - 1.0));
}

/// Seconds that the trusted counts of so many patterns of each length take.
fn trusted_counts(runs: usize) -> f64 {
    let mut command = assay();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("text");
    command
        .args(["run", "so", "--corpus", "english", "--seed", "1", "--runs", "1", "--plen", "2", "--quiet"]);
    let _ = (run(&mut command), file);
    let mut text = vec![0; 1 << 20];
    for (i, byte) in text.iter_mut().enumerate() {
        *byte = b'a' + (i * i % 23) as u8;
    }
    let start = Instant::now();
    for power in 1..=12 {
        for i in 0..runs {
            std::hint::black_box(assay::run::trusted::count(&text[i..i + (1 << power)], &text));
        }
    }
    start.elapsed().as_secs_f64()
}
