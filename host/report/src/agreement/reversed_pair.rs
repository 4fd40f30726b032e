//! Pairs of algorithms that two runs order in opposite ways.

use std::cmp::Ordering;

use assay_stats::CONFIDENCE;
use assay_stats::significance::holm;

use super::ranked_run::RunRanks;

/// A pair of algorithms of which each is significantly faster in one of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ReversedPair {
    /// The algorithm that is faster in the first run.
    pub one: String,
    /// The algorithm that is faster in the second run.
    pub other: String,
    /// The two runs, by their places in the group.
    pub runs: [usize; 2],
    /// In each of the two runs, how many times as long the slower algorithm takes there.
    pub ratios: [f64; 2],
    /// The significance: the greater of those of the two differences, corrected by Holm's method.
    pub p: f64,
}

/// The pairs of algorithms of which each is significantly faster in one of two runs. The significance of a
/// pair is that of the less significant of the two differences, corrected for the number of such pairs, each
/// counted once for each two runs that have measured it in opposite orders at this value.
pub(super) fn reversed_pairs(ranking: &[usize], at: &[Option<RunRanks<'_>>]) -> Vec<ReversedPair> {
    let (mut pairs, mut significances) = (Vec::new(), Vec::new());
    for (place, &first) in ranking.iter().enumerate() {
        for &second in &ranking[place + 1..] {
            let (Some(one), Some(other)) = (&at[first], &at[second]) else { continue };
            for (places, p) in opposite_orders(one, other) {
                pairs.push(([first, second], places));
                significances.push(p);
            }
        }
    }
    let corrected = pairs.into_iter().zip(holm(&significances));
    let significant = corrected.filter(|(_, p)| *p < 1.0 - CONFIDENCE);
    significant.filter_map(|((runs, places), p)| reversed_pair(runs, places, p, at)).collect()
}

/// A pair of which the first algorithm is faster in the first run; `places` are those in this run.
fn reversed_pair(
    runs: [usize; 2],
    places: [usize; 2],
    p: f64,
    at: &[Option<RunRanks<'_>>],
) -> Option<ReversedPair> {
    let (first, second) = (at[runs[0]].as_ref()?, at[runs[1]].as_ref()?);
    let [one, other] = places.map(|place| first.algorithms[place].0);
    let ratios = [first.ratio(places[0], places[1]), second.ratio(second.place(one)?, second.place(other)?)];
    Some(ReversedPair { one: one.to_owned(), other: other.to_owned(), runs, ratios, p })
}

/// The pairs of algorithms that two runs have measured in opposite orders, by their places in the first run,
/// the one that is faster there first; with the greater of the significances of the two differences.
fn opposite_orders(one: &RunRanks<'_>, other: &RunRanks<'_>) -> Vec<([usize; 2], f64)> {
    let both = one.algorithms.iter().enumerate();
    let both = both.filter_map(|(place, (id, _))| Some((place, other.place(id)?)));
    let both: Vec<(usize, usize)> = both.collect();
    let mut opposite = Vec::new();
    for (number, &(a, a_in_other)) in both.iter().enumerate() {
        for &(b, b_in_other) in &both[..number] {
            let Some(here) = one.order(a, b) else { continue };
            let Some(there) = other.order(a_in_other, b_in_other) else { continue };
            if here.measured != Ordering::Equal && here.measured == there.measured.reverse() {
                let faster_first = if here.measured == Ordering::Greater { [b, a] } else { [a, b] };
                opposite.push((faster_first, here.p.max(there.p)));
            }
        }
    }
    opposite
}
