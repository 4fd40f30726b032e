//! A small atlas for tests.

use std::fs;

use assay_experiment::definition::Stats;
use assay_report::Report;
use assay_store::{MEASUREMENTS, RESULTS, Run};

use crate::{Atlas, AtlasEntry, AtlasRun, Relative, TracedExample};

/// What a hostile library may write into any text.
pub(crate) const HOSTILE: &str = "<script>alert(1)</script>\"'&";

/// An atlas of `hor`, which is best, `bf`, which takes 1.5 times as long, and `new`, which was not measured and
/// whose texts are hostile.
pub(crate) fn atlas() -> Atlas {
    Atlas {
        entries: vec![entry("bf", None, &[]), entry("hor", Some(1980), &["bf"]), hostile()],
        timed: vec![timed()],
        counted: vec![counted()],
        bibtex: "@misc{hor,\n}\n".to_owned(),
        command: "assay atlas last --out site".to_owned(),
    }
}

fn entry(id: &str, year: Option<u32>, parents: &[&str]) -> AtlasEntry {
    let facts = [
        ("status", "from the paper: All of it."),
        ("family", "comparison"),
        ("doi", "10.1002/spe.4380100608"),
    ];
    AtlasEntry {
        id: id.to_owned(),
        name: format!("Name of {id}"),
        facts: facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        year,
        builds_on: parents
            .iter()
            .map(|id| Relative { label: (*id).to_owned(), id: Some((*id).to_owned()) })
            .collect(),
        built_upon_by: Vec::new(),
        bibtex: None,
        trace: Some(trace(id)),
    }
}

/// A trace with this text, which the data repeat.
fn trace(content: &str) -> TracedExample {
    TracedExample {
        pattern: "GCAGAGAG".to_owned(),
        text: "GCATCGCAGAGAGTATACAGTACG".to_owned(),
        rendered: format!("attempt of {content}"),
        data: Some(format!("[{content:?}]")),
        ..TracedExample::default()
    }
}

fn hostile() -> AtlasEntry {
    let facts = ["authors", "idea", "status", "family", "reference", "doi", "extra fields", HOSTILE];
    let facts = facts.map(|name| (name.to_owned(), HOSTILE.to_owned()));
    let address = ("url".to_owned(), "javascript:alert(1)".to_owned());
    AtlasEntry {
        name: HOSTILE.to_owned(),
        facts: facts.into_iter().chain([address]).collect(),
        builds_on: vec![Relative { label: HOSTILE.to_owned(), id: None }],
        built_upon_by: vec![Relative { label: HOSTILE.to_owned(), id: Some(HOSTILE.to_owned()) }],
        bibtex: Some(HOSTILE.to_owned()),
        trace: Some(TracedExample { problem: Some(HOSTILE.to_owned()), data: None, ..trace(HOSTILE) }),
        ..entry("new", Some(2026), &[])
    }
}

/// A run with times at the lengths 4 and 8. At 8, `bf` timed out.
pub(crate) fn timed() -> AtlasRun {
    let mut rows = String::new();
    for round in 0..5 {
        rows += &format!("hor,4,{round},ok,3,1,{},{},{round}\n", 1000 + round, 1001 + round);
        rows += &format!("bf,4,{round},ok,3,1,1500,1501,{round}\n");
        rows += &format!("hor,8,{round},ok,3,1,{},{},{round}\n", 900 + round, 901 + round);
    }
    rows += "bf,8,0,timed_out,,,,,0\n";
    run(Stats::Perf, "prepare_ns,search_ns,total_ns", &rows)
}

/// A run with counts at the lengths 4 and 8.
pub(crate) fn counted() -> AtlasRun {
    let mut rows = String::new();
    for (id, read) in [("hor", 500), ("bf", 1000)] {
        for length in [4, 8] {
            rows += &format!("{id},{length},0,ok,3,,,,{},{},0\n", read / length, 10);
        }
    }
    run(Stats::Algo, "prepare_ns,search_ns,total_ns,text_bytes_read,lookups", &rows)
}

fn run(stats: Stats, columns: &str, rows: &str) -> AtlasRun {
    let saved = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/saved_run/report.json");
    let mut run: Run = serde_json::from_str(&fs::read_to_string(saved).unwrap()).unwrap();
    run.results.clear();
    run.experiment.stats = stats;
    run.experiment.interrupted = false;
    run.experiment.rows = None;
    run.experiment.counters.clear();
    if let Some(definition) = &mut run.experiment.definition {
        definition.patterns.lengths = vec![4, 8];
        definition.algorithms = vec!["hor".to_owned(), "bf".to_owned()];
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(RESULTS), serde_json::to_string(&run).unwrap()).unwrap();
    let head = format!("algorithm,pattern_length,repetition,status,occurrences,{columns},round\n");
    fs::write(folder.path().join(MEASUREMENTS), head + rows).unwrap();
    AtlasRun::new(Report::load(folder.path()).unwrap(), Some("runs = 5\n".to_owned())).unwrap()
}
