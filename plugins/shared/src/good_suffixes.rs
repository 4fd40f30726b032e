//! How far a window moves by the suffix of the pattern that has matched: what searches from right to left
//! share.

use assay_plugin_api::prelude::*;

/// The strong rule: the suffix comes again after *another* character.
#[derive(Default)]
pub struct GoodSuffixes {
    /// For each suffix, by where it begins: the shift after it has matched and the character before it has
    /// not. That of the whole pattern is its period.
    pub shift: Table<u32>,
    /// For each suffix, where its longest border begins; used by the preparation alone.
    border: Vec<usize>,
}

impl GoodSuffixes {
    /// Prepares for a pattern.
    pub fn prepare(&mut self, pattern: &[u8]) {
        let (m, shift, border) = (pattern.len(), &mut self.shift, &mut self.border);
        shift.reset(m + 1, 0);
        border.clear();
        border.resize(m + 1, m + 1);
        // The suffix at `j` comes again at `i`, after another character: the nearest such `i` gives its
        // shift.
        let mut j = m + 1;
        for i in (1..=m).rev() {
            while j <= m && pattern[i - 1] != pattern[j - 1] {
                if shift[j] == 0 {
                    shift[j] = (j - i) as u32;
                }
                j = border[j];
            }
            j -= 1;
            border[i - 1] = j;
        }
        // Where it does not, the longest border of the pattern that fits into the suffix does.
        let mut period = border[0];
        for i in 0..=m {
            if shift[i] == 0 {
                shift[i] = period as u32;
            }
            if i == period {
                period = border[period];
            }
        }
    }
}

/// Fills in, for each place of the pattern, how many characters that end there are a suffix of the pattern
/// too.
pub fn suffix_lengths(pattern: &[u8], lengths: &mut Table<u32>) {
    let m = pattern.len();
    lengths.reset(m, m as u32);
    // Of the suffixes that were found again, the one that begins furthest left; it ends at `end`.
    let (mut begin, mut end) = (m, m - 1);
    for i in (0..m - 1).rev() {
        let mirrored = (i + m - 1).checked_sub(end).map_or(0, |place| lengths[place] as usize);
        if i >= begin && mirrored < i + 1 - begin {
            lengths[i] = mirrored as u32;
            continue;
        }
        (begin, end) = (begin.min(i + 1), i);
        while begin > 0 && pattern[begin - 1] == pattern[begin + m - 2 - end] {
            begin -= 1;
        }
        lengths[i] = (end + 1 - begin) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_found_again_as_long_as_they_are() {
        let mut lengths = Table::default();
        for pattern in [&b"gcagagag"[..], b"abaabaa", b"aaaa", b"abcabcabd", b"aabaaabaaab", b"a"] {
            suffix_lengths(pattern, &mut lengths);
            let ends =
                |i: usize| (0..=i + 1).rev().find(|&length| pattern.ends_with(&pattern[i + 1 - length..=i]));
            let expected: Vec<u32> = (0..pattern.len()).map(|i| ends(i).unwrap() as u32).collect();
            assert_eq!(*lengths, expected, "{}", pattern.escape_ascii());
        }
    }

    #[test]
    fn a_good_suffix_comes_again_after_another_character() {
        let mut good = GoodSuffixes::default();
        good.prepare(b"gcagagag");
        assert_eq!(*good.shift, [7, 7, 7, 7, 2, 7, 4, 7, 1]);
    }
}
