//! The ranks of algorithms at a range value, by their times.

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_stats::significance::standings;
use assay_stats::{Sample, median};
use assay_store::rank::Rank;

/// Times below this number of clock floors are not ranked, because at least a tenth of such a time is that of
/// the clock and the call.
const FLOORS: f64 = 10.0;

/// The clock floor of a time: that of an empty call, as often as the repetition has calls of this kind,
/// because the time is their sum. A repetition that names no calls has one of each kind. All calls together
/// have the clock floor of the searches.
pub(crate) fn floor_of(floor_ns: f64, calls: impl Iterator<Item = Call>, call: Option<Call>) -> f64 {
    let call = call.unwrap_or(Call::Search);
    floor_ns * calls.filter(|other| *other == call).count().max(1) as f64
}

/// Whether any of these cells has times that are too short to be compared.
pub(crate) fn any_below(typical_times: &[Option<TypicalTime>], floor_ns: Option<f64>) -> bool {
    typical_times.iter().flatten().any(|middle| middle.is_below(floor_ns))
}

/// The two figures of a cell's times that decide whether and how it is ranked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TypicalTime {
    /// The median of the times.
    pub median: f64,
    /// The least time.
    pub least: f64,
}

impl TypicalTime {
    /// From times in any order; `None` if there are none.
    pub(crate) fn new(mut times: Vec<f64>) -> Option<Self> {
        let least = times.iter().copied().reduce(f64::min)?;
        Some(TypicalTime { median: median(&mut times), least })
    }

    /// Whether these times are too short to be compared: their median is below ten clock floors, or one of
    /// them is 0, so that no ratio can be computed.
    fn is_below(&self, floor_ns: Option<f64>) -> bool {
        self.least <= 0.0 || floor_ns.is_some_and(|floor| self.median < FLOORS * floor)
    }
}

/// The ranks of algorithms at a range value. `times` gives the times of an algorithm in the order of its
/// repetitions. If the times of one algorithm are too short, no algorithm has a standing, because that one
/// may be the best. Algorithms that differ by a share of `least` or less are tied.
///
/// # Errors
/// If `times` fails.
pub(crate) fn ranks(
    typical_times: &[Option<TypicalTime>],
    floor_ns: Option<f64>,
    least: f64,
    times: impl FnMut(usize) -> Result<Vec<Sample>>,
) -> Result<Vec<Rank>> {
    let below: Vec<bool> =
        typical_times.iter().map(|middle| middle.is_some_and(|middle| middle.is_below(floor_ns))).collect();
    let medians: Vec<Option<f64>> = typical_times.iter().map(|middle| Some((*middle)?.median)).collect();
    let unranked = vec![None; medians.len()];
    let standings = if below.contains(&true) { unranked } else { standings(&medians, least, times)? };
    let is_any_ranked = standings.iter().any(Option::is_some);
    let mut ranks = Vec::new();
    for ((below_floor, standing), median) in below.into_iter().zip(standings).zip(medians) {
        let has_too_few_rounds = is_any_ranked && standing.is_none() && median.is_some();
        ranks.push(Rank { below_floor, standing, has_too_few_rounds });
    }
    Ok(ranks)
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::PLACEMENT_FLOOR;

    use super::*;

    /// Samples of this number of rounds, each with one repetition.
    fn samples(rounds: u32, time: impl Fn(u32) -> f64) -> Vec<Sample> {
        (0..rounds).map(|round| Sample { round, repetition: round, time: time(round) }).collect()
    }

    /// The rank of each of these times, and whether it is below the floor.
    fn found(times: &[f64], floor_ns: Option<f64>) -> Vec<(Option<usize>, bool)> {
        let medians: Vec<Option<TypicalTime>> =
            times.iter().map(|time| Some(TypicalTime { median: *time, least: *time })).collect();
        let list = |i: usize| Ok(samples(5, |round| times[i] + 0.001 * f64::from(round)));
        let ranks = ranks(&medians, floor_ns, PLACEMENT_FLOOR, list).unwrap();
        ranks.iter().map(|rank| (rank.standing.map(|standing| standing.rank), rank.below_floor)).collect()
    }

    #[test]
    fn no_algorithm_is_ranked_where_a_time_is_below_ten_floors() {
        let times = [500.0, 502.0, 700.0];
        let ranked = [(Some(1), false), (Some(1), false), (Some(3), false)];
        assert_eq!(found(&times, Some(30.0)), ranked);
        assert_eq!(found(&times, None), ranked);
        assert_eq!(found(&times, Some(50.0)), ranked, "ten floors are enough");
        assert_eq!(found(&times, Some(50.1)), [(None, true), (None, false), (None, false)]);
    }

    #[test]
    fn no_algorithm_is_ranked_where_one_has_a_time_of_0() {
        let middle = |least| Some(TypicalTime { median: 500.0, least });
        let ranks = ranks(&[middle(0.0), middle(500.0)], Some(30.0), PLACEMENT_FLOOR, |i| {
            Ok(samples(5, |round| if i == 0 && round == 0 { 0.0 } else { 500.0 + f64::from(round) }))
        });
        let ranks = ranks.unwrap();
        let marks: Vec<(bool, bool)> = ranks.iter().map(|rank| (rank.is_best(), rank.below_floor)).collect();
        assert_eq!(marks, [(false, true), (false, false)]);
        assert!(ranks.iter().all(|rank| !rank.has_too_few_rounds), "{ranks:?}");
        assert_eq!(TypicalTime::new(vec![3.0, 1.0, 2.0]), Some(TypicalTime { median: 2.0, least: 1.0 }));
        assert_eq!(TypicalTime::new(Vec::new()), None);
    }

    /// The ranks of algorithms with two rounds, in the second of which every other algorithm takes twice as
    /// long.
    fn ranks_of_two_rounds(algorithms: usize) -> Vec<Rank> {
        let medians = (0..algorithms).map(|i| 500.0 + i as f64);
        let typical_times: Vec<_> =
            medians.map(|median| Some(TypicalTime { median, least: 500.0 })).collect();
        let ranks = ranks(&typical_times, Some(30.0), PLACEMENT_FLOOR, |i| {
            let factor = |round: u32| if round == 1 && i % 2 == 1 { 2.0 } else { 1.0 };
            Ok(samples(2, |round| (500.0 + i as f64) * factor(round)))
        });
        ranks.unwrap()
    }

    /// `report.json` can't hold an infinite number.
    #[test]
    fn two_rounds_of_many_algorithms_give_no_infinite_interval_and_leave_the_others_their_ranks() {
        for algorithms in [2, 357] {
            let mut ends = ranks_of_two_rounds(algorithms).into_iter().filter_map(|rank| rank.standing);
            assert!(ends.all(|standing| standing.to_best.low > 0.0 && standing.to_best.high.is_finite()));
        }
        let many = ranks_of_two_rounds(357);
        let ranked: Vec<bool> = many.iter().map(|rank| rank.standing.is_some()).collect();
        assert!(ranked.iter().zip(0..).all(|(is_ranked, i)| *is_ranked == (i % 2 == 0)), "{ranked:?}");
        assert!(many.iter().all(|rank| rank.has_too_few_rounds == rank.standing.is_none()));
        assert!(many[0].is_best() && !many[356].is_best());
    }
}
