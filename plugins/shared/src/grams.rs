//! Hashes of q-grams by a product. Those of up to two characters are injective, because a table can be that
//! large.

use assay_plugin_api::prelude::*;

/// 2^64 over the golden ratio, odd: it spreads what it multiplies to the upper bits of the product.
pub const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a number to `bits` bits: the highest of a product.
#[inline(always)]
pub const fn spread(number: u64, bits: u32) -> usize {
    (number.wrapping_mul(SPREAD) >> (u64::BITS - bits)) as usize
}

/// The hash of a number of 32 bits to `bits` bits: the highest of a product with a prime near 2^32 over the
/// golden ratio.
#[inline(always)]
pub const fn spread_word(number: u32, bits: u32) -> usize {
    (number.wrapping_mul(0x9e37_79b1) >> (u32::BITS - bits)) as usize
}

/// The hash of the q-gram of `Q` characters at `i`, to `BITS` bits: of up to two characters the gram itself,
/// of more a product.
///
/// # Safety
/// The q-gram must lie within the text.
#[inline(always)]
pub unsafe fn product<const Q: usize, const BITS: u32, P: Probe>(text: Text<P>, i: usize) -> usize {
    // SAFETY: the caller's promise.
    let gram = unsafe { text.gram_unchecked::<Q>(i) };
    if Q < 3 { gram as usize } else { spread(gram, BITS) }
}
