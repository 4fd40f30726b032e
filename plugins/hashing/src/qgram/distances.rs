//! The tables of DISTq and LDISTq, and the search that they share.

use assay_plugin_api::prelude::*;
use assay_shared::borders::{Step, borders};

/// Where q-grams of equal hash lie in the pattern. A q-gram's place is the number of characters up to its
/// end.
#[derive(Default)]
pub(super) struct Distances {
    /// For each hash, the place of the last q-gram with it; q - 1 if there is none.
    place: HashTable<u32, 12>,
    /// For each place, how far before it the next q-gram with the same hash is, or the place q - 1.
    distance: Table<u32>,
    steps: Table<Step>,
}

impl Distances {
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], q: usize, hash: impl Fn(&[u8]) -> usize, probe: P) {
        self.place.fill((q - 1) as u32);
        self.distance.reset(pattern.len() + 1, 0);
        for (place, qgram) in (q..).zip(pattern.windows(q)) {
            let last = self.place.at_mut(hash(qgram));
            self.distance[place] = place as u32 - *last;
            *last = place as u32;
        }
        borders(pattern, &mut self.steps);
        probe.table(&self.place);
        probe.table(&self.distance);
        probe.table(&self.steps);
    }

    /// Searches. `hash_before` gets positions from `m` to `n` in ascending order, and returns the hash of the
    /// q-gram that ends before each.
    #[inline(always)]
    pub fn search<P: Probe>(
        &self,
        q: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        mut hash_before: impl FnMut(usize) -> usize,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        assert_eq!(self.distance.len(), m + 1, "the tables of another pattern");
        let (place, distance, steps) =
            (self.place.view(probe), self.distance.view(probe), self.steps.view(probe));
        // If this number of characters matched, how many of them match in the next window that may hold them.
        let border = |known: usize| steps.at(known + 1).border as usize - 1;
        // The text was searched up to the window at `s`; `matched` of its characters have matched.
        let (mut s, mut matched) = (0, 0);
        probe.writes(2);
        'windows: while probe.branch(s + m <= n) {
            probe.computes(1);
            let end = s + m;
            let mut at = place.at(hash_before(end)) as usize;
            probe.writes(1);
            loop {
                // Where the window begins in which the q-gram is at its place.
                let fits = end - at;
                // Windows before it don't hold the q-gram there; those after it may begin with what has
                // matched.
                while probe.branch(s < fits) {
                    let known = matched;
                    matched = if probe.branch(known > 0) { border(known) } else { 0 };
                    s = if known > 0 { s + known - matched } else { fits };
                    probe.writes(2);
                    probe.jump();
                }
                if probe.branch(at < q) {
                    continue 'windows;
                }
                if probe.branch(s == fits) {
                    if probe.branch(s + m > n) {
                        break 'windows;
                    }
                    // SAFETY: called only with i < m, and the window ends at n at most.
                    let alike = |i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
                    while probe.branch(matched < m && alike(matched)) {
                        matched += 1;
                        probe.writes(1);
                    }
                    if probe.verify(matched == m) {
                        found.at(s);
                    }
                }
                at -= distance.at(at) as usize;
                probe.writes(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_lead_back_from_place_to_place() {
        let mut distances = Distances::default();
        distances.fill(
            b"ababb",
            2,
            |pair| usize::from(pair[0] - b'a') << 1 | usize::from(pair[1] - b'a'),
            Off,
        );
        assert_eq!(distances.place[..4], [1, 4, 3, 5]);
        assert_eq!(distances.distance[2..], [1, 2, 2, 4]);
    }
}
