//! Long BNDM.
//!
//! Pays on patterns longer than a word, over alphabets that are large beside the number of characters that
//! share a bit.
//! Departures: the number of characters that share a bit is limited so that a quarter of the bits stays
//! unset, because full masks exclude nothing; if the pattern is longer, only a prefix is superimposed. If its
//! length is not a multiple of that number, the last characters have no bit. If no characters share a bit, an
//! occurrence that the state shows is not compared again. The last two characters of a window are read
//! without a test between them. One computation = one step: the and and the shift.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::WORD;

/// The searcher: for each byte, a 1 for each group of characters that contains it, from the highest bit down.
#[derive(Default)]
pub struct LongBndm {
    mask: ByteTable<u64>,
    /// How many characters share a bit.
    shared: usize,
    /// How many characters have a bit.
    width: usize,
}

/// Set if what has been read is a prefix of the superimposed pattern.
const PREFIX: u64 = 1 << 63;

impl LongBndm {
    /// Superimposes each `shared` characters of the pattern; only those of a prefix, if a word has too few
    /// bits for all.
    fn fill(&mut self, pattern: &[u8]) {
        self.width = (pattern.len() / self.shared).min(WORD) * self.shared;
        self.mask.fill(0);
        for (i, &byte) in pattern[..self.width].iter().enumerate() {
            self.mask[byte as usize] |= PREFIX >> (i / self.shared);
        }
    }

    /// Whether more than three of four bits are set in the mask of a character, in the mean over the
    /// pattern's.
    fn is_dense(&self, pattern: &[u8]) -> bool {
        let set = pattern.iter().map(|&byte| self.mask[byte as usize].count_ones() as usize).sum::<usize>();
        set * 4 > pattern.len() * (self.width / self.shared) * 3
    }
}

impl Algorithm for LongBndm {
    const ABOUT: About = About {
        id: "lbndm",
        name: "Long BNDM",
        reference: papers::ALTERNATIVE_ALGORITHMS,
        idea: "BNDM of a pattern whose every k characters are superimposed, in each k-th character of the \
            text; then compares.",
        preparation_time: "O(m^2/w+s) at worst: the number of shared bits is tried from m/w on",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s/k, as long as k is small beside s",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.shared = pattern.len().div_ceil(WORD);
        self.fill(pattern);
        while self.shared > 1 && self.is_dense(pattern) {
            self.shared -= 1;
            self.fill(pattern);
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (shared, width, n, mask) = (self.shared, self.width, text.len(), self.mask.view(probe));
        assert!(shared > 0 && shared <= width, "prepared for a pattern");
        // The first of a window's characters that are read.
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s + width - shared < n) {
            if !P::COUNTS && width > shared {
                // Most windows end with two characters that don't follow each other in the pattern.
                let [last, before] = [1, 2].map(|k| mask.at(text.at(s + width - k * shared)));
                if last & PREFIX == 0 && last << 1 & before == 0 {
                    s += width;
                    continue;
                }
            }
            let (mut state, mut i, mut shift) = (!0, width, width);
            probe.writes(3);
            while probe.branch(state != 0) {
                i -= shared;
                state &= mask.at(text.at(s + i));
                probe.writes(2);
                probe.computes(1);
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                state <<= 1;
                probe.writes(1);
            }
            if shared == 1 && width == pattern.len() {
                if probe.verify(state != 0) {
                    found.at(s);
                }
            } else if probe.branch(state != 0) {
                verify(pattern, text, (s + 1).saturating_sub(shared)..s + 1, found, probe);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Compares the windows that have a superimposed one at the same place.
#[cold]
#[inline(never)]
fn verify<P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    windows: std::ops::Range<usize>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    let mut s = windows.start;
    probe.writes(1);
    while probe.branch(s < windows.end && s <= n - m) {
        if pattern.occurs(text, s, 0..m) {
            found.at(s);
        }
        s += 1;
        probe.writes(1);
    }
}

register!(algorithm LongBndm);
