//! A bit of each of the characters of a block as its fingerprint.

use assay_plugin_api::prelude::*;
use assay_shared::grams::spread_word;

use crate::fingerprints::Fingerprints;
use crate::vector::{Kernel, Vector, with_registers};

/// Bits of a fingerprint: one for each character of a block of 16.
const BITS: u32 = 16;

/// The searcher, with blocks of `WIDTH` characters.
#[derive(Default)]
pub struct BitFilter<const WIDTH: usize> {
    blocks: Fingerprints<BITS>,
    /// Which bit of the characters is taken.
    bit: u32,
}

/// The fingerprint that belongs to the bits of a block, which may be more than a fingerprint has.
#[inline(always)]
fn fold<const WIDTH: usize>(bits: u64) -> usize {
    match WIDTH {
        16 => bits as usize,
        _ => spread_word(bits as u32, BITS),
    }
}

impl<const WIDTH: usize> Algorithm for BitFilter<WIDTH> {
    const ABOUT: About = About {
        preparation_time: "O(m)",
        space: "O(m): 256 KiB and 4 bytes a character",
        worst_case: "O(mn)",
        average_case: "O(n/m)",
        ..About::UNKNOWN
    };

    /// A pattern has two blocks.
    const NEEDS: Needs = Needs {
        min_pattern: 2 * WIDTH,
        cpu: match WIDTH {
            32 => &["avx2", "popcnt"],
            _ => &[],
        },
        ..Needs::LENGTHS_IN_U32
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let ones = |bit: &u32| pattern.iter().filter(|&byte| byte >> bit & 1 == 1).count();
        let uneven = |bit: &u32| (2 * ones(bit)).abs_diff(pattern.len());
        let bit = (0..8).min_by_key(uneven).expect("a bit");
        self.bit = bit;
        let fingerprint = |offset| {
            let block = pattern[offset..][..WIDTH].iter().rev();
            fold::<WIDTH>(block.fold(0, |bits, byte| bits << 1 | u64::from(byte >> bit & 1)))
        };
        self.blocks.prepare(pattern, WIDTH, WIDTH, fingerprint, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        with_registers::<WIDTH>(Blocks { filter: self, pattern, text, found, probe });
    }
}

struct Blocks<'a, 'f, const WIDTH: usize, P, F> {
    filter: &'a BitFilter<WIDTH>,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<const WIDTH: usize, P: Probe, F: Found> Kernel for Blocks<'_, '_, WIDTH, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let Blocks { filter: BitFilter { blocks, bit }, pattern, text, found, probe } = self;
        // SAFETY: of the trait, and the block lies in the text.
        let fingerprint = |i| fold::<WIDTH>(unsafe { V::bits(text, i, *bit) });
        blocks.search(WIDTH, fingerprint, pattern, text, found, probe);
    }
}
