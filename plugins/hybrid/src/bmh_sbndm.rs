//! Horspool with BNDM test (`bmh-sbndm`).
//!
//! Pays where the last character is rare, as Horspool does, and reads less of a window that has it.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::{
    papers,
    word::{self, prefix_occurs, rest_occurs},
};

use crate::backward::Backward;

/// The searcher: the factors of the pattern, and Horspool's shifts.
#[derive(Default)]
pub struct HorspoolSbndm(Backward);

impl Algorithm for HorspoolSbndm {
    const ABOUT: About = About {
        id: "bmh-sbndm",
        name: "Horspool with BNDM test",
        reference: papers::FAST_VARIANTS,
        status: Status::FromPaper(
            "The paper's search; of patterns longer than a word, the first 64 bytes are searched for and the \
                rest is verified.",
        ),
        after: &["hor", "sbndm"],
        idea: "Horspool's shifts until the last character matches, then SBNDM reads the window and decides \
            the shift.",
        preparation_time: "O(m+s)",
        space: "O(s): 3 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)) for m <= 64",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, shift) = (pattern.len(), text.len(), self.0.width, self.0.shift.view(probe));
        let mask = self.0.mask.view(probe);
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        // `end` is the last of the first `width` bytes of the window; at `stop`, no window is left.
        let (mut end, stop) = (width - 1, n + width - m);
        probe.writes(1);
        while probe.branch(end < stop) {
            // SAFETY: the loop's condition, and `width` is m at most.
            let byte = unsafe { text.at_unchecked(end) };
            let step = shift.at(byte) as usize;
            if probe.branch(step > 0) {
                end += step;
                probe.writes(1);
                probe.jump();
                continue;
            }
            // SAFETY: the same.
            let (occurs, step) = unsafe { self.0.scan(text, end, mask.at(byte), probe) };
            let s = end + 1 - width;
            if prefix_occurs(occurs, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            end += step;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm HorspoolSbndm);
