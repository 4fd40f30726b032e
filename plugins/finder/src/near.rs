//! The first occurrence in a short text, or near the beginning of a long one.
//!
//! A few characters from anywhere in the pattern are compared, without the choice of a method and without
//! lists of candidates, because both take longer than a search of some hundred bytes.

use crate::candidates::{Effort, occurs};
use crate::cpu::{Available, Instructions};
use crate::method::spread;
use crate::some_characters::{Place, differences_of};
use crate::text::Bytes;
#[cfg(target_arch = "x86_64")]
use crate::vector::{Bytes16, Bytes32};
use crate::vector::{Plain16, Vector};

/// The most alignments that a register has.
pub const WIDEST: usize = 32;

/// Blocks with one branch.
const GROUP: usize = 4;

/// Candidates in vain may be this far apart on average: closer ones take longer than the choice of a method.
const LEAST_GAP: usize = 64;

/// The first occurrence that begins at `begin` or later; `None` if there is none in all of the text.
/// Otherwise ends with the first alignment that was not tried: `stop`, or where too many candidates were
/// verified in vain.
///
/// # Panics
/// If the pattern is empty or does not fit into the text from `begin` on.
pub fn find(
    pattern: &[u8],
    text: &[u8],
    begin: usize,
    stop: usize,
    instructions: Available,
) -> Result<Option<usize>, usize> {
    assert!(!pattern.is_empty() && begin + pattern.len() <= text.len(), "a pattern that fits into the text");
    let alignments = text.len() - begin - (pattern.len() - 1);
    let instructions = instructions.get();
    // SAFETY: the CPU has the instructions, and the text as many alignments as a register has bytes.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        {
            if instructions >= Instructions::Avx2 && alignments >= Bytes32::LANES {
                return with_avx2(pattern, text, begin, stop);
            }
            if instructions >= Instructions::Sse2 && alignments >= Bytes16::LANES {
                return by_length::<Bytes16>(pattern, text, begin, stop);
            }
        }
        if alignments >= Plain16::LANES {
            return by_length::<Plain16>(pattern, text, begin, stop);
        }
    }
    _ = instructions;
    Err(begin)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn with_avx2(pattern: &[u8], text: &[u8], begin: usize, stop: usize) -> Result<Option<usize>, usize> {
    // SAFETY: the caller's promise.
    unsafe { by_length::<Bytes32>(pattern, text, begin, stop) }
}

/// # Safety
/// As for [`Vector`]; the text has at least `LANES` alignments from `begin` on.
#[inline(always)]
unsafe fn by_length<V: Vector>(
    pattern: &[u8],
    text: &[u8],
    begin: usize,
    stop: usize,
) -> Result<Option<usize>, usize> {
    let place = |offset: usize| Place { offset, byte: pattern[offset] };
    // SAFETY: the caller's promise; the places are the pattern's.
    unsafe {
        match pattern.len() {
            // Twice the same, because with one place the compiler takes portable registers apart.
            1 => search::<V, 2, true>(pattern, &[place(0), place(0)], text, begin, stop),
            2 => search::<V, 2, true>(pattern, &[place(0), place(1)], text, begin, stop),
            3 => search::<V, 3, true>(pattern, &[place(0), place(1), place(2)], text, begin, stop),
            _ => {
                // Not the first byte: in UTF-8 it begins a character, and all characters of an alphabet such
                // as the Cyrillic one begin alike.
                let places = spread::<3>(&pattern[1..])
                    .map(|Place { offset, byte }| Place { offset: offset + 1, byte });
                search::<V, 3, false>(pattern, &places, text, begin, stop)
            }
        }
    }
}

/// # Safety
/// As for [`Vector`]; the text has at least `LANES` alignments from `begin` on, and each place is the
/// pattern's.
#[inline(always)]
unsafe fn search<V: Vector, const K: usize, const NEIGHBOURS: bool>(
    pattern: &[u8],
    places: &[Place; K],
    text: &[u8],
    begin: usize,
    stop: usize,
) -> Result<Option<usize>, usize> {
    let last = text.len() - (V::LANES + pattern.len() - 1);
    let text = Bytes(text);
    let mut effort = Effort::new(begin, LEAST_GAP);
    let mut s = begin;
    loop {
        let group = s + (GROUP - 1) * V::LANES;
        if group <= last.min(stop) {
            // SAFETY: the caller's promise, because the group begins at `last` at most.
            let hit = unsafe {
                let mut least = differences_of::<V, K, NEIGHBOURS, Bytes>(places, text, s);
                for block in 1..GROUP {
                    least = least.least(differences_of::<V, K, NEIGHBOURS, Bytes>(
                        places,
                        text,
                        s + block * V::LANES,
                    ));
                }
                least.has_zero()
            };
            if !hit {
                s = group + V::LANES;
                if s >= last + V::LANES {
                    return Ok(None);
                }
                continue;
            }
        }
        // One block; the last overlaps the one before.
        let block = s.min(last);
        // SAFETY: the caller's promise, because a block begins at `last` at most.
        let mut bits =
            unsafe { differences_of::<V, K, NEIGHBOURS, Bytes>(places, text, block).zeros() } >> (s - block);
        while bits != 0 {
            let candidate = s + bits.trailing_zeros() as usize;
            // SAFETY: as above.
            if unsafe { occurs(pattern, text, candidate, &mut effort) } {
                return Ok(Some(candidate));
            }
            if effort.too_much(candidate) {
                return if candidate < last + V::LANES - 1 { Err(candidate + 1) } else { Ok(None) };
            }
            bits &= bits - 1;
        }
        s = block + V::LANES;
        if s >= last + V::LANES {
            return Ok(None);
        }
        if s >= stop {
            return Err(s);
        }
    }
}
