//! Who is best at a pattern length, as far as that is known.

use assay_stats::significance::{Standing, standings};
use assay_stats::{Sample, Summary, median};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::journal::Journal;
use super::null::{Null, floor};
use super::{Cell, CellResult};
use crate::columns::{Call, TOTAL_NS};
use crate::error::Result;

/// A time below so many empty calls is mostly that of the clock and the call.
const FLOORS: f64 = 10.0;

/// Where the times of a cell stand among those for the same patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Ranks {
    /// The preparation.
    pub prepare_ns: Rank,
    /// The search.
    pub search_ns: Rank,
    /// Both together.
    pub total_ns: Rank,
}

/// Where a time stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Rank {
    /// Whether its median is less than ten times what an empty call takes: too little to be compared.
    pub below_floor: bool,
    /// `None` where nothing can be told.
    pub standing: Option<Standing>,
}

impl Rank {
    /// Whether nobody is known to be better.
    pub fn is_best(&self) -> bool {
        self.standing.is_some_and(|standing| standing.rank == 1)
    }

    /// Whether this is the one that the others are compared with: its ratio is that of a time to itself.
    pub fn is_compared_with(&self) -> bool {
        self.is_best()
            && self
                .standing
                .is_some_and(|standing| standing.to_best.low == 1.0 && standing.to_best.high == 1.0)
    }
}

impl Ranks {
    /// Of a call, or of all together.
    pub fn of(&self, call: Option<Call>) -> Rank {
        match call {
            Some(Call::Prepare) => self.prepare_ns,
            Some(Call::Search) => self.search_ns,
            None => self.total_ns,
        }
    }

    fn of_mut(&mut self, call: Option<Call>) -> &mut Rank {
        match call {
            Some(Call::Prepare) => &mut self.prepare_ns,
            Some(Call::Search) => &mut self.search_ns,
            None => &mut self.total_ns,
        }
    }
}

/// The calls that are ranked, and both together.
pub const RANKED: [Option<Call>; 3] = [Some(Call::Prepare), Some(Call::Search), None];

