//! The reference count, against which every timed search is checked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;

use crate::experiment::Resolved;

/// How often each pattern occurs, by set and repetition; `progress` is told each. Equal patterns are counted once. `None` if
/// it was interrupted.
pub fn count_all(
    resolved: &Resolved,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(),
) -> Option<Vec<Vec<u64>>> {
    let mut known = HashMap::<&[u8], u64>::new();
    let text = resolved.text.bytes.as_slice();
    let mut count_one = |pattern| {
        progress();
        let going_on = !interrupted.load(Ordering::Relaxed);
        going_on.then(|| *known.entry(pattern).or_insert_with(|| count(pattern, text)))
    };
    let runs = 0..resolved.experiment.runs;
    let sets = resolved.sets.iter();
    sets.map(|set| runs.clone().map(|repetition| count_one(set.pattern(text, repetition))).collect())
        .collect()
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
        let mut resolved = crate::experiment::resolved::tests::example(1, 2);
        resolved.text.bytes = b"ababab".to_vec();
        let mut told = 0;
        let counted = count_all(&resolved, &AtomicBool::new(false), || told += 1);
        // "ab" three times, "aba" twice, overlapping; both repetitions have the pattern at the beginning.
        assert_eq!((counted, told), (Some(vec![vec![3, 3], vec![2, 2]]), 4));
        assert_eq!(count_all(&resolved, &AtomicBool::new(true), || {}), None);
    }
}
