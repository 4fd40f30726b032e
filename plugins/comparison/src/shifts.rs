//! The occurrence shift that many algorithms share: how far the window moves by one byte of the text.

use assay_plugin_api::prelude::*;

/// Fills in, for each byte of the text just behind `prefix` (a prefix of the pattern), the least shift that brings an equal
/// byte of the prefix there, or the whole prefix past it.
///
/// With all of the pattern but its last byte, these are Horspool's shifts; with all of it, those of Quick Search.
pub(crate) fn fill_shifts(shift: &mut ByteTable<u32>, prefix: &[u8]) {
    let length = prefix.len() as u32;
    shift.fill(length + 1);
    for (distance, &byte) in (1..=length).rev().zip(prefix) {
        shift[byte as usize] = distance;
    }
}
