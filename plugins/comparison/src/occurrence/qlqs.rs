//! Quantum Leap Quick Search (`qlqs`).
//!
//! Pays where Quick Search does, and a character half a pattern after the window often rules out what its
//! shift leaves.
//! Departures: a leap is at least m + 1, which patterns of one byte need. Where the character that allows it
//! does not lie in the text, shifts are those of Quick Search; the last window is compared apart. It is not
//! looked at where the shift is too short for a leap whatever it is.
//! Timed: for patterns of up to 32 characters, the one that allows a leap is always read, and a conditional
//! move chooses between leap and shift; the first eight characters of a window are compared at once. The
//! processor cannot predict the branches that this avoids.

use std::hint::select_unpredictable;

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};
use crate::shifts::fill_shifts;

/// The searcher: for each byte, how far the window moves to have it.
#[derive(Default)]
pub struct QuantumLeap {
    /// Shift to the right if the byte follows the window.
    right: ByteTable<u32>,
    /// Shift to the left if the byte precedes the window.
    left: ByteTable<u32>,
}

impl Algorithm for QuantumLeap {
    const ABOUT: About = About {
        id: "qlqs",
        name: "Quantum Leap Quick Search",
        reference: Reference {
            authors: &["B. W. Watson", "D. G. Kourie", "L. Cleophas"],
            title: "Quantum Leap Pattern Matching: A New High Performance Quick Search-Style Algorithm",
            booktitle: "PSC 2015",
            pages: "104-117",
            year: 2015,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's leap; where its character does not lie in the text, the shift is that of Quick \
                Search.",
        ),
        after: &["qs"],
        idea: "Quick Search that leaps 1.5 m if the character before the window there excludes all windows \
            between, which its shift leaves.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): 2n/3m windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.right, pattern);
        self.left.fill(pattern.len() as u32 + 1);
        for (i, &byte) in pattern.iter().enumerate().rev() {
            self.left[byte as usize] = i as u32 + 1;
        }
        probe.table(&self.right);
        probe.table(&self.left);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        // Of short patterns, it is hard to predict whether they leap.
        if pattern.len() <= 32 {
            self.scan::<false, P>(pattern, text, found, probe);
        } else {
            self.scan::<true, P>(pattern, text, found, probe);
        }
    }
}

impl QuantumLeap {
    /// The search, in which a branch chooses between leap and shift, or none.
    #[inline(always)]
    fn scan<const BRANCHES: bool, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        let (right, left) = (self.right.view(probe), self.left.view(probe));
        let leap = m + (m / 2).max(1);
        let opening = Opening::new(pattern, text);
        let mut compare = |s| {
            // SAFETY: called only for windows that end before n.
            unsafe { opening.report(s, 0..m, found) };
        };
        // The place after the window.
        let mut after = m;
        probe.writes(1);
        while probe.branch(after + leap <= n + m) {
            compare(after - m);
            let shift = right.at(text.at(after)) as usize;
            // No window is left that has the character after this one and the one before the leap's, if the
            // shifts to them pass each other; they can't where this one is short.
            let leaps = || shift > leap - left.at(text.at(after - m + leap - 1)) as usize;
            after = if BRANCHES || P::COUNTS {
                let short = probe.branch(shift + m < leap);
                after + if !short && probe.branch(leaps()) { leap } else { shift }
            } else {
                select_unpredictable(leaps(), after + leap, after + shift)
            };
            probe.writes(1);
            probe.jump();
        }
        while probe.branch(after < n) {
            compare(after - m);
            after += right.at(text.at(after)) as usize;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(after == n) {
            compare(n - m);
        }
    }
}

register!(algorithm QuantumLeap);
