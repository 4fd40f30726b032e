//! Forward Nondeterministic DAWG Matching, also with q-grams.

use assay_plugin_api::prelude::*;
use assay_shared::opening::{Opening, SLACK};

use super::fast::Fast;

/// Reads `Q` characters at once. If it is `TUNED`, a sample of the text decides what is read on.
#[derive(Default)]
pub struct Forward<const Q: usize, const TUNED: bool> {
    fast: Fast<Q>,
    /// Prefixes of this length and shorter ones are not read on.
    chance: usize,
    /// Whether the text is read like that of Shift-Or, without a window that is begun anew.
    dense: bool,
}

/// Length of the sample of the text. It mistakes about one text of four letters in a hundred for one of two.
const SAMPLE: usize = 64;

impl<const Q: usize, const TUNED: bool> Algorithm for Forward<Q, TUNED> {
    const ABOUT: About = About {
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    /// The q-gram that a window begins with lies in it.
    const NEEDS: Needs =
        Needs { min_pattern: Q, slack: SLACK, sample: if TUNED { SAMPLE } else { 0 }, ..Needs::NOTHING };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.fast.prepare(pattern, probe);
        if !TUNED {
            return Ok(());
        }
        let (width, sample) = (self.fast.width, hints.sample);
        // How often a prefix of one character ends a q-gram.
        let first = sample.iter().filter(|&&byte| byte == pattern[0]).count();
        // Of short prefixes most are chance: the longer the window, the less it costs to begin anew with so
        // many characters of it. One character costs a short window much of its shift, which is less than a
        // mispredicted branch where it is frequent.
        let frequent = 3 * width * first >= sample.len();
        self.chance = (width / 8).max(usize::from(frequent)).min(Q - 1);
        // Over two letters or so, prefixes are alive after nearly all q-grams of short windows.
        self.dense = width <= 16 && 8 * first > 3 * sample.len();
        Ok(())
    }

    #[inline(always)]
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (width, ends, mask) = (self.fast.width, self.fast.ends(), self.fast.mask.view(probe));
        let (m, n, chance, dense) = (pattern.len(), text.len(), self.chance, self.dense);
        assert!((Q..=m).contains(&width) && m <= n, "prepared for another pattern");
        // Where the prefix of the last window ends.
        let end = n - m + width;
        // All bits of prefixes; a 1 means that this prefix does not end here.
        let whole = u64::MAX >> (64 - width);
        let alive = whole & u64::MAX << chance;
        // What a window must have after its first q-gram to be passed, of the prefixes that end with it. The
        // highest bit is never set.
        let passes = if dense { u64::MAX } else { whole & (alive | ends) };
        // Where the q-gram ends that is read next: that with which the first window ends which may hold an
        // occurrence.
        let mut i = width;
        let shift = width - chance;
        let fresh = |i: usize| {
            probe.writes(1);
            probe.jump();
            // SAFETY: a q-gram's last character is before `end`, and Q characters at least are before `i`.
            unsafe { Fast::<Q>::step(0, mask, text, i - Q, probe) }
        };
        // Passes a window whose q-gram contains no end of an occurrence, and belongs to no prefix that goes
        // on.
        let skipped = |i: usize| {
            probe.branch(false);
            probe.branch(false);
            probe.writes(1);
            probe.branch(true);
            i + shift
        };
        let settled = |state: u64| state & passes == passes;
        let opening = Opening::new(pattern, text);
        let mut verify = |state, i: usize| {
            if Q > 1 {
                self.fast.verify(state, i, pattern, text, found, probe);
                return;
            }
            // SAFETY: i <= end, so that the window lies in the text.
            if unsafe { opening.occurs(i - width, 0..m) } {
                found.at(i - width);
            }
        };
        // Where a round of two windows may begin.
        let round_end = end.saturating_sub(2 * shift);
        probe.writes(1);
        while probe.branch(i <= end) {
            let mut state = fresh(i);
            // Two windows a round, which needs no test between them. It is not worth it where single
            // characters settle a window.
            while Q > 1 && settled(state) && i <= round_end {
                i = skipped(i);
                state = fresh(i);
                if !settled(state) {
                    break;
                }
                i = skipped(i);
                state = fresh(i);
            }
            // Any characters may precede the q-gram, but no prefix ended there.
            state |= !whole;
            while probe.branch(dense || state & alive != alive) {
                if probe.branch(state & ends != ends) {
                    verify(state, i);
                }
                if probe.branch(i + Q > end) {
                    if Q > 1 {
                        self.finish(state, i, pattern, text, found, probe);
                    }
                    return;
                }
                // SAFETY: the condition.
                state = unsafe { Fast::<Q>::step(state, mask, text, i, probe) };
                i += Q;
                probe.writes(2);
                probe.jump();
            }
            // After a single character, none of the prefixes that end is alive.
            if Q > 1 && probe.branch(state & ends != ends) {
                verify(state, i);
            }
            i += shift;
            probe.writes(1);
        }
    }
}

impl<const Q: usize, const TUNED: bool> Forward<Q, TUNED> {
    /// Reads the last characters, fewer than Q.
    #[cold]
    #[inline(never)]
    fn finish<P: Probe>(
        &self,
        mut state: u64,
        mut i: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (mask, end) = (self.fast.mask.view(probe), text.len() - pattern.len() + self.fast.width);
        let last = 1 << (self.fast.width - 1);
        while probe.branch(i < end) {
            state = state << 1 | mask.at(text.at(i));
            i += 1;
            probe.computes(1);
            probe.writes(2);
            probe.jump();
            if probe.branch(state & last == 0) && pattern.occurs(text, i - self.fast.width, 0..pattern.len())
            {
                found.at(i - self.fast.width);
            }
        }
    }
}
