//! Reverse Factor (`rf`).
//!
//! Pays on long patterns, over small alphabets too: it knows when what it has read is a prefix, and shifts to
//! the longest.
//! Departures: transitions are tables, with an entry for each byte in the initial state, and for each byte of
//! the pattern in the others.

use assay_plugin_api::prelude::*;

use super::suffix_automaton::{MAX_PATTERN, SUFFIX, SuffixAutomaton};
use super::transitions::FAILED;

/// The searcher: the suffix automaton of the reversed pattern.
#[derive(Default)]
pub struct ReverseFactor {
    /// Its words' suffixes, read backward, are the pattern's prefixes.
    automaton: SuffixAutomaton,
    /// For each byte, the state after it, from the initial state.
    initial: ByteTable<u32>,
}

impl Algorithm for ReverseFactor {
    const ABOUT: About = About {
        id: "rf",
        name: "Reverse Factor",
        reference: Reference {
            authors: &["T. Lecroq"],
            title: "A variation on the Boyer-Moore algorithm",
            journal: "Theor. Comput. Sci.",
            volume: "92",
            number: "1",
            pages: "119-144",
            year: 1992,
            doi: "10.1016/0304-3975(92)90139-7",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; how the transitions are stored is \
                ours.",
        ),
        after: &["bm"],
        idea: "Reads windows backward with the suffix automaton of the reversed pattern; the longest prefix \
            seen gives the shift.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            for each of at most 2m states, and 1280 bytes",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.automaton.prepare(pattern, pattern.iter().rev());
        self.automaton.mark_suffixes();
        self.automaton.transitions.initial(&mut self.initial);
        probe.table(&self.initial);
        self.automaton.transitions.declare(probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (initial, transitions) = (self.initial.view(probe), self.automaton.transitions.view(probe));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (mut i, mut shift) = (m - 1, m);
            let mut state = initial.at(text.at(s + i));
            probe.writes(3);
            while probe.branch(state != FAILED && i > 0) {
                // The longest prefix that is shorter than the window.
                if probe.branch(state & SUFFIX != 0) {
                    shift = noted(i);
                    probe.writes(1);
                }
                i -= 1;
                // SAFETY: the preparation has filled `initial` and the transitions with states, and marks.
                state = unsafe { transitions.after(state & !SUFFIX, text.at(s + i)) };
                probe.writes(2);
            }
            // A factor of m characters is the pattern.
            if probe.verify(state != FAILED) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The shift of a prefix. As a conditional move it would keep the next window waiting for the look-ups of
/// this one.
#[cold]
#[inline(never)]
pub(crate) fn noted(shift: usize) -> usize {
    shift
}

register!(algorithm ReverseFactor);
