//! Alignments at which some characters of the pattern match, one after the other: what a search needs that
//! counts its failures and goes on in another way after too many. [`alignments`](crate::alignments) is faster
//! where the search never gives up.

use std::ops::ControlFlow::{self, Continue};

use assay_plugin_api::Field;
use assay_plugin_api::prelude::*;

use crate::place::Place;
use crate::vector::Vector;

/// Calls `verify` with each alignment at which the pattern's characters at the first `N` of `places` match,
/// from left to right, until it breaks. In a block of alignments, the characters of the first `AT_ONCE`
/// places are compared before the first test, and all others only if something is left. A text with fewer
/// alignments than a register has lanes is compared alignment by alignment, one character after the other.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub unsafe fn each<V: Vector, const N: usize, const AT_ONCE: usize, P: Probe, B>(
    places: &Table<Place>,
    pattern: Pattern<P>,
    text: Text<P>,
    probe: P,
    mut verify: impl FnMut(usize) -> ControlFlow<B>,
) -> ControlFlow<B> {
    const { assert!(1 <= AT_ONCE && AT_ONCE <= N, "at least one character decides") };
    let (m, n) = (pattern.len(), text.len());
    let places: [Place; N] = std::array::from_fn(|i| places[i]);
    assert!(
        places.iter().all(|place| (place.offset as usize) < m) && m <= n,
        "a place outside of the pattern"
    );
    let compared = |characters: usize| {
        probe.add(Field::Lookups, characters as u64);
        probe.writes(1);
    };
    let mut s = 0;
    probe.writes(1);
    if probe.branch(n + 1 - m < V::LANES) {
        while probe.branch(s <= n - m) {
            let alike = places.iter().all(|&Place { offset, byte }| {
                compared(1);
                probe.branch(text.at(s + offset as usize) == byte)
            });
            if alike {
                verify(s)?;
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
        return Continue(());
    }
    // SAFETY: of the trait.
    let registers = places.map(|place| (place.offset as usize, unsafe { V::splat(place.byte) }));
    // The last alignments of which a block begins: `m - 1 + LANES` bytes of the text are left.
    let last = n + 1 - m - V::LANES;
    while probe.branch(s < last + V::LANES) {
        // The last block overlaps the one before it, whose alignments are known.
        let known = s.saturating_sub(last);
        let block = s - known;
        // SAFETY: of the trait; block <= last, and each offset is less than m.
        let mut left = unsafe {
            let mut equal = registers[0].1.compare(text, block + registers[0].0);
            for (offset, byte) in &registers[1..AT_ONCE] {
                equal = V::both(equal, byte.compare(text, block + offset));
            }
            V::mask(equal) >> known
        };
        compared(AT_ONCE);
        if AT_ONCE < N && probe.branch(left != 0) {
            for (offset, byte) in &registers[AT_ONCE..] {
                // SAFETY: as above.
                left &= unsafe { byte.equals(text, block + offset) } >> known;
                compared(1);
            }
        }
        if AT_ONCE == N || left != 0 {
            while probe.branch(left != 0) {
                let candidate = s + left.trailing_zeros() as usize;
                left &= left - 1;
                probe.writes(1);
                verify(candidate)?;
            }
        }
        s = block + V::LANES;
        probe.writes(1);
        probe.jump();
    }
    Continue(())
}

/// The first position from `from` on at which the text has the pattern's first character, or `end` if there
/// is none before it: memchr, as libraries call it between two comparisons. Each comparison reads that
/// character once, and as many of the text as are compared with it.
///
/// # Safety
/// As for [`Vector`]; `from` is at most `end`, and that at most the length of the text.
#[inline(always)]
pub unsafe fn first_character<V: Vector, P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    from: usize,
    end: usize,
    probe: P,
) -> usize {
    let mut i = from;
    probe.writes(1);
    if probe.branch(end - from >= V::LANES) {
        while probe.branch(i < end) {
            // The last block overlaps the one before it.
            let block = i.min(end - V::LANES);
            // SAFETY: of the trait; the block ends at `end` at most.
            let found = unsafe { V::splat(pattern.at(0)).equals(text, block) } >> (i - block);
            if probe.branch(found != 0) {
                return i + found.trailing_zeros() as usize;
            }
            i = block + V::LANES;
            probe.writes(1);
        }
        return end;
    }
    // SAFETY: i < end, which is at most the length of the text.
    while probe.branch(i < end && unsafe { text.at_unchecked(i) } != pattern.at(0)) {
        i += 1;
        probe.writes(1);
    }
    i
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow::Break;

    use assay_plugin_api::Checked;

    use super::*;
    use crate::vector::{Kernel, with_registers};

    /// The candidates of `ab..` by its first two characters, up to as many as are wanted.
    struct Candidates<'a> {
        text: &'a [u8],
        wanted: usize,
        answer: &'a mut (Vec<usize>, ControlFlow<usize>),
    }

    impl Kernel for Candidates<'_> {
        unsafe fn call<V: Vector>(self) {
            let (pattern, text) = (Pattern::new(b"ab.", Checked), Text::new(self.text, Checked));
            let mut places = Table::default();
            places.push(Place { offset: 0, byte: b'a' });
            places.push(Place { offset: 1, byte: b'b' });
            let (candidates, ended) = self.answer;
            let verify = |s| {
                candidates.push(s);
                if candidates.len() == self.wanted { Break(s) } else { Continue(()) }
            };
            // SAFETY: of the trait.
            *ended = unsafe { each::<V, 2, 1, Checked, _>(&places, pattern, text, Checked, verify) };
        }
    }

    #[test]
    fn candidates_come_from_left_to_right_until_it_is_enough() {
        for n in (3..70).chain([1000]) {
            let text: Vec<u8> = b"abbaabab".iter().copied().cycle().take(n).collect();
            let all: Vec<usize> = (0..n - 2).filter(|&s| text[s..].starts_with(b"ab")).collect();
            for wanted in [1, 3, usize::MAX] {
                let mut answer = (Vec::new(), Continue(()));
                with_registers::<16>(Candidates { text: &text, wanted, answer: &mut answer });
                let kept = all.len().min(wanted);
                let ended = if kept == wanted { Break(all[kept - 1]) } else { Continue(()) };
                assert_eq!(answer, (all[..kept].to_vec(), ended), "{n}, {wanted}");
            }
        }
    }

    /// All places of a first character between two bounds.
    struct FirstCharacters<'a>(&'a [u8]);

    impl Kernel for FirstCharacters<'_> {
        unsafe fn call<V: Vector>(self) {
            let (pattern, text) = (Pattern::new(b"x", Checked), Text::new(self.0, Checked));
            for end in 0..=self.0.len() {
                for from in 0..=end {
                    // SAFETY: of the trait; the bounds are as they must be.
                    let found = unsafe { first_character::<V, Checked>(pattern, text, from, end, Checked) };
                    let first = self.0[from..end].iter().position(|&byte| byte == b'x');
                    assert_eq!(found, first.map_or(end, |i| from + i), "{from}..{end}");
                }
            }
        }
    }

    #[test]
    fn the_first_character_is_found_between_its_bounds_only() {
        let mut text = [b'.'; 80];
        for i in [0, 15, 16, 17, 50, 79] {
            text[i] = b'x';
        }
        with_registers::<16>(FirstCharacters(&text));
        with_registers::<16>(FirstCharacters(&[b'.'; 40]));
    }
}
