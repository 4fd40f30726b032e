//! The headers of a library, which are read before the dynamic loader may touch it.

use assay_load::plugin::testing::check_elf;

use super::check::{bounded, with_file};

/// The table of segments is read twice, as bytes and as headers.
const FACTOR: u64 = 4;
/// A message.
const CONSTANT: u64 = 16 << 10;

/// Checks a library.
pub fn elf(input: &[u8]) {
    let checked = bounded(input, FACTOR, CONSTANT, || with_file(input, check_elf));
    if let Err(failure) = checked {
        assert!(!failure.found.is_empty() && !failure.remedy.is_empty());
    }
}
