//! The pattern's first four characters at all alignments of a block: the sum of their absolute differences
//! from the text is zero where they occur. What is left is verified.

use assay_plugin_api::prelude::*;

/// Number of characters that are compared, because the instruction takes sums over four bytes.
pub const PREFIX: usize = 4;

/// Finds all occurrences with registers of `WIDTH` bytes, 16 or 32. A register holds the sums of `WIDTH / 2`
/// alignments.
///
/// # Panics
/// If this CPU does not have the instruction.
pub fn search<const WIDTH: usize, P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    #[cfg(target_arch = "x86_64")]
    {
        let popcnt = std::is_x86_feature_detected!("popcnt");
        // SAFETY: the instructions were found.
        unsafe {
            if WIDTH == 32 && std::is_x86_feature_detected!("avx2") && popcnt {
                return x86::with_32(pattern, text, found, probe);
            }
            if WIDTH == 16 && std::is_x86_feature_detected!("sse4.1") && popcnt {
                return x86::with_16(pattern, text, found, probe);
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (pattern, text, found, probe);
    panic!("no sums of absolute differences in registers of {WIDTH} bytes here");
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;
    use assay_shared::naive::one_by_one;

    #[target_feature(enable = "sse4.1,popcnt")]
    pub fn with_16<P: Probe>(pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let prefix = _mm_cvtsi32_si128(i32::from_le_bytes([0, 1, 2, 3].map(|i| pattern.at(i))));
        let zeros = |s| {
            // SAFETY: 24 bytes of the text begin at `s`, and each load is of an array of 16.
            let [low, high] = unsafe {
                [text.block_unchecked::<16>(s), text.block_unchecked::<16>(s + 8)]
                    .map(|block| _mm_mpsadbw_epu8(_mm_loadu_si128(block.as_ptr().cast()), prefix, 0))
            };
            let none = _mm_setzero_si128();
            let equal = _mm_packs_epi16(_mm_cmpeq_epi16(low, none), _mm_cmpeq_epi16(high, none));
            _mm_movemask_epi8(equal).cast_unsigned()
        };
        blocks(16, zeros, pattern, text, found, probe);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn with_32<P: Probe>(pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let prefix = _mm256_set1_epi32(i32::from_le_bytes([0, 1, 2, 3].map(|i| pattern.at(i))));
        let zeros = |s| {
            // Both halves of a register have sums of their own, so that the second load fills the gap between
            // those of the first.
            // SAFETY: 40 bytes of the text begin at `s`, and each load is of an array of 32.
            let [even, odd] = unsafe {
                [text.block_unchecked::<32>(s), text.block_unchecked::<32>(s + 8)]
                    .map(|block| _mm256_mpsadbw_epu8(_mm256_loadu_si256(block.as_ptr().cast()), prefix, 0))
            };
            let none = _mm256_setzero_si256();
            let equal = _mm256_packs_epi16(_mm256_cmpeq_epi16(even, none), _mm256_cmpeq_epi16(odd, none));
            _mm256_movemask_epi8(equal).cast_unsigned()
        };
        blocks(32, zeros, pattern, text, found, probe);
    }

    /// Verifies the alignments from `s` on whose bits are set. This is a function of its own, so that the
    /// loop keeps its registers.
    #[cold]
    #[inline(never)]
    fn verify<P: Probe>(
        s: usize,
        mut left: u32,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        probe.writes(1);
        while probe.branch(left != 0) {
            let s = s + left.trailing_zeros() as usize;
            left &= left - 1;
            probe.writes(1);
            if pattern.occurs(text, s, PREFIX..pattern.len()) {
                found.at(s);
            }
        }
    }

    /// The search, given which of the `lanes` alignments from a place on have the prefix: `lanes + 8` bytes
    /// are read for that.
    #[inline(always)]
    fn blocks<P: Probe>(
        lanes: usize,
        zeros: impl Fn(usize) -> u32,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        let reach = lanes + 8.max(m - 1);
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s + reach <= n) {
            let left = zeros(s);
            if m == PREFIX {
                (0..left.count_ones()).for_each(|_| _ = probe.verify(true));
                found.mask(s, u64::from(left));
            } else if probe.branch(left != 0) {
                verify(s, left, pattern, text, found, probe);
            }
            s += lanes;
            probe.writes(1);
            probe.jump();
        }
        one_by_one(s, pattern, text, found, probe);
    }
}
