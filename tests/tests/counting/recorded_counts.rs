//! What each twin counts is what it counted before: a change of an algorithm that finds all occurrences, but
//! in another way, is made on purpose or not at all.
//!
//! `UPDATE_COUNTS=1 cargo test -p assay-tests --test counting recorded_counts` records them anew.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::fs;

use assay_plugin_api::testing::skip;
use assay_tests::{assay, repository, run};

/// Texts, by the corpora that draw them.
const TEXTS: [&str; 2] = ["rand4", "rand64"];

/// Lengths of patterns: within a register, just longer than half a word, and longer than a word.
const LENGTHS: &str = "8,33,200";

/// Patterns of each length.
const PATTERNS: u64 = 2;

/// What is recorded, in this order, before the fields of its own that a twin has.
const FIELDS: [&str; 8] = [
    "text_bytes_read",
    "pattern_bytes_read",
    "lookups",
    "computations",
    "branches",
    "writes",
    "jumps",
    "verifications",
];

/// What is not: the memory depends on the machine's word, and the others follow from what is recorded.
const LEFT_OUT: [&str; 5] =
    ["memory_used", "lookup_entries", "lookup_entries2", "text_read_percent", "average_jump"];

/// Algorithms that read as many bytes at once as the widest registers of a CPU hold.
const WIDEST: [&str; 8] =
    ["bun-indexof", "libmem-strstr", "libmem-transition", "meta-tw", "mula-fl", "pair", "sz3", "v8-find"];

/// The environment variable by which the family `own` uses the instructions that each x86-64 has.
const OWN_INSTRUCTIONS: (&str, &str) = ("ASSAY_FINDER", "sse2");

#[test]
fn every_twin_counts_what_it_counted_before() {
    let file = repository().join("tests/fixtures/recorded_counts.csv");
    let instructions = instructions();
    let counted = counted(&instructions);
    if std::env::var_os("UPDATE_COUNTS").is_some() {
        fs::write(&file, &counted).unwrap();
    }
    let has_lines = |id: &str| counted.lines().any(|line| id_in(line) == id);
    let mut recorded = fs::read_to_string(&file).unwrap();
    for (id, needed) in &instructions {
        if !needed.is_empty() && !has_lines(id) && recorded.lines().any(|line| id_in(line) == id) {
            skip(&format!("{id} needs {}, which this CPU lacks", needed.join(", ")));
            recorded =
                recorded.lines().filter(|line| id_in(line) != id).map(|line| format!("{line}\n")).collect();
        }
    }
    let differences = differences(&recorded, &counted);
    assert!(
        differences.is_empty(),
        "text, id, length of pattern, then {}, and fields of its own; if it is meant, UPDATE_COUNTS=1 records the new counts:\n{}",
        FIELDS.join(", "),
        differences.join("\n")
    );
    assert!(recorded.lines().count() > 1_500, "hardly an algorithm is recorded");
}

/// The counts of all twins, a line for each text, id and length of pattern: sums over the patterns.
fn counted(instructions: &BTreeMap<String, Vec<String>>) -> String {
    let is_recorded = |id: &str| {
        let mut needed = instructions[id].iter();
        !WIDEST.contains(&id) && !needed.any(|name| name.starts_with("avx512"))
    };
    let mut lines = String::new();
    for text in TEXTS {
        let patterns = PATTERNS.to_string();
        let mut command = assay();
        command.args(["run", "--all", "--stats", "algo", "--format", "csv", "--no-save", "--quiet"]);
        command.args(["--corpus", text, "--text-size", "8KiB", "--plen", LENGTHS, "--runs", &patterns]);
        command.env(OWN_INSTRUCTIONS.0, OWN_INSTRUCTIONS.1);
        let ran = run(command.args(["--seed", "1"]));
        // In the order of the run: by length, then algorithm.
        let mut rows = BTreeMap::<(String, u64), BTreeMap<String, f64>>::new();
        for line in ran.stdout.lines().skip(1) {
            let [id, length, quantity, "avg", value, "ok"] = line.split(',').collect::<Vec<_>>()[..] else {
                continue;
            };
            let row = rows.entry((id.to_owned(), length.parse().unwrap())).or_default();
            row.insert(quantity.to_owned(), value.parse().unwrap());
        }
        for ((id, length), counts) in rows {
            if !is_recorded(&id) {
                continue;
            }
            let _ = write!(lines, "{text},{id},{length}");
            for field in FIELDS {
                let _ = write!(lines, ",{}", counts[field] * PATTERNS as f64);
            }
            let is_own = |quantity: &str| !FIELDS.contains(&quantity) && !LEFT_OUT.contains(&quantity);
            for (own, count) in counts.iter().filter(|(quantity, _)| is_own(quantity)) {
                let _ = write!(lines, ",{own} {}", count * PATTERNS as f64);
            }
            lines.push('\n');
        }
    }
    lines
}

/// The instructions that each algorithm needs and that not every CPU has.
fn instructions() -> BTreeMap<String, Vec<String>> {
    let ran = run(assay().args(["list", "algorithms", "--format", "json"]));
    let listed: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let needed =
        |listed: &serde_json::Value| listed["cpu"].as_array().expect("a list").iter().map(text).collect();
    listed.iter().map(|listed| (text(&listed["id"]), needed(listed))).collect()
}

/// The id in a line.
fn id_in(line: &str) -> &str {
    line.split(',').nth(1).unwrap_or_default()
}

/// Lines that only one of the two has.
fn differences(recorded: &str, counted: &str) -> Vec<String> {
    let missing = |from: &str, lines: &str, sign: char| -> Vec<String> {
        let known: HashSet<&str> = from.lines().collect();
        lines.lines().filter(|line| !known.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    let mut lines = [missing(counted, recorded, '-'), missing(recorded, counted, '+')].concat();
    lines.sort_by(|one, other| one[2..].cmp(&other[2..]));
    lines
}
