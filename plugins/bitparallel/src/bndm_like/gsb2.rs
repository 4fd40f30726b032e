//! Greedy SBNDM2 (`gsb2`).
//!
//! Pays on patterns of some characters that are searched for in much text: its table is large.
//! Departures: of the paper its abstract was seen, which names a greedy skip loop for SBNDM2, so how that
//! loop goes on is our reading. It looks at the pair before where the window's last one occurs in the
//! pattern, moves on if the four characters do not, and is left where they do. Of a pattern longer than 64
//! bytes the first 64 are searched for, and the rest is verified where they occur. After an occurrence the
//! shift is the period of what the word holds. One computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::paired::{Paired, pair};
use super::simplified::{Simplified, finish_window};
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct GreedySbndm2(Paired<2, 0>);

impl Algorithm for GreedySbndm2 {
    const ABOUT: About = About {
        id: "gsb2",
        name: "Greedy SBNDM2 with 2-byte reads",
        reference: papers::LOOKAHEAD,
        status: Status::FromAbstract(
            "The abstract was seen and the paper was not; what the fast loop does with the pair before the \
                last one is our reading.",
        ),
        after: &["sbndm2"],
        idea: "SBNDM2 whose fast loop reads another pair before it is left, and goes on in the next window.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 514 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<2, 0>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let Paired { single, pairs } = &self.0;
        let (m, n, width, pairs) = (pattern.len(), text.len(), single.width, pairs.view(probe));
        assert!((2..=m).contains(&width) && m <= n, "prepared for another pattern");
        if width < 4 {
            return self.0.search(pattern, text, found, probe);
        }
        let (mask, last) = (single.mask.view(probe), n - m);
        let prefix = (width, single.period);
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= last) {
            // SAFETY: a window that is not after the last one, and its prefix has four characters.
            let mut state = unsafe { pair(pairs, text, s + width - 2) };
            probe.computes(1);
            probe.writes(1);
            if probe.branch(state == 0) {
                s += width - 1;
                probe.writes(1);
                probe.jump();
                continue;
            }
            // SAFETY: the same.
            state = state << 2 & unsafe { pair(pairs, text, s + width - 4) };
            probe.computes(1);
            probe.writes(1);
            if probe.branch(state == 0) {
                s += width - 3;
                probe.writes(1);
                probe.jump();
                continue;
            }
            let begin = width - 4;
            // SAFETY: the same.
            s += unsafe { finish_window((s, begin), state, prefix, mask, (pattern, text), found, probe) };
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm GreedySbndm2);
