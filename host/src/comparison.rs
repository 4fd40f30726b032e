//! Whether one algorithm is really faster than another. Both searched for the same patterns, so each repetition gives a
//! ratio; the repetitions of a round share its drift and its processes, so each round gives one number, the median of the
//! logarithms; and the interval is that of the rounds.

mod components;
mod difference;
pub mod disturbance;
mod overall;
#[cfg(test)]
pub(crate) mod simulated;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use components::{Companion, Components, deviations};
pub use difference::{Difference, Judged, SAME, judge};
pub use overall::{Common, OfRounds, Overall, mean, overall};

use crate::interval::{CONFIDENCE, by_round};

/// What is left of the luck of placement, as a share of the time, where functions begin at multiples of 64 bytes. Copies of
/// one algorithm differ by so much, so a smaller difference says nothing of the algorithms. It was measured of a library
/// that is built as ours are (docs/src/method.md); where functions begin anywhere, the luck is greater.
pub const PLACEMENT_FLOOR: f64 = 0.01;

/// The time of a repetition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Which round it belongs to.
    pub round: u32,
    /// Its number; repetitions of the same number searched for the same pattern.
    pub repetition: u32,
    /// Its time, in any unit.
    pub time: f64,
}

/// How many times as long one takes as another: in the middle, and the interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ratio {
    /// The mean of the rounds.
    pub ratio: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// What a ratio says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It takes less time.
    Faster,
    /// It takes more time.
    Slower,
    /// Nobody knows: the interval touches the floor around 1.
    NotTold,
}

impl Ratio {
    /// Of two lists of repetitions, each ascending; its interval is one of so many that are to hold together (C. E. Bonferroni,
    /// 1936). `None` if the two share less than two rounds: one round is one moment.
    pub fn of(these: &[Sample], others: &[Sample], comparisons: usize) -> Option<Self> {
        let rounds: Vec<f64> = by_pattern(these, others).into_iter().map(|(_, ratio)| ratio).collect();
        let confidence = 1.0 - (1.0 - CONFIDENCE) / comparisons as f64;
        Some(Difference::paired(&rounds)?.ratio(confidence))
    }

    /// What it says: a difference only if the whole interval lies beyond the floor around 1, [`PLACEMENT_FLOOR`] or more.
    pub fn verdict(&self, floor: f64) -> Verdict {
        if self.low > 1.0 + floor {
            Verdict::Slower
        } else if self.high < 1.0 / (1.0 + floor) {
            Verdict::Faster
        } else {
            Verdict::NotTold
        }
    }
}

/// For each round the median of the logarithms of ratios, of the patterns that both searched for. Both lists ascend.
pub fn by_pattern(these: &[Sample], others: &[Sample]) -> Vec<(u32, f64)> {
    let mut others = others.iter().peekable();
    let mut logarithms = Vec::with_capacity(these.len());
    for this in these {
        while others.next_if(|other| other.repetition < this.repetition).is_some() {}
        let pair = others.next_if(|other| other.repetition == this.repetition);
        // A time of 0 is below what the clock can tell, and has no logarithm.
        if let Some(other) = pair.filter(|other| this.time > 0.0 && other.time > 0.0) {
            logarithms.push((this.round, (this.time / other.time).ln()));
        }
    }
    by_round(&logarithms)
}

/// For each round the logarithm of the median of its times.
pub fn of_each_round(samples: &[Sample]) -> Vec<(u32, f64)> {
    let times = samples.iter().filter(|sample| sample.time > 0.0);
    by_round(&times.map(|sample| (sample.round, sample.time.ln())).collect::<Vec<_>>())
}

/// Where an algorithm stands among those that did the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// 1 for the best, and for all that can't be told from it; then as many more as there are before.
    pub rank: usize,
    /// Its time over that of the best; the intervals of all algorithms hold together.
    pub to_best: Ratio,
}

