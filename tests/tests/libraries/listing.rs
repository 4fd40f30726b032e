//! `assay list` and `assay plugins`, on the project's own libraries.

use std::collections::BTreeSet;
use std::fs;

use assay_base::natural_order;
use assay_tests::{assay, repository, run};

fn json(arguments: &[&str]) -> Vec<serde_json::Value> {
    let ran = run(assay().args(arguments).args(["--format", "json"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn json_has_what_is_known_of_each_thing() {
    let listings = json(&["list"]);
    let horspool = listings.iter().find(|listing| listing["id"] == "hor").unwrap();
    assert_eq!(horspool["kind"], "algorithm");
    assert_eq!(horspool["name"], "Horspool");
    assert_eq!(horspool["library_name"], "assay-comparison");
    assert_eq!(horspool["dialect"], "rust");
    assert_eq!(horspool["tested"], false);
    assert_eq!(horspool["extra"], serde_json::json!(["#small"]));
    assert_eq!(horspool["facts"]["year"], "1980");
    let twin = listings.iter().find(|listing| listing["id"] == "stat_hor").unwrap();
    assert_eq!(
        (&twin["instrumented"], &twin["library_name"]),
        (&true.into(), &"assay-stat-comparison".into())
    );
}

#[test]
fn metrics_statistics_mergers_and_corpora_say_what_they_are() {
    let told = |kind: &str, facts: &[&str], ids: &[&str]| {
        let listings = json(&["list", kind]);
        assert_eq!(listings.iter().map(|listing| listing["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
        for listing in listings {
            let without_source = ["periodic", "rand"].contains(&listing["id"].as_str().unwrap());
            for fact in facts.iter().filter(|fact| !(without_source && **fact == "reference")) {
                assert!(
                    listing["facts"][fact].as_str().is_some_and(|told| !told.is_empty()),
                    "{fact} of {listing}"
                );
            }
        }
    };
    let metrics = [
        "core_cycles",
        "cycles",
        "cycles_per_byte",
        "efficiency",
        "flops",
        "flops_per_cycle",
        "gbps",
        "gflops",
        "instructions_per_byte",
        "instructions_per_cycle",
        "microseconds",
        "milliseconds",
        "misses_per_kilobyte",
        "ns_per_byte",
        "seconds",
    ];
    told("metrics", &["unit", "summary", "formula"], &metrics);
    let statistics = [
        "all", "avg", "ci95", "cv", "gmean", "iqr", "mad", "max", "med", "min", "p05", "p25", "p75", "p95",
        "std",
    ];
    told("statistics", &["summary"], &statistics);
    told("mergers", &["summary", "reference"], &["auto", "exact", "hrm", "much"]);
    let corpora = ["english", "fibonacci", "genome", "periodic", "protein", "rand"];
    told("corpora", &["summary", "reference"], &corpora);
}

#[test]
fn algorithms_of_a_family_are_listed_alone() {
    let packed = json(&["list", "--family", "packed"]);
    let is_packed = |listing: &serde_json::Value| listing["facts"]["family"] == "packed";
    assert!(packed.iter().all(is_packed) && packed.iter().any(|listing| listing["id"] == "epsm"));
    assert_eq!(packed.len(), json(&["list"]).iter().filter(|listing| is_packed(listing)).count());
    assert_eq!(packed, json(&["list", "algorithms", "--family", "packed"]));
    for (words, told) in [
        (&["list", "--family", "pakced"][..], "error: unknown family `pakced`\n  help: did you mean packed?"),
        (&["list", "metrics", "--family", "packed"], "error: --family is of algorithms"),
        (&["list", "texts", "--family", "packed"], "error: --family is of algorithms"),
    ] {
        let ran = run(assay().args(words));
        assert!(ran.code == Some(2) && ran.stderr.starts_with(told), "{}", ran.stderr);
    }
}

#[test]
fn a_kind_is_named_in_the_singular_or_the_plural() {
    let algorithms = json(&["list", "algorithms"]);
    assert!(algorithms.iter().all(|listing| listing["kind"] == "algorithm"));
    assert_eq!(algorithms, json(&["list", "algorithm"]));
    let ran = run(assay().args(["list", "algoritms"]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("algorithm"), "{}", ran.stderr);
}

#[test]
fn csv_and_table_go_to_standard_output() {
    let csv = run(assay().args(["list", "algorithms", "--format", "csv"]));
    let mut reader = csv::Reader::from_reader(csv.stdout.as_bytes());
    assert_eq!(&reader.headers().unwrap()[1], "id");
    let ids: Vec<String> = reader.records().map(|row| row.unwrap()[1].to_owned()).collect();
    assert!(ids.is_sorted_by(|one, other| natural_order(one, other).is_lt()), "{ids:?}");
    let place = |id: &str| ids.iter().position(|other| other == id).unwrap();
    assert!(place("ufm2") < place("ufm10") && place("bm") < place("bm-ft"), "{ids:?}");
    let table = run(assay().args(["list"]));
    assert!(table.stdout.contains("Horspool"));
}

/// The ids of the algorithms in a table.
fn ids_in_table(words: &[&str]) -> Vec<String> {
    let table = run(assay().arg("list").args(words)).stdout;
    let cells = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let algorithms = cells.filter(|cells| cells.first() == Some(&"algorithm"));
    algorithms.map(|cells| cells[1].to_owned()).collect()
}

#[test]
fn variants_by_number_share_a_row_of_the_table_until_each_is_asked_for() {
    let folded = ids_in_table(&[]);
    let has = |id: &str| folded.iter().any(|other| other == id);
    assert!(["hor", "ufm1..10", "stat_ufm1..10", "bndmq2..6", "fs-w1..8"].into_iter().all(has), "{folded:?}");
    assert!(!["ufm1", "ufm2", "ufm10", "stat_ufm2"].into_iter().any(has), "{folded:?}");
    assert_eq!(ids_in_table(&["algorithms"]), folded);
    let table = run(assay().args(["list", "algorithms"])).stdout;
    let row = table.lines().find(|line| line.contains(" ufm1..10 ")).unwrap();
    assert!(row.contains("Unique Factor Matcher (10 variants)"), "{row}");
    let every = json(&["list", "algorithms"]);
    let every: Vec<&str> = every.iter().map(|listing| listing["id"].as_str().unwrap()).collect();
    assert_eq!(ids_in_table(&["--all"]), every);
    assert_eq!(ids_in_table(&["algorithms", "-v"]), every);
    let family = ids_in_table(&["--family", "hashing-factor"]);
    assert!(family.contains(&"ufm10".to_owned()) && !family.iter().any(|id| id.contains("..")), "{family:?}");
}

#[test]
fn a_missing_plugin_dir_is_named() {
    let ran = run(assay().args(["list", "--plugin-dir", "/no/such/folder"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.starts_with("error: can't read plugin folder `/no/such/folder`"), "{}", ran.stderr);
}

#[test]
fn libraries_are_listed_with_what_they_bring() {
    let libraries = json(&["plugins", "list"]);
    let comparison = libraries.iter().find(|library| library["library"] == "assay-comparison").unwrap();
    assert_eq!(comparison["status"], "used");
    assert!(comparison["brings"].as_str().unwrap().contains("algorithms"));
    let path = comparison["path"].as_str().unwrap();

    let info = run(assay().args(["plugins", "info", path, "--format", "json"]));
    let info: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!((&info["path"], &info["abi"]), (&path.into(), &comparison["abi"]));
    assert!(info["brings"].as_array().unwrap().iter().any(|listing| listing["id"] == "hor"));

    let check = run(assay().args(["plugins", "check", path]));
    assert_eq!(check.code, Some(0), "{}{}", check.stdout, check.stderr);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    for command in ["info", "check"] {
        let ran = run(assay().args(["plugins", command, "/no/such/lib.so"]));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{command}");
        assert!(
            ran.stderr.starts_with("error: can't read plugin library `/no/such/lib.so`"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn the_book_lists_every_extra_field_and_no_other() {
    let book = fs::read_to_string(repository().join("docs/src/what-is-counted.md")).unwrap();
    let rows = book.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    // The parameters that end an id are numbers.
    let base = |id: &str| id.trim_matches('`').trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let is_code = |cell: &str| cell.starts_with('`') && cell.ends_with('`');
    let told: BTreeSet<(String, String)> = cells
        .filter(|cells| cells.len() == 3 && is_code(cells[0]) && is_code(cells[1]))
        .flat_map(|cells| {
            let field = cells[1].trim_matches('`');
            cells[0].split(", ").map(|id| (base(id), field.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    let fields = |listing: &serde_json::Value| -> Vec<(String, String)> {
        let (id, extra) = (listing["id"].as_str().unwrap(), listing["extra"].as_array().unwrap());
        extra.iter().map(|field| (base(id), field.as_str().unwrap().to_owned())).collect()
    };
    let algorithms = json(&["list", "algorithms"]);
    let ours = algorithms.iter().filter(|listing| listing["instrumented"] == false).flat_map(fields);
    assert_eq!(told, ours.collect());
}
