//! The column of the anchor: quantiles of all its counts.

use std::ops::Range;

use assay_plugin_api::Values;

use crate::parallel;

/// Quantiles of the values of sorted lists at `n` evenly spaced probabilities from 0 to 1: the inverse of the
/// empirical distribution, averaged where it jumps (type 2 of Hyndman and Fan, Sample quantiles in
/// statistical packages, 1996).
pub fn quantiles(sorted: &[&[f64]], n: usize) -> Values<'static> {
    let places = Places { count: sorted.iter().map(|values| values.len()).sum(), n };
    let longest = sorted.iter().max_by_key(|values| values.len()).copied().unwrap_or_default();
    let threads = if longest.len() < FEW { 1 } else { parallel::processors() };
    // Each thread begins at a value, after all smaller ones.
    let lists_from = |part: usize| -> Vec<&[f64]> {
        let first = longest.get(part * longest.len() / threads).filter(|_| part > 0);
        let less = |values: &[f64]| first.map_or(0, |first| values.partition_point(|value| value < first));
        sorted.iter().map(|values| &values[less(values)..]).collect()
    };
    let parts: Vec<Vec<&[f64]>> = (0..threads).map(lists_from).collect();
    let passed = |lists: &Vec<&[f64]>| places.count - lists.iter().map(|values| values.len()).sum::<usize>();
    let mut begins: Vec<usize> = parts.iter().map(|lists| places.first_after(passed(lists))).collect();
    begins.push(n);
    let parts = parts.into_iter().zip(begins.windows(2)).collect();
    let part = |(lists, range): (Vec<&[f64]>, &[usize])| places.quantiles(lists, range[0]..range[1]);
    parallel::map(parts, threads, part).concat().into()
}

/// Number of values up to which one thread is as fast as several.
const FEW: usize = 10_000;

/// The places of the quantiles among all values.
#[derive(Clone, Copy)]
struct Places {
    count: usize,
    n: usize,
}

impl Places {
    /// The rank, from 1, of the value at or below a quantile; 0 if there is none. Also whether the quantile
    /// lies above that value.
    fn rank(self, i: usize) -> (usize, bool) {
        // The order of these operations decides the last bit, and so the side of a jump on which a
        // probability falls.
        let step = 1.0 / (self.n.max(2) - 1) as f64;
        let probability = if i > 0 && i == self.n - 1 { 1.0 } else { i as f64 * step };
        let place = self.count as f64 * probability;
        (place as usize, place > place.floor())
    }

    /// The first quantile that does not need the least `passed` values.
    fn first_after(self, passed: usize) -> usize {
        let (mut low, mut high) = (0, self.n);
        while low < high {
            let middle = low.midpoint(high);
            if passed > 0 && self.rank(middle).0 <= passed { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Some of the quantiles, from lists that hold all values except the least `passed` ones.
    fn quantiles(self, lists: Vec<&[f64]>, range: Range<usize>) -> Vec<f64> {
        let passed = self.count - lists.iter().map(|values| values.len()).sum::<usize>();
        let mut merged = Merging::new(lists);
        let least = merged.next().unwrap_or(f64::NAN);
        // The value of the rank, and the value after it.
        let (mut rank, mut here, mut next) = (passed + 1, least, merged.next().unwrap_or(least));
        let quantile = |i: usize| {
            let (below, is_above) = self.rank(i);
            while rank < below {
                (rank, here) = (rank + 1, next);
                next = merged.next().unwrap_or(next);
            }
            match below {
                0 => here,
                _ if is_above => next,
                _ => (here + next) / 2.0,
            }
        };
        range.map(quantile).collect()
    }
}

/// The values of sorted lists in ascending order.
struct Merging<'v> {
    /// The next value of each list with the rest of the list, in descending order, so that the least is the
    /// last.
    heads: Vec<(f64, &'v [f64])>,
}

impl<'v> Merging<'v> {
    fn new(lists: Vec<&'v [f64]>) -> Self {
        let mut merging = Merging { heads: Vec::with_capacity(lists.len()) };
        lists.into_iter().for_each(|list| merging.put(list));
        merging
    }

    fn put(&mut self, list: &'v [f64]) {
        if let Some((head, rest)) = list.split_first() {
            let place = self.heads.partition_point(|(other, _)| other > head);
            self.heads.insert(place, (*head, rest));
        }
    }
}

impl Iterator for Merging<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let (least, rest) = self.heads.pop()?;
        self.put(rest);
        Some(least)
    }
}
