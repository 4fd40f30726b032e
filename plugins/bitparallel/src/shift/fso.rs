//! Fast Shift-Or (`fso2`, `fso4`, `fso8`).
//!
//! Pays where Shift-Or does, as long as the pattern is rare: its state is tested once for u characters.
//! Departures: of a pattern longer than 65 - u bytes the first are searched for; each window that may hold an
//! occurrence is compared as a whole. The last windows, which end in fewer than u characters, are compared
//! apart. One computation = one step of the state, or one window that is worked out.

use assay_plugin_api::prelude::*;
use assay_shared::naive::one_by_one;
use assay_shared::papers;

use super::fast::Fast;

/// The searcher.
#[derive(Default)]
pub struct FastShiftOr<const U: usize>(Fast<U>);

impl<const U: usize> Algorithm for FastShiftOr<U> {
    const ABOUT: About = About {
        id: "fso",
        name: "Fast Shift-Or",
        reference: papers::PRACTICAL_AND_OPTIMAL,
        status: Status::Reconstructed(
            "The paper was not seen; that the bits above the pattern keep what ended before is our reading \
                of its idea.",
        ),
        after: &["so"],
        idea: "Shift-Or with one test of the state for u characters: bits above the pattern keep what ended \
            before.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n), as long as few windows are verified",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (n, width, ends) = (text.len(), self.0.width, self.0.ends());
        let mask = self.0.mask.view(probe);
        // Nothing has been read: of what ends in the first characters, most began before the text.
        let (mut state, mut i) = (!0, 0);
        probe.writes(2);
        while probe.branch(i + U <= n) {
            // SAFETY: the condition.
            state = unsafe { Fast::<U>::step(state, mask, text, i, probe) };
            i += U;
            probe.writes(2);
            probe.jump();
            if probe.branch(state & ends != ends) {
                self.0.verify(state, i, pattern, text, found, probe);
            }
        }
        // Windows whose prefix ends in characters that no round has read.
        one_by_one((i + 1).saturating_sub(width), pattern, text, found, probe);
    }
}

register!(algorithm FastShiftOr, u: [2, 4, 8]);
