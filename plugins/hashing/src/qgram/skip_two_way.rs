//! Two-Way that first shifts by where the window's last byte occurs in the pattern.

use assay_plugin_api::prelude::*;
use assay_shared::factorisation::{Factorisation, compare};
use assay_shared::shifts::fill_distances;

/// The shifts, and where the pattern is cut.
#[derive(Default)]
pub(super) struct SkipTwoWay {
    /// For each byte, the distance from its last occurrence in the pattern to the end.
    shift: ByteTable<u32>,
    parts: Factorisation,
}

impl SkipTwoWay {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_distances(&mut self.shift, pattern);
        probe.table(&self.shift);
        self.parts = Factorisation::new(pattern);
    }

    pub fn search<P: Probe>(&self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(self.parts.fits(m), "prepared for another pattern");
        // The first `known` characters of the window are known to match.
        let (mut s, mut known) = (0, 0);
        probe.writes(2);
        let last = |s: usize| shift.at(text.at(s + m - 1)) as usize;
        'windows: while probe.branch(s + m <= n) {
            let mut skip = last(s);
            if probe.branch(skip > 0) {
                // A window that begins in what is known would have the last byte where, a period before, the
                // right one is.
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
            // SAFETY: the window ends at n at most.
            s += unsafe { compare(&self.parts, s, &mut known, (pattern, text), found, probe) };
            probe.writes(2);
            probe.jump();
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Checked, testing::search};

    use crate::qgram::glibc_h2::GlibcH2;

    /// Patterns that are long enough, periodic ones among them, in texts that nearly hold them.
    #[test]
    fn long_patterns_are_found_wherever_they_are() {
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
