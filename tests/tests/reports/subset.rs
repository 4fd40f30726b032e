//! Reports on some of the algorithms and lengths of a run: every form shows these alone, and says so.

use std::fs;
use std::path::Path;

use assay_tests::{Ran, assay, only_entry, run};
use serde_json::Value;

/// Measures four algorithms at three lengths into a folder.
fn measure(out: &Path) {
    let mut command = assay();
    command.args(["run", "bf", "hor", "bndm", "kmp", "--plen", "4,16,64", "--runs", "20", "--seed", "1"]);
    let ran = run(command.args(["--quiet", "--out"]).arg(out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// A report on the newest run, with words that may be quoted as a whole.
fn report(out: &Path, words: &[&str]) -> Ran {
    run(assay().args(["report", "last"]).args(words).arg("--out").arg(out))
}

fn printed(out: &Path, words: &[&str]) -> String {
    let ran = report(out, words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    ran.stdout
}

fn json(out: &Path, words: &[&str]) -> Value {
    let json = printed(out, &[words, &["--format", "json"]].concat());
    serde_json::from_str(&json).expect("JSON alone on standard output")
}

/// The algorithms of the rows of a CSV report at one length, in order.
fn rows(out: &Path, words: &[&str]) -> Vec<String> {
    let csv = printed(out, &[words, &["--at", "16", "--format", "csv"]].concat());
    csv.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

#[test]
fn every_form_shows_the_algorithms_and_lengths_that_are_asked_for_and_says_what_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    measure(out);
    let asked = ["--only", "b.*m", "Horspool", "--at", "m=16"];
    let left_out = "2 of 4 algorithms, 1 of 3 pattern lengths: --only 'b.*m' Horspool --at m=16";
    for form in ["table", "json", "markdown", "latex", "svg", "html"] {
        let shown = printed(out, &[&asked[..], &["--format", form]].concat());
        // LaTeX and Markdown write the options with escapes.
        assert!(shown.contains("2 of 4 algorithms, 1 of 3 pattern lengths: "), "{form}: {shown}");
        assert!(shown.contains("bndm") && shown.contains("hor"), "{form}: {shown}");
        if form != "html" {
            // A page has the experiment, which has them all.
            assert!(!shown.contains("kmp") && !shown.contains("m=64"), "{form}: {shown}");
        }
    }
    let ran = report(out, &[&asked[..], &["--format", "csv"]].concat());
    assert!(ran.stderr.contains(&format!("note: {left_out}")), "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    let table = printed(out, &asked);
    assert!(table.contains(left_out) && table.contains("m=16") && !table.contains("m=4"), "{table}");
    let chart = printed(out, &["--not", "kmp", "b.", "--chart"]);
    assert!(chart.contains("b bndm") && !chart.contains("c kmp"), "{chart}");
    let figures = json(out, &["--family", "bitparallel-bndm"]);
    assert!(figures["figures"].as_array().unwrap().iter().all(|figure| figure["algorithm"] == "bndm"));
    let whole = printed(out, &[]);
    assert!(!whole.contains("of 4 algorithms") && printed(out, &["--at", "64,16,4"]) == whole);
}

#[test]
fn significances_count_the_comparisons_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    measure(out);
    let compared = |words: &[&str]| json(out, &[&["--baseline", "kmp"], words].concat());
    let (all, one) = (compared(&[]), compared(&["--only", "bf", "--at", "16"]));
    assert_eq!((&all["comparisons"], &one["comparisons"]), (&9.into(), &1.into()));
    let cells = one["cells"].as_array().unwrap();
    let ids: Vec<&str> = cells.iter().map(|cell| cell["algorithm"].as_str().unwrap()).collect();
    assert_eq!(ids, ["kmp", "bf"], "the baseline is always shown, first");
    let of_bf = |object: &Value, name: &str| {
        let mut cells = object["cells"].as_array().unwrap().iter();
        let cell = cells.find(|cell| cell["algorithm"] == "bf" && cell["pattern_length"] == 16).unwrap();
        if name == "p" { cell["p"].clone() } else { cell["ratio"][name].clone() }
    };
    for name in ["ratio", "low", "high"] {
        assert_eq!(of_bf(&all, name), of_bf(&one, name), "{name}: intervals are not corrected");
    }
    assert!(of_bf(&one, "p").as_f64() <= of_bf(&all, "p").as_f64());
    let table = printed(out, &["--baseline", "kmp", "--only", "bf", "--at", "16"]);
    assert!(table.contains("p is corrected for 1 comparison (Holm)"), "{table}");
    assert!(table.contains("2 of 4 algorithms, 1 of 3 pattern lengths: --only bf --at 16 --baseline kmp"));
    assert!(table.contains("if the choice was made before the times were seen"), "{table}");
    assert!(printed(out, &["--variance", "--only", "hor"]).contains("1 of 4 algorithms: --only hor"));
}

#[test]
fn algorithms_come_by_rank_by_name_by_year_or_by_time_at_a_length() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    measure(out);
    assert_eq!(rows(out, &[]), ["bf", "hor", "bndm", "kmp"], "as they were asked for");
    assert_eq!(rows(out, &["--sort", "name"]), ["bf", "bndm", "hor", "kmp"]);
    let by_year = rows(out, &["--only", "hor", "kmp", "bndm", "--sort", "year"]);
    assert_eq!(by_year, ["kmp", "hor", "bndm"], "1977, 1980, 1998");
    let median = |id: &str| {
        let figures = json(out, &["--metric", "ns", "--only", id, "--at", "16"]);
        figures["figures"][0]["value"].as_f64().unwrap()
    };
    let by_time = rows(out, &["--sort", "m=16"]);
    assert!(by_time.is_sorted_by_key(|id| median(id)), "{by_time:?}");
    assert_eq!(rows(out, &["--sort", "m=16", "--top", "3"]), by_time[..3]);
    let overall = json(out, &["--baseline", "bf"])["overall"].clone();
    let ranked: Vec<&str> =
        overall.as_array().unwrap().iter().map(|entry| entry["algorithm"].as_str().unwrap()).collect();
    let by_rank = printed(out, &["--sort", "rank", "--format", "csv", "--stat", "med"]);
    let mut shown: Vec<&str> = by_rank.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    shown.dedup();
    assert_eq!(shown, ranked);
    let best = printed(out, &["--top", "2", "--format", "markdown"]);
    assert!(best.contains(&format!("| {} |", ranked[0])) && best.contains(&format!("| {} |", ranked[1])));
    assert!(
        !best.contains(&format!("| {} |", ranked[3])) && best.contains("2 of 4 algorithms: --top 2"),
        "{best}"
    );
}

#[test]
fn what_was_not_measured_is_an_error_with_what_is_near() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    measure(out);
    for (words, message) in [
        (&["--only", "bdnm"][..], "unknown algorithm of this run `bdnm`\n  help: did you mean bndm?"),
        (&["--not", "zz.*"], "unknown algorithm of this run `zz.*`\n  help: there are: bf, bndm, hor, kmp"),
        (&["--only", "hor", "last"], "name runs before --only and --not"),
        (&["--only", "hor", "--not", "h.*"], "no algorithm of this run is left by --only hor --not 'h.*'"),
        (
            &["--family", "bndm"],
            "unknown family of algorithms of this run `bndm`\n  help: did you mean bitparallel-bndm?",
        ),
        (&["--at", "5"], "no pattern length of the run is 5\n  help: `--at` takes some of 4,16,64"),
        (&["--sort", "m=5"], "it takes rank, name, year, or one of 4,16,64"),
        (&["--sort", "rnak"], "did you mean rank?"),
        (&["--baseline", "bfx", "--only", "hor"], "unknown algorithm of this run `bfx`"),
        (&["--top", "0"], "0 is not 1 or more"),
    ] {
        let ran = report(out, words);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn ranks_are_of_timed_runs_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command.args(["run", "bf", "hor", "--plen", "8", "--runs", "2", "--stats", "algo", "--quiet", "--out"]);
    assert_eq!(run(command.arg(folder.path())).code, Some(0));
    let ran = report(folder.path(), &["--top", "1"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("is instrumented"), "{}", ran.stderr);
    let counts = printed(folder.path(), &["--only", "hor"]);
    assert!(counts.contains("1 of 2 algorithms: --only hor\n") && !counts.contains("bf"), "{counts}");
}

#[test]
fn two_runs_are_compared_by_the_algorithms_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    measure(out);
    let first = only_entry(out);
    measure(out);
    let compare = |words: &[&str]| {
        let ran = run(assay().arg("compare").arg(&first).arg("last").arg("--out").arg(out).args(words));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        ran.stdout
    };
    let object: Value =
        serde_json::from_str(&compare(&["--only", "hor", "--at", "4", "--format", "json"])).unwrap();
    assert_eq!(object["comparisons"], 1);
    assert_eq!(
        object["subset"].as_str().unwrap().split(';').next().unwrap(),
        "1 of 4 algorithms, 1 of 3 pattern lengths: --only hor --at 4"
    );
    let table = compare(&["--not", "kmp", "bf"]);
    assert!(table.contains("noted   2 of 4 algorithms: --not kmp bf") && !table.contains("\nkmp"), "{table}");
    let ranks = compare(&["--ranks", "--only", "hor", "bndm"]);
    assert!(ranks.starts_with("2 of 4 algorithms: --only hor bndm") && !ranks.contains("kmp "), "{ranks}");
}

#[test]
fn a_run_of_many_ends_with_the_fastest_the_best_sets_and_the_way_to_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assay();
    command.args([
        "run",
        "[abk].*",
        "--plen",
        "8,16",
        "--runs",
        "2",
        "--text-size",
        "4KiB",
        "--seed",
        "1",
        "--out",
    ]);
    let ran = run(command.arg(folder.path()));
    assert!(ran.code.is_some_and(|code| code < 2), "{}", ran.stderr);
    let (_, fastest) = ran.stdout.split_once("\nThe 10 fastest at each pattern length").expect(&ran.stdout);
    assert!(fastest.contains("\n   10  ") && !fastest.contains("\n   11  "), "{fastest}");
    assert!(ran.stderr.contains("--sort rank` shows all by their rank"), "{}", ran.stderr);
    let saved = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(saved, 1);
    assert_eq!(printed(folder.path(), &[]), ran.stdout, "a report shows the same");
    assert!(!printed(folder.path(), &["--only", "[ab].*"]).contains("fastest at each"));
}