/// The standing of each of a few algorithms, from their medians, and from their repetitions as `times` gives them. Nobody has
/// one where there is no median, or for lack of rounds.
///
/// The best is who has the least median, unless one of the others is known to be faster, pattern by pattern. All that are not
/// known to be slower than the best share its rank; of the others, the next by its ratio to the best leads a rank, which all
/// share up to the first that is known to be slower than it. No difference is known below the floor.
///
/// # Errors
/// If `times` fails.
pub fn standings<E>(
    medians: &[Option<f64>],
    floor: f64,
    mut times: impl FnMut(usize) -> Result<Vec<Sample>, E>,
) -> Result<Vec<Option<Standing>>, E> {
    let mut standings = vec![None; medians.len()];
    let mut order: Vec<(f64, usize)> =
        medians.iter().zip(0..).filter_map(|(median, i)| Some(((*median)?, i))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let comparisons = order.len().saturating_sub(1).max(1);
    // Lists are long: no more than two are kept at a time.
    let Some(&(_, mut best)) = order.first() else { return Ok(standings) };
    let mut list = times(best)?;
    // What was compared with one that is not the best is forgotten.
    let mut ratios = vec![None; medians.len()];
    ratios[best] = Ratio::of(&list, &list, comparisons);
    for &(_, i) in &order[1..] {
        let candidate = times(i)?;
        ratios[i] = Ratio::of(&candidate, &list, comparisons);
        if ratios[i].is_some_and(|ratio| ratio.verdict(floor) == Verdict::Faster) {
            ratios.fill(None);
            ratios[i] = Ratio::of(&candidate, &candidate, comparisons);
            (best, list) = (i, candidate);
        }
    }
    let mut slower = Vec::new();
    for &(_, i) in &order {
        let compared = match ratios[i] {
            None => Ratio::of(&times(i)?, &list, comparisons),
            known => known,
        };
        let Some(to_best) = compared else { continue };
        standings[i] = Some(Standing { rank: 1, to_best });
        if i != best && to_best.verdict(floor) == Verdict::Slower {
            slower.push((to_best.ratio, i));
        }
    }
    slower.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = order.len() - slower.len() + 1;
    let mut leader: Option<(usize, Vec<Sample>)> = None;
    for (rank, (_, i)) in (first..).zip(slower) {
        let follower = times(i)?;
        let shared = leader.as_ref().filter(|(_, leader)| {
            let ratio = Ratio::of(&follower, leader, comparisons);
            ratio.is_some_and(|ratio| ratio.verdict(floor) != Verdict::Slower)
        });
        let rank = shared.map_or(rank, |(rank, _)| *rank);
        if leader.as_ref().is_none_or(|(led, _)| *led != rank) {
            leader = Some((rank, follower));
        }
        if let Some(standing) = &mut standings[i] {
            standing.rank = rank;
        }
    }
    Ok(standings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(times: &[(u32, f64)]) -> Vec<Sample> {
        let numbered = (0..).zip(times);
        numbered.map(|(repetition, &(round, time))| Sample { round, repetition, time }).collect()
    }

    #[test]
    fn a_ratio_is_that_of_the_same_patterns() {
        let these = samples(&[(0, 10.0), (0, 200.0), (1, 30.0), (1, 4.0)]);
        let mut others: Vec<Sample> =
            these.iter().map(|sample| Sample { time: sample.time / 2.0, ..*sample }).collect();
        let ratio = Ratio::of(&these, &others, 1).unwrap();
        assert!((ratio.ratio - 2.0).abs() < 1e-12 && (ratio.low - ratio.high).abs() < 1e-12, "{ratio:?}");
        // A repetition that one of them lacks is left out, and so is a time of 0.
        others.remove(1);
        others[2].time = 0.0;
        assert_eq!(Ratio::of(&these, &others, 1), Some(ratio));
        others.truncate(1);
        assert_eq!(Ratio::of(&these, &others, 1), None, "one round is one moment");
    }

    #[test]
    fn a_difference_lies_beyond_the_floor_around_1() {
        let verdict = |low: f64, high: f64| {
            Ratio { ratio: f64::midpoint(low, high), low, high }.verdict(PLACEMENT_FLOOR)
        };
        assert_eq!(verdict(1.011, 1.2), Verdict::Slower);
        assert_eq!(verdict(1.009, 1.2), Verdict::NotTold);
        assert_eq!(verdict(0.8, 1.3), Verdict::NotTold);
        assert_eq!(verdict(0.8, 0.991), Verdict::NotTold);
        assert_eq!(verdict(0.8, 0.990), Verdict::Faster);
    }

    #[test]
    fn those_that_cannot_be_told_apart_share_a_rank() {
        let list = |times: [f64; 3]| samples(&[(0, times[0]), (1, times[1]), (2, times[2])]);
        let lists = [
            list([200.0, 201.0, 202.0]),
            list([101.0, 99.0, 103.0]),
            list([100.0, 100.0, 100.0]),
            list([204.0, 199.0, 203.0]),
            list([400.0, 404.0, 408.0]),
        ];
        let medians = [201.0, 101.0, 100.0, 203.0, 404.0].map(Some).into_iter().chain([None]);
        let times = |i: usize| Ok::<_, ()>(lists[i].clone());
        let standings = standings(&medians.collect::<Vec<_>>(), PLACEMENT_FLOOR, times).unwrap();
        assert_eq!(ranks(&standings), [Some(3), Some(1), Some(1), Some(3), Some(5), None]);
        let to_best = standings[4].unwrap().to_best;
        assert!((to_best.ratio - 4.04).abs() < 0.001, "{to_best:?}");
        assert_eq!(super::standings(&[None, None], 0.0, times), Ok(vec![None, None]));
        assert_eq!(super::standings(&[Some(1.0)], 0.0, |_| Err("gone")), Err("gone"));
    }

    #[test]
    fn who_varies_a_lot_shares_the_first_rank_though_another_before_it_does_not() {
        let lists = [
            samples(&[(0, 100.0), (1, 100.1), (2, 100.0)]),
            samples(&[(0, 103.0), (1, 103.1), (2, 103.0)]),
            samples(&[(0, 80.0), (1, 110.0), (2, 140.0)]),
        ];
        let standings =
            standings(&[100.0, 103.0, 110.0].map(Some), PLACEMENT_FLOOR, |i| Ok::<_, ()>(lists[i].clone()))
                .unwrap();
        assert_eq!(ranks(&standings), [Some(1), Some(3), Some(1)]);
    }

    #[test]
    fn the_best_is_who_is_faster_pattern_by_pattern_though_its_median_is_greater() {
        // Three kinds of patterns: the second algorithm is slower with two of them, and has the lesser median.
        let times = |kinds: [f64; 3]| {
            let of_round = |round| (0..12).map(move |i| (round, kinds[i % 3]));
            samples(&(0..6).flat_map(of_round).collect::<Vec<_>>())
        };
        let (first, second) = (times([150.0, 250.0, 350.0]), times([165.0, 240.0, 385.0]));
        let median = |list: &[Sample]| {
            Some(crate::interval::median(&mut list.iter().map(|sample| sample.time).collect::<Vec<_>>()))
        };
        let medians = [median(&first), median(&second)];
        assert!(medians[1] < medians[0], "{medians:?}");
        let lists = [first, second];
        let standings = standings(&medians, PLACEMENT_FLOOR, |i| Ok::<_, ()>(lists[i].clone())).unwrap();
        assert_eq!(ranks(&standings), [Some(1), Some(2)], "{standings:?}");
    }

    fn ranks(standings: &[Option<Standing>]) -> Vec<Option<usize>> {
        standings.iter().map(|standing| standing.map(|standing| standing.rank)).collect()
    }
}
