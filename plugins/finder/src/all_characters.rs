//! Short patterns: all characters are compared at all alignments of a block, and nothing is left to verify.
//!
//! The differences of all characters are joined, so a lane is zero where the pattern occurs. Where only the
//! number matters, each lane counts its zeros for up to 255 blocks before they are summed: that takes as long
//! with many occurrences as with none.

use crate::found::Found;
use crate::some_characters::{BYTES_AHEAD, Place, differences_of};
use crate::text::Text;
use crate::vector::Vector;

/// Most blocks that a lane can count.
pub const BLOCKS: usize = 255;

/// Reports the occurrences of a pattern of `M` bytes from `begin` on.
///
/// # Safety
/// As for [`Vector`]; the text has at least `LANES + M - 1` bytes from `begin` on.
#[inline(always)]
pub unsafe fn search<V: Vector, const M: usize, T: Text, F: Found>(
    pattern: &[u8; M],
    text: T,
    begin: usize,
    found: &mut F,
) {
    // SAFETY: of the trait.
    unsafe {
        let places = core::array::from_fn(|offset| Place { offset, byte: pattern[offset] });
        // Nothing is left to verify.
        let report = |s: usize, bits: u64, found: &mut F| {
            text.matches(u64::from(bits.count_ones()));
            found.mask(s, bits);
        };
        let last = text.len() - (V::LANES + M - 1);
        report(begin, differences_of::<V, M, true, T>(&places, text, begin).zeros(), found);
        if found.is_full() {
            return;
        }
        let mut s = begin + V::LANES;
        // From here on, the first character is read at multiples of LANES. The first of these blocks overlaps
        // the one before.
        let known = (text.misalignment() + s) % V::LANES;
        if known > 0 && text.branch(s - known <= last) {
            report(s, differences_of::<V, M, true, T>(&places, text, s - known).zeros() >> known, found);
            s += V::LANES - known;
        }
        if F::POSITIONS {
            while text.branch(s <= last && !(found.is_full())) {
                let bits = differences_of::<V, M, true, T>(&places, text, s).zeros();
                if text.branch(bits != 0) {
                    report(s, bits, found);
                }
                s += V::LANES;
                text.jump();
            }
        } else {
            while text.branch(s <= last) {
                let blocks = ((last - s) / V::LANES + 1).min(BLOCKS);
                let mut zeros = V::splat(0);
                for _ in 0..blocks {
                    if M > 1 {
                        text.prefetch(s + BYTES_AHEAD);
                    }
                    zeros = zeros.count_zeros(differences_of::<V, M, true, T>(&places, text, s));
                    s += V::LANES;
                    text.jump();
                }
                let occurrences = zeros.sum();
                text.matches(occurrences);
                found.many(occurrences);
            }
        }
        // The last block overlaps the one before, too.
        if text.branch(s < last + V::LANES && !(found.is_full())) {
            report(s, differences_of::<V, M, true, T>(&places, text, last).zeros() >> (s - last), found);
            text.jump();
        }
    }
}
