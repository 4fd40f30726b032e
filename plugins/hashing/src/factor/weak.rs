//! Weak recognition of factors: the table that the algorithms with it share.

use assay_plugin_api::prelude::*;

use crate::filter::{Filter, FilterView, append, append_at, hash_at};

/// Bits of a hash.
const BITS: u32 = 16;
/// Bits by which each character moves those after it.
const SHIFT: u32 = 2;
/// Number of characters on which a hash depends. Earlier ones have been shifted out of it.
pub(crate) const REMEMBERED: usize = (BITS / SHIFT) as usize;

/// A byte for each hash: whether a factor of the pattern has it. Bits would take an eighth of the memory, but
/// half as many instructions again for a window.
#[derive(Default)]
pub(crate) struct Factors(Filter<u8>);

impl Factors {
    /// Fills in the hashes of factors whose lengths are multiples of `unit`.
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], unit: usize, probe: P) {
        self.0.reset(BITS);
        for end in unit..=pattern.len() {
            let mut hash = 0;
            // Longer factors have no other hashes.
            let longest = end.min(REMEMBERED.next_multiple_of(unit));
            for part in pattern[end - longest..end].rchunks_exact(unit) {
                hash = part.iter().rev().fold(hash, |hash, &byte| prepend(hash, [byte]));
                *self.0.at_mut(hash) = 1;
            }
        }
        self.0.declare(1, probe);
    }

    /// The table as a search sees it.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> FactorsView<'_, P> {
        FactorsView(self.0.view(BITS, probe))
    }
}

/// [`Factors`] during a search.
#[derive(Clone, Copy)]
pub(crate) struct FactorsView<'a, P>(FilterView<'a, u8, P>);

impl<P: Probe> FactorsView<'_, P> {
    /// Whether a factor of the pattern has this hash.
    #[inline(always)]
    pub fn know(&self, hash: u32) -> bool {
        self.0.at(hash) != 0
    }
}

/// The hash of a factor with a q-gram before it.
#[inline(always)]
fn prepend<const Q: usize>(hash: u32, qgram: [u8; Q]) -> u32 {
    append(hash, qgram, SHIFT)
}

/// The same of the q-gram of a text that ends at `end`.
///
/// # Safety
/// The q-gram must lie in the text.
#[inline(always)]
pub(crate) unsafe fn prepend_at<const Q: usize, P: Probe>(hash: u32, text: Text<P>, end: usize) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { append_at::<Q, P>(hash, text, end, SHIFT) }
}

/// The hash of the q-gram of a text that ends at `end`, with nothing after it.
///
/// # Safety
/// The q-gram must lie in the text.
#[inline(always)]
pub(crate) unsafe fn last_at<const Q: usize, P: Probe>(text: Text<P>, end: usize) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { hash_at::<Q, P>(text, end, SHIFT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_remembers_eight_characters() {
        let hash = |factor: &[u8; 9]| prepend(0, *factor) % (1 << BITS);
        assert_eq!(hash(b"abcdefghi"), hash(b"abcdefghx"));
        assert_ne!(hash(b"abcdefghi"), hash(b"abcdefgyi"));
    }

    #[test]
    fn factors_of_whole_units_are_known() {
        let (pattern, mut factors) = (b"the quick brown fox", Factors::default());
        let hash = |factor: &[u8]| factor.iter().rev().fold(0, |hash, &byte| prepend(hash, [byte]));
        for unit in [3, 7, 8, 1] {
            factors.fill(pattern, unit, Off);
            let view = factors.view(Off);
            for length in (unit..=pattern.len()).step_by(unit) {
                assert!(pattern.windows(length).all(|factor| view.know(hash(factor))), "{unit}: {length}");
            }
            assert!(unit == 1 || !view.know(hash(b"qu")), "{unit}");
        }
        let view = factors.view(Off);
        assert!(![&b"z"[..], b"xo", b"quack", b"ehtehtehteht"].iter().any(|factor| view.know(hash(factor))));
    }
}
