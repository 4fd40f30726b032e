//! SBNDM with Horspool shift (`sbndm-bmh`).
//!
//! Pays on large alphabets, where most windows end with a character that does not occur in the pattern.
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
pub struct SbndmHorspool(Backward);

impl Algorithm for SbndmHorspool {
    const ABOUT: About = About {
        id: "sbndm-bmh",
        name: "SBNDM with Horspool shift",
        reference: papers::FAST_VARIANTS,
        status: Status::FromPaper(
            "The paper's search; of patterns longer than a word, the first 64 bytes are searched for and the \
                rest is verified.",
        ),
        after: &["sbndm", "hor"],
        idea: "SBNDM; past a character that does not occur in the pattern, Horspool's shift of the next \
            window is added.",
        preparation_time: "O(m+s)",
        space: "O(s): 3 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
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
        // The last character of the window, as far as a word holds it, and where there is none any more.
        let (mut end, stop) = (width - 1, n + width - m);
        probe.writes(1);
        while probe.branch(end < stop) {
            // SAFETY: the loop's condition, and `width` is m at most.
            let state = mask.at(unsafe { text.at_unchecked(end) });
            if probe.branch(state == 0) {
                end += width;
                probe.writes(1);
                probe.jump();
                if probe.branch(end >= stop) {
                    return;
                }
                // SAFETY: the same of the next window.
                end += shift.at(unsafe { text.at_unchecked(end) }) as usize;
                probe.writes(1);
                continue;
            }
            // SAFETY: the loop's condition.
            let (occurs, step) = unsafe { self.0.scan(text, end, state, probe) };
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

register!(algorithm SbndmHorspool);
