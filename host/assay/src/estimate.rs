//! What an experiment will take: time, rows, disk and memory. A pilot run measures a few repetitions of it,
//! from which the figures are extrapolated; the number of rows follows from the experiment alone.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_base::error::{Error, Result};
use assay_experiment::Resolved;
use assay_experiment::points::{Point, TextGroup, text_groups};
use assay_experiment::rounds::Rounds;
use assay_load::plugin::Registry;
use assay_measure::LARGEST_BLOCK;
use assay_store::blocks::Blocks;
use assay_store::{BLOCKS, MEASUREMENTS, PATTERNS};
use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;

use crate::run::{FinishedRun, RunStep, execute};

/// Least number of repetitions of each algorithm at each point in the pilot run: more than one, because the
/// first has cold caches and patterns differ.
const REPETITIONS: usize = 3;
/// If the pilot would search more bytes than this, it has one repetition of each: at 1 ns a byte, which is
/// slow, these take a second.
const MANY_BYTES: u128 = 1 << 30;
/// As long as it searches no more bytes than this, the pilot has as many repetitions as a block of the run.
/// What a block takes besides its searches, a millisecond, then has the share that it has in the run: of
/// short searches, it is nearly all.
const FEW_BYTES: u128 = 1 << 27;
/// When the pilot run is ended, even if it has not seen every cell.
const LONGEST: Duration = Duration::from_secs(20);

/// Memory of a run beyond that of its pilot, in bytes, for each pattern, for each block, and for each
/// repetition of the largest cell ("How much can be measured" in the book).
const MEMORY: [u64; 3] = [16, 40, 60];

/// What an experiment will take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Estimate {
    /// Number of rows of `measurements.csv`, if no cell fails: exact, unless the run may continue.
    pub(crate) rows: u64,
    /// The greatest number of rows, if the run may continue (`--until`, `--budget`).
    pub(crate) most_rows: Option<u64>,
    /// Time of the run, in seconds; of a run that may continue, the least. `None` if the pilot run measured
    /// nothing.
    pub(crate) seconds: Option<f64>,
    /// What the folder of the run will hold, in bytes; of a run that may continue, the least.
    pub(crate) disk_bytes: Option<u64>,
    /// Memory of the host and of all workers together, in bytes: an upper bound.
    pub(crate) memory_bytes: Option<u64>,
    /// Rows that the pilot run measured.
    pub(crate) pilot_rows: u64,
    /// Time that the pilot run took, in seconds.
    pub(crate) pilot_seconds: f64,
}

/// Sizes of an experiment that follow from its definition.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sizes {
    rows: u64,
    blocks: u64,
    /// Workers: one for each algorithm, round and group of texts.
    workers: u64,
    /// Repetitions of each algorithm: the patterns.
    patterns: u64,
    largest_cell: u64,
}

impl Sizes {
    fn new(resolved: &Resolved) -> Self {
        let algorithms = resolved.algorithms.len() as u64;
        let runs = |point: &Point| point.rounds.runs() as u64;
        let rounds = |group: &TextGroup| {
            group.points.iter().map(|point| resolved.points[*point].rounds.count() as u64).max().unwrap_or(0)
        };
        let patterns = resolved.searches();
        Sizes {
            rows: patterns * algorithms,
            blocks: resolved.points.iter().map(|point| blocks(point.rounds)).sum::<u64>() * algorithms,
            workers: text_groups(&resolved.points).iter().map(rounds).sum::<u64>() * algorithms,
            patterns,
            largest_cell: resolved.points.iter().map(runs).max().unwrap_or(0),
        }
    }
}

/// How many repetitions an algorithm has in a round at a point with these rounds, at most.
fn in_round(rounds: Rounds) -> usize {
    rounds.runs().div_ceil(rounds.count())
}

/// How many blocks an algorithm has at a point with these rounds.
fn blocks(rounds: Rounds) -> u64 {
    (rounds.count() * in_round(rounds).div_ceil(LARGEST_BLOCK)) as u64
}

