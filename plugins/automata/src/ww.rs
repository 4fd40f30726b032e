//! Wide Window (`ww`).
//!
//! Pays on long patterns, over small alphabets too: whatever the text holds, the next centre is a pattern's
//! length further on.
//! Departures: the backward scan ends as soon as what it knows of the pattern no longer reaches the centre.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::dfa;
use super::suffix_automaton::{MAX_PATTERN, SUFFIX, SuffixAutomaton};
use super::transitions::{FAILED, Transitions};

/// The searcher: the suffix automaton of the pattern, and the deterministic automaton of its reverse.
#[derive(Default)]
pub struct WideWindow {
    suffixes: SuffixAutomaton,
    /// For each byte, the state after it, from the initial state of `suffixes`.
    initial: ByteTable<u32>,
    backward: Transitions,
}

impl Algorithm for WideWindow {
    const ABOUT: About = About {
        id: "ww",
        name: "Wide Window",
        reference: papers::WIDE_WINDOW,
        status: Status::FromPaper(
            "The paper's search; the backward scan ends earlier, as soon as what it knows no longer reaches \
                the centre.",
        ),
        after: &["fdm", "rf"],
        idea: "In windows of 2m-1, finds the longest suffix of the pattern that begins at the centre, and \
            goes on backward from there.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            for each of at most 3m + 1 states, and 1280 bytes",
        worst_case: "O(n)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.suffixes.prepare(pattern, pattern.iter());
        self.suffixes.mark_suffixes();
        self.suffixes.transitions.initial(&mut self.initial);
        dfa::prepare(&mut self.backward, pattern, pattern.iter().rev());
        probe.table(&self.initial);
        self.suffixes.transitions.declare(probe);
        self.backward.declare(probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (initial, suffixes) = (self.initial.view(probe), self.suffixes.transitions.view(probe));
        let mut centre = m - 1;
        probe.writes(1);
        while probe.branch(centre < n) {
            // The longest suffix of the pattern that begins at the centre.
            let (mut i, mut length, end) = (centre, 0, n.min(centre + m));
            // SAFETY: centre < n.
            let mut state = initial.at(unsafe { text.at_unchecked(centre) });
            probe.writes(3);
            while probe.branch(state != FAILED) {
                i += 1;
                probe.writes(1);
                if probe.branch(state & SUFFIX != 0) {
                    length = i - centre;
                    probe.writes(1);
                }
                if i == end {
                    // The loop's condition, which no longer holds.
                    probe.branch(false);
                    break;
                }
                // SAFETY: the preparation has filled `initial` and the transitions with states, and marks.
                // And i is less than `end`, which is n at most.
                state = unsafe { suffixes.after(state & !SUFFIX, text.at_unchecked(i)) };
                probe.writes(1);
            }
            if length > 0 {
                self.go_backward(centre, length, m, text, found, probe);
            } else {
                // The condition of the loop there.
                probe.branch(false);
            }
            centre += m;
            probe.writes(1);
            probe.jump();
        }
    }
}

impl WideWindow {
    /// Finds the occurrences that hold the centre, where a suffix of this length begins, and no longer one.
    fn go_backward<P: Probe>(
        &self,
        centre: usize,
        length: usize,
        m: usize,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let backward = self.backward.view(probe);
        let (accepting, one) = (self.backward.state(m), self.backward.state(1));
        let first = centre + 1 - m;
        // What has been read begins at s. States that end at the centre or before it are `before` at most.
        let (mut state, mut s, mut before) = (self.backward.state(length), centre, 0);
        probe.writes(2);
        while probe.branch(state > before) {
            if probe.verify(state == accepting) {
                found.at(s);
            }
            if s == first {
                // The loop's condition, which no longer holds.
                probe.branch(false);
                break;
            }
            s -= 1;
            before += one;
            // SAFETY: it begins in a state of `length` characters, m at most, and transitions lead to states.
            state = unsafe { backward.after(state, text.at(s)) };
            probe.writes(2);
        }
    }
}

register!(algorithm WideWindow);
