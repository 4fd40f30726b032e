//! The table of a filter, which shows whether the pattern may have a factor with a hash, and the hash of
//! q-grams.

use std::ops::BitOr;

use assay_plugin_api::prelude::*;

/// Extra fields of filters: windows whose first hash the table knows; entries that are not empty; bits in the
/// table that hold answers, and how many of them are set.
pub(crate) const EXTRA: &[&str] = &["match 1st", "non zero", "total bits", "set bits"];

/// Reports that the first hash of a window is known.
#[inline(always)]
pub(crate) fn known_at_first<P: Probe>(probe: P) {
    probe.extra(0, || 1);
}

/// Passes windows whose last q-gram is not in the table, each by `step`, in a loop that does nothing else.
/// Returns what `look` found for the first window whose q-gram is in the table, and leaves the window's end
/// in `last`. Windows end before `n`; with `None` this is not tested, because a sentinel stops the search.
// `round` is the number of windows in a round of the loop: two, or one if the first hash of most windows is
// known. `look` is called at one place only, because the compiler may not inline a closure that is called at
// two.
#[inline(always)]
pub(crate) fn first_known<T, P: Probe>(
    last: &mut usize,
    (step, round): (usize, usize),
    n: Option<usize>,
    mut look: impl FnMut(usize) -> T,
    is_known: impl Fn(&T) -> bool,
    probe: P,
) -> Option<T> {
    loop {
        for _ in 0..round {
            let answer = look(*last);
            if probe.branch(is_known(&answer)) {
                return Some(answer);
            }
            *last += step;
            probe.writes(1);
            probe.jump();
            if let Some(n) = n
                && !probe.branch(*last < n)
            {
                return None;
            }
        }
    }
}

/// A table with an entry for each hash of a number of bits. The number is known when the algorithm is
/// compiled, but is not part of the type, because a constant of a type can't be computed from others.
#[derive(Default)]
pub(crate) struct Filter<T>(Table<T>);

impl<T: Copy + 'static + Default + Into<u64> + BitOr<Output = T>> Filter<T> {
    /// Empties a table for hashes of `bits` bits.
    pub fn reset(&mut self, bits: u32) {
        if self.0.len() == 1 << bits {
            self.0.fill(T::default());
        } else {
            self.0.reset(1 << bits, T::default());
        }
    }

    /// The entry of the lower bits of a hash.
    #[inline(always)]
    pub fn at_mut(&mut self, hash: u32) -> &mut T {
        let mask = self.0.len() - 1;
        &mut self.0[hash as usize & mask]
    }

    /// Declares the table and reports how full it is. An entry has `answers` bits that hold answers.
    pub fn declare<P: Probe>(&self, answers: u64, probe: P) {
        probe.table(&self.0);
        // Most tables are nearly empty, and where many entries are, they are passed together.
        let any = |entries: &&[T]| entries.iter().fold(T::default(), |any, &entry| any | entry).into() != 0;
        let entries = || self.0.chunks(64).filter(any).flatten().map(|&entry| entry.into());
        probe.extra(1, || entries().filter(|&entry| entry != 0).count() as u64);
        probe.extra(2, || answers * self.0.len() as u64);
        probe.extra(3, || entries().map(|entry| u64::from(entry.count_ones())).sum());
    }

    /// The table as a search sees it.
    ///
    /// # Panics
    /// If the table was made for another number of bits.
    #[inline(always)]
    pub fn view<P: Probe>(&self, bits: u32, probe: P) -> FilterView<'_, T, P> {
        assert_eq!(self.0.len(), 1 << bits, "the table of another hash");
        FilterView { entries: self.0.view(probe), bits }
    }
}

/// A [`Filter`] during a search.
#[derive(Clone, Copy)]
pub(crate) struct FilterView<'a, T, P> {
    entries: TableView<'a, T, P>,
    bits: u32,
}

impl<T: Copy + 'static, P: Probe> FilterView<'_, T, P> {
    /// Looks up the entry of the lower bits of a hash.
    #[inline(always)]
    pub fn at(&self, hash: u32) -> T {
        // SAFETY: a view is made of tables with 2^bits entries alone.
        unsafe { self.entries.at_unchecked(hash as usize % (1 << self.bits)) }
    }
}

/// The hash of a q-gram, read from its last character to its first. Each step shifts the hash by `shift`
/// bits. `before` is the hash of the characters after the q-gram, or 0 to leave them out.
#[inline(always)]
pub(crate) fn append<const Q: usize>(before: u32, qgram: [u8; Q], shift: u32) -> u32 {
    qgram.iter().rev().fold(before, |hash, &byte| (hash << shift).wrapping_add(u32::from(byte)))
}

