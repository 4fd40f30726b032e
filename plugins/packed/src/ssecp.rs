//! Packed Crochemore-Perrin (`ssecp`).
//!
//! Pays on long and periodic patterns, where other packed searches verify too much: it is linear.
//! Departures: the piece is as much of the right part as a register holds; a window that begins with what is
//! known to match is compared at once. Where the text has no block left, the piece is compared in words as
//! the rest. One computation = one instruction that looks for the piece.

use assay_plugin_api::prelude::*;
use assay_shared::factorisation::Factorisation;

/// The searcher: a critical factorisation of the pattern.
#[derive(Default)]
pub struct PackedCrochemorePerrin(Factorisation);

impl Algorithm for PackedCrochemorePerrin {
    const ABOUT: About = About {
        id: "ssecp",
        name: "Packed Crochemore-Perrin",
        reference: Reference {
            authors: &["O. Ben-Kiki", "P. Bille", "D. Breslauer", "L. Gąsieniec", "R. Grossi", "O. Weimann"],
            title: "Optimal packed string matching",
            booktitle: "FSTTCS 2011",
            series: "LIPIcs",
            volume: "13",
            pages: "423-432",
            year: 2011,
            doi: "10.4230/LIPIcs.FSTTCS.2011.423",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; which piece of the right part is looked for, and the end of the text, are \
                ours.",
        ),
        after: &["tw"],
        idea: "Two Way that looks for the first characters of the right part at 16 places with one \
            instruction.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { cpu: &["sse4.2"], ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        self.0 = Factorisation::new(pattern);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("sse4.2") {
            // SAFETY: the instruction was found.
            return unsafe { x86::search(self.0, pattern, text, found, probe) };
        }
        let _ = (pattern, text, found, probe);
        panic!("no string instructions here");
    }
}

register!(algorithm PackedCrochemorePerrin);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    /// Characters of a block.
    const BLOCK: usize = 16;

    #[target_feature(enable = "sse4.2")]
    pub fn search<P: Probe>(
        parts: Factorisation,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let Factorisation { cut, period, periodic } = parts;
        let (m, n) = (pattern.len(), text.len());
        assert!(parts.fits(m) && m <= n, "prepared for another pattern");
        let length = (m - cut).min(BLOCK);
        let characters: [u8; BLOCK] =
            std::array::from_fn(|i| if i < length { pattern.at(cut + i) } else { 0 });
        // SAFETY: the array has the 16 bytes that are loaded.
        let piece = unsafe { _mm_loadu_si128(characters.as_ptr().cast()) };
        // The first of the places from `s + cut` on where the piece is, or where the block ends in the midst
        // of it.
        let first = |s: usize| {
            // SAFETY: called only for positions at which the text has a whole block.
            let block = unsafe { text.block_unchecked::<BLOCK>(s + cut) };
            // SAFETY: the array has the 16 bytes that are loaded.
            let block = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
            probe.computes(1);
            _mm_cmpestri::<_SIDD_CMP_EQUAL_ORDERED>(piece, length as i32, block, BLOCK as i32) as usize
        };
        // The window's first `memory` characters are known to match.
        let (mut s, mut memory) = (0, 0);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            let mut known = cut.max(memory);
            if probe.branch(memory == 0 && s + cut + BLOCK <= n) {
                let place = first(s);
                // This case is a branch of its own, because a processor that predicts it does not have to
                // wait for the place.
                if probe.branch(place == BLOCK) {
                    s += BLOCK;
                    probe.writes(1);
                    probe.jump();
                    continue;
                }
                if probe.branch(place > 0) {
                    s += place;
                    probe.writes(1);
                    probe.jump();
                    continue;
                }
                known = cut + length;
            }
            // SAFETY: s <= n - m.
            let right = unsafe { matches(pattern, text, s, known, m, probe) };
            if probe.branch(right < m) {
                s += right - cut + 1;
                memory = 0;
            } else {
                // SAFETY: the same, and cut < m.
                let left = unsafe { matches(pattern, text, s, memory.min(cut), cut, probe) };
                if probe.verify(left == cut) {
                    found.at(s);
                }
                s += period;
                memory = if periodic { m - period } else { 0 };
            }
            probe.writes(2);
            probe.jump();
        }
    }

    /// The first of the window's characters from `i` to `end` that differs from the pattern's, compared in
    /// words; `end` if none does.
    ///
    /// # Safety
    /// `i <= end`, and both pattern and text have them.
    #[inline(always)]
    unsafe fn matches<P: Probe>(
        pattern: Pattern<P>,
        text: Text<P>,
        s: usize,
        mut i: usize,
        end: usize,
        probe: P,
    ) -> usize {
        const WORD: usize = 8;
        probe.writes(1);
        while probe.branch(i + WORD <= end) {
            // SAFETY: the caller's promise: what is read ends at `end`.
            let differ = unsafe {
                let word = std::array::from_fn(|k| pattern.at_unchecked(i + k));
                u64::from_le_bytes(word) ^ u64::from_le_bytes(text.block_unchecked::<WORD>(s + i))
            };
            if probe.branch(differ != 0) {
                return i + differ.trailing_zeros() as usize / 8;
            }
            i += WORD;
            probe.writes(1);
        }
        // SAFETY: the same.
        while probe.branch(i < end && unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) }) {
            i += 1;
            probe.writes(1);
        }
        i
    }
}
