//! Who is best at a pattern length, as far as that is known.

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_stats::significance::{Standing, standings};
use assay_stats::{Sample, median};
use assay_store::rank::Rank;

/// A time below this many empty calls is mostly that of the clock and the call, so it is not ranked.
const FLOORS: f64 = 10.0;

/// What empty calls take in the time of one call, or of all together: each of those that it is the sum of has
/// one. A repetition that names no calls has one of each.
pub(crate) fn floor_of(floor_ns: f64, calls: impl Iterator<Item = Call>, call: Option<Call>) -> f64 {
    let call = call.unwrap_or(Call::Search);
    floor_ns * calls.filter(|other| *other == call).count().max(1) as f64
}

/// Whether one of these has times that are too short to be compared.
pub(crate) fn any_below(typical_times: &[Option<TypicalTime>], floor_ns: Option<f64>) -> bool {
    typical_times.iter().flatten().any(|middle| middle.is_below(floor_ns))
}

/// Two figures of the times of a cell by which it is ranked.
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

    /// Whether these times are too short to be compared: their median is below ten empty calls, or one of
    /// them is 0, over which there is no ratio.
    fn is_below(&self, floor_ns: Option<f64>) -> bool {
        self.least <= 0.0 || floor_ns.is_some_and(|floor| self.median < FLOORS * floor)
    }
}

/// The ranks of algorithms by their medians, and the times that these are of, in the order of the
/// repetitions, as `times` gives them. Where times of one are too short, nobody has a standing, because the
/// best may be the one that can't be compared. Differences up to a share of `least` are none.
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
    let rank = |((below_floor, standing), median): ((bool, Option<Standing>), &Option<f64>)| Rank {
        below_floor,
        standing,
        has_too_few_rounds: is_any_ranked && standing.is_none() && median.is_some(),
    };
    Ok(below.into_iter().zip(standings).zip(&medians).map(rank).collect())
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::PLACEMENT_FLOOR;

    use super::*;

    fn found(times: &[f64], floor_ns: Option<f64>) -> Vec<(Option<usize>, bool)> {
        let sample = |time: f64, round: u32| Sample {
            round,
            repetition: round,
            time: time + 0.001 * f64::from(round),
        };
        let medians: Vec<Option<TypicalTime>> =
            times.iter().map(|time| Some(TypicalTime { median: *time, least: *time })).collect();
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
    fn nobody_is_ranked_where_an_algorithm_has_a_time_of_0() {
        let middle = |least| Some(TypicalTime { median: 500.0, least });
        let list = |i: usize| {
            let time = |round| if i == 0 && round == 0 { 0.0 } else { 500.0 + f64::from(round) };
            Ok((0..5).map(|round| Sample { round, repetition: round, time: time(round) }).collect())
        };
        let ranks = ranks(&[middle(0.0), middle(500.0)], Some(30.0), PLACEMENT_FLOOR, list).unwrap();
        let marks: Vec<(bool, bool)> = ranks.iter().map(|rank| (rank.is_best(), rank.below_floor)).collect();
        assert_eq!(marks, [(false, true), (false, false)]);
        assert!(ranks.iter().all(|rank| !rank.has_too_few_rounds), "{ranks:?}");
        assert_eq!(TypicalTime::new(vec![3.0, 1.0, 2.0]), Some(TypicalTime { median: 2.0, least: 1.0 }));
        assert_eq!(TypicalTime::new(Vec::new()), None);
    }

    /// `report.json` can't hold an infinite number.
    #[test]
    fn two_rounds_of_many_algorithms_give_no_infinite_interval_and_leave_the_others_their_ranks() {
        // In the second round, every other algorithm takes twice as long.
        let times = |i: usize| {
            let time = |round: u32| (500.0 + i as f64) * if round == 1 && i % 2 == 1 { 2.0 } else { 1.0 };
            Ok((0..2).map(|round| Sample { round, repetition: round, time: time(round) }).collect())
        };
        let standings = |algorithms: usize| {
            let middle = |i: usize| Some(TypicalTime { median: 500.0 + i as f64, least: 500.0 });
            let typical_times: Vec<_> = (0..algorithms).map(middle).collect();
            ranks(&typical_times, Some(30.0), PLACEMENT_FLOOR, times).unwrap()
        };
        for algorithms in [2, 357] {
            let mut ends = standings(algorithms).into_iter().filter_map(|rank| rank.standing);
            assert!(ends.all(|standing| standing.to_best.low > 0.0 && standing.to_best.high.is_finite()));
        }
        let many = standings(357);
        let ranked: Vec<bool> = many.iter().map(|rank| rank.standing.is_some()).collect();
        assert!(ranked.iter().zip(0..).all(|(is_ranked, i)| *is_ranked == (i % 2 == 0)), "{ranked:?}");
        assert!(many.iter().all(|rank| rank.has_too_few_rounds == rank.standing.is_none()));
        assert!(many[0].is_best() && !many[356].is_best());
    }
}
