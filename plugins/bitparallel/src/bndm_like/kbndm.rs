//! Factorised BNDM (`kbndm`).
//!
//! Pays on patterns of some words over large alphabets, whose factors of distinct characters are long.
//! Departures: the last two characters of a window are read without a test between. Of a pattern with more
//! than 64 factors the first characters are searched for, those that 64 factors hold, and the rest is
//! verified where they occur. One computation = one step: two ands and a sum.

use assay_plugin_api::prelude::*;
use assay_shared::{papers, shifts::pair};

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
        reference: papers::COMPACT_REPRESENTATION,
        status: Status::FromPaper(
            "The paper's search; of patterns with more than 64 factors, a prefix is searched for and the \
                rest is verified.",
        ),
        after: &["bndm"],
        idea: "BNDM with a bit for each factor of distinct characters, so that longer patterns fit a word.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 514 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s, as long as 64 factors hold the pattern",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.width = factorised::width(pattern);
        self.factors.prepare(pattern[..self.width].iter().rev().copied(), probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.width);
        let (pairs, lasts) = (self.factors.pairs.view(probe), self.factors.lasts.view(probe));
        assert!((1..=m).contains(&width), "prepared for another pattern");
        assert!(m <= n, "prepared for another pattern");
        let (start, last) = (pattern.kept(0), n - m);
        let mut s = 0;
        // SAFETY: called only for characters of a window that is not after the last one.
        let read = |i: usize| unsafe { text.at_unchecked(i) };
        let step =
            |state, before, byte| factorised::step(state, pairs.at(pair([byte, before])), lasts.at(before));
        probe.writes(1);
        while probe.branch(s <= last) {
            let mut i = width - 1;
            let mut byte = read(s + i);
            let mut shift = width;
            let mut state = LAST;
            probe.writes(4);
            if width > 1 {
                // The last character alone is a prefix if it is the pattern's first.
                if probe.branch(start.equals(byte)) {
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                let before = std::mem::replace(&mut byte, read(s + i));
                state = step(!0, before, byte);
                probe.computes(1);
                probe.writes(3);
            } else if probe.branch(!start.equals(byte)) {
                state = 0;
            }
            // Most windows: what comes next need not wait for the shift. Counted as what follows.
            if state == 0 && shift == width {
                probe.branch(false);
                prefix_occurs(false, width == m, probe);
                s += width;
                probe.writes(1);
                probe.jump();
                continue;
            }
            while probe.branch(state != 0 && i > 0) {
                // What has been read is a prefix if it ends in the pattern's first character.
                if probe.branch(state & LAST != 0 && start.equals(byte)) {
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                let before = std::mem::replace(&mut byte, read(s + i));
                state = step(state, before, byte);
                probe.computes(1);
                probe.writes(3);
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
