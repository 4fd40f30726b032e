//! Hash values of q-grams.

use crate::text::Text;

/// A way to make a number of a q-gram.
///
/// # Safety
/// Call the method only where the CPU has its instructions, in a function that enables them.
pub unsafe trait GramHash: Copy {
    /// Characters that it reads.
    const Q: usize;

    /// A number that differs for most q-grams; its upper bits differ most.
    ///
    /// # Safety
    /// Of the trait; the text has `Q` bytes from `index` on.
    unsafe fn hash<T: Text>(self, text: T, index: usize) -> u64;
}

/// Of Knuth's multiplicative hashing: odd, without a pattern in its bits.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Eight characters.
#[derive(Clone, Copy, Debug)]
pub struct Eight;

/// Sixteen characters.
#[derive(Clone, Copy, Debug)]
pub struct Sixteen;

/// Twenty-four characters.
#[derive(Clone, Copy, Debug)]
pub struct TwentyFour;

#[inline(always)]
unsafe fn word<T: Text>(text: T, index: usize) -> u64 {
    // SAFETY: the caller's promise: eight bytes.
    u64::from_le_bytes(unsafe { text.read::<8>(index) })
}

// SAFETY: plain code.
unsafe impl GramHash for Eight {
    const Q: usize = 8;

    #[inline(always)]
    unsafe fn hash<T: Text>(self, text: T, index: usize) -> u64 {
        text.computes(1);
        // SAFETY: the caller's promise.
        unsafe { word(text, index).wrapping_mul(FACTOR) }
    }
}

// SAFETY: plain code.
unsafe impl GramHash for Sixteen {
    const Q: usize = 16;

    #[inline(always)]
    unsafe fn hash<T: Text>(self, text: T, index: usize) -> u64 {
        text.computes(2);
        // SAFETY: the caller's promise.
        unsafe { (word(text, index) ^ word(text, index + 8).rotate_left(25)).wrapping_mul(FACTOR) }
    }
}

// SAFETY: plain code.
unsafe impl GramHash for TwentyFour {
    const Q: usize = 24;

    #[inline(always)]
    unsafe fn hash<T: Text>(self, text: T, index: usize) -> u64 {
        text.computes(3);
        // SAFETY: the caller's promise.
        unsafe {
            let (a, b, c) = (word(text, index), word(text, index + 8), word(text, index + 16));
            (a ^ b.rotate_left(25) ^ c.rotate_left(50)).wrapping_mul(FACTOR)
        }
    }
}

/// Thirty-two characters, of which one bit each counts: for texts of two characters.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct ThirtyTwoBits {
    /// The bit, as a mask.
    pub bit: u8,
}

#[cfg(target_arch = "x86_64")]
// SAFETY: instructions of AVX-512 BW and VL.
unsafe impl GramHash for ThirtyTwoBits {
    const Q: usize = 32;

    #[inline(always)]
    unsafe fn hash<T: Text>(self, text: T, index: usize) -> u64 {
        use core::arch::x86_64::*;
        text.computes(1);
        // SAFETY: the caller's promise.
        unsafe {
            let block = _mm256_loadu_si256(text.read::<32>(index).as_ptr().cast());
            let bits = _mm256_test_epi8_mask(block, _mm256_set1_epi8(self.bit.cast_signed()));
            u64::from(bits).wrapping_mul(FACTOR)
        }
    }
}
