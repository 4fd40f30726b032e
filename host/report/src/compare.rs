//! Saved runs compared with the first of them: each algorithm and range value by the ratio of its times. Of
//! more than two runs, each is also compared with the one before it.

mod not_compared;
mod steps;

use assay_base::error::Result;
use assay_stats::rounds::{CommonRounds, RoundValues, log_ratios_of_runs, log_times, mean, values};
use assay_stats::significance::{Comparison, Difference, NullRange, RUN_FLOOR, Verdict, judge_each};
use assay_store::null::floor;
use assay_store::repetitions::ends;

pub use self::not_compared::{NotComparable, NotCompared};
pub use self::steps::SeriesStep;
use super::setup::speed_ratios;
use super::{Call, Report};

/// Later runs, each compared with the first.
#[derive(Clone, Debug, PartialEq)]
pub struct RunComparison {
    /// One for each later run.
    pub runs: Vec<ComparedRun>,
    /// Differences up to this share of the time are not claimed, whatever the machine's speed.
    pub floor: f64,
    /// The number of ratios for which the significances are corrected.
    pub comparisons: usize,
    /// The number of steps for which the significances of the steps are corrected; 0 for two runs.
    pub steps: usize,
}

/// A later run, compared with the first.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// Whether both searched for the same patterns, and so are compared pattern by pattern.
    pub by_pattern: bool,
    /// The ratios that show no difference, because they are within the run floor, or the machine's own speed
    /// explains them.
    pub null_range: NullRange,
    /// Algorithms and range values that both runs have.
    pub cells: Vec<ComparedTimes>,
    /// Each algorithm over all its range values, and all algorithms together.
    pub overall: Vec<ComparedTimes>,
    /// The fewest and the most rounds of a cell in the later run; and in the first, if the runs are not
    /// compared pattern by pattern. Of a comparison by pattern, the rounds are those of the later run.
    pub rounds: Vec<(usize, usize)>,
    /// For each of these sides, the rounds that the overall means use: the fewest of them.
    pub common: Vec<CommonRounds>,
    /// The cells that could not be compared.
    pub not_compared: Vec<NotCompared>,
}

/// The times of an algorithm in the later run, compared with those in the first.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedTimes {
    /// The algorithm; `None` for all of them together.
    pub algorithm: Option<String>,
    /// The range value; `None` for all of them together.
    pub value: Option<u64>,
    /// The time in the later run over that in the first; `None` if a run has fewer than two rounds.
    pub comparison: Option<Comparison>,
    /// Whether it is slower by more than the user allows.
    pub too_slow: bool,
    /// The time over that in the run before, if there are more than two runs.
    pub step: Option<SeriesStep>,
}

/// The rounds of two runs for one algorithm and range value.
enum RunRounds {
    /// Of runs with the same patterns: logarithms of ratios.
    Paired(RoundValues),
    /// Of runs that share no patterns: logarithms of times in the later run, and in the first.
    Unpaired(RoundValues, RoundValues),
}

impl RunRounds {
    fn difference(&self) -> Option<Difference> {
        match self {
            RunRounds::Paired(rounds) => Difference::paired(&values(rounds)),
            RunRounds::Unpaired(now, before) => Difference::unpaired(&values(now), &values(before)),
        }
    }

    /// The rounds of the later run and of the first; paired rounds belong to both, and are given once.
    fn sides(&self) -> [Option<&RoundValues>; 2] {
        match self {
            RunRounds::Paired(rounds) => [Some(rounds), None],
            RunRounds::Unpaired(now, before) => [Some(now), Some(before)],
        }
    }
}

/// One cell of both runs.
struct CellRounds {
    algorithm: String,
    value: u64,
    rounds: RunRounds,
}

/// One side of several cells.
fn side<'a>(cells: &[&'a CellRounds], side: usize) -> impl Iterator<Item = &'a RoundValues> + Clone {
    cells.iter().filter_map(move |cell| cell.rounds.sides()[side])
}

/// The numbers of the sides that these cells have: one side of paired rounds, or two.
fn side_numbers(cells: &[&CellRounds]) -> std::ops::Range<usize> {
    0..cells.first().map_or(0, |cell| cell.rounds.sides().into_iter().flatten().count())
}

