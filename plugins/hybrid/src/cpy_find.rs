//! CPython fastsearch and adaptive find (`cpy-find`).
//!
//! Pays as what Python's programs search with: little is prepared for short texts, and long searches are
//! linear.
//! Departures: overlapping occurrences are reported, so a window shifts after an occurrence as after a
//! mismatch. What both searches need is prepared before the text is known, and no character after the text is
//! read. The memory of a periodic pattern ends with a mismatch in the left part. Patterns of one character
//! have no search of their own. One computation = one look at the mask.

use assay_plugin_api::prelude::*;
use assay_shared::factorisation::Factorisation;

/// The searcher: what Horspool's search with a mask needs, and what Two Way with its small table needs.
#[derive(Default)]
pub struct AdaptiveFind {
    /// A bit for each character of the pattern, of its lowest six bits.
    mask: u64,
    /// The distance between the last character and the one before that is equal; the pattern's length where
    /// none is.
    gap: usize,
    parts: Factorisation,
    /// As the gap, of characters that share an entry.
    entry_gap: usize,
    /// For the lowest six bits of a character, the distance from its last occurrence to the pattern's end, or
    /// the greatest.
    shift: Table<u8>,
}

/// Which entry and which bit a character has.
#[inline(always)]
fn entry(byte: u8) -> usize {
    usize::from(byte % 64)
}

/// Least length of the remaining text for which Two Way is prepared, because a shorter rest does not repay
/// the preparation. The value is CPython's.
const WORTH: usize = 2000;

impl Algorithm for AdaptiveFind {
    const ABOUT: About = About {
        id: "cpy-find",
        name: "CPython fastsearch and adaptive find",
        reference: Reference {
            authors: &["F. Lundh", "D. Sweeney"],
            title: "Objects/stringlib/fastsearch.h",
            howpublished: "CPython, 2006, 2021",
            year: 2006,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Written from CPython's program; overlapping occurrences are reported, and both searches are \
                prepared before the text is known.",
        ),
        after: &["hor", "bm", "tw"],
        idea: "Horspool with a mask of the pattern's characters; Two Way with a small table if that compares \
            too much.",
        preparation_time: "O(m)",
        space: "O(1): 64 bytes",
        worst_case: "O(n)",
        average_case: "O(n/m)",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let (&last, before) = pattern.split_last().expect("a pattern");
        let m = pattern.len();
        let gap =
            |same: &dyn Fn(u8) -> bool| before.iter().rev().position(|&byte| same(byte)).map_or(m, |i| i + 1);
        self.mask = pattern.iter().fold(0, |mask, &byte| mask | 1 << entry(byte));
        self.gap = gap(&|byte| byte == last);
        self.entry_gap = gap(&|byte| entry(byte) == entry(last));
        self.parts = Factorisation::new(pattern);
        if !self.parts.periodic {
            self.parts.period = self.parts.period.max(self.entry_gap);
        }
        let greatest = u8::try_from(m).unwrap_or(u8::MAX);
        self.shift.reset(64, greatest);
        for (distance, &byte) in (0..greatest).zip(pattern.iter().rev()).rev() {
            self.shift[entry(byte)] = distance;
        }
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (short, far) = (n < 2500 || (m < 100 && n < 30_000) || m < 6, m / 4 * 3 < n / 4);
        let mut s = 0;
        probe.writes(1);
        if probe.branch(short) {
            s = self.horspool::<false, P>(pattern, text, found, probe);
        } else if !probe.branch(far) {
            s = self.horspool::<true, P>(pattern, text, found, probe);
        }
        if probe.branch(s + m <= n) {
            if probe.branch(self.parts.periodic) {
                self.two_way::<true, P>(s, pattern, text, found, probe);
            } else {
                self.two_way::<false, P>(s, pattern, text, found, probe);
            }
        }
    }
}

