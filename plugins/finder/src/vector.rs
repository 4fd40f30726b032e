//! Registers of 16, 32 and 64 bytes: all that the methods ask of them.
//!
//! The algorithms of assay have registers of their own (`plugins/shared`), because they compare for equality,
//! and count what they read by assay's convention; this library knows nothing of assay, and joins differences
//! instead.

use crate::text::Text;

/// A register of bytes.
///
/// # Safety
/// Call the methods only where the CPU has the instructions, in a function that enables them.
pub unsafe trait Vector: Copy {
    /// Number of bytes.
    const LANES: usize;

    /// The bytes of the text from `index` on.
    ///
    /// # Safety
    /// Of the trait; the text has `LANES` bytes from `index` on.
    unsafe fn load(text: impl Text, index: usize) -> Self;

    /// The same for bytes of which other registers have some, too.
    ///
    /// # Safety
    /// As for [`load`](Self::load).
    #[inline(always)]
    unsafe fn load_neighbour(text: impl Text, index: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load(text, index) }
    }

    /// The byte in every lane.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn splat(byte: u8) -> Self;

    /// Where the bytes of the two differ: zero where they are the same.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn differences(self, other: Self) -> Self;

    /// These differences, and those of two others.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn or_differences(self, one: Self, other: Self) -> Self;

    /// The lesser byte of each lane.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn least(self, other: Self) -> Self;

    /// A bit for each lane, the lowest for the first: whether it is zero.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn zeros(self) -> u64;

    /// Whether a lane is zero.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn has_zero(self) -> bool;

    /// Adds 1 to each lane in which `differences` is zero.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn count_zeros(self, differences: Self) -> Self;

    /// The sum of all lanes.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn sum(self) -> u64;
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Bytes16, Bytes32, Bytes64};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::*;

    /// A register of SSE2, which every CPU of this architecture has.
    #[derive(Clone, Copy)]
    pub struct Bytes16(__m128i);
    /// A register of AVX2.
    #[derive(Clone, Copy)]
    pub struct Bytes32(__m256i);
    /// A register of AVX-512 F and BW.
    #[derive(Clone, Copy)]
    pub struct Bytes64(__m512i);

    // SAFETY: instructions of SSE2.
    unsafe impl Vector for Bytes16 {
        const LANES: usize = 16;

        #[inline(always)]
        unsafe fn load(text: impl Text, index: usize) -> Self {
            // SAFETY: of the trait; the array has the bytes that are loaded.
            unsafe {
                let block = text.read::<16>(index);
                Bytes16(_mm_loadu_si128(block.as_ptr().cast()))
            }
        }

        #[inline(always)]
        unsafe fn splat(byte: u8) -> Self {
            // SAFETY: of the trait.
            Bytes16(unsafe { _mm_set1_epi8(byte.cast_signed()) })
        }

        #[inline(always)]
        unsafe fn differences(self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes16(unsafe { _mm_xor_si128(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn or_differences(self, one: Self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes16(unsafe { _mm_or_si128(self.0, _mm_xor_si128(one.0, other.0)) })
        }

        #[inline(always)]
        unsafe fn least(self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes16(unsafe { _mm_min_epu8(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn zeros(self) -> u64 {
            // SAFETY: of the trait.
            unsafe {
                u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())).cast_unsigned())
            }
        }

        #[inline(always)]
        unsafe fn has_zero(self) -> bool {
            // SAFETY: of the trait.
            unsafe { self.zeros() != 0 }
        }

        #[inline(always)]
        unsafe fn count_zeros(self, differences: Self) -> Self {
            // SAFETY: of the trait.
            Bytes16(unsafe { _mm_sub_epi8(self.0, _mm_cmpeq_epi8(differences.0, _mm_setzero_si128())) })
        }

        #[inline(always)]
        unsafe fn sum(self) -> u64 {
            // SAFETY: of the trait.
            unsafe {
                let sums = _mm_sad_epu8(self.0, _mm_setzero_si128());
                let high = _mm_unpackhi_epi64(sums, sums);
                _mm_cvtsi128_si64(_mm_add_epi64(sums, high)).cast_unsigned()
            }
        }
    }

    // SAFETY: instructions of AVX2.
    unsafe impl Vector for Bytes32 {
        const LANES: usize = 32;

        #[inline(always)]
        unsafe fn load(text: impl Text, index: usize) -> Self {
            // SAFETY: of the trait; the array has the bytes that are loaded.
            unsafe {
                let block = text.read::<32>(index);
                Bytes32(_mm256_loadu_si256(block.as_ptr().cast()))
            }
        }

        #[inline(always)]
        unsafe fn splat(byte: u8) -> Self {
            // SAFETY: of the trait.
            Bytes32(unsafe { _mm256_set1_epi8(byte.cast_signed()) })
        }

        #[inline(always)]
        unsafe fn differences(self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes32(unsafe { _mm256_xor_si256(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn or_differences(self, one: Self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes32(unsafe { _mm256_or_si256(self.0, _mm256_xor_si256(one.0, other.0)) })
        }

        #[inline(always)]
        unsafe fn least(self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes32(unsafe { _mm256_min_epu8(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn zeros(self) -> u64 {
            // SAFETY: of the trait.
            unsafe {
                let zero = _mm256_cmpeq_epi8(self.0, _mm256_setzero_si256());
                u64::from(_mm256_movemask_epi8(zero).cast_unsigned())
            }
        }

        #[inline(always)]
        unsafe fn has_zero(self) -> bool {
            // SAFETY: of the trait.
            unsafe { self.zeros() != 0 }
        }

        #[inline(always)]
        unsafe fn count_zeros(self, differences: Self) -> Self {
            // SAFETY: of the trait.
            Bytes32(unsafe {
                _mm256_sub_epi8(self.0, _mm256_cmpeq_epi8(differences.0, _mm256_setzero_si256()))
            })
        }

        #[inline(always)]
        unsafe fn sum(self) -> u64 {
            // SAFETY: of the trait.
            unsafe {
                let sums = _mm256_sad_epu8(self.0, _mm256_setzero_si256());
                let two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
                _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))).cast_unsigned()
            }
        }
    }

    // SAFETY: instructions of AVX-512 F and BW.
    unsafe impl Vector for Bytes64 {
        const LANES: usize = 64;

        #[inline(always)]
        unsafe fn load(text: impl Text, index: usize) -> Self {
            // SAFETY: of the trait; the array has the bytes that are loaded.
            unsafe {
                let block = text.read::<64>(index);
                Bytes64(_mm512_loadu_si512(block.as_ptr().cast()))
            }
        }

        #[inline(always)]
        unsafe fn splat(byte: u8) -> Self {
            // SAFETY: of the trait.
            Bytes64(unsafe { _mm512_set1_epi8(byte.cast_signed()) })
        }

        #[inline(always)]
        unsafe fn differences(self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes64(unsafe { _mm512_xor_si512(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn or_differences(self, one: Self, other: Self) -> Self {
            /// `a | (b ^ c)`: the bit of each of the eight inputs `abc`.
            const OR_XOR: i32 = 0b1111_0110;
            // SAFETY: of the trait.
            Bytes64(unsafe { _mm512_ternarylogic_epi64::<OR_XOR>(self.0, one.0, other.0) })
        }

        #[inline(always)]
        unsafe fn least(self, other: Self) -> Self {
            // SAFETY: of the trait.
            Bytes64(unsafe { _mm512_min_epu8(self.0, other.0) })
        }

        #[inline(always)]
        unsafe fn zeros(self) -> u64 {
            // SAFETY: of the trait.
            unsafe { _mm512_testn_epi8_mask(self.0, self.0) }
        }

        #[inline(always)]
        unsafe fn has_zero(self) -> bool {
            // SAFETY: of the trait.
            unsafe { self.zeros() != 0 }
        }

        #[inline(always)]
        unsafe fn count_zeros(self, differences: Self) -> Self {
            // SAFETY: of the trait.
            Bytes64(unsafe {
                let zero = _mm512_testn_epi8_mask(differences.0, differences.0);
                _mm512_mask_sub_epi8(self.0, zero, self.0, _mm512_set1_epi8(-1))
            })
        }

        #[inline(always)]
        unsafe fn sum(self) -> u64 {
            // SAFETY: of the trait.
            unsafe {
                let sums = _mm512_sad_epu8(self.0, _mm512_setzero_si512());
                _mm512_reduce_add_epi64(sums).cast_unsigned()
            }
        }
    }
}

/// Sixteen bytes in a loop that compilers make vector instructions of.
#[derive(Clone, Copy)]
pub struct Plain16([u8; 16]);

// SAFETY: plain code.
unsafe impl Vector for Plain16 {
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn load(text: impl Text, index: usize) -> Self {
        // SAFETY: of the trait.
        Plain16(unsafe { text.read::<16>(index) })
    }

    #[inline(always)]
    unsafe fn load_neighbour(text: impl Text, index: usize) -> Self {
        // Otherwise the compiler takes the bytes that two loads share from one of them, one by one, instead
        // of loading both: that takes seven times as long. SAFETY: of the trait.
        Plain16(core::hint::black_box(unsafe { text.read::<16>(index) }))
    }

    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        Plain16([byte; 16])
    }

    #[inline(always)]
    unsafe fn differences(self, other: Self) -> Self {
        Plain16(core::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }

    #[inline(always)]
    unsafe fn or_differences(self, one: Self, other: Self) -> Self {
        Plain16(core::array::from_fn(|i| self.0[i] | (one.0[i] ^ other.0[i])))
    }

    #[inline(always)]
    unsafe fn least(self, other: Self) -> Self {
        Plain16(core::array::from_fn(|i| self.0[i].min(other.0[i])))
    }

    #[inline(always)]
    unsafe fn zeros(self) -> u64 {
        // SAFETY: plain code.
        if !unsafe { self.has_zero() } {
            return 0;
        }
        self.0.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(byte == 0))
    }

    #[inline(always)]
    unsafe fn has_zero(self) -> bool {
        self.0.iter().fold(u8::MAX, |least, &byte| least.min(byte)) == 0
    }

    #[inline(always)]
    unsafe fn count_zeros(self, differences: Self) -> Self {
        Plain16(core::array::from_fn(|i| self.0[i].wrapping_add(u8::from(differences.0[i] == 0))))
    }

    #[inline(always)]
    unsafe fn sum(self) -> u64 {
        self.0.iter().map(|&byte| u64::from(byte)).sum()
    }
}
