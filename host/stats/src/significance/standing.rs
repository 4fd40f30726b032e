//! Ranks of algorithms that searched for the same patterns, where ties share a rank.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ratio, Verdict};
use crate::rounds::Sample;

/// The rank of an algorithm among those that searched for the same patterns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// 1 for the best and for all that are tied with it; then 1 plus the number of algorithms before.
    pub rank: usize,
    /// Ratio of its time to that of the best, computed pattern by pattern and not from two medians. The
    /// intervals of all algorithms hold together.
    pub to_best: Ratio,
}

/// The standing of each algorithm, by its median (`medians`, one for each) and its repetitions (`times`,
/// which gets the number of an algorithm). An algorithm has none if it has no median, or if its rounds are
/// too few to compare it with the best: they share fewer than two, or the interval of the ratio has no finite
/// end.
///
/// The best is the one with the least median, unless another is significantly faster, pattern by pattern. One
/// that can't be compared with any other is not the best, because nothing is known of it. All that are not
/// significantly slower than the best share its rank. Of the others, the next by its ratio to the best leads
/// a rank, which all share up to the first that is significantly slower than this leader. Differences below
/// `floor`, a share of the time, are never significant.
///
/// # Errors
/// If `times` fails.
pub fn standings<E>(
    medians: &[Option<f64>],
    floor: f64,
    mut times: impl FnMut(usize) -> Result<Vec<Sample>, E>,
) -> Result<Vec<Option<Standing>>, E> {
    let mut order: Vec<(f64, usize)> =
        medians.iter().zip(0..).filter_map(|(median, i)| Some(((*median)?, i))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let order: Vec<usize> = order.into_iter().map(|(_, i)| i).collect();
    // All are compared with the luckiest of them, hence one correction for all of these comparisons.
    let comparisons = order.len().saturating_sub(1).max(1);
    for begin in 0..order.len() {
        let mut standings = vec![None; medians.len()];
        add_standings(&mut standings, &order[begin..], comparisons, floor, &mut times)?;
        let ranked = standings.iter().flatten().count();
        if ranked > 1 || ranked == order.len() {
            return Ok(standings);
        }
    }
    Ok(vec![None; medians.len()])
}

/// Adds the standings of the algorithms that can be compared with the best of `order`, in which they ascend
/// by their medians.
fn add_standings<E>(
    standings: &mut [Option<Standing>],
    order: &[usize],
    comparisons: usize,
    floor: f64,
    mut times: impl FnMut(usize) -> Result<Vec<Sample>, E>,
) -> Result<(), E> {
    // Lists may be millions long, so no more than two are in memory at a time.
    let Some((&(mut best), others)) = order.split_first() else { return Ok(()) };
    let mut best_times = times(best)?;
    // Ratios to the present best; they are dropped when another algorithm takes its place.
    let mut ratios = vec![None; standings.len()];
    ratios[best] = Ratio::paired(&best_times, &best_times, comparisons);
    if ratios[best].is_none() {
        // With fewer than two rounds it can't be compared with any: the others need not be read.
        return Ok(());
    }
    for &i in others {
        let candidate = times(i)?;
        ratios[i] = Ratio::paired(&candidate, &best_times, comparisons);
        if ratios[i].is_some_and(|ratio| ratio.verdict(floor) == Verdict::Faster) {
            ratios.fill(None);
            ratios[i] = Ratio::paired(&candidate, &candidate, comparisons);
            (best, best_times) = (i, candidate);
        }
    }
    let mut slower = Vec::new();
    for &i in order {
        let ratio = match ratios[i] {
            None => Ratio::paired(&times(i)?, &best_times, comparisons),
            known => known,
        };
        let Some(to_best) = ratio else { continue };
        standings[i] = Some(Standing { rank: 1, to_best });
        if i != best && to_best.verdict(floor) == Verdict::Slower {
            slower.push((to_best.ratio, i));
        }
    }
    slower.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = standings.iter().flatten().count() - slower.len() + 1;
    let mut leader: Option<(usize, Vec<Sample>)> = None;
    for (rank, (_, i)) in (first..).zip(slower) {
        let follower = times(i)?;
        // Whoever can't be compared with the leader is not known to be slower.
        let shared = leader.as_ref().filter(|(_, leader)| {
            let ratio = Ratio::paired(&follower, leader, comparisons);
            ratio.is_none_or(|ratio| ratio.verdict(floor) != Verdict::Slower)
        });
        let rank = shared.map_or(rank, |(rank, _)| *rank);
        if leader.as_ref().is_none_or(|(led, _)| *led != rank) {
            leader = Some((rank, follower));
        }
        if let Some(standing) = &mut standings[i] {
            standing.rank = rank;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::significance::PLACEMENT_FLOOR;

    fn samples(times: &[(u32, f64)]) -> Vec<Sample> {
        let numbered = (0..).zip(times);
        numbered.map(|(repetition, &(round, time))| Sample { round, repetition, time }).collect()
    }

    #[test]
    fn those_that_are_tied_share_a_rank() {
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
    fn an_algorithm_that_varies_a_lot_shares_the_first_rank_though_one_before_it_does_not() {
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
    fn the_best_is_the_one_that_is_faster_pattern_by_pattern_though_its_median_is_greater() {
        // Three kinds of patterns: the second algorithm is slower with two of them, and has the lesser
        // median.
        let times = |kinds: [f64; 3]| {
            let of_round = |round| (0..12).map(move |i| (round, kinds[i % 3]));
            samples(&(0..6).flat_map(of_round).collect::<Vec<_>>())
        };
        let (first, second) = (times([150.0, 250.0, 350.0]), times([165.0, 240.0, 385.0]));
        let median = |list: &[Sample]| {
            Some(crate::median(&mut list.iter().map(|sample| sample.time).collect::<Vec<_>>()))
        };
        let medians = [median(&first), median(&second)];
        assert!(medians[1] < medians[0], "{medians:?}");
        let lists = [first, second];
        let standings = standings(&medians, PLACEMENT_FLOOR, |i| Ok::<_, ()>(lists[i].clone())).unwrap();
        assert_eq!(ranks(&standings), [Some(1), Some(2)], "{standings:?}");
    }

    /// Two rounds of 400 algorithms: every second one is slower in its second round, each by another factor,
    /// so its interval has no finite end.
    #[test]
    fn only_those_whose_interval_has_no_finite_end_have_no_standing() {
        // In the second case, one of these has the least median.
        for disturbed in [1, 0] {
            let list = |i: usize| {
                let time = 100.0 + i as f64;
                let factor = if i % 2 == disturbed { 2.0f64.powi(i as i32 + 1) } else { 1.0 };
                Ok::<_, ()>(samples(&[(0, time), (1, factor * time)]))
            };
            let medians: Vec<_> = (0..400).map(|i| Some(100.0 + f64::from(i))).collect();
            let ranks = ranks(&standings(&medians, PLACEMENT_FLOOR, list).unwrap());
            let without = ranks.iter().skip(disturbed).step_by(2);
            assert!(without.clone().count() == 200 && without.clone().all(Option::is_none), "{ranks:?}");
            let with: Vec<usize> = ranks.iter().skip(1 - disturbed).step_by(2).map(|r| r.unwrap()).collect();
            assert!(with[0] == 1 && with.is_sorted() && (2..=200).contains(&with[199]), "{with:?}");
        }
    }

    #[test]
    fn there_are_no_standings_if_no_two_can_be_compared() {
        let list = |i: usize| Ok::<_, ()>(samples(&[(0, 100.0), (1, 100.0 * 2.0f64.powi(i as i32))]));
        let two_rounds = |algorithms: usize| {
            ranks(&standings(&vec![Some(100.0); algorithms], PLACEMENT_FLOOR, list).unwrap())
        };
        assert_eq!(two_rounds(1), [Some(1)], "an algorithm alone is the best");
        assert_eq!(two_rounds(2), [Some(1), Some(1)], "one comparison of two rounds has a finite interval");
        assert_eq!(two_rounds(400), vec![None; 400]);
        let mut reads = 0;
        let one_round = standings(&[Some(1.0); 50], 0.0, |_| {
            reads += 1;
            Ok::<_, ()>(samples(&[(0, 1.0)]))
        });
        assert_eq!((one_round.unwrap(), reads), (vec![None; 50], 50), "each is read once");
        let apart = |i: usize| {
            let sample = |round| Sample { round, repetition: round, time: 1.0 };
            Ok::<_, ()>((2 * i as u32..2 * i as u32 + 2).map(sample).collect())
        };
        assert_eq!(standings(&[Some(1.0); 3], 0.0, apart), Ok(vec![None; 3]), "they share no round");
    }

    fn ranks(standings: &[Option<Standing>]) -> Vec<Option<usize>> {
        standings.iter().map(|standing| standing.map(|standing| standing.rank)).collect()
    }
}
