//! `assay report` of several runs: one ranking, as tables, data and a page.

use std::fs;
use std::path::Path;

use assay_tests::{assay, run};
use serde_json::Value;

/// Measures on two texts into a folder; the ids of the runs.
fn two_texts(out: &Path) -> Vec<String> {
    for corpus in ["english", "genome"] {
        let words = format!(
            "run hor bf bndm --corpus {corpus} --text-size 64KiB --plen 8,64 --runs 20 --rounds 5 --seed 3"
        );
        let ran = run(assay().args(words.split(' ')).arg("--out").arg(out));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let mut ids: Vec<String> =
        fs::read_dir(out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    ids.sort();
    ids
}

#[test]
fn several_runs_have_one_ranking_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let ids = two_texts(folder.path());
    let report = |words: &str| {
        run(assay().arg("report").args(&ids).args(words.split_whitespace()).arg("--out").arg(folder.path()))
    };
    let table = report("");
    assert_eq!(table.code, Some(0), "{}", table.stderr);
    assert!(table.stdout.contains("Ranking across 2 texts by the time of the search:"), "{}", table.stdout);
    let object: Value = serde_json::from_str(&report("--format json").stdout).unwrap();
    assert_eq!((&object["by"], &object["cells"]), (&"texts".into(), &4.into()));
    let ranking = object["ranking"].as_array().unwrap();
    let ranks: Vec<u64> = ranking.iter().map(|row| row["rank"].as_u64().unwrap()).collect();
    assert!(ranks.len() == 3 && ranks.is_sorted() && ranks[0] == 1, "{object:#}");
    let csv = report("--only hor bf --at 64 --format csv");
    let head = "run,name,algorithm,pattern_length,rank,to_best,low,high,cells,median_us";
    // Two algorithms: over both runs, over each, and at one length of each.
    assert!(csv.stdout.lines().next() == Some(head) && csv.stdout.lines().count() == 11, "{}", csv.stdout);
    let page = report("--format html").stdout;
    let (english, genome) =
        (page.matches("\"name\":\"english").count(), page.matches("\"name\":\"genome").count());
    assert!(page.contains("Ranking across the texts") && (english, genome) == (1, 1));
    for words in ["--baseline hor", "--metric gbps", "--variance", "--format svg", "--chart"] {
        let refused = report(words);
        assert_eq!(refused.code, Some(2), "{words}");
        assert!(refused.stderr.contains("is about one saved run"), "{words}: {}", refused.stderr);
    }
}
