//! Examples of what is kept of a run, for tests.

use assay_experiment::range::Over;
use assay_experiment::size;
use assay_experiment::text::TextFacts;
use assay_stats::Summary;
use assay_stats::significance::{Ratio, Standing};

use super::range::{RangeFacts, ValueFacts};
use super::rank::{Rank, Ranks};
use super::{CellResult, Clock, ExperimentFacts, Figures, Run, Status};

/// A run of `hor` on a text of 1000 bytes that has no results, and the level `mem:level` in bytes for a
/// counter.
pub fn run() -> Run {
    let read = |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")));
    let json = read("../../tests/fixtures/saved_run/report.json").unwrap();
    let json = json.replace("tsc:cycles", "mem:level").replace("ticks", "bytes");
    let json = json.replace("\"semantics\": \"counter\"", "\"semantics\": \"instant\"");
    Run { results: Vec::new(), ..serde_json::from_str(&json).unwrap() }
}

/// What `hor` did with patterns of 8 bytes.
pub fn cell() -> CellResult {
    let summary = |values: &[f64]| Summary::new(values);
    let to_best = Ratio { ratio: 1.0, low: 0.99, high: 1.01 };
    let first = Rank { standing: Some(Standing { rank: 1, to_best }), ..Rank::default() };
    let counters: Figures = [("tsc:cycles".to_owned(), summary(&[12345.0]))].into_iter().collect();
    CellResult {
        algorithm: "hor".to_owned(),
        variant: "hor".to_owned(),
        library: "libcomparison.so".to_owned(),
        pattern_length: 8,
        range_value: None,
        status: Status::Ok,
        message: None,
        repetitions: 500,
        rounds: Some(10),
        occurrences: Some(700),
        clock: Some(Clock::Host),
        prepare_ns: summary(&[900.0]),
        search_ns: summary(&[2.5e6, 0.1]),
        total_ns: summary(&[2.5009e6]),
        ranks: Ranks { search_ns: first, ..Ranks::default() },
        counters: counters.clone(),
        prepare_counters: counters,
        set_metrics: Figures::default(),
        impossible: Vec::new(),
        stats: Figures::default(),
        extra: Figures::default(),
        calls: Figures::default(),
    }
}

/// The facts of a run over these sizes of one text, in bytes, with patterns of 8 bytes.
pub fn run_over_sizes(sizes: &[usize]) -> ExperimentFacts {
    let facts = run().experiment;
    let value = |&bytes: &usize| ValueFacts {
        value: bytes as u64,
        label: size::words(bytes),
        pattern_length: 8,
        text: TextFacts {
            sources: vec!["t".to_owned()],
            bytes,
            sha256: format!("t{bytes}"),
            ..facts.text.clone()
        },
        searched_bytes: bytes,
        threads: 1,
    };
    let range = Some(RangeFacts { over: Over::TextBytes, values: sizes.iter().map(value).collect() });
    ExperimentFacts { range, ..facts }
}
