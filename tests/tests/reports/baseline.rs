//! `assay report --baseline` and `--variance`, and `run --null`: is it really faster, and how is that known?

use std::path::{Path, PathBuf};

use assay_stats::interval::expected_width;
use assay_tests::{Ran, assay, run};
use serde_json::Value;

/// Measures with words into a folder of its own.
fn measured(words: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(assay().arg("run").args(words.split_whitespace()).arg("--out").arg(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    folder
}

fn report(out: &Path, words: &str) -> Ran {
    run(assay().args(["report", "last"]).args(words.split_whitespace()).arg("--out").arg(out))
}

fn printed(out: &Path, words: &str) -> String {
    let ran = report(out, words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

fn json(out: &Path, words: &str) -> Value {
    serde_json::from_str(&printed(out, &format!("{words} --format json")))
        .expect("JSON alone on standard output")
}

fn repository_file(path: &str) -> PathBuf {
    assay_tests::repository().join(path)
}

#[test]
fn brute_force_is_slower_than_horspool_and_all_formats_agree() {
    let folder = measured("hor bf --plen 32,64 --runs 50 --seed 3");
    let out = folder.path();
    let object = json(out, "--baseline hor");
    let cells: Vec<&Value> =
        object["cells"].as_array().unwrap().iter().filter(|cell| cell["algorithm"] == "bf").collect();
    assert_eq!(cells.len(), 2, "{object:#}");
    for cell in &cells {
        assert_eq!(cell["verdict"], "slower", "{cell:#}");
        let number = |name: &str| cell["ratio"][name].as_f64().unwrap();
        assert!(1.5 < number("low") && number("low") <= number("ratio") && number("ratio") <= number("high"));
        assert!(cell["p"].as_f64().unwrap() < 0.05, "{cell:#}");
    }
    let overall = object["overall"].as_array().unwrap();
    let ranks: Vec<_> = overall.iter().map(|one| (&one["algorithm"], one["rank"].as_u64())).collect();
    assert_eq!((ranks[0].0.as_str(), ranks[0].1), (Some("hor"), Some(1)), "{object:#}");
    assert_eq!(ranks[1].1, Some(2), "{object:#}");
    let csv = printed(out, "--baseline hor --format csv");
    let rows: Vec<std::collections::HashMap<String, String>> =
        csv::Reader::from_reader(csv.as_bytes()).into_deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2 * 2 + 2, "{csv}");
    let of_bf: Vec<_> =
        rows.iter().filter(|row| row["algorithm"] == "bf" && row["against"] == "hor").collect();
    for (row, cell) in of_bf.iter().zip(cells) {
        assert_eq!(row["ratio"].parse::<f64>().ok(), cell["ratio"]["ratio"].as_f64());
        assert_eq!((&*row["verdict"], &*row["rank"]), ("slower", "2"));
    }
    for words in ["--baseline hor", "--baseline hor --format markdown"] {
        let text = printed(out, words);
        assert!(
            text.contains("slower") && text.contains("Holm") && text.contains("geometric mean"),
            "{text}"
        );
    }
    let markdown = printed(out, "--baseline hor --format markdown");
    assert!(markdown.contains("\n| m | algorithm | ratio |") && markdown.contains("| ---: |"), "{markdown}");
}

#[test]
fn a_run_with_null_knows_its_floor_and_claims_nothing_below_it() {
    let folder = measured("hor --null --plen 16,64 --runs 50 --seed 3");
    let out = folder.path();
    let object = json(out, "--baseline hor");
    assert_eq!(object["null"]["algorithms"], serde_json::json!(["hor"]));
    let apart = object["null"]["search_ns"].as_f64().expect("it was measured twice");
    let floor = object["least_difference"].as_f64().unwrap();
    assert_eq!(floor, apart.max(0.01));
    let copies: Vec<&Value> =
        object["cells"].as_array().unwrap().iter().filter(|cell| cell["algorithm"] == "hor@2").collect();
    assert_eq!(copies.len(), 2);
    for copy in copies {
        assert!(["same", "unclear"].contains(&copy["verdict"].as_str().unwrap()), "{copy:#}");
    }
    let told = "hor, measured twice, differs between its copies by up to";
    assert!(printed(out, "--baseline hor").contains(told));
    let caption = |words: &str| -> String {
        let latex = printed(out, &format!("{words} --format latex"));
        latex.lines().filter(|line| line.starts_with("\\caption")).collect()
    };
    assert!(caption("--baseline hor").contains(told), "{}", caption("--baseline hor"));
    // What `run` printed says so too, and the run keeps it.
    assert!(printed(out, "").contains(told));
}

#[test]
fn null_adds_one_copy_and_is_refused_where_it_says_nothing() {
    let dry =
        |words: &str| run(assay().arg("run").args(words.split_whitespace()).args(["--dry-run", "--null"]));
    let algorithms = |words: &str| -> Vec<String> {
        let ran = dry(words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let toml: toml::Table = ran.stdout.parse().unwrap();
        toml["algorithms"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(algorithms("hor bf"), ["hor", "bf", "hor@2"]);
    assert_eq!(algorithms("Horspool bf"), ["hor", "bf", "hor@2"]);
    assert_eq!(algorithms("bf hor hor"), ["bf", "hor", "hor@2"], "there is a pair already");
    for words in ["hor --stats algo", "hor --order sequential"] {
        let ran = dry(words);
        assert!(ran.code == Some(2) && ran.stderr.contains("error: --null"), "{}", ran.stderr);
    }
}

#[test]
fn the_parts_of_the_variance_are_separated_if_an_algorithm_takes_part_twice() {
    let folder = measured("hor bf --null --plen 16 --runs 100 --seed 3");
    let out = folder.path();
    let object = json(out, "--variance");
    let parts =
        |id: &str| object["cells"].as_array().unwrap().iter().find(|cell| cell["algorithm"] == id).unwrap();
    for id in ["hor", "hor@2"] {
        let part =
            |name: &str| parts(id)[name].as_f64().unwrap_or_else(|| panic!("{name} of {id}: {object:#}"));
        let sum = |a: &str, b: &str| part(a).powi(2) + part(b).powi(2);
        let near = |whole: f64, sum: f64| (whole * whole - sum).abs() <= 1e-6 * whole * whole;
        assert!(
            near(part("within_round_percent"), sum("pattern_percent", "repetition_percent")),
            "{object:#}"
        );
        assert!(near(part("between_rounds_percent"), sum("moment_percent", "process_percent")), "{object:#}");
        let twice = expected_width(20).unwrap() / expected_width(10).unwrap();
        assert!((part("width_twice_both") - twice).abs() < 1e-9, "{object:#}");
    }
    assert!(
        parts("bf")["pattern_percent"].is_null() && parts("bf")["moment_percent"].is_number(),
        "{object:#}"
    );
    let table = printed(out, "--variance");
    assert!(table.contains("2x rounds") && table.contains("`run --null`"), "{table}");
    let latex = printed(out, "--variance --format latex");
    let caption = latex.lines().find(|line| line.starts_with("\\caption")).unwrap();
    assert!(caption.contains(r"\texttt{run -{}-null}") && !caption.contains('`'), "{caption}");
}

#[test]
fn what_the_variance_cannot_tell_is_said_with_what_it_needs() {
    let folder = measured("hor bf --plen 8,16 --runs 20 --rounds 1");
    let table = printed(folder.path(), "--variance").replace("\n  ", " ");
    assert!(!table.contains("found none") && !table.contains("standard deviations"), "{table}");
    for told in [
        "Not looked for: drift, two modes: needs 6 rounds (all have 1)",
        "no row: all algorithms at all pattern lengths: one round, and two are needed",
    ] {
        assert!(table.contains(told), "{told}: {table}");
    }
    let object = json(folder.path(), "--variance");
    let length = |name: &str| object[name].as_array().unwrap().len();
    assert_eq!((length("cells"), length("without_parts")), (0, 4), "{object:#}");

    let folder = measured("hor bf --pattern that --runs 100");
    let table = printed(folder.path(), "--variance").replace("\n  ", " ");
    let given = table.contains("more repetitions don't mean more patterns");
    assert!(given && !table.contains("each repetition has its own"), "{table}");
    assert!(!table.contains("Not looked for") && !table.contains("no row"), "{table}");
}

#[test]
fn what_cannot_be_compared_is_refused_with_what_to_do() {
    let fixtures = repository_file("tests/fixtures");
    let refused = |id: &str, words: &str| {
        let mut command = assay();
        command.args(["report", id]).args(words.split_whitespace()).arg("--out").arg(&fixtures);
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        ran.stderr
    };
    assert!(refused("saved_run", "--baseline bff").contains("did you mean bf?"));
    assert!(refused("saved_stats", "--baseline bf").contains("is instrumented"));
    assert!(refused("saved_stats", "--variance").contains("is instrumented"));
    assert!(refused("saved_run", "--baseline bf --metric gbps").contains("cannot be used with"));
    assert!(refused("saved_run", "--baseline bf --variance").contains("cannot be used with"));
    assert!(refused("saved_run", "--baseline bf --format svg").contains("there is no svg"));
    assert!(refused("saved_run", "--baseline bf --picture lines").contains("cannot be used with"));
}

#[test]
fn a_run_of_one_round_has_no_ratios_and_says_nothing_else() {
    let folder = measured("hor bf --plen 16 --runs 10 --order sequential");
    let object = json(folder.path(), "--baseline hor");
    assert_eq!(object["comparisons"], 0);
    assert!(object["cells"].as_array().unwrap().iter().all(|cell| cell["ratio"].is_null()), "{object:#}");
}
