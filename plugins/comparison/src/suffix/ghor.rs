//! Horspool with a guard test (`ghor2`, `ghor4`, `ghor8`).
//!
//! Pays where Horspool compares many characters before one differs: on small alphabets and natural language.
//! Departures: the q-gram of the guard test is the last one of the window, because Horspool looks there
//! anyway; the characters before it are compared from left to right. We have seen only the abstract of the
//! paper.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::shifts::fill_shifts;

/// The searcher for a guard test of `Q` characters.
#[derive(Default)]
pub struct GuardedHorspool<const Q: usize> {
    /// For each byte, the distance from its last occurrence in the pattern's first m - 1 bytes to the end.
    shift: ByteTable<u32>,
}

impl<const Q: usize> Algorithm for GuardedHorspool<Q> {
    const ABOUT: About = About {
        id: "ghor",
        name: "Horspool with a guard test",
        reference: papers::EXTENDED_GUARD,
        status: Status::FromAbstract(
            "Of the paper only the abstract was seen; that the guard is the window's last q-gram is our \
                choice.",
        ),
        family: "comparison-occurrence",
        after: &["hor"],
        idea: "Horspool that compares a q-gram of the window at once before any other character.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): as many windows as Horspool",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    /// Windows that passed the guard test.
    const EXTRA: &'static [&'static str] = &["#guard"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        fill_shifts(&mut self.shift, &pattern[..pattern.len() - 1]);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(m >= Q, "a pattern shorter than a q-gram");
        // The pattern's last `Q` characters.
        let guard = pattern.kept_gram::<Q>(m - Q);
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let s = end + 1 - m;
            // SAFETY: the window's last Q characters: m is not less.
            if probe.branch(guard.equals(unsafe { text.gram_unchecked::<Q>(end + 1 - Q) })) {
                probe.extra(0, || 1);
                if pattern.occurs(text, s, 0..m - Q) {
                    found.at(s);
                }
            }
            end += shift.at(text.at(end)) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm GuardedHorspool, q: [2, 4, 8]);
