//! Factorised BNDM.
//!
//! Pays on patterns of some words over large alphabets, whose factors of distinct characters are long.
//! Departures: of a pattern with more than 64 factors the first characters are searched for, those that 64 factors hold, and the rest
//! is verified where they occur. One computation = one step: two ands and a sum.

use assay_plugin_api::prelude::*;

use crate::factorised::{self, Factorised, LAST};
use crate::word::{self, prefix_occurs, rest_occurs};

/// The searcher.
#[derive(Default)]
pub struct FactorisedBndm {
    factors: Factorised,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for FactorisedBndm {
    const ABOUT: About = About {
        id: "kbndm",
        name: "Factorised BNDM",
        authors: "D. Cantone, S. Faro, E. Giaquinta",
        year: 2010,
        reference: "A Compact Representation of Nondeterministic (Suffix) Automata for the Bit-Parallel Approach. CPM 2010, LNCS 6129, pp. 288-298",
        idea: "BNDM with a bit for each factor of distinct characters, so that longer patterns fit a word.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 516 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s, as long as 64 factors hold the pattern",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.width = factorised::width(pattern);
        self.factors.prepare(pattern[..self.width].iter().rev().copied(), probe);
        probe.table(&self.factors.anywhere);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.width);
        let Factorised { pairs, lasts, anywhere, .. } = &self.factors;
        let (pairs, lasts, anywhere) = (pairs.view(probe), lasts.view(probe), anywhere.view(probe));
        assert!((1..=m).contains(&width), "prepared for another pattern");
        assert!(m <= n, "prepared for another pattern");
        let (start, last) = (pattern.at(0), n - m);
        let mut s = 0;
        // SAFETY: after as many characters as the prefix has, its last factor alone can be left, and nobody reads on: these are in a
        // window that is not behind the last.
        let read = |i: usize| unsafe { text.at_unchecked(i) };
        probe.writes(1);
        while probe.branch(s <= last) {
            let (mut i, mut shift) = (width - 1, width);
            let mut byte = read(s + i);
            let mut state = anywhere.at(byte);
            probe.computes(1);
            probe.writes(3);
            while probe.branch(state != 0) {
                // What has been read is a prefix if it ends in the pattern's first character.
                if probe.branch(state & LAST != 0 && byte == start) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                let before = std::mem::replace(&mut byte, read(s + i));
                let pair = u16::from_le_bytes([byte, before]).into();
                state = factorised::step(state, pairs.at(pair), lasts.at(before));
                probe.computes(1);
                probe.writes(2);
            }
            if prefix_occurs(state != 0, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm FactorisedBndm);