/// The same of the q-gram of a text that ends at `end`.
///
/// # Safety
/// The q-gram must lie in the text. Of seven characters, moved by one bit, it must have [`SLACK`] after it.
#[inline(always)]
pub(crate) unsafe fn hash_at<const Q: usize, P: Probe>(text: Text<P>, end: usize, shift: u32) -> u32 {
    if shift == 1 && Q == 7 {
        // SAFETY: the caller's promise.
        doubled(unsafe { text.gram_in_eight::<Q>(end + 1 - Q) })
    } else if shift <= LONGEST_STEP && Q < 8 {
        // SAFETY: the caller's promise.
        let byte = |i| u32::from(unsafe { text.at_unchecked(end - i) });
        let mut hash = 0_u32;
        for i in 0..Q {
            // Each step is one instruction, but the compiler would take the sum apart into more of them.
            hash = apart(u64::from((hash << shift).wrapping_add(byte(i)))) as u32;
        }
        hash
    } else {
        // SAFETY: the caller's promise.
        unsafe { sum_at::<Q, P>(text, end, shift) }
    }
}

/// For a q-gram of seven characters that are moved by one bit, eight are read.
pub(crate) const SLACK: fn(usize) -> usize = |_| 1;

/// The sum of eight characters, each doubled once more than the one before it. First pairs are added in 16
/// bits, then the four pairs by one multiplication, whose upper 16 bits are the sum. Every sum fits 16 bits.
#[inline(always)]
fn doubled(characters: u64) -> u32 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let pairs = (characters & EVEN) + 2 * (characters >> 8 & EVEN);
    (pairs.wrapping_mul(64 | 16 << 16 | 4 << 32 | 1 << 48) >> 48) as u32
}

/// The same, with each character moved by itself. It need not wait for as many steps as there are characters,
/// and of many the compiler makes a vector: that takes fewer instructions, but is known later.
///
/// # Safety
/// The q-gram must lie in the text.
#[inline(always)]
pub(crate) unsafe fn sum_at<const Q: usize, P: Probe>(text: Text<P>, end: usize, shift: u32) -> u32 {
    // SAFETY: the caller's promise.
    let byte = |i| u32::from(unsafe { text.at_unchecked(end - i) });
    let mut sum = 0_u32;
    for i in 0..Q {
        sum = sum.wrapping_add(byte(i) << (shift * (Q - 1 - i) as u32));
    }
    sum
}

/// Greatest number of bits by which x86-64 can shift a hash and add a character in one instruction (`lea`).
const LONGEST_STEP: u32 = 3;

/// The same before something else. Of successive q-grams, each hash waits for two operations on the one
/// before it.
///
/// # Safety
/// The q-gram must lie in the text.
#[inline(always)]
pub(crate) unsafe fn append_at<const Q: usize, P: Probe>(
    before: u32,
    text: Text<P>,
    end: usize,
    shift: u32,
) -> u32 {
    // SAFETY: the caller's promise.
    let hash = apart(unsafe { hash_at::<Q, P>(text, end, shift) }.into()) as u32;
    before.wrapping_shl(shift * Q as u32).wrapping_add(hash)
}

/// The same value, but the compiler can't take its sum apart, to add the terms in another order.
#[inline(always)]
pub(crate) fn apart(mut sum: u64) -> u64 {
    // SAFETY: there is no instruction in it.
    unsafe { std::arch::asm!("/* {0} */", inout(reg) sum, options(pure, nomem, nostack, preserves_flags)) };
    sum
}

/// The q-gram of a pattern that ends at `end`.
pub(crate) fn qgram<const Q: usize>(pattern: &[u8], end: usize) -> [u8; Q] {
    *pattern[..=end].last_chunk().expect("a pattern is not shorter than a q-gram")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_can_be_made_of_pieces() {
        let whole = append(0, *b"abcdef", 2);
        assert_eq!(append(append(0, *b"def", 2), *b"abc", 2), whole);
        assert_eq!(append(0, [1, 2, 3], 4), 0x321);
        let text = Text::new(b"abcdef", Off);
        // SAFETY: the text has six characters.
        let pieces = unsafe {
            [
                hash_at::<6, Off>(text, 5, 2),
                sum_at::<6, Off>(text, 5, 2),
                append_at::<3, Off>(hash_at::<3, Off>(text, 5, 2), text, 2, 2),
            ]
        };
        assert_eq!(pieces, [whole; 3]);
        assert_eq!(append(0, qgram::<2>(&[9, 1, 2, 8], 2), 8), 0x201);
        // SAFETY: the text has 16 characters.
        let seven = |text: &[u8; 16]| unsafe { hash_at::<7, Off>(Text::new(text, Off), 8, 1) };
        assert_eq!(seven(b"abcdefghijklmnop"), append(0, *b"cdefghi", 1));
        assert_eq!(seven(&[255; 16]), append(0, [255; 7], 1));
        assert_eq!(doubled(u64::MAX), append(0, [255; 8], 1));
    }
}
