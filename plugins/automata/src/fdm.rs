//! Forward DAWG Matching (`fdm`).
//!
//! Pays where every character must be read anyway: each is read once, and more is known of it than its
//! longest prefix.
//! Departures: the column of a character is looked up while the one before it is followed.
//! Timed: where no factor ends, the characters with which none begins are passed in a loop of their own,
//! because they need not wait for what was read before them; and the byte after the text is looked up with
//! the last character, because that takes less time than a test.

use assay_plugin_api::prelude::*;

use super::suffix_automaton::{MAX_PATTERN, SuffixAutomaton};
use super::transitions::{Column, FAILED, Transitions, TransitionsView};

/// The searcher.
#[derive(Default)]
pub struct ForwardDawg {
    factors: Factors,
}

/// The suffix automaton of the pattern, to follow the longest factor that ends at each character.
#[derive(Default)]
pub(crate) struct Factors {
    automaton: SuffixAutomaton,
    /// For each state, where its suffix link leads.
    links: Table<Link>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Link {
    state: u32,
    /// Length of the longest word of that state.
    length: u32,
}

impl Algorithm for ForwardDawg {
    const ABOUT: About = About {
        id: "fdm",
        name: "Forward DAWG Matching",
        reference: Reference {
            authors: &["M. Crochemore", "W. Rytter"],
            title: "Text Algorithms",
            publisher: "Oxford University Press",
            year: 1994,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; the loop that passes characters of no factor is ours.",
        ),
        idea: "Follows the longest factor of the pattern that ends at each character, with the suffix \
            automaton.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            and 8 bytes, for each of at most 2m states, and 256 bytes",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, slack: |_| 1, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.factors.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, factors) = (pattern.len(), text.len(), self.factors.view(probe));
        let (mut factor, mut i) = ((0, 0), 0);
        let mut column = factors.column(text.at(i));
        probe.writes(3);
        while probe.branch(i < n) {
            i += 1;
            // The byte after the text takes less time than a test whether there is one. It is none of the
            // algorithm's reads.
            let ahead = if P::COUNTS && i == n {
                column
            } else {
                // SAFETY: after the text there is a byte of slack.
                factors.column(unsafe { text.at_unchecked(i) })
            };
            // SAFETY: the factor is the empty one at first.
            factor = unsafe { factors.extend(factor, column) };
            column = ahead;
            probe.writes(1);
            probe.jump();
            if !P::COUNTS && factor.0 == FAILED {
                // Where no factor ends, no character waits for what was read before it.
                while i < n && !factors.begins(column) {
                    i += 1;
                    // SAFETY: the same.
                    column = factors.column(unsafe { text.at_unchecked(i) });
                }
                continue;
            }
            if probe.verify(factor.1 == m) {
                found.at(i - m);
            }
        }
    }
}

impl Factors {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.automaton.prepare(pattern, pattern.iter());
        let states = &self.automaton.states;
        self.links.reset(states.len(), Link::default());
        for (link, state) in self.links.iter_mut().zip(states) {
            if let Some(number) = state.link {
                let state = self.automaton.transitions.state(number as usize);
                *link = Link { state, length: states[number as usize].length };
            }
        }
        self.automaton.transitions.declare(probe);
        probe.table(&self.links);
    }

    /// The automaton as a search sees it.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> FactorsView<'_, P> {
        let Transitions { width, .. } = self.automaton.transitions;
        FactorsView {
            transitions: self.automaton.transitions.view(probe),
            links: self.links.view(probe),
            width,
            probe,
        }
    }
}

/// [`Factors`] during a search.
#[derive(Clone, Copy)]
pub(crate) struct FactorsView<'a, P> {
    transitions: TransitionsView<'a, P>,
    links: TableView<'a, Link, P>,
    /// See [`Transitions`].
    width: u32,
    probe: P,
}

impl<P: Probe> FactorsView<'_, P> {
    /// The column of a byte.
    #[inline(always)]
    pub fn column(&self, byte: u8) -> Column {
        self.transitions.column(byte)
    }

    /// Whether a factor begins with a byte of this column.
    #[inline(always)]
    fn begins(&self, column: Column) -> bool {
        // SAFETY: each automaton has the initial state.
        unsafe { self.transitions.after_column(0, column) != FAILED }
    }

    /// The longest factor that ends with a byte of this column, given the longest factor that ends before it.
    /// A factor is a state and a length.
    ///
    /// # Safety
    /// The factor must be the empty one, (0, 0), or one that this function returned since the
    /// preparation, and the column one of this preparation.
    #[inline(always)]
    pub unsafe fn extend(&self, factor: (u32, usize), column: Column) -> (u32, usize) {
        let (mut state, mut length) = factor;
        // SAFETY: states are that of the caller and what the preparation has put into transitions and links.
        let after = |state| unsafe { self.transitions.after_column(state, column) };
        let mut next = after(state);
        while self.probe.branch(next == FAILED && state != 0) {
            let link = self.links.at((state >> self.width) as usize);
            (state, length) = (link.state, link.length as usize);
            next = after(state);
            self.probe.writes(2);
        }
        self.probe.writes(2);
        (next, if next == FAILED { 0 } else { length + 1 })
    }
}

register!(algorithm ForwardDawg);
