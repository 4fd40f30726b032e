//! Improved Linear DAWG Matching (`ildm1`, `ildm2`).
//!
//! Pays where [`ldm`](super::ldm) does, if prefixes of the pattern are frequent in the text.
//! Departures: none known. Of the paper its abstract was seen: the window shifts by m - R where the longest
//! prefix has R characters, as soon as R is 0 (first variant) or at most m/2 (second), and until then the
//! forward automaton runs. Where the second variant has aligned its window to a prefix, the backward scan
//! reads that again if it comes so far.

use assay_plugin_api::prelude::*;

use super::ldm::Automata;
use super::suffix_automaton::MAX_PATTERN;

/// The searcher, for one of the two variants.
#[derive(Default)]
pub struct ImprovedLinearDawg<const VARIANT: u8> {
    automata: Automata,
}

impl<const VARIANT: u8> Algorithm for ImprovedLinearDawg<VARIANT> {
    const ABOUT: About = About {
        id: "ildm",
        name: "Improved Linear DAWG Matching",
        reference: Reference {
            authors: &["C. Liu", "Y. Wang", "D. Liu", "D. Li"],
            title: "Two Improved Single Pattern Matching Algorithms",
            booktitle: "ICAT Workshops 2006",
            pages: "419-422",
            year: 2006,
            doi: "10.1109/ICAT.2006.134",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract("The abstract was seen, which describes both variants."),
        after: &["ldm"],
        idea: if VARIANT == 1 {
            "Linear DAWG Matching that goes on forward as long as a prefix is alive; the next window begins \
                there."
        } else {
            "The first variant, but forward no longer than the live prefix has over m/2 characters: the next \
                window begins with it."
        },
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            for each of at most 3m + 1 states, and 1280 bytes",
        worst_case: "O(n)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.automata.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        // Where the window ends.
        let mut end = m;
        probe.writes(1);
        while probe.branch(end <= n) {
            // SAFETY: m <= end <= n, because the next window begins in the text.
            let length = unsafe { self.automata.longest_prefix(end, m, text, probe) };
            if length > 0 {
                end = self.go_forward(end, length, m, text, found, probe);
            } else {
                // The condition of the loop there.
                probe.branch(false);
            }
            end += m;
            probe.writes(1);
            probe.jump();
        }
    }
}

impl<const VARIANT: u8> ImprovedLinearDawg<VARIANT> {
    /// Goes on after a window that ends with a prefix of this length, and no longer one. Returns where the
    /// next window begins.
    fn go_forward<P: Probe>(
        &self,
        mut end: usize,
        length: usize,
        m: usize,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let forward = &self.automata.forward;
        let transitions = forward.view(probe);
        let (accepting, short) = (forward.state(m), forward.state(if VARIANT == 1 { 0 } else { m / 2 }));
        let mut state = forward.state(length);
        probe.writes(1);
        while probe.branch(state > short) {
            if probe.verify(state == accepting) {
                found.at(end - m);
            }
            if end == text.len() {
                // The loop's condition, which no longer holds.
                probe.branch(false);
                return end;
            }
            // SAFETY: it begins in a state of `length` characters, m at most, and transitions lead to states;
            // `end` is before the text's.
            state = unsafe { transitions.after(state, text.at_unchecked(end)) };
            end += 1;
            probe.writes(2);
        }
        end - forward.number(state)
    }
}

register!(algorithm
    ImprovedLinearDawg<1>, id: "ildm1", name: "Improved Linear DAWG Matching 1", parameters: "variant=1";
    ImprovedLinearDawg<2>, id: "ildm2", name: "Improved Linear DAWG Matching 2", parameters: "variant=2"
);
