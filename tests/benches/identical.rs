//! How often a difference is claimed where there is none: six copies of one algorithm in one library, and one
//! algorithm measured six times. Target: at most 5 % of the pairs, on a busy machine too.
//!
//! For each way of judging a pair it prints the share of pairs that are called different. `ASSAY_BENCH_RUNS`
//! sets another number of runs than 16, each of which has 15 pairs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assay_stats::significance::{PLACEMENT_FLOOR, Ratio, Verdict};
use assay_stats::{CONFIDENCE, Interval, Sample};
use assay_tests::{assay, foreign_workspace_with, repository, run};

/// Of each algorithm, its searches.
type Searches = BTreeMap<String, Vec<Sample>>;

fn main() {
    let runs = std::env::var("ASSAY_BENCH_RUNS").map_or(16, |runs| runs.parse().expect("a number of runs"));
    let load = || fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load before: {}", load().trim());
    let copies = (1..=6).map(|i| format!("copy{i}")).collect::<Vec<_>>().join(" ");
    let aligned = library("aligned", "-C llvm-args=-align-all-functions=6");
    judge("six copies, functions at multiples of 64 bytes", runs, &copies, Some(&aligned));
    judge("six copies, functions anywhere", runs, &copies, Some(&library("unaligned", "")));
    judge("hor, measured six times", runs, "hor hor hor hor hor hor", None);
    println!("load after: {}", load().trim());
}

/// The folder of the copies, built with flags for the compiler.
fn library(name: &str, flags: &str) -> std::path::PathBuf {
    let manifest = repository().join("tests/fixtures/copies/Cargo.toml");
    foreign_workspace_with(&manifest, &["--locked"], name, flags).join("debug")
}

/// Measures, and judges each pair in several ways.
fn judge(what: &str, runs: u64, algorithms: &str, plugins: Option<&Path>) {
    let (mut pairs, mut spreads, mut widths) = (0, Vec::new(), Vec::new());
    let (mut by_patterns, mut by_rounds, mut beyond_floor) = (0, 0, 0);
    for seed in 1..=runs {
        let searches = measured(algorithms, plugins, seed);
        let medians: Vec<f64> =
            searches.values().map(|samples| median(samples.iter().map(|s| s.time))).collect();
        let least = medians.iter().copied().fold(f64::INFINITY, f64::min);
        spreads.push(100.0 * (medians.iter().copied().fold(0.0, f64::max) / least - 1.0));
        let lists: Vec<&Vec<Sample>> = searches.values().collect();
        for (i, these) in lists.iter().enumerate() {
            for others in &lists[..i] {
                let ratio = Ratio::paired(these, others, 1).expect("there are rounds");
                pairs += 1;
                by_patterns += usize::from(!covers_no_difference(&logarithms(these, others)));
                by_rounds += usize::from(ratio.low > 1.0 || ratio.high < 1.0);
                beyond_floor += usize::from(ratio.verdict(PLACEMENT_FLOOR) != Verdict::Tied);
                widths.push(50.0 * (ratio.high - ratio.low));
            }
        }
    }
    let percent = |count: usize| 100.0 * count as f64 / f64::from(pairs);
    println!("\n{what}: {pairs} pairs of {runs} runs");
    println!(
        "  medians of a run spread by     {:6.1} % (median), {:.1} % (most)",
        median(spreads.iter().copied()),
        spreads.iter().copied().fold(0.0, f64::max)
    );
    println!("  half-width of an interval      {:6.2} % (median)", median(widths.iter().copied()));
    println!("  called different");
    println!("    by a t test over patterns    {:6.1} %", percent(by_patterns));
    println!("    by an interval over rounds   {:6.1} %", percent(by_rounds));
    println!("    and beyond the floor of 1 %  {:6.1} %", percent(beyond_floor));
}

/// One run with 500 patterns of 8 bytes.
fn measured(algorithms: &str, plugins: Option<&Path>, seed: u64) -> Searches {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut command = assay();
    command.arg("run").args(algorithms.split(' ')).args([
        "--plen",
        "8",
        "--seed",
        &seed.to_string(),
        "--out",
    ]);
    command.arg(folder.path());
    if let Some(plugins) = plugins {
        command.arg("--plugin-dir").arg(plugins);
    }
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let saved = fs::read_dir(folder.path())
        .expect("it was saved")
        .next()
        .expect("it was saved")
        .expect("it is there");
    let file = saved.path().join("measurements.csv");
    let mut searches = Searches::new();
    for row in csv::Reader::from_path(file).expect("a saved run").into_deserialize() {
        let row: BTreeMap<String, String> = row.expect("a row");
        let number = |name: &str| row[name].parse::<u32>().expect("a number");
        let sample = Sample {
            round: number("round"),
            repetition: number("repetition"),
            time: f64::from(number("search_ns")),
        };
        searches.entry(row["algorithm"].clone()).or_default().push(sample);
    }
    searches
}

/// Of the same patterns.
fn logarithms(these: &[Sample], others: &[Sample]) -> Vec<f64> {
    these.iter().zip(others).map(|(this, other)| (this.time / other.time).ln()).collect()
}

fn covers_no_difference(logarithms: &[f64]) -> bool {
    Interval::student(logarithms, CONFIDENCE)
        .is_some_and(|interval| interval.low <= 0.0 && 0.0 <= interval.high)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    assay_stats::median(&mut values.collect::<Vec<_>>())
}
