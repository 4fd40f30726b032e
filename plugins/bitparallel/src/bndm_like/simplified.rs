//! BNDM that records no prefixes: the search of SBNDM, of its form with q-grams, of Forward-SBNDM, and of
//! those that read pairs.

use assay_plugin_api::ByteTableView;
use assay_plugin_api::prelude::*;
use assay_shared::naive::one_by_one;

use crate::word::{self, WORD, period, prefix_occurs, rest_occurs};

/// Reads `Q` characters before it looks at the state, `F` of them after the window.
#[derive(Default)]
pub struct Simplified<const Q: usize, const F: usize> {
    /// For each byte, a 1 where it occurs in the pattern's prefix, whose first character has the highest bit;
    /// F ones follow, because any characters may be after the window.
    pub mask: ByteTable<u64>,
    /// Length of the prefix.
    pub width: usize,
    /// Period of the prefix: the shift after it has occurred.
    pub period: usize,
}

impl<const Q: usize, const F: usize> Algorithm for Simplified<Q, F> {
    const ABOUT: About = About {
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    /// The window and what is read after it have Q characters at least.
    const NEEDS: Needs = Needs { min_pattern: if Q > F { Q - F } else { 1 }, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let prefix = &pattern[..pattern.len().min(WORD - F)];
        self.width = prefix.len();
        self.period = period(prefix);
        self.mask.fill((1 << F) - 1);
        for (i, &byte) in prefix.iter().rev().enumerate() {
            self.mask[byte as usize] |= 1 << (F + i);
        }
        probe.table(&self.mask);
    }

    #[inline(always)]
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let mask = self.mask.view(probe);
        // SAFETY: `search_by` asks for Q characters in the text.
        let step = |i: usize, state, k| state & mask.at(unsafe { text.at_unchecked(i + k) }) << k;
        self.search_by(|i| (0..Q).fold(!0, |state, k| step(i, state, k)), pattern, text, found, probe);
    }
}

impl<const Q: usize, const F: usize> Simplified<Q, F> {
    /// The search of SBNDM, with the state that `first` answers after the Q characters from a place on; all
    /// of them lie in the text.
    #[inline(always)]
    pub fn search_by<P: Probe>(
        &self,
        first: impl Fn(usize) -> u64,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        let prefix = (width, self.period);
        assert!((1..=m).contains(&width) && width + F >= Q, "prepared for another pattern");
        // How many characters of a window there are before the q-gram with which its reading begins.
        let before = width + F - Q;
        // Where the q-gram of a window begins, and how far it is where the state is empty after it. A text
        // may be too short for what is read after the window.
        let (mut at, skip) = (before, before + 1);
        let end = (n + 1).saturating_sub(m.max(width + F)) + before;
        probe.writes(1);
        while probe.branch(at < end) {
            let state = Self::pass_empty(&first, &mut at, (skip, end), probe);
            if state == 0 {
                at += skip;
            } else {
                let s = at - before;
                // SAFETY: the window lies in the text: see `end`.
                at +=
                    unsafe { finish_window((s, before), state, prefix, mask, (pattern, text), found, probe) };
            }
            probe.writes(1);
            probe.jump();
        }
        // Windows that have fewer than F characters after them.
        if F > 0 {
            one_by_one(at - before, pattern, text, found, probe);
        }
    }

    /// The fast loop: passes windows whose state is empty after their Q characters, each by `skip`, two a
    /// round, which needs no test between them. Returns the state of the first other window, or that of the
    /// last window that a round reaches before `end`.
    #[inline(always)]
    fn pass_empty<P: Probe>(
        first: impl Fn(usize) -> u64,
        at: &mut usize,
        (skip, end): (usize, usize),
        probe: P,
    ) -> u64 {
        // Counted with the test that decides whether the window is left.
        let read = |at: usize| {
            probe.computes(Q as u64);
            probe.writes(1);
            let state = first(at);
            probe.branch(state != 0);
            state
        };
        // Counted with the test of the search's loop, which the next window passes.
        let pass = |at: &mut usize| {
            *at += skip;
            probe.writes(1);
            probe.jump();
            probe.branch(true);
        };
        let mut state = read(*at);
        while state == 0 && *at + 2 * skip < end {
            pass(at);
            state = read(*at);
            if state != 0 {
                break;
            }
            pass(at);
            state = read(*at);
        }
        state
    }
}

/// Reads the rest of the window at `s` backward, its characters before `i`, from the state after the others,
/// which is not empty. Reports an occurrence. Returns the shift: past the character that was in vain, or by
/// the period. The prefix of the pattern that is searched for has a length and a period.
///
/// # Safety
/// The window lies in the text, and `i` is not more than its length.
#[inline(always)]
pub(crate) unsafe fn finish_window<P: Probe>(
    (s, mut i): (usize, usize),
    mut state: u64,
    (width, period): (usize, usize),
    mask: ByteTableView<u64, P>,
    (pattern, text): (Pattern<P>, Text<P>),
    found: &mut impl Found,
    probe: P,
) -> usize {
    let mut shift = i + 1;
    probe.writes(1);
    // One condition in two parts, so that the processor predicts the shift. As a choice after the loop, it
    // would wait for the state.
    while state != 0 {
        if i == 0 {
            shift = period;
            break;
        }
        probe.branch(true);
        shift = i;
        i -= 1;
        // SAFETY: the caller's promise.
        state = state << 1 & mask.at(unsafe { text.at_unchecked(s + i) });
        probe.computes(1);
        probe.writes(2);
    }
    probe.branch(false);
    let whole = width == pattern.len();
    if prefix_occurs(state != 0, whole, probe) && rest_occurs(pattern, text, s, width, probe) {
        found.at(s);
    }
    shift
}
