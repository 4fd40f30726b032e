//! As many alignments of the pattern at once as a register has lanes: some of its characters are compared
//! with the text at all of them, and the alignments that are left are verified.

use assay_plugin_api::prelude::*;

use crate::vector::{Kernel, Vector, with_registers};

/// A character of the pattern and its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From the pattern's first character on.
    pub offset: u32,
    /// The character.
    pub byte: u8,
}

/// Finds all occurrences with registers of `WIDTH` bytes (0: the widest), comparing the pattern's characters
/// at `places` in this order; there is at least one. If they are `ALL` of the pattern's, what is left needs
/// no verification.
pub fn search<const WIDTH: usize, const ALL: bool, P: Probe>(
    places: &Table<Place>,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    with_registers::<WIDTH>(Alignments::<ALL, _, _> { places, pattern, text, found, probe });
}

struct Alignments<'a, 'f, const ALL: bool, P, F> {
    places: &'a Table<Place>,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<const ALL: bool, P: Probe, F: Found> Kernel for Alignments<'_, '_, ALL, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(mut self) {
        let (m, n, probe) = (self.pattern.len(), self.text.len(), self.probe);
        assert!(
            self.places.iter().all(|place| (place.offset as usize) < m),
            "a place outside of the pattern"
        );
        // Length in bytes of all windows of a block of alignments together.
        let reach = m - 1 + V::LANES;
        if probe.branch(n < reach) {
            return one_by_one(0, self.pattern, self.text, self.found, probe);
        }
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - reach) {
            // SAFETY: of the trait, and the block lies in the text.
            let left = unsafe { self.compare::<V>(s) };
            if probe.branch(left != 0) {
                self.verify(s, left);
            }
            s += V::LANES;
            probe.writes(1);
            probe.jump();
        }
        // The last block overlaps the one before: of its alignments, those below `s` are known.
        let last = n - reach;
        if probe.branch(s < last + V::LANES) {
            // SAFETY: as above.
            let left = unsafe { self.compare::<V>(last) } >> (s - last);
            if probe.branch(left != 0) {
                self.verify(s, left);
            }
            probe.jump();
        }
    }
}

impl<const ALL: bool, P: Probe, F: Found> Alignments<'_, '_, ALL, P, F> {
    /// A bit for each of the alignments from `s` on: whether all characters are there that are compared.
    ///
    /// # Safety
    /// As for [`Vector`]; `m - 1 + LANES` bytes of the text begin at `s`.
    #[inline(always)]
    unsafe fn compare<V: Vector>(&self, s: usize) -> u64 {
        let (places, probe) = (self.places.view(self.probe), self.probe);
        // SAFETY: the caller's promise, and each offset is less than m.
        let step =
            |Place { offset, byte }: Place| unsafe { V::splat(byte).equals(self.text, s + offset as usize) };
        let mut left = step(places.at(0));
        probe.writes(1);
        // Two characters are compared before the first branch, because one alone hardly ever excludes all
        // alignments of a block.
        if self.places.len() > 1 {
            left &= step(places.at(1));
            probe.writes(1);
        }
        let mut i = 2;
        probe.writes(1);
        while probe.branch(left != 0 && i < self.places.len()) {
            left &= step(places.at(i));
            i += 1;
            probe.writes(2);
        }
        left
    }

    /// Verifies the alignments from `s` on whose bits are set. This is a function of its own, so that the
    /// loop keeps its registers.
    #[cold]
    #[inline(never)]
    fn verify(&mut self, s: usize, mut left: u64) {
        self.probe.writes(1);
        while self.probe.branch(left != 0) {
            let s = s + left.trailing_zeros() as usize;
            left &= left - 1;
            self.probe.writes(1);
            let occurs = if ALL {
                self.probe.verify(true)
            } else {
                self.pattern.occurs(self.text, s, 0..self.pattern.len())
            };
            if occurs {
                self.found.at(s);
            }
        }
    }
}

/// The windows from `s` on, one after the other: where the text ends, or has no block.
pub fn one_by_one<P: Probe>(
    mut s: usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    probe.writes(1);
    while probe.branch(s <= n - m) {
        if pattern.occurs(text, s, 0..m) {
            found.at(s);
        }
        s += 1;
        probe.writes(1);
        probe.jump();
    }
}
