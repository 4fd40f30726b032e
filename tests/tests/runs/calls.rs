//! The calls of a repetition, each by its name, all at the same time, and by several threads.

use std::fs;
use std::path::Path;

use assay_plugin_api::testing::skip;
use assay_tests::{Ran, assay, run};

use crate::ranges::{Measured, measure, measured, number, saved};

/// A report on a run, as CSV with every repetition.
fn report(folder: &Path, arguments: &[&str]) -> Ran {
    run(assay().arg("report").arg(folder).args(arguments).args(["--stat", "all", "--format", "csv"]))
}

/// The values of a metric in the repetitions of such a report.
fn values(ran: &Ran, metric: &str) -> Vec<f64> {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines = ran.stdout.lines().filter(|line| line.split(',').nth(2) == Some(metric));
    lines.map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect()
}

/// A run that prepares, searches 16 KiB of `rand4`, and 16 KiB of `rand2` twice. The complexity of the second
/// call is 5 operations more than twice its text.
fn three_searches(folder: &Path) -> Measured {
    let experiment = "algorithms = [\"hor\"]\nruns = 4\nseed = 1\n[text]\ncorpus = \"rand4\"\nbytes = 16384\n\
                      [patterns]\nlengths = [4]\n[[call]]\ncomplexity = \"text_length\"\n\
                      [[call]]\ntext = \"corpus:rand2\"\nsearches = 2\ncomplexity = \"2 * text_length + 5\"\n";
    let path = folder.join("three.toml");
    fs::write(&path, experiment).unwrap();
    measured(path.to_str().unwrap())
}

#[test]
fn a_call_is_reported_by_its_name_with_its_metrics() {
    let folder = tempfile::tempdir().unwrap();
    let Measured { rows, folder, .. } = &three_searches(folder.path());
    let times: Vec<f64> = rows.iter().map(|row| number(row, "search3_ns") as f64).collect();
    let ran = report(folder, &["--call", "search3", "--metric", "ns,gbps"]);
    assert!(ran.stdout.lines().nth(1).unwrap().contains(",search3,"), "{}", ran.stdout);
    assert_eq!(values(&ran, "ns"), times);
    for (gbps, ns) in values(&ran, "gbps").iter().zip(&times) {
        assert!((gbps * ns / 16384.0 - 1.0).abs() < 1e-9, "{gbps} of {ns} ns");
    }
    let table = run(assay().arg("report").arg(folder).args(["--call", "search3", "--metric", "gbps"]));
    assert!(table.stdout.contains("the call search3 alone: rand2"), "{}", table.stdout);
    let kind = report(folder, &["--call", "search", "--metric", "ns"]);
    let sums: Vec<f64> = rows.iter().map(|row| number(row, "search_ns") as f64).collect();
    assert_eq!(values(&kind, "ns"), sums);
}

#[test]
fn a_call_that_there_is_not_is_answered_with_near_ones() {
    let folder = tempfile::tempdir().unwrap();
    let Measured { folder, .. } = &three_searches(folder.path());
    for (name, near) in [
        ("serch3", "did you mean search3"),
        ("search4", "search1, search2, search3"),
        ("9", "there are: all, prepare, search1"),
    ] {
        let ran = run(assay().arg("report").arg(folder).args(["--call", name]));
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert!(ran.stderr.starts_with(&format!("error: unknown call `{name}`")), "{}", ran.stderr);
        assert!(ran.stderr.contains(near), "{name}: {}", ran.stderr);
    }
}

#[test]
fn each_call_has_the_operations_that_it_declares() {
    let folder = tempfile::tempdir().unwrap();
    let Measured { folder, .. } = &three_searches(folder.path());
    let flops = |call: &str| values(&report(folder, &["--call", call, "--metric", "flops"]), "flops");
    assert_eq!((flops("search1"), flops("search2")), (vec![16384.0; 4], vec![32773.0; 4]));
    assert_eq!(flops("search"), [81930.0; 4]);
    let experiment = "algorithms = [\"hor\"]\nruns = 2\n[patterns]\nlengths = [4]\n[[call]]\ncomplexity = \"1\"\n[[call]]\n";
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("some.toml"), experiment).unwrap();
    let ran = measure(other.path(), "some.toml");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("some calls declare a number of operations"), "{}", ran.stderr);
}

