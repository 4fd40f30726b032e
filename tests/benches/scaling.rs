//! How cost grows with size: cells, rows, algorithms, saved runs, pattern lengths and the text. Prints a
//! table for each, with the exponent of the growth: 1 is linear, 2 quadratic. `docs/src/limits.md` has the
//! results.
//!
//! Without arguments, the sizes are a tenth of the full ones. `cargo bench -p assay-tests --bench scaling --
//! full` measures those; it takes an hour, 9 GB of memory and 2 GB in the folder for temporary files. The
//! name of a table (`cells`, `rows`, ..) measures that one alone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use assay_tests::assay;
use assay_tests::cost::{Cost, cost};
use assay_tests::{c_library, only_entry};
use tempfile::TempDir;

/// A search in SMART's form that finds nothing at once, so that the host has all the work.
const INSTANT: &str = "
    typedef struct { long long figures[17]; } stats;
    typedef struct { char names[6][11]; } metadata;
    int internal_search(unsigned char *p, int m, unsigned char *t, int n, double *pre, double *run,
                        stats *s, metadata *names) {
        int found = 0;
        for (int i = 0; i + m <= n; i++) {
            int j = 0;
            while (j < m && p[j] == t[i + j]) j++;
            found += j == m;
        }
        *pre = *run = 0.001;
        return found;
    }
";

/// Options of a run that measures each cell once.
const ONCE: &str = "--runs 1 --rounds 1 --rand 4";

/// A table, by name, with the function that measures its line of a size.
type Table = (&'static str, [usize; 3], fn(usize) -> Vec<(&'static str, Cost)>);

const TABLES: [Table; 6] = [
    ("cells", [1_000, 10_000, 100_000], cells),
    ("lengths", [100, 1_000, 10_000], lengths),
    ("rows", [100_000, 1_000_000, 10_000_000], rows),
    ("algorithms", [10, 100, 1_000], algorithms),
    ("runs", [100, 1_000, 10_000], saved_runs),
    ("text", [64 << 20, 512 << 20, 8 << 30], text),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_full = words.iter().any(|word| word == "full");
    let named: Vec<&String> = words.iter().filter(|word| *word != "full").collect();
    for (name, sizes, measure) in TABLES {
        if named.is_empty() || named.iter().any(|word| *word == name) {
            let sizes = sizes.map(|size| if is_full { size } else { (size / 10).max(10) });
            print(name, &sizes, measure);
        }
    }
}

