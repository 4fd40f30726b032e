//! Hashes of q-grams that are injective where a table can be: up to two characters.

use assay_plugin_api::prelude::*;

/// The hash of the q-gram of `Q` characters at `i`, to `BITS` bits: of up to two characters the gram itself,
/// of more a product.
///
/// # Safety
/// The q-gram must lie within the text.
#[inline(always)]
pub unsafe fn product<const Q: usize, const BITS: u32, P: Probe>(text: Text<P>, i: usize) -> usize {
    // SAFETY: the caller's promise.
    let gram = unsafe { text.gram_unchecked::<Q>(i) };
    if Q < 3 { gram as usize } else { (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize }
}
