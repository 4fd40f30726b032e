//! A short range of alignments: eight characters are compared at each alignment, and windows in which they
//! match are verified.

use crate::candidates::Effort;
use crate::cpu::{Available, Instructions};
use crate::found::Found;
use crate::some_characters::{Place, differences, verify};
use crate::text::Text;
#[cfg(target_arch = "x86_64")]
use crate::vector::{Bytes16, Bytes32, Bytes64};
use crate::vector::{Plain16, Vector};

/// Characters that are compared.
pub const PLACES: usize = 8;

/// Reports the occurrences from one alignment to another, both included. If too much is verified in vain,
/// ends with the first alignment that was not tried.
///
/// # Safety
/// The CPU has the instructions; the text has at least as many alignments as were given to [`select`]; the
/// places are the pattern's, and both alignments are the text's.
pub type Region<T, F> =
    unsafe fn(&[u8], &[Place; PLACES], T, usize, usize, &mut Effort, &mut F) -> Result<(), usize>;

/// The function for these instructions and this number of alignments; `None` for less than 16 alignments.
pub fn select<T: Text, F: Found>(instructions: Available, alignments: usize) -> Option<Region<T, F>> {
    #[cfg(target_arch = "x86_64")]
    {
        let instructions = instructions.get();
        if instructions >= Instructions::Avx512 && alignments >= Bytes64::LANES {
            return Some(with_avx512);
        }
        if instructions >= Instructions::Avx2 && alignments >= Bytes32::LANES {
            return Some(with_avx2);
        }
        if instructions >= Instructions::Sse2 && alignments >= Bytes16::LANES {
            return Some(region::<Bytes16, T, F>);
        }
    }
    _ = instructions;
    (alignments >= Plain16::LANES).then_some(region::<Plain16, T, F>)
}

macro_rules! with {
    ($name:ident, $bytes:ty, $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        unsafe fn $name<T: Text, F: Found>(
            pattern: &[u8],
            places: &[Place; PLACES],
            text: T,
            first: usize,
            last: usize,
            effort: &mut Effort,
            found: &mut F,
        ) -> Result<(), usize> {
            // SAFETY: the caller's promise.
            unsafe { region::<$bytes, T, F>(pattern, places, text, first, last, effort, found) }
        }
    };
}

with!(with_avx2, Bytes32, "avx2,bmi1,bmi2,lzcnt,popcnt");
with!(with_avx512, Bytes64, "avx512f,avx512bw,avx512vl,bmi1,bmi2,lzcnt,popcnt");

/// Reports the occurrences from `first` to `last`. If too much is verified in vain, ends with the first
/// alignment that was not tried.
///
/// # Safety
/// As for [`Vector`]; the text has at least `LANES` alignments, and `first` and `last` are among them; the
/// places are the pattern's.
#[inline(always)]
unsafe fn region<V: Vector, T: Text, F: Found>(
    pattern: &[u8],
    places: &[Place; PLACES],
    text: T,
    first: usize,
    last: usize,
    effort: &mut Effort,
    found: &mut F,
) -> Result<(), usize> {
    let m = pattern.len();
    let most = text.len() - (V::LANES + m - 1);
    let mut s = first;
    while s <= last {
        let block = s.min(most);
        // SAFETY: the caller's promise; a block reaches the end of the text at most.
        let mut bits = unsafe { differences::<V, PLACES, T>(places, text, block).zeros() } >> (s - block);
        let left = last - s + 1;
        if left < 64 {
            bits &= (1 << left) - 1;
        }
        if text.branch(bits != 0) {
            // SAFETY: as above.
            unsafe { verify(pattern, text, s, bits, effort, found)? };
            if found.is_full() {
                break;
            }
        }
        s = block + V::LANES;
        text.jump();
    }
    Ok(())
}
