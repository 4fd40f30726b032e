//! Two-Way that first shifts by where the window's last byte occurs in the pattern.

use assay_plugin_api::prelude::*;

/// The shifts, and where the pattern is cut.
#[derive(Default)]
pub(super) struct SkipTwoWay {
    /// For each byte, the distance from its last occurrence in the pattern to the end.
    shift: ByteTable<u32>,
    /// Where the right part begins.
    cut: usize,
    /// The pattern's period, or, where that is long, a shift that no occurrence is passed by.
    period: usize,
    /// Whether that is its period: then a window may begin with what is known to match.
    periodic: bool,
}

impl SkipTwoWay {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        self.shift.fill(m as u32);
        for (distance, &byte) in pattern.iter().rev().enumerate().rev() {
            self.shift[byte as usize] = distance as u32;
        }
        probe.table(&self.shift);
        let (less, greater) =
            (greatest_suffix(pattern, |a, b| a < b), greatest_suffix(pattern, |a, b| a > b));
        let (cut, period) = less.max(greater);
        self.cut = cut;
        self.periodic = cut <= m - period && pattern[..cut] == pattern[period..period + cut];
        self.period = if self.periodic { period } else { cut.max(m - cut) + 1 };
    }

    pub fn search<P: Probe>(&self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let Self { cut, period, periodic, .. } = *self;
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(cut <= m, "the cut of another pattern");
        // So many first characters of the window are known to match.
        let (mut s, mut known) = (0, 0);
        probe.writes(2);
        let last = |s: usize| shift.at(text.at(s + m - 1)) as usize;
        'windows: while probe.branch(s + m <= n) {
            let mut skip = last(s);
            if probe.branch(skip > 0) {
                // A window that begins in what is known would have the last byte where, a period before, the right one is.
                skip = skip.max(known);
                known = 0;
                probe.writes(1);
                loop {
                    s += skip;
                    probe.writes(1);
                    probe.jump();
                    if !probe.branch(s + m <= n) {
                        break 'windows;
                    }
                    skip = last(s);
                    if !probe.branch(skip > 0) {
                        break;
                    }
                }
            }
            let mut i = cut.max(known);
            probe.writes(1);
            // SAFETY: i < m, and the window ends at n at most; so below.
            let alike = |i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
            while probe.branch(i < m && alike(i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.branch(i < m) {
                known = 0;
                s += i + 1 - cut;
            } else {
                let mut left = cut;
                probe.writes(1);
                while probe.branch(left > known && alike(left - 1)) {
                    left -= 1;
                    probe.writes(1);
                }
                if probe.verify(left <= known) {
                    found.at(s);
                }
                known = if periodic { m - period } else { 0 };
                s += period;
            }
            probe.writes(2);
            probe.jump();
        }
    }
}

/// Where the greatest suffix begins in an order of bytes, and its period.
fn greatest_suffix(pattern: &[u8], less: impl Fn(u8, u8) -> bool) -> (usize, usize) {
    let (mut start, mut rival, mut alike, mut period) = (0, 1, 0, 1);
    while let Some(&byte) = pattern.get(rival + alike) {
        let best = pattern[start + alike];
        if byte == best {
            alike += 1;
            if alike == period {
                rival += period;
                alike = 0;
            }
        } else if less(byte, best) {
            rival += alike + 1;
            alike = 0;
            period = rival - start;
        } else {
            start = rival;
            rival += 1;
            alike = 0;
            period = 1;
        }
    }
    (start, period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_cut_where_its_local_period_is_its_period() {
        let prepared = |pattern: &[u8]| {
            let mut searcher = SkipTwoWay::default();
            searcher.prepare(pattern, Off);
            (searcher.cut, searcher.period, searcher.periodic)
        };
        assert_eq!(prepared(b"abaabaab"), (2, 3, true));
        assert_eq!(prepared(b"aaaa"), (0, 1, true));
        assert_eq!(prepared(b"aaab"), (3, 4, false));
    }

    /// Patterns that are long enough, periodic ones among them, in texts that nearly hold them.
    #[test]
    fn long_patterns_are_found_wherever_they_are() {
        use crate::qgram::glibc_h2::GlibcH2;
        use assay_plugin_api::{Checked, testing::search};

        for (round, unit) in
            [&b"a"[..], b"ab", b"aab", b"abaab", b"abcabcabd"].iter().cycle().take(60).enumerate()
        {
            let mut pattern: Vec<u8> = unit.iter().copied().cycle().take(257 + round).collect();
            let mut text = pattern.repeat(6);
            // An even round has the period to the end.
            if round % 2 == 1 {
                pattern[round * 4] = b'c';
            }
            for i in 0..3 {
                text[(i * 467 + round * 31) % 1500] = b'c';
            }
            text.extend_from_slice(&pattern);
            text.extend_from_slice(&pattern[unit.len()..]);
            let occurs = |s: &usize| text[*s..].starts_with(&pattern);
            let expected: Vec<_> = (0..=text.len() - pattern.len()).filter(occurs).collect();
            assert!(!expected.is_empty());
            assert_eq!(search::<GlibcH2, Checked>(&pattern, &text), Ok(expected), "{round}");
        }
    }
}
