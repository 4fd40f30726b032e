//! Forward BNDM (`fbndm`).
//!
//! Pays on short patterns, where a shift that is longer by one makes a difference.
//! Departures: we have seen what a bibliography says of it, and [`fsbndm`](super::fsbndm), its simplified
//! form in the same paper: a window is read from the character after it on, and any character may be there.
//! After the last window, that is a byte after the text. Of a pattern longer than 63 bytes the first 63 are
//! searched for, and the rest is verified where they occur. One computation = one step: the and and the
//! shift.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::factors::{PREFIX, fill_masks};
use crate::word::{self, WORD, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit down, and
/// one after it, because any character may be after the window.
#[derive(Default)]
pub struct ForwardBndm {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for ForwardBndm {
    const ABOUT: About = About {
        id: "fbndm",
        name: "Forward BNDM",
        reference: papers::VARIANTS_OF_BOM,
        status: Status::FromAbstract(
            "The paper's section on it was not seen, only what a bibliography says of it; how a window is \
                read is that of `fsbndm`, its simplified form in the same paper, and of BNDM.",
        ),
        after: &["bndm", "fbom"],
        idea: "BNDM of the pattern and one character more, which may be any, so that the shift can be m + 1.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m < 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: |_| 1, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.width = pattern.len().min(WORD - 1);
        fill_masks(&mut self.mask, &pattern[..self.width]);
        self.mask.iter_mut().for_each(|mask| *mask |= PREFIX >> self.width);
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (mut i, mut state, mut shift) = (width, !0, width + 1);
            probe.writes(3);
            let occurs = loop {
                state &= mask.at(text.at(s + i));
                probe.writes(1);
                probe.computes(1);
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break true;
                    }
                    shift = i;
                    probe.writes(1);
                }
                state <<= 1;
                probe.writes(1);
                if !probe.branch(state != 0) {
                    break false;
                }
                i -= 1;
                probe.writes(1);
            };
            if prefix_occurs(occurs, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm ForwardBndm);
