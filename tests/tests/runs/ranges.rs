//! What varies beside the pattern length, and what a repetition does: as a saved run tells it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_plugin_api::testing::skip;
use assay_tests::{Ran, assay, run};
use serde_json::Value;

pub(crate) fn measure(folder: &Path, words: &str) -> Ran {
    run(assay().arg("run").args(words.split_whitespace()).args(["--quiet"]).current_dir(folder))
}

/// The only saved run of a folder.
pub(crate) fn saved(folder: &Path) -> PathBuf {
    let mut saved = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
    let only = saved.next().expect("something was saved");
    assert!(saved.next().is_none());
    only
}

/// The CPUs that may be used here, ascending.
fn allowed_cpus() -> Vec<usize> {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let listed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let span = |span: &str| {
        let (first, last) = span.split_once('-').unwrap_or((span, span));
        first.parse().unwrap()..=last.parse().unwrap()
    };
    listed.trim().split(',').flat_map(span).collect()
}

/// What was measured: `report.json`, and the rows of `measurements.csv` by column.
pub(crate) struct Measured {
    pub(crate) report: Value,
    pub(crate) rows: Vec<BTreeMap<String, String>>,
    pub(crate) folder: PathBuf,
    _temporary: tempfile::TempDir,
}

pub(crate) fn measured(words: &str) -> Measured {
    let temporary = tempfile::tempdir().unwrap();
    let ran = measure(temporary.path(), words);
    assert_eq!(ran.code, Some(0), "{words}: {}", ran.stderr);
    let folder = saved(temporary.path());
    let report = serde_json::from_str(&fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    let mut csv = csv::Reader::from_path(folder.join("measurements.csv")).unwrap();
    let rows = csv.deserialize().map(|row| row.unwrap()).collect();
    Measured { report, rows, folder, _temporary: temporary }
}

pub(crate) fn number(row: &BTreeMap<String, String>, column: &str) -> u64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

#[test]
fn each_text_size_has_its_own_text_and_patterns_and_takes_as_much_longer() {
    let measured = measured("hor bm --plen 8 --rand 4 --range text-size=16KiB..64KiB --runs 30 --seed 3");
    let Measured { report, rows, folder, .. } = &measured;
    let sizes: Vec<u64> = vec![16384, 32768, 65536];
    let values = report["experiment"]["range"]["values"].as_array().unwrap();
    let told = |of: &dyn Fn(&Value) -> u64| values.iter().map(of).collect::<Vec<_>>();
    assert_eq!(told(&|value| value["value"].as_u64().unwrap()), sizes);
    assert_eq!(told(&|value| value["text"]["bytes"].as_u64().unwrap()), sizes);
    assert_eq!(report["experiment"]["range"]["over"], "text_bytes");
    assert_eq!(rows.len(), 2 * 3 * 30);
    // Patterns are drawn from as much of the text as is searched, and others for each value.
    let mut patterns = csv::Reader::from_path(folder.join("patterns.csv")).unwrap();
    let patterns: Vec<BTreeMap<String, String>> = patterns.deserialize().map(|row| row.unwrap()).collect();
    let positions = |size: u64| -> Vec<u64> {
        let of_size = patterns.iter().filter(|row| number(row, "text_bytes") == size);
        of_size.map(|row| number(row, "position")).collect()
    };
    for size in &sizes {
        assert_eq!(positions(*size).len(), 30);
        assert!(positions(*size).iter().all(|position| position + 8 <= *size), "{size}");
    }
    assert_ne!(positions(16384), positions(32768));
    let median = |size: u64| {
        let of = |cell: &&Value| cell["range_value"] == size && cell["algorithm"] == "hor";
        let cell = report["results"].as_array().unwrap().iter().find(of).unwrap();
        assert_eq!(cell["pattern_length"], 8);
        cell["search_ns"]["med"].as_f64().unwrap()
    };
    let ratio = median(65536) / median(16384);
    assert!((2.0..8.0).contains(&ratio), "four times the text takes {ratio} times as long");
}

#[test]
fn alphabets_and_texts_are_those_that_are_named() {
    let letters = |words: &str| -> Vec<u64> {
        let Measured { report, .. } = measured(&format!("hor --plen 4 --text-size 8KiB --runs 10 {words}"));
        let values = report["experiment"]["range"]["values"].as_array().unwrap().clone();
        values.iter().map(|value| value["text"]["alphabet"].as_u64().unwrap()).collect()
    };
    assert_eq!(letters("--range alphabet=2,16"), [2, 16]);
    assert_eq!(letters("--range text=corpus:rand4,corpus:rand2"), [4, 2]);
}

#[test]
fn a_range_is_repeated_with_the_same_patterns_from_its_file() {
    let first = measured("hor --plen 8 --rand 4 --range text-size=4KiB,8KiB --runs 10 --seed 9");
    let folder = tempfile::tempdir().unwrap();
    let ran = measure(folder.path(), &format!("{}/experiment.toml", first.folder.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let patterns = |folder: &Path| fs::read_to_string(folder.join("patterns.csv")).unwrap();
    assert_eq!(patterns(&first.folder), patterns(&saved(folder.path())));
}

#[test]
fn calls_of_a_repetition_add_up_and_each_finds_what_is_there() {
    let Measured { report, rows, .. } = measured("hor bm --plen 4 --searches 3 --runs 20 --counters tsc");
    let names: Vec<&str> = report["experiment"]["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["prepare", "search1", "search2", "search3"]);
    for row in &rows {
        let sum = |columns: [&str; 3]| columns.map(|column| number(row, column)).iter().sum::<u64>();
        assert_eq!(sum(["search1_ns", "search2_ns", "search3_ns"]), number(row, "search_ns"));
        let counters = ["search1:tsc:cycles", "search2:tsc:cycles", "search3:tsc:cycles"];
        assert_eq!(sum(counters), number(row, "tsc:cycles"));
        assert_eq!(number(row, "prepare_ns") + number(row, "search_ns"), number(row, "total_ns"));
        assert_eq!(number(row, "occurrences") % 3, 0, "each search finds the same");
    }
}

#[test]
fn a_sum_range_prepares_for_each_text_and_searches_all_for_one_pattern() {
    let words =
        "hor --sum-range text=corpus:rand4,corpus:rand2 --text-size 16KiB --plen 2 --runs 10 --seed 2";
    let measured = measured(words);
    let Measured { report, rows, folder, .. } = &measured;
    let text = |call: usize| report["experiment"]["calls"][call]["text"][0].clone();
    assert_eq!([text(1), text(3)], ["rand4", "rand2"]);
    for row in rows {
        let sum = |columns: [&str; 2]| columns.map(|column| number(row, column)).iter().sum::<u64>();
        assert_eq!(sum(["prepare1_ns", "prepare2_ns"]), number(row, "prepare_ns"));
        assert_eq!(sum(["search1_ns", "search2_ns"]), number(row, "search_ns"));
    }
    let quantities = fs::read_to_string(folder.join("statistics.csv")).unwrap();
    assert!(quantities.contains("hor,2,search2_ns,med,"), "{quantities}");
    // What the library tells of all bytes that were searched.
    let ran = run(assay().args(["report", "last", "--out"]).arg(folder.parent().unwrap()).args([
        "--metric",
        "ns_per_byte,search_ns",
        "--stat",
        "med",
        "--format",
        "csv",
    ]));
    let value = |metric: &str| -> f64 {
        let line = ran.stdout.lines().find(|line| line.contains(metric)).unwrap();
        line.rsplit(',').next().unwrap().parse().unwrap()
    };
    let per_byte = value("search_ns") / 32768.0;
    assert!((value("ns_per_byte") / per_byte - 1.0).abs() < 1e-9, "{}", ran.stdout);
}

#[test]
fn instrumented_searches_are_counted_together() {
    let once = measured("hor --stats algo --plen 8 --runs 5 --seed 4 --rand 4 --text-size 8KiB");
    let twice =
        measured("hor --stats algo --plen 8 --runs 5 --seed 4 --rand 4 --text-size 8KiB --searches 2");
    let column = |measured: &Measured, name: &str| -> Vec<f64> {
        measured.rows.iter().map(|row| row[name].parse().unwrap()).collect()
    };
    for (name, factor) in
        [("text_bytes_read", 2.0), ("jumps", 2.0), ("memory_used", 1.0), ("average_jump", 1.0)]
    {
        let expected: Vec<f64> = column(&once, name).iter().map(|value| factor * value).collect();
        assert_eq!(column(&twice, name), expected, "{name}");
    }
}

#[test]
fn comparisons_and_pictures_go_over_the_range() {
    let words = "hor bm --plen 8 --rand 4 --range text-size=16KiB,64KiB --runs 12 --rounds 6 --seed 3";
    let (first, second) = (measured(words), measured(words));
    let of = |arguments: &[&str]| run(assay().args(arguments).arg(&first.folder));
    let beside = of(&["report", "--baseline", "hor", "--format", "csv"]);
    assert!(beside.stdout.starts_with("algorithm,text_bytes,against,ratio"), "{}", beside.stdout);
    assert!(beside.stdout.contains("\nbm,65536,hor,"), "{}", beside.stdout);
    let drawn = of(&["report", "--format", "svg"]);
    assert!(
        drawn.stdout.contains("\ntext size\n") && drawn.stdout.contains("\n64 KiB\n"),
        "{}",
        drawn.stderr
    );
    let compared = run(assay().arg("compare").args([&first.folder, &second.folder]));
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert!(compared.stdout.contains("pattern by pattern") && compared.stdout.contains("text size"));
    // What did something else is not compared.
    let others =
        measured("hor bm --plen 16 --rand 4 --range text-size=16KiB,64KiB --runs 12 --rounds 6 --seed 3");
    let compared = run(assay().arg("compare").args([&first.folder, &others.folder]));
    assert!(
        compared.stdout.contains("pattern length") && compared.stdout.contains("by the medians"),
        "{}",
        compared.stdout
    );
    let calls =
        measured("hor bm --plen 8 --rand 4 --range text-size=16KiB,64KiB --searches 2 --runs 12 --seed 3");
    let compared = run(assay().arg("compare").args([&first.folder, &calls.folder]));
    assert_eq!(compared.code, Some(2), "{}", compared.stdout);
    assert!(compared.stderr.contains("the runs did not do the same: repetition"), "{}", compared.stderr);
}

#[test]
fn operations_are_declared_and_counted_for_all_searches() {
    let words = "hor --plen 8 --text-size 16KiB --rand 4 --searches 2 --runs 4 --complexity text_length --peak-gflops 4";
    let measured = measured(words);
    let ran = run(assay().arg("report").arg(&measured.folder).args([
        "--metric",
        "flops,gflops,efficiency,search_ns",
        "--stat",
        "all",
        "--format",
        "csv",
    ]));
    let values = |metric: &str| -> Vec<f64> {
        let lines = ran.stdout.lines().filter(|line| line.split(',').nth(2) == Some(metric));
        lines.map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(values("flops"), [32768.0; 4]);
    let times = values("search_ns");
    for ((gflops, efficiency), ns) in values("gflops").iter().zip(values("efficiency")).zip(times) {
        assert!((gflops * ns / 32768.0 - 1.0).abs() < 1e-9 && (efficiency - 25.0 * gflops).abs() < 1e-9);
    }
}

#[test]
fn operations_in_a_cycle_are_in_the_unit_of_what_was_counted() {
    let folder = tempfile::tempdir().unwrap();
    let words = "hor --plen 8 --text-size 16KiB --runs 4 --complexity text_length --counters tsc";
    let ran = measure(folder.path(), &format!("{words} --metric flops_per_cycle --no-save"));
    if ran.stderr.contains("tsc:cycles can't be counted here") {
        return skip(&ran.stderr);
    }
    assert!(ran.stdout.contains("flops_per_cycle in operations/tick ="), "{}", ran.stdout);
}

#[test]
fn threads_find_each_occurrence_once() {
    // Placed by the system, there may be more threads than CPUs. Every sum is checked against the reference
    // count.
    let Measured { report, rows, .. } =
        measured("hor bndm sa --plen 3 --rand 2 --text-size 10KiB --range threads=1,2,5 --pin off --runs 20");
    assert_eq!((report["experiment"]["threads"].as_u64(), rows.len()), (Some(5), 3 * 3 * 20));
    assert!(rows.iter().all(|row| row["status"] == "ok" && number(row, "occurrences") > 100));
}

#[test]
fn a_thread_that_is_kept_from_its_cpu_is_seen() {
    let cpus = allowed_cpus();
    let [.., other, own] = cpus.as_slice() else {
        return skip("one CPU is no place for two threads");
    };
    // The worker's own thread has its CPU; the other shares it with somebody who works all the time.
    let mut busy = Command::new("taskset");
    busy.args(["--cpu-list", &other.to_string(), "sh", "-c", "while [ -d /proc/$PPID ]; do :; done"]);
    let mut busy = busy.spawn().unwrap();
    let words = "bf --plen 8 --rand 128 --text-size 4MiB --threads 2 --runs 60 --rounds 3";
    let Measured { report, .. } = measured(&format!("{words} --pin {own} --time-limit 5000"));
    busy.kill().unwrap();
    busy.wait().unwrap();
    let used = report["experiment"]["noise"]["cpu_used_percent"].as_f64().unwrap();
    assert!((10.0..90.0).contains(&used), "{used} %");
}

#[test]
fn what_does_not_go_together_is_refused_in_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &str, message: &str| {
        let ran = measure(folder.path(), words);
        assert_eq!(ran.code, Some(2), "{words}: {}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: {message}")), "{words}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"));
    };
    refused(
        "hor --range text-size=4KiB,8KiB",
        "the range goes over text size, so exactly one pattern length is needed",
    );
    refused(
        "hor --plen 8 --range text-size=4KiB,1MiB",
        "the text embedded has 54675 bytes, and the range goes to 1 MiB",
    );
    refused("hor --plen 8 --range threads=0", "a range over threads can't have the value 0");
    refused("hor --plen 8 --range threads=2,2", "the range has threads 2 twice");
    refused(
        "hor --plen 8 --threads 2 --pin off --counters clock:thread-ns",
        "`clock:thread-ns` counts one thread or one core, and several threads search",
    );
    refused("hor --plen 8 --threads 2 --stats algo", "instrumented twins count only one thread");
    refused("hor --plen 8 --threads 2 --cold", "several threads search copies of the text");
    refused("hor --plen 8 --threads 2 --in-process", "several threads need a worker process");
    refused("hor --plen 8 --calls-parallel", "--calls-parallel needs several searches after a preparation");
    refused("hor --plen 8 --sum-range-parallel", "--sum-range-parallel needs the texts of a sum-range");
    refused("hor --plen 8 --searches 2 --calls-parallel --threads 2", "each parallel call has one thread");
    refused("hor --plen 8 --first-counter cycles", "`cycles` is not among the counters");
    refused("hor --plen 8 --stats algo --first-counter tsc:cycles", "counters around instrumented twins");
    refused(
        "hor --plen 8 --range text=corpus:rand4 --rand 4",
        "both a text and a range over texts are given",
    );
    refused(
        "hor --plen 8 --text-size 1KiB --range text-size=1KiB,2KiB",
        "both a text size and a range over text sizes",
    );
    refused(
        "hor --plen 8 --text-size 1KiB --complexity text_length-5000",
        "`text_length-5000` gives -3976 operations when 1024 bytes are searched",
    );
    refused(
        "hor --plen 8 --complexity 1/(pattern_length-8)",
        "`1/(pattern_length-8)` gives no number of operations",
    );
    refused(
        "hor --plen 8 --peak-gflops 16",
        "--peak-gflops needs a number of operations, and none is declared",
    );
    refused("hor --plen 8 --threads 100000", "at most 1024 threads can search together");
    refused("hor --plen 8 --searches 100", "a repetition would have 101 calls, and may have at most 100");
    refused("hor --plen 8 --sum-range text-size=4KiB,1MiB", "the text embedded has 54675 bytes");
    refused("hor --plen 8 --range alphabet=2 --corpus genome", "corpus `genome2`: `genome` takes no number");
    refused("hor --plen 8 --range alphabet=1000", "corpus `rand1000`: `rand` takes a number from 2");
    refused("hor --plen 8 --range size=4", "invalid value 'size=4' for '--range");
    refused("hor --plen 8 --searches 2 --subtract-overhead", "what an empty call counts is that of one call");
    refused("hor --plen 8 --complexity cycles", "invalid value 'cycles' for '--complexity");
}

#[test]
fn no_text_that_is_searched_is_shorter_than_the_patterns() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("long"), "abc".repeat(100)).unwrap();
    fs::write(folder.path().join("short"), "abcabc").unwrap();
    for words in ["--sum-range text=long,short", "--range text=long,short", "--text short"] {
        let ran = measure(folder.path(), &format!("hor --plen 8 {words}"));
        assert_eq!(ran.code, Some(2), "{words}: {}", ran.stderr);
        let expected = "a pattern of 8 bytes is longer than the text of 6 bytes (short)";
        assert!(ran.stderr.contains(expected), "{words}: {}", ran.stderr);
    }
    let calls = "algorithms = [\"hor\"]\nruns = 2\n[text]\nfiles = [\"long\"]\n[[call]]\n[[call]]\ntext = \"short\"\n";
    fs::write(folder.path().join("calls.toml"), calls).unwrap();
    // Of the default lengths, those that the shortest has room for.
    assert_eq!(measure(folder.path(), "calls.toml").code, Some(0));
    let csv = fs::read_to_string(saved(folder.path()).join("measurements.csv")).unwrap();
    let lengths: Vec<&str> = csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(lengths.iter().copied().collect::<std::collections::BTreeSet<_>>(), ["2", "4"].into());
    let ran = run(assay().args(["report", "--metric", "ns"]).current_dir(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
