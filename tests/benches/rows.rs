//! What rows cost the host itself, in `run` and in `report`: its own time, and its memory at the most. 13
//! algorithms search 36 bytes for patterns of 8 lengths, so that there is little else to do. Targets: 1 us a
//! row, and 300 MB for 10^8.
//!
//! `ASSAY_BENCH_ROWS` sets another number of rows than 10^6.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assay_tests::assay;

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

/// Starts a command and looks at it until it ends. Its children don't count.
fn measure(what: &str, runs: usize, command: &mut Command) {
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program was built");
    let (mut ticks, mut peak_kb) = (0, 0);
    while child.try_wait().expect("it is a child of this process").is_none() {
        let read =
            |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap_or_default();
        // Behind the name, in parentheses: user and system time are the 12th and 13th word.
        let stat = read("stat");
        let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let time: u64 = words.skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum();
        ticks = ticks.max(time);
        let status = read("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok());
        peak_kb = peak.unwrap_or(0).max(peak_kb);
        sleep(Duration::from_millis(5));
    }
    assert!(child.wait().expect("it has ended").success(), "{what} failed");
    // A tick is 10 ms on every Linux that there is.
    let (rows, ns) = (runs * CELLS, ticks * 10_000_000);
    println!(
        "{what}: {rows} rows, {:.2} us each, {:.1} MiB",
        ns as f64 / rows as f64 / 1e3,
        peak_kb as f64 / 1024.0
    );
}
