//! Forward Nondeterministic DAWG Matching, also with q-grams.

use assay_plugin_api::prelude::*;

use super::fast::Fast;

/// Reads `Q` characters at once.
#[derive(Default)]
pub(crate) struct Forward<const Q: usize>(Fast<Q>);

impl<const Q: usize> Forward<Q> {
    /// The q-gram that a window begins with lies in it.
    pub const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.prepare(pattern, probe);
    }

    #[inline(always)]
    pub fn search<P: Probe>(&self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (width, ends, mask) = (self.0.width, self.0.ends(), self.0.mask.view(probe));
        let (m, n) = (pattern.len(), text.len());
        assert!((Q..=m).contains(&width) && m <= n, "prepared for another pattern");
        // Where the prefix of the last window ends.
        let end = n - m + width;
        // Of short prefixes most are chance: the longer the window, the less it costs to begin anew with so
        // many characters of it.
        let chance = (width / 8).max(1).min(Q - 1);
        // All bits of prefixes; a 1 means that this prefix does not end here.
        let whole = u64::MAX >> (64 - width);
        let alive = whole & u64::MAX << chance;
        // Where the q-gram ends that is read next: that with which the first window ends which may hold an
        // occurrence.
        let mut i = width;
        let shift = width - chance;
        let fresh = |i: usize| {
            probe.writes(1);
            probe.jump();
            // Any characters may precede the q-gram, but no prefix ended there. SAFETY: a q-gram's last
            // character is before `end`, and Q characters at least are before `i`.
            unsafe { Fast::<Q>::step(0, mask, text, i - Q, probe) | !whole }
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
        let settled = |state: u64| state & (alive | ends) == alive | ends;
        probe.writes(1);
        while probe.branch(i <= end) {
            let mut state = fresh(i);
            // Two windows a round, which needs no test between them. It is not worth it where single
            // characters settle a window.
            while Q > 1 && settled(state) && i + 2 * shift <= end {
                i = skipped(i);
                state = fresh(i);
                if !settled(state) {
                    break;
                }
                i = skipped(i);
                state = fresh(i);
            }
            while probe.branch(state & alive != alive) {
                if probe.branch(state & ends != ends) {
                    self.0.verify(state, i, pattern, text, found, probe);
                }
                if probe.branch(i + Q > end) {
                    return self.finish(state, i, pattern, text, found, probe);
                }
                // SAFETY: the condition.
                state = unsafe { Fast::<Q>::step(state, mask, text, i, probe) };
                i += Q;
                probe.writes(2);
                probe.jump();
            }
            if probe.branch(state & ends != ends) {
                self.0.verify(state, i, pattern, text, found, probe);
            }
            i += shift;
            probe.writes(1);
        }
    }

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
        let (mask, end) = (self.0.mask.view(probe), text.len() - pattern.len() + self.0.width);
        let last = 1 << (self.0.width - 1);
        while probe.branch(i < end) {
            state = state << 1 | mask.at(text.at(i));
            i += 1;
            probe.computes(1);
            probe.writes(2);
            probe.jump();
            if probe.branch(state & last == 0) && pattern.occurs(text, i - self.0.width, 0..pattern.len()) {
                found.at(i - self.0.width);
            }
        }
    }
}