/// Ranks the results of one pattern length, each with the cell that it is of.
///
/// # Errors
/// If the journal can't be read again.
pub fn rank(
    results: &mut [(CellResult, &Cell<'_>)],
    journal: &Journal,
    floor_ns: Option<f64>,
    null: Option<&Null>,
) -> Result<()> {
    for call in RANKED {
        let times = |i: usize| times(results[i].1, call, journal);
        let floor_ns = floor_of_cells(results, floor_ns, call);
        let ranks = ranks(&middles(results, call), floor_ns, floor(null, call), times)?;
        for ((result, _), rank) in results.iter_mut().zip(ranks) {
            *result.ranks.of_mut(call) = rank;
        }
    }
    Ok(())
}

/// Adds what the results of one pattern length, each with the cell that it is of, tell of algorithms that were measured more
/// than once.
///
/// # Errors
/// If the journal can't be read again.
pub fn add_to_null(
    null: &mut Null,
    results: &[(CellResult, &Cell<'_>)],
    journal: &Journal,
    floor_ns: Option<f64>,
) -> Result<()> {
    for call in RANKED {
        let middles = middles(results, call);
        let floor_ns = floor_of_cells(results, floor_ns, call);
        if !any_below(&middles, floor_ns) {
            let done: Vec<_> = results.iter().zip(middles).filter(|(_, middle)| middle.is_some()).collect();
            let ids: Vec<&str> = done.iter().map(|((result, _), _)| result.algorithm.as_str()).collect();
            null.add(call, &ids, |i| times(done[i].0.1, call, journal))?;
        }
    }
    Ok(())
}

/// What empty calls take in the time of one call, or of all together: each of those that it is the sum of has one. A repetition that
/// names no calls has one of each.
pub fn floor_of(floor_ns: f64, calls: impl Iterator<Item = Call>, call: Option<Call>) -> f64 {
    let call = call.unwrap_or(Call::Search);
    floor_ns * calls.filter(|other| *other == call).count().max(1) as f64
}

/// The same, for the calls of these cells.
fn floor_of_cells(
    results: &[(CellResult, &Cell<'_>)],
    floor_ns: Option<f64>,
    call: Option<Call>,
) -> Option<f64> {
    let calls = results.first().into_iter().flat_map(|(_, cell)| &cell.point.steps).map(|step| step.call);
    Some(floor_of(floor_ns?, calls, call))
}

/// What has no median is not to be compared: it failed, or it is instrumented and has no times of its own.
fn middles(results: &[(CellResult, &Cell<'_>)], call: Option<Call>) -> Vec<Option<Middle>> {
    let middle = |summary: Summary| Middle { median: summary.med, least: summary.min };
    results.iter().map(|(result, _)| result.time(call).map(middle)).collect()
}

/// The times of a call of a cell, or of all together, in the order of the repetitions.
///
/// # Errors
/// If the journal can't be read again.
pub fn times(cell: &Cell<'_>, call: Option<Call>, journal: &Journal) -> Result<Vec<Sample>> {
    let sample = |(repetition, time): (u32, f64)| Sample {
        round: cell.point.rounds.of(repetition as usize) as u32,
        repetition,
        time,
    };
    let times = journal.read(cell, &[call.map_or(TOTAL_NS, Call::time)])?.remove(0);
    Ok(cell.rows.repetitions().zip(times).map(sample).collect())
}

/// Whether one of these medians is too short a time to be compared.
pub fn any_below(middles: &[Option<Middle>], floor_ns: Option<f64>) -> bool {
    middles.iter().any(|middle| is_below(middle.map(|middle| middle.median), floor_ns))
}

fn is_below(median: Option<f64>, floor_ns: Option<f64>) -> bool {
    median.zip(floor_ns).is_some_and(|(time, floor)| time < FLOORS * floor)
}

/// The middle of some times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Middle {
    /// Their median.
    pub median: f64,
    /// The least of them. There is no ratio over 0, so who has a time of 0 has no standing.
    pub least: f64,
}

impl Middle {
    /// Of times in any order; `None` of none.
    pub fn of(mut times: Vec<f64>) -> Option<Self> {
        let least = times.iter().copied().reduce(f64::min)?;
        Some(Middle { median: median(&mut times), least })
    }
}

/// The ranks of algorithms by their medians, and the times that these are of, in the order of the repetitions, as `times` gives
/// them. Where a median lies below the floor of the clock, nobody has a standing. Differences up to a share of `least` are none.
///
/// # Errors
/// If `times` fails.
pub fn ranks(
    middles: &[Option<Middle>],
    floor_ns: Option<f64>,
    least: f64,
    times: impl FnMut(usize) -> Result<Vec<Sample>>,
) -> Result<Vec<Rank>> {
    let below: Vec<bool> =
        middles.iter().map(|middle| is_below(middle.map(|middle| middle.median), floor_ns)).collect();
    let comparable = |middle: &Option<Middle>| Some(middle.filter(|middle| middle.least > 0.0)?.median);
    let medians: Vec<Option<f64>> = middles.iter().map(comparable).collect();
    let standings =
        if below.contains(&true) { vec![None; medians.len()] } else { standings(&medians, least, times)? };
    let rank = |(below_floor, standing)| Rank { below_floor, standing };
    Ok(below.into_iter().zip(standings).map(rank).collect())
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::PLACEMENT_FLOOR;

    use super::*;
    use crate::experiment::resolved;
    use crate::results::{Clock, Cost, Ended, Row};

    fn found(times: &[f64], floor_ns: Option<f64>) -> Vec<(Option<usize>, bool)> {
        let sample = |time: f64, round: u32| Sample {
            round,
            repetition: round,
            time: time + 0.001 * f64::from(round),
        };
        let medians: Vec<Option<Middle>> =
            times.iter().map(|time| Some(Middle { median: *time, least: *time })).collect();
        let list = |i: usize| Ok((0..5).map(|round| sample(times[i], round)).collect());
        let ranks = ranks(&medians, floor_ns, PLACEMENT_FLOOR, list).unwrap();
        ranks.iter().map(|rank| (rank.standing.map(|standing| standing.rank), rank.below_floor)).collect()
    }

    #[test]
    fn nobody_is_ranked_where_a_time_is_below_ten_floors() {
        let times = [500.0, 502.0, 700.0];
        let ranked = [(Some(1), false), (Some(1), false), (Some(3), false)];
        assert_eq!(found(&times, Some(30.0)), ranked);
        assert_eq!(found(&times, None), ranked);
        assert_eq!(found(&times, Some(50.0)), ranked, "ten floors are enough");
        assert_eq!(found(&times, Some(50.1)), [(None, true), (None, false), (None, false)]);
    }

    #[test]
    fn who_has_a_time_of_0_has_no_standing_and_the_others_have() {
        let middle = |least| Some(Middle { median: 500.0, least });
        let list = |i: usize| {
            let time = |round| if i == 0 && round == 0 { 0.0 } else { 500.0 + f64::from(round) };
            Ok((0..5).map(|round| Sample { round, repetition: round, time: time(round) }).collect())
        };
        let ranks = ranks(&[middle(0.0), middle(500.0)], Some(30.0), PLACEMENT_FLOOR, list).unwrap();
        assert_eq!(ranks.iter().map(Rank::is_best).collect::<Vec<_>>(), [false, true]);
        assert_eq!(Middle::of(vec![3.0, 1.0, 2.0]), Some(Middle { median: 2.0, least: 1.0 }));
        assert_eq!(Middle::of(Vec::new()), None);
    }

    #[test]
    fn times_are_read_from_the_journal_and_what_failed_has_no_rank() {
        let resolved = resolved::tests::example(3, 5).in_rounds(5, 5);
        let mut journal = Journal::temporary(&resolved).unwrap();
        let cost = |ns| Cost { ns, counts: Vec::new() };
        let mut cell = |algorithm: usize, search_ns| {
            let mut cell = Cell::new(&resolved.algorithms[algorithm], &resolved.points[0]);
            let row = Row { calls: [cost(10), cost(search_ns)], ..Row::default() };
            // The second half first, as in a shuffled run.
            journal.rows(&mut cell, 3, &vec![row.clone(); 2]).unwrap();
            journal.rows(&mut cell, 0, &vec![row; 3]).unwrap();
            cell
        };
        let (quick, slow, mut failed) = (cell(0, 700), cell(1, 800), cell(2, 600));
        failed.ended = Some(Ended::Wrong("x".to_owned()));
        let machine = crate::results::provenance::Machine::here();
        let result = |cell| (CellResult::of(cell, &resolved, &journal, &machine).unwrap(), cell);
        let mut results = [&slow, &failed, &quick].map(result);
        rank(&mut results, &journal, None, None).unwrap();
        let of = |call| {
            let rank = |(result, _): &(CellResult, &Cell<'_>)| Some(result.ranks.of(call).standing?.rank);
            results.iter().map(rank).collect::<Vec<_>>()
        };
        assert_eq!(of(Some(Call::Search)), [Some(2), None, Some(1)]);
        assert_eq!(of(None), [Some(2), None, Some(1)]);
        assert_eq!(of(Some(Call::Prepare)), [Some(1), None, Some(1)]);
        let figures = |i: usize| {
            let result: &CellResult = &results[i].0;
            (result.repetitions, result.total_ns.map(|total| total.med), result.clock)
        };
        assert_eq!(figures(0), (5, Some(810.0), Some(Clock::Host)));
        assert_eq!(figures(1), (5, None, Some(Clock::Host)));
    }
}