/// Estimates what an experiment will take, by a pilot run, which ends early if `interrupted` is set.
/// `progress` is called with each of its steps.
///
/// # Errors
/// If nothing can be measured or written, or if it was interrupted.
pub(crate) fn estimate(
    mut resolved: Resolved,
    registry: &Registry,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(RunStep<'_>),
) -> Result<Estimate> {
    let sizes = Sizes::new(&resolved);
    let experiment = &resolved.experiment;
    let most = |point: &Point| experiment.most_runs(point.rounds) as u64;
    let most_rows = resolved.points.iter().map(most).sum::<u64>() * resolved.algorithms.len() as u64;
    let most_rows = experiment.goes_on().then_some(most_rows);
    let budget = experiment.budget.map(|budget| budget.duration().as_secs_f64());
    let real: Vec<Rounds> = resolved.points.iter().map(|point| point.rounds).collect();
    shorten(&mut resolved);
    let folder =
        tempfile::tempdir().map_err(|error| Error::io("make a folder in", &std::env::temp_dir(), &error))?;
    let (begun, stop) = (Instant::now(), AtomicBool::new(false));
    let mut patterns: u64 = 0;
    let finished = execute(&resolved, registry, Some(folder.path()), &stop, |step| {
        patterns += u64::from(matches!(step, RunStep::Counted));
        if interrupted.load(Ordering::Relaxed) || begun.elapsed() > LONGEST {
            stop.store(true, Ordering::Relaxed);
        }
        progress(step);
    })?;
    let pilot_seconds = begun.elapsed().as_secs_f64();
    if interrupted.load(Ordering::Relaxed) {
        return Err(Error::interruption("interrupted: the experiment was not estimated"));
    }
    let mut estimate = Estimate {
        rows: sizes.rows,
        most_rows,
        seconds: None,
        disk_bytes: None,
        memory_bytes: memory(&resolved, sizes),
        pilot_rows: 0,
        pilot_seconds,
    };
    let Some(FinishedRun { run, saved, .. }) = finished else { return Ok(estimate) };
    let Some(saved) = saved? else { return Ok(estimate) };
    let pilot = Pilot::new(&saved, &resolved, run.experiment.elapsed.measuring_s.unwrap_or(0.0))?;
    estimate.pilot_rows = pilot.rows;
    let around = (pilot_seconds - pilot.measuring_s).max(0.0);
    let spent = run.experiment.spent().unwrap_or_default();
    let counting_s = spent.counting_ns as f64 / 1e9 / patterns.max(1) as f64;
    let counted = counting_s * sizes.patterns.saturating_sub(patterns) as f64;
    let measuring = pilot.measuring(&resolved, &real, sizes);
    estimate.seconds = measuring.map(|seconds| (around + counted + seconds).max(budget.unwrap_or(0.0)));
    estimate.disk_bytes = pilot.disk(&saved, sizes);
    Ok(estimate)
}

/// Makes a pilot of an experiment: one round of one block, which does not continue.
fn shorten(resolved: &mut Resolved) {
    let algorithms = resolved.algorithms.len() as u128;
    let bytes = algorithms * resolved.points.iter().map(|point| point.bytes as u128).sum::<u128>();
    let least = if bytes * REPETITIONS as u128 > MANY_BYTES { 1 } else { REPETITIONS };
    let most = (FEW_BYTES / bytes.max(1)).clamp(least as u128, LARGEST_BLOCK as u128) as usize;
    for point in &mut resolved.points {
        let repetitions = in_round(point.rounds).clamp(least, most);
        point.rounds = Rounds::new(point.rounds.runs().min(repetitions), 1);
    }
    let experiment = &mut resolved.experiment;
    (experiment.runs, experiment.rounds) = (experiment.runs.min(most), 1);
    (experiment.until, experiment.budget, experiment.most_runs) = (None, None, None);
}

/// What a pilot run measured.
#[derive(Debug)]
struct Pilot {
    rows: u64,
    blocks: u64,
    patterns: u64,
    /// Time from the start of the first worker to the last measurement.
    measuring_s: f64,
    /// Seconds of a repetition with all that belongs to it, by algorithm and range value; 0 if its cell has
    /// failed.
    cells: HashMap<(String, u64), f64>,
    /// Seconds that a worker takes besides the repetitions of its blocks: starting it, above all.
    beside: f64,
}

impl Pilot {
    fn new(folder: &Path, resolved: &Resolved, measuring_s: f64) -> Result<Self> {
        let records = Blocks::read(folder)?.records;
        let warmup = resolved.experiment.warmup as u64;
        let mut cells = HashMap::new();
        let (mut rows, mut within) = (0, 0.0);
        for record in &records {
            let (Some(commit), Some(noise)) = (&record.commit, &record.noise) else { continue };
            rows += u64::from(commit.repetitions);
            let seconds = noise.elapsed_ns as f64 / 1e9;
            within += seconds;
            let repetitions = u64::from(commit.repetitions) + warmup;
            let each = if commit.ended.is_some() { 0.0 } else { seconds / repetitions.max(1) as f64 };
            cells.insert((record.algorithm.clone(), record.range), each);
        }
        let blocks = records.len() as u64;
        let beside = (measuring_s - within).max(0.0) / Sizes::new(resolved).workers.max(1) as f64;
        Ok(Pilot { rows, blocks, patterns: resolved.searches(), measuring_s, cells, beside })
    }

    /// How long an experiment with these rounds measures, in seconds; `None` if no cell was seen. Cells that
    /// were not seen count as the average.
    fn measuring(&self, resolved: &Resolved, real: &[Rounds], sizes: Sizes) -> Option<f64> {
        let seen = self.cells.len();
        let average = (seen > 0).then(|| self.cells.values().sum::<f64>() / seen as f64)?;
        let mut seconds = self.beside * sizes.workers as f64;
        for (point, rounds) in resolved.points.iter().zip(real) {
            let warmup = resolved.experiment.warmup as u64 * blocks(*rounds);
            let repetitions = rounds.runs() as u64 + warmup;
            for chosen in &resolved.algorithms {
                let each = self.cells.get(&(chosen.id.clone(), point.value)).unwrap_or(&average);
                seconds += each * repetitions as f64;
            }
        }
        Some(seconds)
    }

    /// What the folder of the run will hold: the files that have lines for each repetition, block or pattern
    /// grow with these, and the others have the size that they have after the pilot run.
    fn disk(&self, folder: &Path, sizes: Sizes) -> Option<u64> {
        let mut all = 0.0;
        // Numbers of repetitions have more digits in a longer run.
        let digits = |count: u64| count.max(1).ilog10() as f64;
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let bytes = entry.metadata().ok()?.len() as f64;
            let name = entry.file_name();
            let (count, real) = match name.to_str()? {
                MEASUREMENTS => (self.rows, sizes.rows),
                BLOCKS => (self.blocks, sizes.blocks),
                PATTERNS => (self.patterns, sizes.patterns),
                _ => (1, 1),
            };
            let wider = if real > 1 { digits(sizes.largest_cell) * real as f64 } else { 0.0 };
            all += bytes / count.max(1) as f64 * real as f64 + wider;
        }
        Some(all as u64)
    }
}