/// The rounds that all these cells have in common, of each side.
fn common_rounds(cells: &[&CellRounds]) -> Vec<CommonRounds> {
    side_numbers(cells).map(|number| CommonRounds::among(side(cells, number))).collect()
}

/// The fewer of the common rounds of two groups, for each side.
fn fewer_of_each_side(these: Vec<CommonRounds>, others: Vec<CommonRounds>) -> Vec<CommonRounds> {
    these.into_iter().zip(others).map(|(these, others)| these.fewer(others)).collect()
}

/// The difference of the mean over several cells.
fn mean_difference(cells: &[&CellRounds]) -> Option<Difference> {
    match cells.first()?.rounds {
        RunRounds::Paired(_) => RunRounds::Paired(mean(side(cells, 0))).difference(),
        RunRounds::Unpaired(..) => {
            RunRounds::Unpaired(mean(side(cells, 0)), mean(side(cells, 1))).difference()
        }
    }
}

/// Whether both runs searched for the same patterns in the same texts, in the same number of rounds.
pub fn same_patterns(first: &Report, later: &Report) -> bool {
    let (Some(before), Some(now)) = (&first.facts.definition, &later.facts.definition) else { return false };
    let same_design = before.patterns.kind == now.patterns.kind
        && before.patterns.given == now.patterns.given
        && before.patterns.lengths == now.patterns.lengths
        && before.range == now.range
        && before.sumrange == now.sumrange
        && before.calls == now.calls
        && before.runs == now.runs
        && before.runs_by == now.runs_by
        && before.rounds().count() == now.rounds().count()
        && first.facts.texts() == later.facts.texts();
    // Given patterns do not depend on the seed.
    same_design && (before.patterns.given.is_some() || first.facts.seed == later.facts.seed)
}

/// Compares later runs with the first, by the times of a call or of all calls together. A time is too slow if
/// it is significantly slower by more than `limit`, a share.
///
/// # Errors
/// If a run has no times, or its measurements can't be read again.
pub fn compare_runs(
    first: &Report,
    later: &[Report],
    call: Option<Call>,
    limit: Option<f64>,
) -> Result<RunComparison> {
    let mut least = RUN_FLOOR;
    for report in std::iter::once(first).chain(later) {
        report.needs_times()?;
        least = least.max(floor(report.null(call)?.as_ref(), call));
    }
    let (mut runs, mut differences, mut beyond_limit) = (Vec::new(), Vec::new(), Vec::new());
    for report in later {
        let speed = speed_ratios(&first.facts.noise, &report.facts.noise);
        let range = NullRange::within(least).or_speed(&speed);
        let (run, more) = compare_run(first, report, call, range)?;
        let to_limit = limit.map_or(range, |limit| range.up_to(limit));
        beyond_limit.extend(more.iter().map(|difference| difference.map(|one| (one, to_limit))));
        differences.extend(more.into_iter().map(|difference| difference.map(|one| (one, range))));
        runs.push(run);
    }
    let mut verdicts = judge_each(&differences).into_iter().zip(judge_each(&beyond_limit));
    for times in runs.iter_mut().flat_map(|run| run.cells.iter_mut().chain(&mut run.overall)) {
        let (comparison, beyond) = verdicts.next().expect("there is one for each");
        times.comparison = comparison;
        times.too_slow = beyond.is_some_and(|beyond| beyond.verdict == Verdict::Slower);
    }
    let steps = if later.len() > 1 { steps::compare_steps(first, later, call, least, &mut runs)? } else { 0 };
    Ok(RunComparison { runs, floor: least, comparisons: differences.iter().flatten().count(), steps })
}

