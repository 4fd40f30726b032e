//! Blocks of eight characters, found by the processor's checksum of them.

use assay_plugin_api::prelude::*;

use crate::fingerprints::Fingerprints;

/// Bits of a fingerprint.
const BITS: u32 = 11;

/// Characters of a block.
const LENGTH: usize = 8;

/// The searcher for patterns of at least two blocks.
#[derive(Default)]
pub struct Checksums(Fingerprints<BITS>);

impl Checksums {
    /// # Panics
    /// If this CPU does not have the instruction.
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let block = |offset: usize| *pattern[offset..].first_chunk::<LENGTH>().expect("a block");
        self.0.prepare(pattern, LENGTH, LENGTH, |offset| checksum(block(offset)), probe);
    }

    /// # Panics
    /// If this CPU does not have the instruction.
    pub fn search<P: Probe>(&self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        assert_usable();
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the instruction was found.
        unsafe {
            x86::search(&self.0, pattern, text, found, probe);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (pattern, text, found, probe);
    }
}

fn assert_usable() {
    #[cfg(target_arch = "x86_64")]
    let usable = std::is_x86_feature_detected!("sse4.2");
    #[cfg(not(target_arch = "x86_64"))]
    let usable = false;
    assert!(usable, "no checksums here");
}

fn checksum(block: [u8; LENGTH]) -> usize {
    assert_usable();
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction was found.
    let sum = unsafe { x86::checksum(block) };
    #[cfg(not(target_arch = "x86_64"))]
    let sum = block.len();
    sum
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::_mm_crc32_u64;

    use super::*;

    #[inline]
    #[target_feature(enable = "sse4.2")]
    pub fn checksum(block: [u8; LENGTH]) -> usize {
        _mm_crc32_u64(0, u64::from_le_bytes(block)) as usize
    }

    #[target_feature(enable = "sse4.2")]
    pub fn search<P: Probe>(
        blocks: &Fingerprints<BITS>,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        // SAFETY: the block lies in the text.
        let fingerprint = |i| checksum(unsafe { text.block_unchecked(i) });
        blocks.search(LENGTH, fingerprint, pattern, text, found, probe);
    }
}
