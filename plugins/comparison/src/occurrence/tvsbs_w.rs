//! TVSBS with sliding windows (`tvsbs-w2` to `tvsbs-w8`).
//!
//! Pays where [`tvsbs`](super::tvsbs) does: several windows keep a processor busy that would wait for the
//! shift of one.
//! Departures: once two windows have met, the pairs go on one after the other; where those of a pair are less
//! than two apart, the rest is compared window by window. So any text will do, however short. Shifts are of
//! 16 bits: a longer one is made in several steps.
//! Timed: after the last character of a window the first eight are compared at once, because the processor
//! cannot predict where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::approach::Approach;
use crate::opening::{Opening, SLACK};

/// The searcher with `PAIRS` pairs of windows: the shifts of Berry and Ravindran in both directions.
#[derive(Default)]
pub struct TvsbsWindows<const PAIRS: usize> {
    shifts: Approach,
}

impl<const PAIRS: usize> Algorithm for TvsbsWindows<PAIRS> {
    const ABOUT: About = About {
        id: "tvsbs-w",
        name: "TVSBS with sliding windows",
        reference: papers::SLIDING_WINDOWS,
        status: Status::FromPaper(
            "The paper's windows around TVSBS; what is left between two windows is searched window by \
                window, which is ours.",
        ),
        after: &["tvsbs"],
        idea: "TVSBS in w windows at once, pairs of which approach each other from the ends of w/2 parts of \
            the text.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 2) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.shifts.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let m = pattern.len();
        let opening = Opening::new(pattern, text);
        // SAFETY: i < m, and the window at `s` lies in the text.
        let alike = |s, i| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        let compare = |s| {
            // The opening contains the first character, too.
            let both = alike(s, m - 1) && (!P::COUNTS || alike(s, 0));
            // SAFETY: the same.
            if probe.branch(both) && unsafe { opening.occurs(s, 1..m - 1) } {
                found.at(s);
            }
        };
        self.shifts.scan::<PAIRS, P>(m, text, compare, probe);
    }
}

register!(algorithm
    TvsbsWindows<1>, id: "tvsbs-w2", name: "TVSBS with 2 sliding windows", parameters: "w=2";
    TvsbsWindows<2>, id: "tvsbs-w4", name: "TVSBS with 4 sliding windows", parameters: "w=4";
    TvsbsWindows<3>, id: "tvsbs-w6", name: "TVSBS with 6 sliding windows", parameters: "w=6";
    TvsbsWindows<4>, id: "tvsbs-w8", name: "TVSBS with 8 sliding windows", parameters: "w=8"
);
