//! The reference count, against which every timed search is checked.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_experiment::Resolved;
use memchr::memmem;

/// How often the patterns of an experiment occur, as far as they were counted.
#[derive(Debug)]
pub struct Counts<'a> {
    resolved: &'a Resolved,
    /// Equal patterns are counted once in each text.
    known: HashMap<(usize, &'a [u8]), u64>,
    /// By point and repetition: in the text that is searched, or in all of them, each time.
    counts: Vec<Vec<u64>>,
}

/// Stands for a pattern that was not counted, because no text has this number of occurrences.
const UNKNOWN: u64 = u64::MAX;

impl<'a> Counts<'a> {
    /// The patterns of all repetitions that are measured in any case, counted; `progress` is called after each. `None` if it was
    /// interrupted.
    pub fn begin(
        resolved: &'a Resolved,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(),
    ) -> Option<Self> {
        let counts = vec![Vec::new(); resolved.points.len()];
        let mut all = Counts { resolved, known: HashMap::new(), counts };
        let counted = (0..resolved.points.len())
            .all(|set| all.count(set, 0..resolved.points[set].rounds.runs(), interrupted, &mut progress));
        counted.then_some(all)
    }

    /// Counts the patterns of these repetitions that are not counted yet; `false` if it was interrupted.
    pub fn count(
        &mut self,
        set: usize,
        repetitions: Range<usize>,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(),
    ) -> bool {
        let Counts { resolved, known, counts } = self;
        let point = &resolved.points[set];
        let text = resolved.text_of(set).bytes.as_slice();
        let of_set = &mut counts[set];
        of_set.resize(of_set.len().max(repetitions.end), UNKNOWN);
        for repetition in repetitions.filter(|repetition| of_set[*repetition] == UNKNOWN).collect::<Vec<_>>()
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
            of_set[repetition] = point.searched().map(&mut in_text).sum();
        }
        true
    }

    /// How often the pattern of a repetition occurs in one of the texts, if that was counted.
    pub(crate) fn in_text(&self, set: usize, repetition: usize, text: usize) -> Option<u64> {
        let resolved = self.resolved;
        let pattern = || resolved.points[set].set.pattern(&resolved.text_of(set).bytes, repetition);
        self.of(set, repetition).and_then(|_| self.known.get(&(text, pattern())).copied())
    }

    /// How often all searches of a repetition find its pattern, if that was counted.
    pub fn of(&self, set: usize, repetition: usize) -> Option<u64> {
        self.counts[set].get(repetition).copied().filter(|count| *count != UNKNOWN)
    }
}

/// Number of occurrences of the pattern in the text, overlapping ones included.
///
/// Occurrences are found by `memchr`'s two-way search. Where they are so dense that starting it anew for each would be
/// slow, the rest is counted by the border method of Morris and Pratt, in linear time.
pub fn count(pattern: &[u8], text: &[u8]) -> u64 {
    let finder = memmem::Finder::new(pattern);
    let (mut start, mut found) = (0, 0u64);
    while let Some(offset) = finder.find(&text[start..]) {
        found += 1;
        start += offset + 1;
        if found >= 64 && found as usize * pattern.len().max(64) > start {
            return found + count_by_borders(pattern, &text[start..]);
        }
    }
    found
}

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
    fn every_pattern_of_every_set_is_counted_and_an_interrupted_count_is_none() {
        let mut resolved = assay_experiment::testing::example(1, 2);
        resolved.texts[0].bytes = b"ababab".to_vec();
        let mut told = 0;
        let begun = |going: bool, told: &mut i32| {
            Counts::begin(&resolved, &AtomicBool::new(!going), || *told += 1).map(|counts| counts.counts)
        };
        // "ab" three times, "aba" twice, overlapping; both repetitions have the pattern at the beginning.
        assert_eq!((begun(true, &mut told), told), (Some(vec![vec![3, 3], vec![2, 2]]), 4));
        assert_eq!(begun(false, &mut told), None);
    }

    #[test]
    fn what_goes_on_is_counted_as_it_comes() {
        let mut resolved = assay_experiment::testing::example(1, 6).in_rounds(2, 1);
        resolved.texts[0].bytes = b"ababab".to_vec();
        let going = AtomicBool::new(false);
        let mut counts = Counts::begin(&resolved, &going, || {}).unwrap();
        let mut told = 0;
        assert!(counts.count(0, 4..6, &going, || told += 1));
        let known: Vec<Option<u64>> = (0..7).map(|repetition| counts.of(0, repetition)).collect();
        assert_eq!((known, told), (vec![Some(3), Some(3), None, None, Some(3), Some(3), None], 2));
        assert_eq!((counts.of(1, 1), counts.of(1, 4)), (Some(2), None));
    }
}