#[test]
fn parallel_calls_have_one_time_together_and_find_all_occurrences() {
    let words = "hor bndm --plen 2 --rand 2 --text-size 8KiB --searches 3 --runs 10 --pin off --seed 5";
    let Measured { report, rows, folder, .. } = &measured(&format!("{words} --calls-parallel"));
    assert_eq!((report["experiment"]["threads"].as_u64(), rows.len()), (Some(3), 20));
    let calls = report["experiment"]["calls"].as_array().unwrap();
    assert_eq!(
        (calls.len(), calls[1]["bytes"].as_u64()),
        (2, Some(3 * 8192)),
        "the level of calls is left out"
    );
    assert!(!rows[0].contains_key("search1_ns"), "{:?}", rows[0]);
    let one_by_one = measured(words);
    for (row, other) in rows.iter().zip(&one_by_one.rows) {
        assert_eq!((row["status"].as_str(), &row["occurrences"]), ("ok", &other["occurrences"]));
    }
    let table = run(assay().arg("report").arg(folder));
    assert!(
        table.stdout.contains("3 threads work at the same time, each on a text of its own"),
        "{}",
        table.stdout
    );
}

#[test]
fn a_parallel_sum_range_gives_each_text_a_thread() {
    let words = "hor --plen 4 --sum-range text=corpus:rand4,corpus:rand2 --text-size 8KiB --searches 2 --runs 6 --pin off";
    let Measured { report, rows, .. } = measured(&format!("{words} --sum-range-parallel"));
    assert_eq!(report["experiment"]["threads"].as_u64(), Some(4));
    assert!(rows.iter().all(|row| row["status"] == "ok" && !row.contains_key("search2_ns")));
    // Without it, the values follow each other, and only the calls of each are parallel.
    let Measured { report, rows, .. } = measured(&format!("{words} --calls-parallel"));
    assert_eq!(report["experiment"]["threads"].as_u64(), Some(2));
    for row in &rows {
        assert_eq!(number(row, "search1_ns") + number(row, "search2_ns"), number(row, "search_ns"));
        assert!(row["status"] == "ok" && !row.contains_key("search3_ns"));
    }
}

#[test]
fn several_threads_search_text_after_text_and_are_counted() {
    let words = "hor sa --plen 3 --rand 2 --text-size 10KiB --threads 3 --pin off --searches 2 --runs 10";
    let Measured { rows, .. } = measured(words);
    for row in &rows {
        assert_eq!(number(row, "search1_ns") + number(row, "search2_ns"), number(row, "search_ns"));
        assert!(row["status"] == "ok" && number(row, "occurrences").is_multiple_of(2));
    }
    let sums = "hor --plen 3 --sum-range text=corpus:rand4,corpus:rand2 --text-size 10KiB --threads 2 --pin off --runs 10";
    let Measured { rows, .. } = measured(&format!("{sums} --counters clock:ns"));
    for row in &rows {
        assert_eq!(number(row, "prepare1_ns") + number(row, "prepare2_ns"), number(row, "prepare_ns"));
        // The counter is read outside the clock, by the thread that gives the orders.
        assert!(number(row, "search2:clock:ns") >= number(row, "search2_ns"), "{row:?}");
    }
}

#[test]
fn cycles_can_be_shown_instead_of_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let words = "hor --plen 8 --text-size 16KiB --runs 4 --first-counter tsc:cycles";
    let ran = measure(folder.path(), words);
    if ran.stderr.contains("can't be counted here") {
        return skip(&ran.stderr);
    }
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("tsc:cycles in ticks"), "{}", ran.stdout);
    let place = saved(folder.path());
    let shown = run(assay().arg("report").arg(&place));
    assert_eq!(shown.stdout, ran.stdout, "report prints what run printed");
    let csv = run(assay().arg("report").arg(&place).args(["--format", "csv"]));
    assert!(csv.stdout.contains("hor,8,tsc:cycles,"), "{}", csv.stdout);
    let time = run(assay().arg("report").arg(&place).args(["--metric", "microseconds"]));
    assert!(time.stdout.contains("microseconds in µs"), "{}", time.stdout);
    let json = measure(folder.path(), &format!("{words} --format json --no-save"));
    assert!(json.stdout.starts_with("{\"schema\":"), "data for programs are all results: {}", json.stdout);
}
