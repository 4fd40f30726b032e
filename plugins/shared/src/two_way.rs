//! Two Way from any window on: what a search goes on with where its filter gains nothing.

use assay_plugin_api::prelude::*;

use crate::factorisation::{Factorisation, compare};

/// The pattern's critical factorisation, and the set of its characters.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoWay {
    parts: Factorisation,
    /// A bit for each of the pattern's characters, by the lowest six of theirs.
    set: u64,
}

impl TwoWay {
    /// Those of a pattern.
    pub fn new(pattern: &[u8]) -> Self {
        let set = pattern.iter().fold(0, |set, byte| set | 1 << (byte % 64));
        TwoWay { parts: Factorisation::new(pattern), set }
    }

    /// Finds all occurrences from the window at `s` on. With `SET`, the window moves by the pattern's length
    /// if its last character is not in the set; one computation is one look at the set.
    pub fn search<const SET: bool, P: Probe>(
        &self,
        s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        // Two loops, because most patterns have no period, and need no memory then.
        if probe.branch(self.parts.periodic) {
            self.windows::<SET, true, P>(s, pattern, text, found, probe);
        } else {
            self.windows::<SET, false, P>(s, pattern, text, found, probe);
        }
    }

    #[inline(always)]
    fn windows<const SET: bool, const PERIODIC: bool, P: Probe>(
        &self,
        mut s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        // In a local, because the loop would read it again through the reference in each round.
        let searcher = *self;
        let (m, n) = (pattern.len(), text.len());
        assert!(searcher.fits(m) && m <= n, "prepared for another pattern");
        // The window's first `memory` characters are known to match: none of a pattern without a period.
        let mut memory = 0;
        let moves = || probe.writes(if PERIODIC { 2 } else { 1 });
        moves();
        while probe.branch(s <= n - m) {
            // SAFETY: it fits, and s <= n - m.
            s += unsafe {
                searcher.compare::<SET, PERIODIC, P>(s, &mut memory, (pattern, text), found, probe)
            };
            moves();
            probe.jump();
        }
    }

    /// Whether the pattern is periodic around its cut, so that a window may leave a memory to the next.
    pub fn is_periodic(&self) -> bool {
        self.parts.periodic
    }

    /// Whether it may be that of a pattern of `m` bytes: what unchecked reads rest on.
    pub fn fits(&self, m: usize) -> bool {
        self.parts.fits(m)
    }

    /// Compares the window at `s` as [`compare`](compare()) does, and answers the same; with `SET`, only
    /// if its last character is in the set. `PERIODIC` says whether the pattern is.
    ///
    /// # Safety
    /// It [`fits`](Self::fits) the pattern, and the window lies within the text.
    #[inline(always)]
    pub unsafe fn compare<const SET: bool, const PERIODIC: bool, P: Probe>(
        &self,
        s: usize,
        memory: &mut usize,
        (pattern, text): (Pattern<P>, Text<P>),
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        if SET {
            let m = pattern.len();
            probe.computes(1);
            // SAFETY: the caller's promise.
            let last = unsafe { text.at_unchecked(s + m - 1) };
            if probe.branch(self.set >> (last % 64) & 1 == 0) {
                *memory = 0;
                return m;
            }
        }
        let parts = Factorisation { periodic: PERIODIC, ..self.parts };
        // SAFETY: the same.
        unsafe { compare(&parts, s, memory, (pattern, text), found, probe) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::Checked;

    fn found_from<const SET: bool>(s: usize, pattern: &[u8], text: &[u8]) -> Vec<usize> {
        struct Kept(Vec<usize>);
        impl Found for Kept {
            fn at(&mut self, position: usize) {
                self.0.push(position);
            }
        }
        let mut kept = Kept(Vec::new());
        let (view, haystack) = (Pattern::new(pattern, Checked), Text::new(text, Checked));
        TwoWay::new(pattern).search::<SET, Checked>(s, view, haystack, &mut kept, Checked);
        kept.0
    }

    #[test]
    fn occurrences_before_the_first_window_are_left_out() {
        let text = b"abababxabaababab";
        for pattern in [&b"abab"[..], b"ab", b"aba", b"bxa", b"b"] {
            for s in 0..=text.len() - pattern.len() {
                let occurs = |s: &usize| text[*s..].starts_with(pattern);
                let expected: Vec<usize> = (s..=text.len() - pattern.len()).filter(occurs).collect();
                assert_eq!(found_from::<true>(s, pattern, text), expected);
                assert_eq!(found_from::<false>(s, pattern, text), expected);
            }
        }
    }

    #[test]
    fn a_window_after_the_last_one_is_none() {
        assert!(found_from::<true>(3, b"ab", b"abab").is_empty());
    }
}
