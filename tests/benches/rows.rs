//! What rows cost the host itself, in `run` and in `report`: its own time, and its memory at the most. 13
//! algorithms search 36 bytes for patterns of 8 lengths, so that there is little else to do. Targets: 1 us a
//! row, and 300 MB for 10^8.
//!
//! `ASSAY_BENCH_ROWS` sets another number of rows than 10^6.

use std::process::Command;

use assay_tests::assay;
use assay_tests::cost::{Cost, cost};

const ALGORITHMS: &str = "bf hor kmp mp so bm qs raita tw kr tunedbm bndm bom";
const CELLS: usize = 13 * 8;

fn main() {
    let rows = std::env::var("ASSAY_BENCH_ROWS").map_or(1_000_000, |rows| rows.parse().expect("a number"));
    let runs = (rows / CELLS).max(1);
    let out = tempfile::tempdir().expect("a temporary folder can be made");
    let mut run = assay();
    run.arg("run").args(ALGORITHMS.split(' '));
    run.args(["--data", "aababcabcdabcdeabcdefabcdefgabcdefgh", "--plen", "1,2,3,4,5,6,7,8", "--seed", "1"]);
    measure("run", runs, run.args(["--runs", &runs.to_string(), "--out"]).arg(out.path()));
    measure("report", runs, assay().args(["report", "last", "--out"]).arg(out.path()));
}

/// Prints what a command costs.
fn measure(what: &str, runs: usize, command: &mut Command) {
    let Cost { cpu_s, peak, .. } = cost(command);
    let rows = runs * CELLS;
    println!("{what}: {rows} rows, {:.2} us each, {:.1} MiB", cpu_s / rows as f64 * 1e6, peak / 1048576.0);
}
