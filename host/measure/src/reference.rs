//! The reference count: the number of occurrences of each pattern, against which every timed search is
//! checked.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_experiment::Resolved;
use memchr::memmem;

/// The reference counts of an experiment, as far as its patterns were counted.
#[derive(Debug)]
pub struct ReferenceCounts<'a> {
    resolved: &'a Resolved,
    /// Counts by text and pattern, because equal patterns need to be counted only once in each text.
    known: HashMap<(usize, &'a [u8]), u64>,
    /// Counts by point and repetition: the sum over all searches of the repetition.
    counts: Vec<Vec<u64>>,
}

/// Stands for a pattern that was not counted. No text has that many occurrences.
const UNKNOWN: u64 = u64::MAX;

impl<'a> ReferenceCounts<'a> {
    /// The counts of an experiment of which no pattern was counted yet.
    pub fn new(resolved: &'a Resolved) -> Self {
        let counts = vec![Vec::new(); resolved.points.len()];
        ReferenceCounts { resolved, known: HashMap::new(), counts }
    }

    /// Counts the patterns of these repetitions that are not counted yet, and calls `progress` before each.
    /// Returns `false` if it was interrupted.
    pub fn count(
        &mut self,
        point: usize,
        repetitions: Range<usize>,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(),
    ) -> bool {
        let ReferenceCounts { resolved, known, counts } = self;
        let text = &*resolved.text_of(point).bytes;
        let counts = &mut counts[point];
        let point = &resolved.points[point];
        counts.resize(counts.len().max(repetitions.end), UNKNOWN);
        for repetition in repetitions.filter(|repetition| counts[*repetition] == UNKNOWN).collect::<Vec<_>>()
        {
            progress();
            if interrupted.load(Ordering::Relaxed) {
                return false;
            }
            let pattern = point.set.pattern(text, repetition);
            let mut in_text = |number: usize| {
                let text = &resolved.texts[number].bytes;
                *known.entry((number, pattern)).or_insert_with(|| count(pattern, text))
            };
            counts[repetition] = point.searched().map(&mut in_text).sum();
        }
        true
    }

    /// The number of occurrences of the pattern of a repetition in one of the texts, if that was counted.
    pub(crate) fn in_text(&self, point: usize, repetition: usize, text: usize) -> Option<u64> {
        let resolved = self.resolved;
        let pattern = || resolved.points[point].set.pattern(&resolved.text_of(point).bytes, repetition);
        self.expected(point, repetition).and_then(|_| self.known.get(&(text, pattern())).copied())
    }

    /// The number of occurrences that the searches of a repetition find together, if that was counted.
    pub fn expected(&self, point: usize, repetition: usize) -> Option<u64> {
        self.counts[point].get(repetition).copied().filter(|count| *count != UNKNOWN)
    }
}

/// Occurrences after which [`count`] decides whether they are dense: fewer may stand close together by
/// chance.
const FEWEST_OCCURRENCES: u64 = 64;
/// Patterns shorter than this count as this long when [`count`] decides, because starting the search anew has
/// a cost of its own, however short the pattern is. An estimate: it changes how long counting takes, never a
/// count.
const SHORTEST_RESTART: usize = 64;

/// Number of occurrences of the pattern in the text, overlapping ones included.
///
/// The two-way search of `memchr` finds them. Where occurrences are so dense that starting it anew for each
/// would be slow, the method of Morris and Pratt counts the rest in linear time.
pub fn count(pattern: &[u8], text: &[u8]) -> u64 {
    let finder = memmem::Finder::new(pattern);
    let (mut start, mut found) = (0, 0u64);
    while let Some(offset) = finder.find(&text[start..]) {
        found += 1;
        start += offset + 1;
        // On average, the occurrences so far begin less than a pattern length apart.
        if found >= FEWEST_OCCURRENCES && found as usize * pattern.len().max(SHORTEST_RESTART) > start {
            return found + count_by_borders(pattern, &text[start..]);
        }
    }
    found
}

/// Counts with the borders of the pattern, in time linear in pattern and text (Morris and Pratt).
fn count_by_borders(pattern: &[u8], text: &[u8]) -> u64 {
    let m = pattern.len();
    // border[i]: length of the longest proper border of the pattern's first i bytes.
    let mut border = vec![0; m + 1];
    let mut matched = 0;
    for i in 1..m {
        while matched > 0 && pattern[matched] != pattern[i] {
            matched = border[matched];
        }
        matched += usize::from(pattern[matched] == pattern[i]);
        border[i + 1] = matched;
    }
    let (mut matched, mut found) = (0, 0);
    for &byte in text {
        while matched > 0 && (matched == m || pattern[matched] != byte) {
            matched = border[matched];
        }
        if matched < m && pattern[matched] == byte {
            matched += 1;
        }
        found += u64::from(matched == m);
    }
    found
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::testing::naive;

    use super::*;

    #[test]
    fn both_ways_count_what_a_naive_search_counts() {
        let text: Vec<u8> =
            (0..5000u32).map(|i| b'a' + (i.wrapping_mul(2_654_435_761) >> 30) as u8 % 2).collect();
        let ones = vec![b'a'; 3000];
        for text in [&text, &ones] {
            for (start, length) in [(0, 1), (3, 2), (10, 7), (100, 40), (0, 1000)] {
                let pattern = &text[start..start + length];
                assert_eq!(count(pattern, text), naive(pattern, text).len() as u64, "{length} from {start}");
                assert_eq!(
                    count_by_borders(pattern, text),
                    naive(pattern, text).len() as u64,
                    "{length} from {start}"
                );
            }
        }
        assert_eq!(count(b"xyz", &text), 0);
    }

    #[test]
    fn each_pattern_is_counted_once_as_its_repetitions_come() {
        let mut resolved = assay_experiment::testing::example(1, 6).in_rounds(2, 1);
        resolved.texts[0].bytes = b"ababab".to_vec().into();
        let (going, interrupted) = (AtomicBool::new(false), AtomicBool::new(true));
        let mut counts = ReferenceCounts::new(&resolved);
        let mut calls = 0;
        // "ab" three times, "aba" twice, overlapping; all repetitions have the pattern at the beginning.
        for point in [0, 1] {
            assert!(counts.count(point, 0..2, &going, || calls += 1));
            assert!(counts.count(point, 0..2, &going, || calls += 1));
        }
        assert_eq!((&counts.counts, calls), (&vec![vec![3, 3], vec![2, 2]], 4));
        assert!(!counts.count(0, 4..6, &interrupted, || {}));
        assert_eq!(counts.expected(0, 4), None, "the count was interrupted");
        calls = 0;
        assert!(counts.count(0, 4..6, &going, || calls += 1));
        let known: Vec<Option<u64>> = (0..7).map(|repetition| counts.expected(0, repetition)).collect();
        assert_eq!((known, calls), (vec![Some(3), Some(3), None, None, Some(3), Some(3), None], 2));
        assert_eq!((counts.expected(1, 1), counts.expected(1, 4)), (Some(2), None));
    }
}
