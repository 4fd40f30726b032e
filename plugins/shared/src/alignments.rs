//! As many alignments of the pattern at once as a register has lanes: some of its characters are compared
//! with the text at all of them, and the alignments that are left are verified. The timed reading compares
//! the third character also in a block of which nothing is left, if something is left of another one in its
//! round; this is not counted.

use std::ops::Range;

use assay_plugin_api::Field;
use assay_plugin_api::prelude::*;

use crate::naive::one_by_one;
pub use crate::place::Place;
use crate::vector::{Kernel, Vector, with_registers};

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
    let part = 0..pattern.len();
    with_registers::<WIDTH>(Alignments::<ALL, _, _> { places, part, pattern, text, found, probe });
}

/// As [`search`], but of an alignment that is left only this part of the pattern is verified, because the
/// places have the rest.
pub fn search_but<const WIDTH: usize, P: Probe>(
    places: &Table<Place>,
    part: Range<usize>,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    with_registers::<WIDTH>(Alignments::<false, _, _> { places, part, pattern, text, found, probe });
}

struct Alignments<'a, 'f, const ALL: bool, P, F> {
    places: &'a Table<Place>,
    /// What is verified.
    part: Range<usize>,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<const ALL: bool, P: Probe, F: Found> Kernel for Alignments<'_, '_, ALL, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        // SAFETY: of the trait.
        unsafe {
            match self.places.len() {
                0 | 1 => self.blocks::<V, 1, true>(),
                2 => self.blocks::<V, 2, true>(),
                // Where that settles all, it takes less time to compare a third character than to test
                // whether it is needed. The reading that counts has the test.
                3 if ALL && !P::COUNTS => self.blocks::<V, 3, true>(),
                _ => self.blocks::<V, 2, false>(),
            }
        }
    }
}

/// Blocks of alignments in a round of the loop. One test is for all, because in most blocks nothing is left.
const ROUND: usize = 4;

impl<const ALL: bool, P: Probe, F: Found> Alignments<'_, '_, ALL, P, F> {
    /// The search. The characters of the first `FIRST` places are compared before the first branch: two,
    /// because one alone hardly ever excludes all alignments of a block. With `FEW`, there are no others.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn blocks<V: Vector, const FIRST: usize, const FEW: bool>(mut self) {
        let Alignments { places, pattern, text, probe, .. } = self;
        let (m, n) = (pattern.len(), text.len());
        assert!(
            places.len() >= FIRST && places.iter().all(|place| (place.offset as usize) < m),
            "a place outside of the pattern"
        );
        // Length in bytes of all windows of a block of alignments together.
        let reach = m - 1 + V::LANES;
        if probe.branch(n < reach) {
            return one_by_one(0, pattern, text, self.found, probe);
        }
        // In registers of the processor: what the loop reads through references would be loaded in each
        // round, because `found` might have changed it.
        // SAFETY: of the trait.
        let first: [(usize, V); FIRST] =
            std::array::from_fn(|i| (places[i].offset as usize, unsafe { V::splat(places[i].byte) }));
        let compare_first = |s: usize| {
            probe.add(Field::Lookups, FIRST as u64);
            probe.writes(FIRST as u64);
            // SAFETY: of the trait; `reach` bytes begin at `s`, and each offset is less than m.
            unsafe {
                let mut equal = first[0].1.compare(text, s + first[0].0);
                for (offset, byte) in &first[1..] {
                    equal = V::both(equal, byte.compare(text, s + offset));
                }
                equal
            }
        };
        // SAFETY: of the trait.
        let third = (!FEW).then(|| (places[2].offset as usize, unsafe { V::splat(places[2].byte) }));
        // SAFETY: the caller's promise.
        let any = |equal: [V::Equal; ROUND]| unsafe {
            V::mask(V::either(V::either(equal[0], equal[1]), V::either(equal[2], equal[3]))) != 0
        };
        let (mut s, last) = (0, n - reach);
        probe.writes(1);
        // The reading that counts takes the plain way, which compares the same.
        while !P::COUNTS && s + (ROUND - 1) * V::LANES <= last {
            let equal: [V::Equal; ROUND] = std::array::from_fn(|k| compare_first(s + k * V::LANES));
            if ALL && FEW {
                let mut masks = [0_u64; ROUND];
                for (k, equal) in equal.into_iter().enumerate() {
                    // SAFETY: of the trait.
                    masks[k * V::LANES / 64] |= unsafe { V::mask(equal) } << (k * V::LANES % 64);
                }
                for (k, mask) in masks[..ROUND * V::LANES / 64].iter().enumerate() {
                    self.found.mask(s + 64 * k, *mask);
                }
                s += ROUND * V::LANES;
                continue;
            }
            if any(equal) {
                // Where something is left of one block, something is left of others, too, so the third
                // character is compared in all of them before the next test.
                let (mut equal, mut compared) = (equal, FIRST);
                if let Some((offset, byte)) = third {
                    compared += 1;
                    for (k, equal) in equal.iter_mut().enumerate() {
                        // SAFETY: of the trait, and the block lies in the text.
                        unsafe {
                            *equal = V::both(*equal, byte.compare(text, s + k * V::LANES + offset));
                        }
                    }
                }
                // SAFETY: of the trait, and the blocks lie in the text.
                unsafe {
                    if FEW || any(equal) {
                        for (k, equal) in equal.into_iter().enumerate() {
                            self.settle::<V>(s + k * V::LANES, 0, compared, V::mask(equal));
                        }
                    }
                }
            }
            s += ROUND * V::LANES;
        }
        while probe.branch(s <= last) {
            // SAFETY: of the trait, and the block lies in the text.
            unsafe { self.settle::<V>(s, 0, FIRST, V::mask(compare_first(s))) };
            s += V::LANES;
            probe.writes(1);
            probe.jump();
        }
        // The last block overlaps the one before: of its alignments, those below `s` are known.
        if probe.branch(s < last + V::LANES) {
            // SAFETY: as above.
            unsafe { self.settle::<V>(last, s - last, FIRST, V::mask(compare_first(last))) };
            probe.jump();
        }
    }

    /// Finds the occurrences among the alignments from `s` on, without the first `known` of them. A bit of
    /// `left` says whether the characters of the `compared` places are there.
    ///
    /// # Safety
    /// As for [`Vector`]; `m - 1 + LANES` bytes of the text begin at `s`.
    #[inline(always)]
    unsafe fn settle<V: Vector>(&mut self, s: usize, known: usize, compared: usize, mut left: u64) {
        let (places, probe) = (self.places.view(self.probe), self.probe);
        let mut i = compared;
        probe.writes(1);
        while probe.branch(left != 0 && i < self.places.len()) {
            let Place { offset, byte } = places.at(i);
            // SAFETY: the caller's promise, and each offset is less than m.
            left &= unsafe { V::splat(byte).equals(self.text, s + offset as usize) };
            i += 1;
            probe.writes(2);
        }
        left >>= known;
        if ALL && !P::COUNTS {
            self.found.mask(s + known, left);
        } else if probe.branch(left != 0) {
            self.verify(s + known, left);
        }
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
                self.pattern.occurs(self.text, s, self.part.clone())
            };
            if occurs {
                self.found.at(s);
            }
        }
    }
}
