//! Linear DAWG Matching (`ldm`).
//!
//! Pays where [`ww`](super::ww) does.
//! Departures: the forward scan ends as soon as what it knows of the pattern begins after the centre.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::dfa;
use super::suffix_automaton::{MAX_PATTERN, SUFFIX, SuffixAutomaton};
use super::transitions::{FAILED, Transitions};

/// The searcher.
#[derive(Default)]
pub struct LinearDawg {
    automata: Automata,
}

/// The suffix automaton of the reversed pattern, and the deterministic automaton of the pattern.
#[derive(Default)]
pub(crate) struct Automata {
    prefixes: SuffixAutomaton,
    /// For each byte, the state after it, from the initial state of `prefixes`.
    initial: ByteTable<u32>,
    /// The second.
    pub forward: Transitions,
}

impl Algorithm for LinearDawg {
    const ABOUT: About = About {
        id: "ldm",
        name: "Linear DAWG Matching",
        reference: papers::WIDE_WINDOW,
        status: Status::FromPaper(
            "The paper's search; the forward scan ends earlier, as soon as what it knows begins after the \
                centre.",
        ),
        after: &["rf", "aut"],
        idea: "Wide Window mirrored: finds the longest prefix of the pattern that ends at the centre, and \
            goes on forward from there.",
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
        // Windows have their centre just before it.
        let mut right = m;
        probe.writes(1);
        while probe.branch(right <= n) {
            // SAFETY: m <= right <= n.
            let length = unsafe { self.automata.longest_prefix(right, m, text, probe) };
            if length > 0 {
                self.go_forward(right, length, m, text, found, probe);
            } else {
                // The condition of the loop there.
                probe.branch(false);
            }
            right += m;
            probe.writes(1);
            probe.jump();
        }
    }
}

impl LinearDawg {
    /// Finds the occurrences that hold the character before `right`, where a prefix of this length ends, and
    /// no longer one.
    fn go_forward<P: Probe>(
        &self,
        right: usize,
        length: usize,
        m: usize,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let transitions = self.automata.forward.view(probe);
        let (accepting, one) = (self.automata.forward.state(m), self.automata.forward.state(1));
        let last = text.len().min(right + m - 1);
        // What has been read ends before `end`. States that begin after the centre are `after` at most.
        let (mut state, mut end, mut after) = (self.automata.forward.state(length), right, 0);
        probe.writes(2);
        while probe.branch(state > after) {
            if probe.verify(state == accepting) {
                found.at(end - m);
            }
            if end == last {
                // The loop's condition, which no longer holds.
                probe.branch(false);
                break;
            }
            // SAFETY: it begins in a state of `length` characters, m at most, and transitions lead to states;
            // `end` is less than `last`, which is the text's end at most.
            state = unsafe { transitions.after(state, text.at_unchecked(end)) };
            end += 1;
            after += one;
            probe.writes(2);
        }
    }
}

impl Automata {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.prefixes.prepare(pattern, pattern.iter().rev());
        self.prefixes.mark_suffixes();
        self.prefixes.transitions.initial(&mut self.initial);
        dfa::prepare(&mut self.forward, pattern, pattern.iter());
        probe.table(&self.initial);
        self.prefixes.transitions.declare(probe);
        self.forward.declare(probe);
    }

    /// Reads backward from `end` and returns the length of the longest prefix of the pattern that ends there.
    ///
    /// # Safety
    /// The window of `m` characters that ends there must lie in the text.
    #[inline(always)]
    pub unsafe fn longest_prefix<P: Probe>(&self, end: usize, m: usize, text: Text<P>, probe: P) -> usize {
        let (initial, transitions) = (self.initial.view(probe), self.prefixes.transitions.view(probe));
        let (mut i, mut length) = (end - 1, 0);
        // SAFETY: the caller's promise.
        let mut state = initial.at(unsafe { text.at_unchecked(i) });
        probe.writes(3);
        while probe.branch(state != FAILED) {
            if probe.branch(state & SUFFIX != 0) {
                length = end - i;
                probe.writes(1);
            }
            if i == end - m {
                // The loop's condition, which no longer holds.
                probe.branch(false);
                break;
            }
            i -= 1;
            // SAFETY: the preparation has filled `initial` and the transitions with states, and marks; the
            // window begins at end - m.
            state = unsafe { transitions.after(state & !SUFFIX, text.at_unchecked(i)) };
            probe.writes(2);
        }
        length
    }
}

register!(algorithm LinearDawg);