impl AdaptiveFind {
    /// Horspool's search, with a shift by the next character if it does not occur in the pattern. One that is
    /// `ADAPTIVE` ends where it has compared too much. Answers which window is the next.
    #[inline(always)]
    fn horspool<const ADAPTIVE: bool, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let (m, n, mask, gap) = (pattern.len(), text.len(), self.mask, self.gap);
        let last = pattern.kept(m - 1);
        let (mut end, mut compared) = (m - 1, 0);
        probe.writes(if ADAPTIVE { 2 } else { 1 });
        while probe.branch(end < n) {
            let mut shift = 1;
            // SAFETY: the loop's condition.
            if probe.branch(last.equals(unsafe { text.at_unchecked(end) })) {
                let s = end + 1 - m;
                let mut i = 0;
                probe.writes(1);
                // SAFETY: i < m - 1, and the window ends at end < n.
                let alike = |i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
                while probe.branch(i + 1 < m && alike(i)) {
                    i += 1;
                    probe.writes(1);
                }
                if probe.verify(i + 1 >= m) {
                    found.at(s);
                } else if ADAPTIVE {
                    compared += i + 1;
                    probe.writes(1);
                    if probe.branch(compared > m / 4 && n - 1 - end > WORTH) {
                        return s;
                    }
                }
                shift = gap;
            }
            if !probe.branch(end + 1 < n) {
                break;
            }
            // SAFETY: the condition.
            let next = unsafe { text.at_unchecked(end + 1) };
            probe.computes(1);
            if probe.branch(mask >> entry(next) & 1 == 0) {
                shift = m + 1;
            }
            end += shift;
            probe.writes(1);
            probe.jump();
        }
        n
    }

    /// Two Way from the window at `s` on, which is in the text, with a shift by the window's last character.
    #[inline(always)]
    fn two_way<const PERIODIC: bool, P: Probe>(
        &self,
        s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (Factorisation { cut, period, .. }, gap) = (self.parts, self.entry_gap);
        let (m, n, shifts) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(self.parts.fits(m) && m <= n, "prepared for another pattern");
        // SAFETY: windows end at end < n, none before m - 1, and characters are compared at i < m.
        let alike =
            |end: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(end - (m - 1) + i) };
        // The window's first `memory` characters are known to match: none of a pattern without a period.
        let (mut end, mut memory) = (s + m - 1, 0);
        let moves = || probe.writes(if PERIODIC { 2 } else { 1 });
        moves();
        while probe.branch(end < n) {
            // SAFETY: the condition.
            let shift = usize::from(shifts.at(entry(unsafe { text.at_unchecked(end) })));
            if probe.branch(shift > 0) {
                // With a memory, no window is an occurrence before the one after what is known of the right
                // part.
                let least = if PERIODIC && memory > 0 { cut.max(memory) - cut + 1 } else { 0 };
                end += shift.max(least);
                memory = 0;
                moves();
                probe.jump();
                continue;
            }
            let mut i = if PERIODIC { cut.max(memory) } else { cut };
            probe.writes(1);
            while probe.branch(i < m && alike(end, i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.branch(i < m) {
                end += (i - cut + 1).max(gap);
                memory = 0;
            } else {
                let mut j = if PERIODIC { memory.min(cut) } else { 0 };
                probe.writes(1);
                while probe.branch(j < cut && alike(end, j)) {
                    j += 1;
                    probe.writes(1);
                }
                if probe.verify(j >= cut) {
                    found.at(end + 1 - m);
                }
                end += period;
                if PERIODIC {
                    memory = m - period;
                }
            }
            moves();
            probe.jump();
        }
    }
}

register!(algorithm AdaptiveFind);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Checked, testing::search};

    /// Texts that are long enough for each of the ways, with patterns that nearly occur.
    #[test]
    fn long_texts_are_searched_by_both_and_from_one_to_the_other() {
        for unit in [&b"a"[..], b"ab", b"aab", b"abcabcabd"] {
            for (m, n) in [(7, 31_000), (120, 3000), (700, 3000), (1500, 4000), (900, 30_001)] {
                for broken in [m, m - 1, m / 2, 0] {
                    let mut pattern: Vec<u8> = unit.iter().copied().cycle().take(m).collect();
                    let mut text: Vec<u8> = unit.iter().copied().cycle().take(n - m).collect();
                    if broken < m {
                        pattern[broken] = b'c';
                    }
                    text[n / 3] = b'x';
                    text.extend_from_slice(&pattern);
                    let expected: Vec<_> = (0..=n - m).filter(|&s| text[s..].starts_with(&pattern)).collect();
                    let positions = search::<AdaptiveFind, Checked>(&pattern, &text);
                    assert_eq!(positions, Ok(expected), "{m} in {n}, broken at {broken}");
                }
            }
        }
    }
}
