//! Small Alphabet Bit-Parallel (`sabp`).
//!
//! Pays on small alphabets, where the characters of one window exclude many of the next ones: no character is
//! read twice.
//! Departures: the first alignment alive is found by the processor's instruction instead of by a table of
//! logarithms. The shift by the bad character is not looked up separately, because the alignments that it
//! passes are dead already. Of a pattern longer than 64 bytes the first 64 are searched for, and the rest is
//! verified where they occur. One computation = one step: the and.
//! Timed: if a sample of the text has few characters of the pattern, unread windows are passed in a loop of
//! their own as long as their last character excludes all alignments, so that none waits for the shift of the
//! one before it. The same characters are read.

use assay_plugin_api::prelude::*;

use super::foreign::{SAMPLE, mostly_foreign};
use crate::word::{self, WORD, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each place in the window, the last one first, and each byte, a 1 for each alignment from
/// the window's own on that the byte allows there.
#[derive(Default)]
pub struct SmallAlphabet {
    mask: Table<u64>,
    /// The bytes of the prefix, which have masks of their own. The others have that of [`elsewhere`].
    letters: Vec<u8>,
    /// Length of the prefix.
    width: usize,
    /// Whether windows are passed whose last character excludes all of their alignments.
    passes: bool,
}

/// The mask of a byte that the prefix does not have, at a place: alignments that begin after it have no use
/// for it.
fn elsewhere(place: usize) -> u64 {
    !0 << place << 1
}

impl Algorithm for SmallAlphabet {
    const ABOUT: About = About {
        id: "sabp",
        name: "Small Alphabet Bit-Parallel",
        reference: Reference {
            authors: &["G. Zhang", "E. Zhu", "L. Mao", "M. Yin"],
            title: "A Bit-Parallel Exact String Matching Algorithm for Small Alphabet",
            booktitle: "FAW 2009",
            series: "LNCS",
            volume: "5598",
            pages: "336-345",
            year: 2009,
            doi: "10.1007/978-3-642-02270-8_34",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; the loop that passes unread windows, where a sample of the text has few \
                characters of the pattern, is ours.",
        ),
        after: &["bm"],
        idea: "Keeps which alignments are dead and which window positions are read; reads unread positions, \
            shifts to the first alive.",
        preparation_time: "O(m s)",
        space: "O(m s): 2 KiB for each of the first 64 characters",
        worst_case: "O(n) for m <= 64, else O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        let prefix = prefix(pattern);
        if self.width == prefix.len() {
            // Only what the masks have of the pattern before is overwritten, because to fill a whole table of
            // 128 KiB takes longer.
            for (i, row) in self.mask.chunks_exact_mut(256).rev().enumerate() {
                self.letters.iter().for_each(|&byte| row[byte as usize] = elsewhere(i));
            }
        } else {
            self.width = prefix.len();
            self.mask.reset(0, 0);
            (0..self.width).rev().for_each(|i| self.mask.resize(self.mask.len() + 256, elsewhere(i)));
        }
        self.letters.clear();
        let mut known = [false; 256];
        for &byte in prefix {
            if !std::mem::replace(&mut known[byte as usize], true) {
                self.letters.push(byte);
            }
        }
        let mut allowed = [!0_u64; 256];
        for (row, &character) in self.mask.chunks_exact_mut(256).rev().zip(prefix) {
            for &byte in &self.letters {
                let allowed = &mut allowed[byte as usize];
                *allowed = *allowed << 1 | u64::from(character == byte);
                row[byte as usize] = *allowed;
            }
        }
        // A window of one character is settled by it, whatever the text.
        self.passes = self.width == 1 || mostly_foreign(hints.sample, |byte| known[byte as usize]);
        probe.table(&self.mask);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!(
            m <= n && width == m.min(WORD) && self.mask.len() == 256 * width,
            "prepared for another pattern"
        );
        // The window's last character has the highest bit.
        let places: u64 = !0 << (WORD - width);
        let (mut s, mut alive, mut unread) = (0, !0, places);
        probe.writes(3);
        // The window's own alignments, and its last place.
        let (own, last) = (!0 >> (WORD - width), 1 << 63);
        'windows: while probe.branch(s <= n - m) {
            // The next window need not wait for a shift that is the window's length.
            if !P::COUNTS && self.passes && unread == places {
                unread ^= last;
                loop {
                    // SAFETY: the window lies in the text, and its last place has the first masks.
                    alive = unsafe { mask.at_unchecked(usize::from(text.at_unchecked(s + width - 1))) };
                    if alive & own != 0 {
                        break;
                    }
                    s += width;
                    if s > n - m {
                        break 'windows;
                    }
                }
            }
            while probe.branch(alive & 1 != 0 && unread != 0) {
                let before_last = unread.leading_zeros() as usize;
                unread ^= 1 << 63 >> before_last;
                // SAFETY: only places of the window, which lies in the text, are unread, and each has its
                // masks.
                alive &= unsafe {
                    let byte = text.at_unchecked(s + width - 1 - before_last);
                    mask.at_unchecked(256 * before_last + usize::from(byte))
                };
                probe.computes(1);
                probe.writes(2);
            }
            if prefix_occurs(alive & 1 != 0, width == m, probe) {
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
                alive ^= 1;
                probe.writes(1);
            }
            // The first alignment is dead, and what is left fits a word's shift. None beyond the window is.
            alive >>= 1;
            let more = (alive | 1 << (width - 1)).trailing_zeros();
            s += 1 + more as usize;
            let new = !(!0 >> 1 >> more);
            alive = alive >> more | new;
            unread = unread >> 1 >> more & places | new;
            probe.writes(3);
            probe.jump();
        }
    }
}

register!(algorithm SmallAlphabet);
