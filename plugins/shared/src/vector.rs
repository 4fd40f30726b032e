//! Registers of 16, 32 and 64 bytes: all that the algorithms here ask of them.
//!
//! The search library (`plugins/finder`) has registers of its own, because it joins differences where these
//! compare for equality, and knows no probe.

use assay_plugin_api::prelude::*;

/// A register of bytes.
///
/// # Safety
/// Call the methods only if [`usable`](Vector::usable) is true, in a function that enables the
/// instructions.
pub unsafe trait Vector: Copy {
    /// Number of bytes.
    const LANES: usize;

    /// Which lanes are equal, in the form in which the instructions have it.
    type Equal: Copy;

    /// Whether this CPU has the instructions.
    fn usable() -> bool;

    /// The byte in every lane.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn splat(byte: u8) -> Self;

    /// For each lane, whether the character of the text at `index` and those after it are those of the
    /// register. They are read.
    ///
    /// # Safety
    /// Of the trait; the text has `LANES` bytes from `index` on.
    unsafe fn compare<P: Probe>(self, text: Text<P>, index: usize) -> Self::Equal;

    /// Lanes that are equal in both.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn both(one: Self::Equal, other: Self::Equal) -> Self::Equal;

    /// Lanes that are equal in one or both.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn either(one: Self::Equal, other: Self::Equal) -> Self::Equal;

    /// A bit for each lane, the lowest for the first.
    ///
    /// # Safety
    /// Of the trait.
    unsafe fn mask(equal: Self::Equal) -> u64;

    /// The [`mask`](Vector::mask) of a comparison.
    ///
    /// # Safety
    /// As for [`compare`](Vector::compare).
    #[inline(always)]
    unsafe fn equals<P: Probe>(self, text: Text<P>, index: usize) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { Self::mask(self.compare(text, index)) }
    }

    /// One `bit`, of eight, of each of the characters of the text from `index` on, that of the first one the
    /// lowest.
    ///
    /// # Safety
    /// Of the trait; the text has `LANES` bytes from `index` on.
    unsafe fn bits<P: Probe>(text: Text<P>, index: usize, bit: u32) -> u64;
}

/// The same search for registers of several widths: `call` is compiled for each, with its instructions
/// enabled.
pub trait Kernel {
    /// Searches with registers `V`.
    ///
    /// # Safety
    /// As for [`Vector`].
    unsafe fn call<V: Vector>(self);
}

