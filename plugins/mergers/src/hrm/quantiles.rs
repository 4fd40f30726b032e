//! The anchor's column: quantiles of all its counts.

use std::ops::Range;

use assay_plugin_api::Values;

use crate::parallel;

/// Quantiles of all values at `n` evenly spaced probabilities from 0 to 1, where the values come as sorted
/// lists: the inverse of the empirical distribution, averaged where it jumps (type 2 of Hyndman and Fan,
/// Sample quantiles in statistical packages, 1996).
pub fn quantiles(sorted: &[&[f64]], n: usize) -> Values<'static> {
    let places = Places { count: sorted.iter().map(|values| values.len()).sum(), n };
    let longest = sorted.iter().max_by_key(|values| values.len()).copied().unwrap_or_default();
    let threads = if longest.len() < FEW { 1 } else { parallel::processors() };
    // Each thread begins at a value, after all that are less.
    let behind = |part: usize| -> Vec<&[f64]> {
        let first = longest.get(part * longest.len() / threads).filter(|_| part > 0);
        let less = |values: &[f64]| first.map_or(0, |first| values.partition_point(|value| value < first));
        sorted.iter().map(|values| &values[less(values)..]).collect()
    };
    let parts: Vec<Vec<&[f64]>> = (0..threads).map(behind).collect();
    let passed = |lists: &Vec<&[f64]>| places.count - lists.iter().map(|values| values.len()).sum::<usize>();
    let mut begins: Vec<usize> = parts.iter().map(|lists| places.first_behind(passed(lists))).collect();
    begins.push(n);
    let parts = parts.into_iter().zip(begins.windows(2)).collect();
    let part = |(lists, range): (Vec<&[f64]>, &[usize])| places.quantiles(lists, range[0]..range[1]);
    parallel::map(parts, threads, part).concat().into()
}

/// Of lists that are no longer one thread makes quantiles as fast as several.
const FEW: usize = 10_000;

/// Where the quantiles lie among all values.
#[derive(Clone, Copy)]
struct Places {
    count: usize,
    n: usize,
}

impl Places {
    /// The rank, from 1, of the value at or below a quantile; 0 below the first. And whether it lies behind
    /// that value.
    fn of(self, i: usize) -> (usize, bool) {
        // The order of the operations decides on the last bit, and with it on which side of a jump a
        // probability falls.
        let step = 1.0 / (self.n.max(2) - 1) as f64;
        let probability = if i > 0 && i == self.n - 1 { 1.0 } else { i as f64 * step };
        let place = self.count as f64 * probability;
        (place as usize, place > place.floor())
    }

    /// The first quantile that needs none of this number of least values.
    fn first_behind(self, passed: usize) -> usize {
        let (mut low, mut high) = (0, self.n);
        while low < high {
            let middle = low.midpoint(high);
            if passed > 0 && self.of(middle).0 <= passed { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Some of the quantiles, of lists that hold all values but this number of least ones.
    fn quantiles(self, lists: Vec<&[f64]>, range: Range<usize>) -> Vec<f64> {
        let passed = self.count - lists.iter().map(|values| values.len()).sum::<usize>();
        let mut merged = Merging::new(lists);
        let least = merged.next().unwrap_or(f64::NAN);
        // The value of a rank, and the next.
        let (mut rank, mut here, mut behind) = (passed + 1, least, merged.next().unwrap_or(least));
        let quantile = |i: usize| {
            let (below, is_behind) = self.of(i);
            while rank < below {
                (rank, here) = (rank + 1, behind);
                behind = merged.next().unwrap_or(behind);
            }
            match below {
                0 => here,
                _ if is_behind => behind,
                _ => (here + behind) / 2.0,
            }
        };
        range.map(quantile).collect()
    }
}

/// The values of sorted lists, rising.
struct Merging<'v> {
    /// The next value of each list and what follows it, falling: the least is the last.
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
