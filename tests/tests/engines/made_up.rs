//! Saved runs with made-up times: the same in each test, without equal times, and with clear differences.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{assay, only_entry, run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// The algorithms, in the order of their speed.
pub(crate) const ALGORITHMS: [&str; 3] = ["bndm", "hor", "bf"];
const LENGTHS: &str = "4,8,32";

/// Measures a run of ten rounds with further arguments. Returns its folder.
pub(crate) fn measure(out: &Path, arguments: &[&str]) -> PathBuf {
    let ran = run(assay()
        .args(["run", "--plen", LENGTHS, "--runs", "60", "--rounds", "10", "--seed", "7", "--quiet"])
        .args(ALGORITHMS)
        .args(arguments)
        .arg("--out")
        .arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    only_entry(out)
}

/// Replaces the times of a run by made-up ones, adds a counter, and names another CPU. One cell may fail.
pub(crate) fn make_up(folder: &Path, seed: u64, cpu: &str, fails: bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Rows without checksums are those of an early version.
    fs::remove_file(folder.join("blocks.csv")).unwrap();
    let path = folder.join("measurements.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let mut text = header.iter().collect::<Vec<_>>().join(",") + ",tsc:cycles,prepare:tsc:cycles\n";
    // The slowest algorithm fails at the greatest length, after all repetitions but the last.
    let of_cell =
        |row: &csv::StringRecord| &row[place("algorithm")] == "bf" && &row[place("pattern_length")] == "32";
    let failed = rows.iter().rposition(of_cell).filter(|_| fails);
    for (number, row) in rows.iter().enumerate() {
        let mut cells: Vec<String> = row.iter().map(str::to_owned).collect();
        let speed = ALGORITHMS.iter().position(|id| *id == &row[place("algorithm")]).unwrap() as f64;
        let length: f64 = row[place("pattern_length")].parse().unwrap();
        // Rounds are slower and faster in turn, because intervals are wider if each resembles the one before.
        let moment = if row[place("round")].ends_with(['1', '3', '5', '7', '9']) { 1.1 } else { 1.0 };
        let middle = 1e7 * (1.0 + speed) * (1.0 + 1.0 / length) * moment;
        let search = (middle * rng.random_range(0.9..1.1)) as u64;
        let prepare = rng.random_range(1000..2000);
        for (name, time) in [("prepare_ns", prepare), ("search_ns", search), ("total_ns", prepare + search)] {
            cells[place(name)] = time.to_string();
        }
        let mut counts = [(2 * search + 1).to_string(), (2 * prepare).to_string()];
        if failed == Some(number) {
            cells[place("status")] = "timed_out".to_owned();
            for name in ["occurrences", "clock", "prepare_ns", "search_ns", "total_ns"] {
                cells[place(name)].clear();
            }
            counts.iter_mut().for_each(String::clear);
        }
        text += &format!("{},{}\n", cells.join(","), counts.join(","));
    }
    fs::write(&path, text).unwrap();
    edit_facts(folder, |facts| facts["experiment"]["machine"]["cpu"] = cpu.into());
}

fn edit_facts(folder: &Path, edit: impl FnOnce(&mut Value)) {
    let path = folder.join("report.json");
    let mut facts: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    facts.as_object_mut().unwrap().remove("sha256");
    edit(&mut facts);
    fs::write(&path, facts.to_string()).unwrap();
}
