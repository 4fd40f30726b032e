//! `run --runs-by`: repetitions by a formula over the lengths, and the schedule with and without one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// The words of a command, and a formula.
fn measure(folder: &Path, words: &str, formula: Option<&str>) -> Ran {
    let by = formula.iter().flat_map(|formula| ["--runs-by", formula]);
    run(assay().arg("run").args(words.split_whitespace()).args(by).current_dir(folder))
}

struct Measured {
    report: Value,
    /// What stands before the tables.
    heading: String,
    folder: PathBuf,
    temporary: tempfile::TempDir,
}

fn measured(words: &str, formula: Option<&str>) -> Measured {
    let temporary = tempfile::tempdir().unwrap();
    let ran = measure(temporary.path(), words, formula);
    assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
    let folder = fs::read_dir(temporary.path().join("results")).unwrap().next().unwrap().unwrap().path();
    let report = serde_json::from_str(&fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    Measured { report, heading: ran.stdout, folder, temporary }
}

impl Measured {
    /// The rows of a file, by column.
    fn rows(&self, file: &str) -> Vec<BTreeMap<String, String>> {
        let mut csv = csv::Reader::from_path(self.folder.join(file)).unwrap();
        csv.deserialize().map(|row| row.unwrap()).collect()
    }

    /// The repetitions with their rounds, sorted, by algorithm and value of a column.
    fn repetitions(&self, column: &str) -> BTreeMap<(String, u64), Vec<(u64, u64)>> {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in self.rows("measurements.csv") {
            let number = |column: &str| row[column].parse::<u64>().unwrap();
            let cell = (row["algorithm"].clone(), number(column));
            all.entry(cell).or_default().push((number("repetition"), number("round")));
        }
        all.values_mut().for_each(|repetitions| repetitions.sort_unstable());
        all
    }
}

/// The repetitions of a point with their rounds, as many of both as this: each round begins with the least
/// number that reaches its share.
fn divided(repetitions: u64, rounds: u64) -> Vec<(u64, u64)> {
    let rounds = rounds.min(repetitions);
    (0..repetitions).map(|repetition| (repetition, repetition * rounds / repetitions)).collect()
}

const SIZES: &str =
    "hor bm --plen 8 --range text-size=4KiB,16KiB,64KiB --fill-buffer --runs 40 --rounds 4 --seed 1";

#[test]
fn each_value_has_as_many_repetitions_as_the_formula_says_in_every_order() {
    // 48.8 is more than there may be; 12.2 and 3.05.
    let expected = [(4096, 40), (16384, 12), (65536, 3)];
    for (order, rounds) in [("interleaved", 4), ("shuffled", 4), ("sequential", 1)] {
        let measured = measured(&format!("{SIZES} --order {order}"), Some("200000 / text_length"));
        let rows = measured.repetitions("text_bytes");
        assert_eq!(rows.len(), 2 * expected.len());
        for (value, repetitions) in expected {
            for algorithm in ["hor", "bm"] {
                let of_cell = &rows[&(algorithm.to_owned(), value)];
                assert_eq!(*of_cell, divided(repetitions, rounds), "{order}: {algorithm} {value}");
            }
            let cells = measured.report["results"].as_array().unwrap();
            let of_value = cells.iter().filter(|cell| cell["range_value"] == value);
            let told: Vec<u64> = of_value.map(|cell| cell["repetitions"].as_u64().unwrap()).collect();
            assert_eq!(told, [repetitions; 2]);
            let patterns = measured.rows("patterns.csv");
            let of_value = patterns.iter().filter(|row| row["text_bytes"] == value.to_string());
            assert_eq!(of_value.count() as u64, repetitions);
        }
        for row in measured.rows("blocks.csv") {
            let number = |column: &str| row[column].parse::<u64>().unwrap();
            let of_cell = &rows[&(row["algorithm"].clone(), number("text_bytes"))];
            assert!(of_cell.contains(&(number("first_repetition"), number("round"))), "{order}: {row:?}");
        }
        let rule = "Repetitions of each text size: 200000 / text_length, which is 3 to 40 here\n";
        assert!(measured.heading.contains(rule), "{}", measured.heading);
        assert!(measured.heading.contains("3 to 40 patterns of each value"), "{}", measured.heading);
        let report =
            run(assay().args(["report", "last", "--format", "latex"]).current_dir(&measured.temporary));
        assert!(report.stdout.contains("3 to 40 repetitions"), "{}", report.stdout);
    }
}

#[test]
fn overall_ranks_go_by_the_rounds_that_all_values_have() {
    let overall = |formula| {
        let measured = measured("hor bf --plen 8,16,32 --runs 40 --rounds 8 --seed 1", formula);
        let lengths = |place: &Value| place["search_ns"]["lengths"].as_u64();
        let places = measured.report["overall"].as_array().unwrap();
        assert_eq!(places.iter().map(lengths).collect::<Vec<_>>(), [Some(3); 2], "{places:?}");
        measured
    };
    overall(None);
    // 16, 8 and 4.
    let by_length = overall(Some("128 / pattern_length"));
    let counts: Vec<usize> = by_length.repetitions("pattern_length").values().map(Vec::len).collect();
    assert_eq!(counts, [16, 8, 4, 16, 8, 4]);
    assert!(
        by_length.heading.contains("(from 8 rounds; fewer than six give none: "),
        "4 are too few: {}",
        by_length.heading
    );
}

#[test]
fn what_goes_on_is_limited_in_proportion() {
    let words = format!("{SIZES} --until 0.0001% --most-runs 80");
    let measured = measured(&words, Some("200000 / text_length"));
    let counts: Vec<usize> = measured.repetitions("text_bytes").values().map(Vec::len).collect();
    // A value may be narrow by luck; nobody goes beyond twice what was asked for, or stays below it.
    for (count, asked_for) in counts.into_iter().zip([40, 12, 3, 40, 12, 3]) {
        assert!((asked_for..=2 * asked_for).contains(&count), "{count} of {asked_for}");
    }
    let (rule, went_on) = (
        "at most 80 times where 40 were asked for, others in proportion",
        "Continued from between 3 and 4 to ",
    );
    assert!(measured.heading.contains(rule) && measured.heading.contains(went_on), "{}", measured.heading);
}

/// The blocks of the run below as they were before there were formulas: round, length, algorithm and first
/// repetition.
const SCHEDULES: [(&str, &str); 3] = [
    (
        "interleaved",
        "0,8,bm,0 0,8,hor,0 0,8,kmp,0 0,4,hor,0 0,4,bm,0 0,4,kmp,0 1,8,kmp,3 1,8,hor,3 1,8,bm,3 1,4,kmp,3 1,4,bm,3 \
         1,4,hor,3 2,8,bm,6 2,8,hor,6 2,8,kmp,6 2,4,bm,6 2,4,hor,6 2,4,kmp,6",
    ),
    (
        "shuffled",
        "0,4,kmp,0 0,4,bm,0 0,8,kmp,0 0,8,bm,0 0,8,hor,0 0,4,hor,0 1,4,kmp,3 1,4,hor,3 1,8,bm,3 1,8,hor,3 1,4,bm,3 \
         1,8,kmp,3 2,8,hor,6 2,4,bm,6 2,8,kmp,6 2,4,hor,6 2,4,kmp,6 2,8,bm,6",
    ),
    ("sequential", "0,4,hor,0 0,8,hor,0 0,4,bm,0 0,8,bm,0 0,4,kmp,0 0,8,kmp,0"),
];

#[test]
fn without_a_formula_or_with_one_that_says_the_same_the_order_is_what_it_was() {
    for (order, expected) in SCHEDULES {
        let words =
            format!("hor bm kmp --plen 4,8 --runs 8 --rounds 3 --seed 5 --text-size 4KiB --order {order}");
        let blocks = |measured: &Measured| -> Vec<String> {
            let columns = ["round", "pattern_length", "algorithm", "first_repetition"];
            let block = |row: &BTreeMap<String, String>| columns.map(|column| row[column].as_str()).join(",");
            measured.rows("blocks.csv").iter().map(block).collect()
        };
        let plain = measured(&words, None);
        assert_eq!(blocks(&plain).join(" "), expected, "{order}");
        let same = measured(&words, Some("text_length"));
        assert_eq!(blocks(&same), blocks(&plain), "{order}");
        assert_eq!(same.rows("patterns.csv"), plain.rows("patterns.csv"), "{order}");
        assert!(!plain.report.to_string().contains("runs_by") && !plain.heading.contains("Repetitions of"));
    }
}

#[test]
fn a_formula_is_in_the_file_and_what_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let ran = measure(folder.path(), "hor --runs 1000 --dry-run", Some("100000000 / text_length"));
    assert!(ran.stdout.contains("\nruns_by = \"100000000 / text_length\"\n"), "{}", ran.stdout);
    fs::write(folder.path().join("e.toml"), &ran.stdout).unwrap();
    assert_eq!(measure(folder.path(), "e.toml --dry-run", None).stdout, ran.stdout);
    for (formula, message) in [
        ("100 /", "`100 /` is not a formula: "),
        ("100 / cycles", "`cycles` is none of text_length, pattern_length"),
        (
            "1 / (text_length - 4096)",
            "gives no number of repetitions when 4096 bytes are searched for patterns of 8 bytes",
        ),
    ] {
        let ran = measure(folder.path(), "hor --plen 8 --text-size 4KiB --no-save", Some(formula));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{formula}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{formula}: {}", ran.stderr);
    }
}
