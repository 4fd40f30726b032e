//! What searches share that keep factors as bits, the pattern's first character highest.

use assay_plugin_api::prelude::*;

/// Set if what has been read is a prefix of the pattern.
pub(super) const PREFIX: u64 = 1 << 63;

/// Fills in, for each byte, a 1 where it occurs in a prefix that a word holds.
pub(super) fn fill_masks(mask: &mut ByteTable<u64>, prefix: &[u8]) {
    mask.fill(0);
    for (i, &byte) in prefix.iter().enumerate() {
        mask[byte as usize] |= PREFIX >> i;
    }
}
