//! Some characters of the pattern are compared at all alignments of a block, and where they match the window is
//! verified.
//!
//! As many blocks are joined by their least differences as make one branch pay, so a block without a candidate
//! costs one load and one or two instructions for each character.

use crate::found::Found;
use crate::text::Text;
use crate::vector::Vector;
use crate::verify::{Effort, occurs};

/// Blocks with one branch.
const GROUP: usize = 8;

/// Bytes between a block and the line that is asked for.
const AHEAD: usize = 1024;

/// A character of the pattern and its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From the pattern's first character on.
    pub offset: usize,
    /// The character.
    pub byte: u8,
}

/// Reports the occurrences from `begin` on. If too much is verified in vain, ends with the first alignment that
/// was not tried.
///
/// # Safety
/// As for [`Vector`]; the text has at least `LANES + m - 1` bytes from `begin` on, and each place is the pattern's.
#[inline(always)]
pub unsafe fn search<V: Vector, const K: usize, T: Text, F: Found>(
    pattern: &[u8],
    places: &[Place; K],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    // SAFETY: of the trait, in this function and in its closures.
    unsafe {
        let m = pattern.len();
        let places = places.map(|Place { offset, byte }| (offset, V::splat(byte)));
        let compare = |s: usize| {
            let mut differences = V::load(text, s + places[0].0).differences(places[0].1);
            for &(offset, character) in &places[1..] {
                differences = differences.or_differences(V::load(text, s + offset), character);
            }
            differences
        };
        let mut effort = Effort::new(begin);
        let mut verify = |s: usize, mut bits: u64, found: &mut F| -> bool {
            while text.branch(bits != 0) {
                let s = s + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if occurs(pattern, text, s, &mut effort) {
                    found.at(s);
                    if F::FIRST {
                        return true;
                    }
                }
            }
            effort.too_much(s)
        };
        let last = text.len() - (V::LANES + m - 1);
        // The unknown alignments of one block; whether the search ends here.
        let mut block = |s: usize, known: usize, found: &mut F| {
            let bits = compare(s).zeros() >> known;
            text.branch(bits != 0) && verify(s + known, bits, found)
        };
        let end = |s: usize, found: &F| if F::FIRST && found.any() { Ok(()) } else { Err(s) };
        if block(begin, 0, found) {
            return end(begin + V::LANES, found);
        }
        let mut s = begin + V::LANES;
        // From here on, the first place is read at multiples of LANES. The first of these blocks overlaps the one
        // before.
        let known = (text.misalignment() + s + places[0].0) % V::LANES;
        if known > 0 && text.branch(s - known <= last) {
            if block(s - known, known, found) {
                return end(s - known + V::LANES, found);
            }
            s += V::LANES - known;
        }
        let span = (GROUP - 1) * V::LANES;
        'groups: while text.branch(s + span <= last) {
            // Until a group has candidates.
            loop {
                for block in 0..GROUP {
                    text.expect(s + AHEAD + block * V::LANES);
                }
                let mut least = compare(s);
                for block in 1..GROUP {
                    least = least.least(compare(s + block * V::LANES));
                }
                text.jump();
                if text.branch(least.has_zero()) {
                    break;
                }
                s += span + V::LANES;
                if !text.branch(s + span <= last) {
                    break 'groups;
                }
            }
            for _ in 0..GROUP {
                if block(s, 0, found) {
                    return end(s + V::LANES, found);
                }
                s += V::LANES;
            }
        }
        while text.branch(s < last + V::LANES) {
            // The last block overlaps the one before, too.
            let from = s.min(last);
            if block(from, s - from, found) {
                return end(from + V::LANES, found);
            }
            s = from + V::LANES;
            text.jump();
        }
        Ok(())
    }
}