/// Runs a kernel with registers of `WIDTH` bytes, or with the widest that this CPU has where `WIDTH` is 0.
///
/// # Panics
/// If this CPU has none of this width.
pub fn with_registers<const WIDTH: usize>(kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    {
        use x86::{Bytes16, Bytes32, Bytes64};
        let fits = |width, usable| (WIDTH == width || WIDTH == 0) && usable;
        // SAFETY: each function is called where its instructions were found.
        unsafe {
            if fits(64, Bytes64::usable()) {
                return x86::with_64(kernel);
            }
            if fits(32, Bytes32::usable()) {
                return x86::with_32(kernel);
            }
            if fits(16, Bytes16::usable()) {
                return if std::is_x86_feature_detected!("popcnt") {
                    x86::with_16_and_popcnt(kernel)
                } else {
                    kernel.call::<Bytes16>()
                };
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    if WIDTH == 16 || WIDTH == 0 {
        // SAFETY: plain code.
        return unsafe { kernel.call::<Plain16>() };
    }
    panic!("no registers of {WIDTH} bytes here");
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    #[derive(Clone, Copy)]
    pub struct Bytes16(__m128i);
    #[derive(Clone, Copy)]
    pub struct Bytes32(__m256i);
    #[derive(Clone, Copy)]
    pub struct Bytes64(__m512i);

    // SAFETY: instructions of SSE2, which every CPU of this architecture has.
    unsafe impl Vector for Bytes16 {
        const LANES: usize = 16;
        type Equal = __m128i;

        fn usable() -> bool {
            true
        }

        #[inline(always)]
        unsafe fn splat(byte: u8) -> Self {
            // SAFETY: of the trait.
            Bytes16(unsafe { _mm_set1_epi8(byte.cast_signed()) })
        }

        #[inline(always)]
        unsafe fn compare<P: Probe>(self, text: Text<P>, index: usize) -> __m128i {
            // SAFETY: by the contract of the trait; the array has the 16 bytes that are loaded.
            unsafe {
                let block = text.block_unchecked::<16>(index);
                _mm_cmpeq_epi8(self.0, _mm_loadu_si128(block.as_ptr().cast()))
            }
        }

        #[inline(always)]
        unsafe fn both(one: __m128i, other: __m128i) -> __m128i {
            // SAFETY: of the trait.
            unsafe { _mm_and_si128(one, other) }
        }

        #[inline(always)]
        unsafe fn either(one: __m128i, other: __m128i) -> __m128i {
            // SAFETY: of the trait.
            unsafe { _mm_or_si128(one, other) }
        }

        #[inline(always)]
        unsafe fn mask(equal: __m128i) -> u64 {
            // SAFETY: of the trait.
            u64::from(unsafe { _mm_movemask_epi8(equal) }.cast_unsigned())
        }

        #[inline(always)]
        unsafe fn bits<P: Probe>(text: Text<P>, index: usize, bit: u32) -> u64 {
            // SAFETY: by the contract of the trait; the array has the 16 bytes that are loaded.
            unsafe {
                let block = text.block_unchecked::<16>(index);
                let signs = _mm_sll_epi64(
                    _mm_loadu_si128(block.as_ptr().cast()),
                    _mm_cvtsi64_si128(7 - i64::from(bit)),
                );
                u64::from(_mm_movemask_epi8(signs).cast_unsigned())
            }
        }
    }

    // SAFETY: instructions of AVX2.
    unsafe impl Vector for Bytes32 {
        const LANES: usize = 32;
        type Equal = __m256i;

        fn usable() -> bool {
            std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt")
        }

        #[inline(always)]
        unsafe fn splat(byte: u8) -> Self {
            // SAFETY: of the trait.
            Bytes32(unsafe { _mm256_set1_epi8(byte.cast_signed()) })
        }

        #[inline(always)]
        unsafe fn compare<P: Probe>(self, text: Text<P>, index: usize) -> __m256i {
            // SAFETY: by the contract of the trait; the array has the 32 bytes that are loaded.
            unsafe {
                let block = text.block_unchecked::<32>(index);
                _mm256_cmpeq_epi8(self.0, _mm256_loadu_si256(block.as_ptr().cast()))
            }
        }

        #[inline(always)]
        unsafe fn both(one: __m256i, other: __m256i) -> __m256i {
            // SAFETY: of the trait.
            unsafe { _mm256_and_si256(one, other) }
        }

        #[inline(always)]
        unsafe fn either(one: __m256i, other: __m256i) -> __m256i {
            // SAFETY: of the trait.
            unsafe { _mm256_or_si256(one, other) }
        }

        #[inline(always)]
        unsafe fn mask(equal: __m256i) -> u64 {
            // SAFETY: of the trait.
            u64::from(unsafe { _mm256_movemask_epi8(equal) }.cast_unsigned())
        }

        #[inline(always)]
        unsafe fn bits<P: Probe>(text: Text<P>, index: usize, bit: u32) -> u64 {
            // SAFETY: by the contract of the trait; the array has the 32 bytes that are loaded.
            unsafe {
                let block = text.block_unchecked::<32>(index);
                let signs = _mm256_sll_epi64(
                    _mm256_loadu_si256(block.as_ptr().cast()),
                    _mm_cvtsi64_si128(7 - i64::from(bit)),
                );
                u64::from(_mm256_movemask_epi8(signs).cast_unsigned())
            }
        }
    }

    // SAFETY: instructions of AVX-512 F and BW.
    unsafe impl Vector for Bytes64 {
        const LANES: usize = 64;
        type Equal = u64;

        fn usable() -> bool {
            std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("popcnt")
        }

        #[inline(always)]
        unsafe fn splat(byte: u8) -> Self {
            // SAFETY: of the trait.
            Bytes64(unsafe { _mm512_set1_epi8(byte.cast_signed()) })
        }

        #[inline(always)]
        unsafe fn compare<P: Probe>(self, text: Text<P>, index: usize) -> u64 {
            // SAFETY: by the contract of the trait; the array has the 64 bytes that are loaded.
            unsafe {
                let block = text.block_unchecked::<64>(index);
                _mm512_cmpeq_epi8_mask(self.0, _mm512_loadu_si512(block.as_ptr().cast()))
            }
        }

        #[inline(always)]
        unsafe fn both(one: u64, other: u64) -> u64 {
            one & other
        }

        #[inline(always)]
        unsafe fn either(one: u64, other: u64) -> u64 {
            one | other
        }

        #[inline(always)]
        unsafe fn mask(equal: u64) -> u64 {
            equal
        }

        #[inline(always)]
        unsafe fn bits<P: Probe>(text: Text<P>, index: usize, bit: u32) -> u64 {
            // SAFETY: by the contract of the trait; the array has the 64 bytes that are loaded.
            unsafe {
                let block = text.block_unchecked::<64>(index);
                let wanted = _mm512_set1_epi8((1_u8 << bit).cast_signed());
                _mm512_test_epi8_mask(_mm512_loadu_si512(block.as_ptr().cast()), wanted)
            }
        }
    }

    /// Masks are counted by one instruction.
    #[target_feature(enable = "popcnt")]
    pub fn with_16_and_popcnt(kernel: impl Kernel) {
        // SAFETY: the instructions are enabled here.
        unsafe { kernel.call::<Bytes16>() }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn with_32(kernel: impl Kernel) {
        // SAFETY: the instructions are enabled here.
        unsafe { kernel.call::<Bytes32>() }
    }

    #[target_feature(enable = "avx512f,avx512bw,popcnt")]
    pub fn with_64(kernel: impl Kernel) {
        // SAFETY: the instructions are enabled here.
        unsafe { kernel.call::<Bytes64>() }
    }
}

/// A loop that compilers make vector instructions of.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
struct Plain16(u8);

#[cfg(not(target_arch = "x86_64"))]
// SAFETY: plain code.
unsafe impl Vector for Plain16 {
    const LANES: usize = 16;
    type Equal = u64;

    fn usable() -> bool {
        true
    }

    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        Plain16(byte)
    }

    #[inline(always)]
    unsafe fn compare<P: Probe>(self, text: Text<P>, index: usize) -> u64 {
        // SAFETY: of the trait.
        let block = unsafe { text.block_unchecked::<16>(index) };
        block.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(*byte == self.0))
    }

    #[inline(always)]
    unsafe fn both(one: u64, other: u64) -> u64 {
        one & other
    }

    #[inline(always)]
    unsafe fn either(one: u64, other: u64) -> u64 {
        one | other
    }

    #[inline(always)]
    unsafe fn mask(equal: u64) -> u64 {
        equal
    }

    #[inline(always)]
    unsafe fn bits<P: Probe>(text: Text<P>, index: usize, bit: u32) -> u64 {
        // SAFETY: of the trait.
        let block = unsafe { text.block_unchecked::<16>(index) };
        block.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(byte >> bit & 1))
    }
}
