//! The largest set of runs that agree with each other.

use super::ReversedPair;

/// The largest set of runs without a reversed pair between any two of them; the first of several such sets.
/// Of more than 128 runs, only the first 128 are looked at.
pub(super) fn largest_agreeing(ranking: &[usize], reversed: &[ReversedPair]) -> Vec<usize> {
    let ranking = &ranking[..ranking.len().min(128)];
    // The runs with which each agrees, as bits.
    let mut agrees = vec![u128::MAX; ranking.len()];
    let place = |run: usize| ranking.iter().position(|other| *other == run);
    for ReversedPair { runs: [one, other], .. } in reversed {
        if let (Some(one), Some(other)) = (place(*one), place(*other)) {
            agrees[one] &= !(1 << other);
            agrees[other] &= !(1 << one);
        }
    }
    let all = if ranking.len() == 128 { u128::MAX } else { (1 << ranking.len()) - 1 };
    let mut best = 0;
    extend_agreeing(0, all, &agrees, &mut best);
    (0..ranking.len()).filter(|place| best >> place & 1 == 1).map(|place| ranking[place]).collect()
}

/// Extends a set of runs that agree by those among `left`, which agree with all of them, and keeps the
/// largest set.
fn extend_agreeing(set: u128, left: u128, agrees: &[u128], best: &mut u128) {
    if (set | left).count_ones() <= best.count_ones() {
        return;
    }
    if left == 0 {
        *best = set;
        return;
    }
    let next = left.trailing_zeros() as usize;
    let without = left & !(1 << next);
    extend_agreeing(set | 1 << next, without & agrees[next], agrees, best);
    // Without it, a set is larger only if it has a run with which this one does not agree.
    if without & !agrees[next] != 0 {
        extend_agreeing(set, without, agrees, best);
    }
}
