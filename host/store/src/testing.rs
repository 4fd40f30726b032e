//! Examples of what is kept of a run, for tests.

use std::path::Path;

use assay_base::error::{Error, Result};
use assay_experiment::range::Over;
use assay_experiment::size;
use assay_experiment::text::TextFacts;
use assay_stats::Summary;
use assay_stats::significance::{Ratio, Standing};

use super::blocks::{BlockLog, BlockRecord, Commit};
use super::noise::BlockNoise;
use super::parts::Part;
use super::range::{RangeFacts, ValueFacts};
use super::rank::{Rank, Ranks};
use super::{
    CellResult, Clock, EXPERIMENT, ExperimentFacts, Figures, MEASUREMENTS, PATTERNS, RESULTS, Run, Status,
    seal,
};

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

/// Saves a run in a folder: rounds of one repetition, each with the time of every algorithm at every pattern
/// length in nanoseconds, as `time` says.
pub fn save(
    folder: &Path,
    run: &Run,
    lengths: &[usize],
    rounds: u32,
    time: impl Fn(&str, usize, u32) -> u64,
) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
    let algorithms = run.experiment.definition.clone().unwrap_or_default().algorithms;
    let header =
        "algorithm,pattern_length,repetition,status,round,occurrences,clock,prepare_ns,search_ns,total_ns\n";
    let (mut text, mut rows) = (header.to_owned(), 0);
    let mut blocks = BlockLog::create(folder, Over::PatternLength)?;
    for round in 0..rounds {
        for length in lengths {
            for algorithm in &algorithms {
                let ns = time(algorithm, *length, round);
                text += &format!("{algorithm},{length},{round},ok,{round},3,host,10,{ns},{}\n", ns + 10);
                rows += 1;
                let noise = BlockNoise {
                    floor_ns: 20,
                    reference_ns: 900,
                    cpu_ns: ns,
                    elapsed_ns: ns,
                    ..BlockNoise::default()
                };
                let record = BlockRecord {
                    round,
                    algorithm: algorithm.clone(),
                    range: *length as u64,
                    first_repetition: round,
                    noise: Some(noise),
                    ..BlockRecord::default()
                };
                let commit = Commit {
                    repetitions: 1,
                    part: 1,
                    end: text.len() as u64,
                    measurements_crc32: crc32fast::hash(text.as_bytes()),
                    ..Commit::default()
                };
                blocks.append(&record, &commit, *length)?;
            }
        }
    }
    let mut run = run.clone();
    if run.experiment.parts.is_empty() {
        run.experiment.parts.push(Part { began: "2026-01-02T03:04:05Z".to_owned(), ..Part::default() });
    }
    (run.experiment.rows, run.experiment.interrupted) = (Some(rows), false);
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| Error::io("write", &path, &error))
    };
    write(EXPERIMENT, run.experiment.definition.clone().unwrap_or_default().to_toml().as_bytes())?;
    write(MEASUREMENTS, text.as_bytes())?;
    write(PATTERNS, b"pattern_length,repetition,position,occurrences,pattern_hex\n")?;
    let mut report = Vec::new();
    seal::write(&mut report, &run).map_err(|error| Error::io("write", folder, &error))?;
    write(RESULTS, &report)
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
        call_bytes: Vec::new(),
        threads: 1,
    };
    let range = Some(RangeFacts { over: Over::TextBytes, values: sizes.iter().map(value).collect() });
    ExperimentFacts { range, ..facts }
}