/// The memory of the host and of all workers together, after the pilot run of `resolved`.
fn memory(resolved: &Resolved, sizes: Sizes) -> Option<u64> {
    let peak =
        |who| getrusage(who).ok().and_then(|usage| u64::try_from(usage.max_rss()).ok()?.checked_mul(1024));
    let (host, child) = (peak(UsageWho::RUSAGE_SELF)?, peak(UsageWho::RUSAGE_CHILDREN)?);
    let texts: u64 = resolved.texts.iter().map(|text| text.bytes.len() as u64).sum();
    // A worker maps the text that all share, and needs the rest for itself.
    let workers = resolved.algorithms.len() as u64 * child.saturating_sub(texts);
    let [pattern, block, repetition] = MEMORY;
    let grown = pattern * sizes.patterns + block * sizes.blocks + repetition * sizes.largest_cell;
    Some(host + texts + workers + grown)
}

#[cfg(test)]
mod tests {
    use assay_experiment::testing::example;

    use super::*;

    #[test]
    fn rows_and_blocks_follow_from_the_experiment() {
        // Two points of 507 repetitions in ten rounds: 50 or 51 in each, a block each.
        let resolved = example(3, 507).in_rounds(507, 10);
        let sizes = Sizes::new(&resolved);
        assert_eq!((sizes.rows, sizes.blocks, sizes.patterns, sizes.largest_cell), (3042, 60, 1014, 507));
        assert_eq!(sizes.workers, 30, "one for each algorithm and round");
        assert_eq!([blocks(Rounds::new(2500, 10)), blocks(Rounds::new(3, 10))], [30, 3]);
    }

    #[test]
    fn a_pilot_has_one_round_of_a_block() {
        let mut resolved = example(2, 500).in_rounds(500, 10);
        resolved.points[1].rounds = Rounds::new(2, 2);
        let mut long = example(2, 500).in_rounds(500, 10);
        resolved.experiment.budget = Some("10s".parse().unwrap());
        shorten(&mut resolved);
        let runs: Vec<usize> = resolved.points.iter().map(|point| point.rounds.runs()).collect();
        assert_eq!((runs, resolved.asked_for()), (vec![50, 2], 1), "as in a block of the run");
        long.points.iter_mut().for_each(|point| point.bytes = 1 << 25);
        shorten(&mut long);
        assert_eq!(long.points[0].rounds.runs(), 3);
        long.points.iter_mut().for_each(|point| point.bytes = 1 << 30);
        shorten(&mut long);
        assert_eq!(long.points[0].rounds.runs(), 1, "these searches take long");
        assert!(!resolved.experiment.goes_on());
    }

    #[test]
    fn time_is_that_of_each_cell_and_the_average_where_none_was_seen() {
        let mut resolved = example(2, 10).in_rounds(10, 2);
        resolved.experiment.warmup = 0;
        let real: Vec<Rounds> = resolved.points.iter().map(|point| point.rounds).collect();
        let ids: Vec<String> = resolved.algorithms.iter().map(|chosen| chosen.id.clone()).collect();
        let values: Vec<u64> = resolved.points.iter().map(|point| point.value).collect();
        let cells = HashMap::from([((ids[0].clone(), values[0]), 1.0), ((ids[1].clone(), values[0]), 3.0)]);
        let pilot = Pilot { rows: 6, blocks: 2, patterns: 6, measuring_s: 9.0, cells, beside: 0.5 };
        let sizes = Sizes::new(&resolved);
        // Four cells of 10 repetitions: 1, 3, and twice 2 seconds each; two workers in each of two rounds.
        assert_eq!(pilot.measuring(&resolved, &real, sizes), Some(10.0 * 8.0 + 0.5 * 4.0));
        let nothing = Pilot { cells: HashMap::new(), ..pilot };
        assert_eq!(nothing.measuring(&resolved, &real, sizes), None);
    }
}
