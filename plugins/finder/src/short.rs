//! The first occurrence among few alignments: in a short text, and at the beginning of a long one.
//!
//! The search needs no choice of a method, which takes longer than it does, and no instructions but SSE2,
//! which every CPU of this architecture has.

use core::arch::x86_64::*;

use crate::candidates::{Effort, occurs};
use crate::text::{Bytes, Text};

/// Alignments that are searched.
pub const ALIGNMENTS: usize = 64;

/// The longest pattern: with a longer one, verifying all alignments in vain would take too long.
pub const LONGEST: usize = 64;

/// Bytes of a register.
const LANES: usize = 16;

/// The first occurrence of a pattern of 1 to [`LONGEST`] bytes at the first [`ALIGNMENTS`] alignments of the
/// text, or at all if it has fewer.
///
/// Compares two characters of the pattern at sixteen alignments at once: the last, and the second (the first,
/// if the pattern has at most two). In UTF-8, the first byte of a character says less than the others.
pub fn find(pattern: &[u8], text: &[u8]) -> Option<usize> {
    let (m, n) = (pattern.len(), text.len());
    if n < m {
        return None;
    }
    if n == m && text[0] != pattern[0] {
        return None;
    }
    if n < LANES {
        return find_in_register(pattern, text);
    }
    let all = n - m + 1;
    let early = usize::from(m > 2);
    let mut effort = Effort::new(0, 0);
    let mut s = 0;
    while s < all.min(ALIGNMENTS) {
        let left = all - s;
        let mut bits = if left >= LANES {
            // SAFETY: from each of the two on, the text has sixteen bytes, because there are as many
            // alignments.
            unsafe {
                let bits = equal(load(text, s + m - 1), pattern[m - 1]);
                if m == 1 { bits } else { bits & equal(load(text, s + early), pattern[early]) }
            }
        } else {
            // The last register of the text has the last characters of the windows in its last lanes. That of
            // the other characters is moved back if it would end after the text.
            let from = (s + early).min(n - LANES);
            // SAFETY: the text has sixteen bytes from both on.
            unsafe {
                (equal(load(text, from), pattern[early]) >> (s + early - from))
                    & (equal(load(text, n - LANES), pattern[m - 1]) >> (LANES - left))
            }
        };
        while bits != 0 {
            let candidate = s + bits.trailing_zeros() as usize;
            // SAFETY: bits are set for alignments only.
            if m <= 2 || unsafe { occurs(pattern, Bytes(text), candidate, &mut effort) } {
                return Some(candidate);
            }
            bits &= bits - 1;
        }
        s += LANES;
    }
    None
}

/// The same in a text that fits into a register, and is at least as long as the pattern.
fn find_in_register(pattern: &[u8], text: &[u8]) -> Option<usize> {
    let (m, n) = (pattern.len(), text.len());
    let (text, needle) = (packed(text), packed(pattern));
    // SAFETY: both have sixteen bytes, and SSE2 is always there.
    let register = unsafe { _mm_loadu_si128((&raw const text).cast()) };
    let starts = (1_u32 << (n - m + 1)) - 1;
    let early = usize::from(m > 2);
    let mut bits =
        (equal(register, pattern[early]) >> early) & (equal(register, pattern[m - 1]) >> (m - 1)) & starts;
    let of_needle = (1_u128 << (8 * m)) - 1;
    while bits != 0 {
        let s = bits.trailing_zeros();
        if (text >> (8 * s)) & of_needle == needle {
            return Some(s as usize);
        }
        bits &= bits - 1;
    }
    None
}

/// 1 to 15 bytes, the first of them lowest, and zeros.
fn packed(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    let bytes = Bytes(bytes);
    // The second word overlaps the first, with the same bytes.
    macro_rules! two_words {
        ($word:ty, $size:literal) => {{
            // SAFETY: there are at least as many bytes as a word has.
            let [first, last] = unsafe { [bytes.read::<$size>(0), bytes.read::<$size>(n - $size)] };
            let [first, last] = [first, last].map(<$word>::from_le_bytes).map(u128::from);
            first | last << (8 * (n - $size))
        }};
    }
    match n {
        8.. => two_words!(u64, 8),
        4..8 => two_words!(u32, 4),
        2..4 => two_words!(u16, 2),
        _ => two_words!(u8, 1),
    }
}

/// Sixteen bytes of the text.
///
/// # Safety
/// The text has them from `index` on.
#[inline(always)]
unsafe fn load(text: &[u8], index: usize) -> __m128i {
    // SAFETY: the caller's promise; SSE2 is always there.
    unsafe {
        let block = Bytes(text).read::<LANES>(index);
        _mm_loadu_si128(block.as_ptr().cast())
    }
}

/// A bit for each lane that holds this byte.
#[inline(always)]
fn equal(register: __m128i, byte: u8) -> u32 {
    // SAFETY: SSE2 is always there.
    unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(register, _mm_set1_epi8(byte.cast_signed()))) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::Draws;

    #[test]
    fn bytes_are_packed_from_the_lowest() {
        for n in 1..16 {
            let bytes: Vec<u8> = (1..=n).collect();
            let mut expected = [0; 16];
            expected[..bytes.len()].copy_from_slice(&bytes);
            assert_eq!(packed(&bytes), u128::from_le_bytes(expected));
        }
    }

    #[test]
    fn the_first_occurrence_at_the_first_alignments_is_found() {
        let mut draws = Draws(4);
        for n in 1..200 {
            for m in (1..=LONGEST.min(n)).chain([n + 1]) {
                let letters = 1 + draws.below(3);
                let text: Vec<u8> = (0..n).map(|_| draws.below(letters) as u8).collect();
                let begin = draws.below(n);
                let pattern: Vec<u8> = text[begin..].iter().copied().cycle().take(m).collect();
                let expected = text.windows(m).take(ALIGNMENTS).position(|window| window == pattern);
                assert_eq!(find(&pattern, &text), expected, "{pattern:?} in {text:?}");
            }
        }
    }
}