/// Measures a table and prints it in Markdown.
fn print(name: &str, sizes: &[usize], measure: fn(usize) -> Vec<(&'static str, Cost)>) {
    let lines: Vec<Vec<(&str, Cost)>> = sizes.iter().map(|size| measure(*size)).collect();
    let titles: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    println!("| {name} | {} | exponent |\n|---|{}---:|", titles.join(" | "), "---:|".repeat(sizes.len()));
    for (place, (command, _)) in lines[0].iter().enumerate() {
        let costs = lines.iter().map(|line| line[place].1);
        let (times, peaks): (Vec<f64>, Vec<f64>) = costs.clone().map(|cost| (cost.cpu_s, cost.peak)).unzip();
        let shown: Vec<String> = costs
            .map(|cost| format!("{:.2} s ({:.2}), {:.0} MB", cost.cpu_s, cost.wall_s, cost.peak / 1e6))
            .collect();
        let (time, memory) = (exponent(sizes, &times), exponent(sizes, &peaks));
        println!("| {command} | {} | {time:.2}, memory {memory:.2} |", shown.join(" | "));
    }
    println!();
}

/// The slope of a line through the logarithms, by least squares.
fn exponent(sizes: &[usize], costs: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> =
        sizes.iter().zip(costs).map(|(size, cost)| ((*size as f64).ln(), cost.max(1e-3).ln())).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (x, y) = (x / count, y / count);
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    products / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// A command on runs in a folder.
fn on(folder: &Path, words: &str) -> Cost {
    cost(assay().args(words.split(' ')).arg("--out").arg(folder.join("results")).current_dir(folder))
}

/// A run with these words, and then reports on it.
fn run_and_report(folder: &Path, words: &str) -> Vec<(&'static str, Cost)> {
    vec![
        ("run", on(folder, &format!("run {words} --seed 1 --quiet"))),
        ("report", on(folder, "report last")),
        ("report --metric gbps", on(folder, "report last --metric gbps")),
        ("results", on(folder, "results")),
    ]
}

/// Ten algorithms, and lengths up to a tenth of the cells; above 100,000 cells, more algorithms.
fn cells(count: usize) -> Vec<(&'static str, Cost)> {
    let folder = temporary();
    let lengths = (count / 10).min(10_000);
    let ids = vec!["hor"; count / lengths].join(" ");
    let words = format!("{ids} --plen 1 {lengths} --increment +1 --text-size 10001B");
    run_and_report(folder.path(), &format!("{words} {ONCE}"))
}

/// Two algorithms.
fn lengths(count: usize) -> Vec<(&'static str, Cost)> {
    let folder = temporary();
    let words = format!("hor bf --plen 1 {count} --increment +1 --text-size 16KiB {ONCE}");
    run_and_report(folder.path(), &words)
}

/// Ten algorithms and ten lengths.
fn rows(count: usize) -> Vec<(&'static str, Cost)> {
    let folder = temporary();
    let ids = "bf hor kmp mp so bm qs raita tw kr";
    let runs = (count / 100).max(1);
    let words = format!("{ids} --plen 1,2,3,4,5,6,7,8,9,10 --runs {runs} --text-size 40B --rand 4");
    run_and_report(folder.path(), &words)
}

/// Copies of one library in SMART's form.
fn algorithms(count: usize) -> Vec<(&'static str, Cost)> {
    let folder = temporary();
    let library = c_library(folder.path(), "instant", INSTANT, &["-O2", "-w", "-falign-functions=64"]);
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).expect("the folder is new");
    for number in 0..count {
        fs::copy(&library, plugins.join(format!("i{number:04}.so"))).expect("libraries can be copied");
    }
    let list = |_| cost(assay().args(["list", "algorithms", "--plugin-dir"]).arg(&plugins));
    let [first, again] = [1, 2].map(list);
    let words = format!("i[0-9]{{4}} --plugin-dir plugins --plen 2,4 --text-size 1KiB {ONCE}");
    let mut lines = vec![("list, new libraries", first), ("list", again)];
    lines.extend(run_and_report(folder.path(), &words));
    lines
}

/// Copies of one run of two algorithms and two lengths.
fn saved_runs(count: usize) -> Vec<(&'static str, Cost)> {
    let folder = temporary();
    let one = temporary();
    on(one.path(), "run hor bf --plen 2,4 --runs 10 --rand 4 --text-size 1KiB --seed 1");
    let run = only_entry(&one.path().join("results"));
    for number in 0..count {
        let (hour, minute, second) = (number / 3600, number / 60 % 60, number % 60);
        let id = format!("20260102-{hour:02}{minute:02}{second:02}-{number:04x}");
        copy(&run, &folder.path().join("results").join(id));
    }
    // A file that was written just now is not indexed.
    std::thread::sleep(std::time::Duration::from_secs(3));
    vec![
        ("results, first time", on(folder.path(), "results")),
        ("results", on(folder.path(), "results")),
        ("report last", on(folder.path(), "report last")),
        ("compare A last", on(folder.path(), "compare 20260102-000000 last --force")),
        ("run last --dry-run", on(folder.path(), "run last --dry-run")),
    ]
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("it was saved").flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("files can be copied");
    }
}

/// A file without content on disk.
fn text(bytes: usize) -> Vec<(&'static str, Cost)> {
    let folder = temporary();
    let path: PathBuf = folder.path().join("text");
    File::create(&path).and_then(|file| file.set_len(bytes as u64)).expect("the file can be made");
    let words = format!("run hor --text text --text-size {bytes}B --pattern b --runs 2 --rounds 2 --quiet");
    let run = on(folder.path(), &format!("{words} --time-limit 600000 --seed 1"));
    vec![("run", run), ("report", on(folder.path(), "report last"))]
}

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}
