//! Quick Search with a guard test (`gqs2`, `gqs4`, `gqs8`).
//!
//! Pays where Quick Search compares many characters before one differs: on small alphabets and natural
//! language.
//! Departures: the q-gram of the guard test is the first one of the window; the characters after it are
//! compared from left to right. The last window has no character after it, so it is compared apart. We have
//! seen only the abstract of the paper.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::shifts::fill_shifts;

/// The searcher for a guard test of `Q` characters.
#[derive(Default)]
pub struct GuardedQuickSearch<const Q: usize> {
    /// For each byte, the distance from its last occurrence in the pattern to the character after the window.
    shift: ByteTable<u32>,
}

impl<const Q: usize> Algorithm for GuardedQuickSearch<Q> {
    const ABOUT: About = About {
        id: "gqs",
        name: "Quick Search with a guard test",
        reference: papers::EXTENDED_GUARD,
        status: Status::Reconstructed(
            "The abstract was seen, which does not say whether Quick Search may have the guard, nor which \
                q-gram it is; both are our choice.",
        ),
        after: &["qs"],
        idea: "Quick Search that compares the window's first q characters at once, and the others only where \
            these match.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): as many windows as Quick Search",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    /// Windows that passed the guard test.
    const EXTRA: &'static [&'static str] = &["#guard"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        fill_shifts(&mut self.shift, pattern);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(Q <= m && m <= n, "a text shorter than the pattern, or a pattern than a q-gram");
        // The pattern's first `Q` characters.
        let guard = pattern.kept_gram::<Q>(0);
        let mut compare = |s: usize| {
            // SAFETY: windows begin at s <= n - m, and have Q characters at least.
            if probe.branch(guard.equals(unsafe { text.gram_unchecked::<Q>(s) })) {
                probe.extra(0, || 1);
                if pattern.occurs(text, s, Q..m) {
                    found.at(s);
                }
            }
        };
        // The place after the window.
        let mut after = m;
        probe.writes(1);
        while probe.branch(after < n) {
            compare(after - m);
            after += shift.at(text.at(after)) as usize;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(after == n) {
            compare(n - m);
        }
    }
}

register!(algorithm GuardedQuickSearch, q: [2, 4, 8]);
