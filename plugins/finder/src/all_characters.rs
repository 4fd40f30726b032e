//! Short patterns: all characters are compared at all alignments of a block, and nothing is left to verify.
//!
//! Differences of characters are joined with `or`, so a lane is zero where the pattern occurs. Where only the
//! number matters, each lane counts its zeros for up to 255 blocks before they are summed: that takes as long
//! with many occurrences as with none.

use crate::found::Found;
use crate::text::Text;
use crate::vector::Vector;

/// Most blocks that a lane can count.
const BLOCKS: usize = 255;

/// Bytes between a block and the line that is asked for: a read of two lines waits long for a line that is not in the
/// first cache.
const AHEAD: usize = 1024;

/// Reports all occurrences of a pattern of `M` bytes.
///
/// # Safety
/// As for [`Vector`]; the text has at least `LANES + M - 1` bytes.
#[inline(always)]
pub unsafe fn search<V: Vector, const M: usize, T: Text, F: Found>(
    pattern: &[u8; M],
    text: T,
    found: &mut F,
) {
    // SAFETY: of the trait, in this function and in its closures.
    unsafe {
        let characters = pattern.map(|byte| V::splat(byte));
        let compare = |s: usize| {
            let mut differences = V::load(text, s).differences(characters[0]);
            for (j, character) in characters.iter().enumerate().skip(1) {
                differences = differences.or_differences(V::load(text, s + j), *character);
            }
            differences
        };
        // Nothing is left to verify.
        let report = |s: usize, bits: u64, found: &mut F| {
            text.matches(u64::from(bits.count_ones()));
            found.mask(s, bits);
        };
        let last = text.len() - (V::LANES + M - 1);
        report(0, compare(0).zeros(), found);
        if F::FIRST && found.any() {
            return;
        }
        let mut s = V::LANES;
        // From here on, the first character is read at multiples of LANES. The first of these blocks overlaps the
        // one before.
        let known = text.misalignment() % V::LANES;
        if known > 0 && text.branch(s - known <= last) {
            report(s, compare(s - known).zeros() >> known, found);
            s += V::LANES - known;
        }
        if F::POSITIONS {
            while text.branch(s <= last && !(F::FIRST && found.any())) {
                let bits = compare(s).zeros();
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
                        text.expect(s + AHEAD);
                    }
                    zeros = zeros.count_zeros(compare(s));
                    s += V::LANES;
                    text.jump();
                }
                let occurrences = zeros.sum();
                text.matches(occurrences);
                found.many(occurrences);
            }
        }
        // The last block overlaps the one before, too.
        if text.branch(s < last + V::LANES && !(F::FIRST && found.any())) {
            report(s, compare(last).zeros() >> (s - last), found);
            text.jump();
        }
    }
}
