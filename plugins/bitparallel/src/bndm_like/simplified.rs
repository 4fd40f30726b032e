//! BNDM that records no prefixes: the search of SBNDM, of its form with q-grams, and of Forward-SBNDM.

use assay_plugin_api::prelude::*;

use crate::word::{WORD, prefix_occurs, rest_occurs};

/// Reads `Q` characters before it looks at the state, `F` of them behind the window.
#[derive(Default)]
pub(crate) struct Simplified<const Q: usize, const F: usize> {
    /// For each byte, a 1 where it occurs in the pattern's prefix, whose first character has the highest bit; and F ones behind
    /// that, since anything may stand behind the window.
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
    /// Period of the prefix: the shift after it has occurred.
    period: usize,
}

impl<const Q: usize, const F: usize> Simplified<Q, F> {
    /// The window and what is read behind it have Q characters at least.
    pub const NEEDS: Needs = Needs { min_pattern: if Q > F { Q - F } else { 1 }, ..Needs::NOTHING };

    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = &pattern[..pattern.len().min(WORD - F)];
        self.width = prefix.len();
        let periods = 1..=prefix.len();
        self.period = periods
            .into_iter()
            .find(|&p| prefix[p..] == prefix[..prefix.len() - p])
            .expect("its length is one");
        self.mask.fill((1 << F) - 1);
        for (i, &byte) in prefix.iter().rev().enumerate() {
            self.mask[byte as usize] |= 1 << (F + i);
        }
        probe.table(&self.mask);
    }

    #[inline(always)]
    pub fn search<P: Probe>(&self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!((1..=m).contains(&width) && width + F >= Q, "prepared for another pattern");
        // How many characters there are before the q-gram of a window, with which its reading begins.
        let before = width + F - Q;
        // A text may be too short for what is read behind the window.
        let end = (n + 1).saturating_sub(m.max(width + F));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s < end) {
            let mut i = before;
            // SAFETY: these Q characters end where the window's reading does, at n or before.
            let step = |state, k| state & mask.at(unsafe { text.at_unchecked(s + i + k) }) << k;
            let mut state = (0..Q).fold(!0, step);
            probe.computes(Q as u64);
            probe.writes(2);
            let mut shift = before + 1;
            while probe.branch(state != 0) {
                if probe.branch(i == 0) {
                    shift = self.period;
                    break;
                }
                shift = i;
                i -= 1;
                // SAFETY: it is before those characters.
                state = state << 1 & mask.at(unsafe { text.at_unchecked(s + i) });
                probe.computes(1);
                probe.writes(3);
            }
            if prefix_occurs(state != 0, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            s += shift;
            probe.writes(2);
            probe.jump();
        }
        // Windows that have fewer than F characters behind them.
        if F > 0 {
            while probe.branch(s + m <= n) {
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                s += 1;
                probe.writes(1);
                probe.jump();
            }
        }
    }
}