/// A later run compared with the first, and the differences of its times, cells first. The differences are
/// judged later, because the correction counts those of all runs.
fn compare_run(
    first: &Report,
    later: &Report,
    call: Option<Call>,
    null_range: NullRange,
) -> Result<(ComparedRun, Vec<Option<Difference>>)> {
    let by_pattern = same_patterns(first, later);
    let (mut rounds, mut not_compared) = (Vec::new(), Vec::new());
    for (algorithm, value) in all_cells(first, later) {
        match cell_rounds([first, later], &algorithm, value, call, by_pattern)? {
            Ok(both) => rounds.push(CellRounds { algorithm, value, rounds: both }),
            Err(reason) => not_compared.push(NotCompared { algorithm, value, reason }),
        }
    }
    let mut differences: Vec<Option<Difference>> =
        rounds.iter().map(|cell| cell.rounds.difference()).collect();
    let cells = rounds.iter().map(|cell| unjudged(Some(&cell.algorithm), Some(cell.value))).collect();
    let groups = groups(&rounds);
    differences.extend(groups.iter().map(|(_, cells)| mean_difference(cells)));
    let overall = groups.iter().map(|(algorithm, _)| unjudged(*algorithm, None)).collect();
    let common = groups.iter().map(|(_, cells)| common_rounds(cells)).reduce(fewer_of_each_side);
    let common = common.unwrap_or_default();
    let all: Vec<&CellRounds> = rounds.iter().collect();
    let rounds = side_numbers(&all).filter_map(|number| ends(side(&all, number).map(Vec::len))).collect();
    let run = ComparedRun { by_pattern, null_range, cells, overall, rounds, common, not_compared };
    Ok((run, differences))
}

/// The rounds of one algorithm and range value in the first and the later run, or the reason why they can't
/// be compared.
fn cell_rounds(
    [first, later]: [&Report; 2],
    algorithm: &str,
    value: u64,
    call: Option<Call>,
    by_pattern: bool,
) -> Result<Result<RunRounds, NotComparable>> {
    let (before, now) = (first.times(algorithm, value, call)?, later.times(algorithm, value, call)?);
    if before.is_empty() || now.is_empty() {
        let absent_before = first.absence(algorithm, value, call)?;
        let absent_now = later.absence(algorithm, value, call)?;
        if let Some(reason) = NotComparable::from_absences(absent_before, absent_now) {
            return Ok(Err(reason));
        }
    } else if first.too_short(&before, call) || later.too_short(&now, call) {
        return Ok(Err(NotComparable::TooShort));
    }
    Ok(Ok(if by_pattern {
        RunRounds::Paired(log_ratios_of_runs(&now, &before))
    } else {
        RunRounds::Unpaired(log_times(&now), log_times(&before))
    }))
}

/// The groups of cells that have an overall mean: each algorithm with several cells, and all cells together
/// if there are several algorithms.
fn groups(cells: &[CellRounds]) -> Vec<(Option<&str>, Vec<&CellRounds>)> {
    let by_algorithm: Vec<&[CellRounds]> = cells.chunk_by(|a, b| a.algorithm == b.algorithm).collect();
    let several = by_algorithm.iter().filter(|cells| cells.len() > 1);
    let mut groups: Vec<(Option<&str>, Vec<&CellRounds>)> =
        several.map(|cells| (Some(cells[0].algorithm.as_str()), cells.iter().collect())).collect();
    groups.extend((by_algorithm.len() > 1).then(|| (None, cells.iter().collect())));
    groups
}

/// Times whose comparison is still to be judged.
fn unjudged(algorithm: Option<&str>, value: Option<u64>) -> ComparedTimes {
    ComparedTimes {
        algorithm: algorithm.map(str::to_owned),
        value,
        comparison: None,
        too_slow: false,
        step: None,
    }
}

/// The algorithms and range values of both runs, in the order of the first.
fn all_cells(first: &Report, later: &Report) -> Vec<(String, u64)> {
    let mut cells = cells(first);
    let known: std::collections::HashSet<(String, u64)> = cells.iter().cloned().collect();
    cells.extend(self::cells(later).into_iter().filter(|cell| !known.contains(cell)));
    let mut places = std::collections::HashMap::new();
    for id in first.algorithms().chain(later.algorithms()) {
        let next = places.len();
        places.entry(id).or_insert(next);
    }
    cells.sort_by_cached_key(|(id, value)| (places.get(id.as_str()).copied(), *value));
    cells
}

/// The algorithms and range values of a run.
fn cells(report: &Report) -> Vec<(String, u64)> {
    let mut cells = Vec::new();
    for id in report.algorithms() {
        let range = report.fulldata(id).into_iter().flat_map(|data| data.range());
        cells.extend(range.map(|value| (id.to_owned(), value)));
    }
    cells
}

#[cfg(test)]
mod tests;
