//! Some characters of the pattern are compared at all alignments of a block, and where they match the window
//! is verified.
//!
//! Eight blocks are joined by their least differences before one branch, so a block without a candidate costs
//! one load and one or two instructions for each character.

use crate::candidates::{Effort, occurs};
use crate::found::Found;
use crate::text::{LINE, Text};
use crate::vector::Vector;

/// Blocks with one branch. On an AMD of family 25 model 1, four take 1.18 of the time, and sixteen 1.06.
pub const GROUP: usize = 8;

/// The most groups that are written down before their candidates are verified, because leaving the loop for
/// each would cost more.
const LIST: usize = 32;

/// Prefetch distance in bytes. A load that crosses a cache line stalls if its second line is not in the L1
/// cache. As far as the eight blocks of two groups with AVX-512, and well within that cache.
pub const BYTES_AHEAD: usize = 1024;

/// A character of the pattern and its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From the pattern's first character on.
    pub offset: usize,
    /// The character.
    pub byte: u8,
}

/// The differences of the text from the pattern's characters at `places`, joined, for the alignments from `s`
/// on.
///
/// # Safety
/// As for [`Vector`]; the text has `LANES` bytes from `s` and each offset on.
#[inline(always)]
pub unsafe fn differences<V: Vector, const K: usize, T: Text>(places: &[Place; K], text: T, s: usize) -> V {
    // SAFETY: the caller's promise.
    unsafe { differences_of::<V, K, false, T>(places, text, s) }
}

/// The same, for neighbours or for other places.
///
/// # Safety
/// As for [`differences`].
#[inline(always)]
pub unsafe fn differences_of<V: Vector, const K: usize, const NEIGHBOURS: bool, T: Text>(
    places: &[Place; K],
    text: T,
    s: usize,
) -> V {
    macro_rules! load {
        ($index:expr) => {
            if NEIGHBOURS { V::load_neighbour(text, $index) } else { V::load(text, $index) }
        };
    }
    // SAFETY: the caller's promise.
    unsafe {
        let mut all = load!(s + places[0].offset).differences(V::splat(places[0].byte));
        let mut k = 1;
        while k < K {
            all = all.or_differences(load!(s + places[k].offset), V::splat(places[k].byte));
            k += 1;
        }
        all
    }
}

/// Verifies the alignments from `s` on whose bits are set. If too much is verified in vain, ends with the
/// first alignment that was not tried. This is a function of its own so that the registers of the loops stay
/// free.
///
/// # Safety
/// All these windows lie in the text.
#[cold]
#[inline(never)]
pub unsafe fn verify<T: Text, F: Found>(
    pattern: &[u8],
    text: T,
    s: usize,
    mut bits: u64,
    effort: &mut Effort,
    found: &mut F,
) -> Result<(), usize> {
    while text.branch(bits != 0) {
        let first = bits.trailing_zeros() as usize;
        if s + first < found.from() {
            let known = found.from() - s;
            bits &= u64::MAX.checked_shl(known.min(64) as u32).unwrap_or(0);
            continue;
        }
        let s = s + first;
        bits &= bits - 1;
        // SAFETY: the caller's promise.
        if unsafe { occurs(pattern, text, s, effort) } {
            found.at(s);
            if found.is_full() {
                break;
            }
        }
        if effort.too_much(s) {
            return Err(s + 1);
        }
    }
    Ok(())
}

/// Reports the occurrences from `begin` on. If too much is compared, or if candidates are less than
/// `least_gap` bytes apart on average, ends with the first alignment that was not tried.
///
/// # Safety
/// As for [`Vector`]; the text has at least `LANES + m - 1` bytes from `begin` on, and each place is the
/// pattern's.
#[inline(always)]
pub unsafe fn search<V: Vector, const K: usize, T: Text, F: Found>(
    pattern: &[u8],
    places: &[Place; K],
    least_gap: usize,
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    let mut effort = Effort::new(begin, least_gap);
    let last = text.len() - (V::LANES + pattern.len() - 1);
    // The alignments from `$s` on, of which `$known` are known.
    macro_rules! block {
        ($s:expr, $known:expr) => {{
            let (s, known) = ($s, $known);
            // SAFETY: the caller's promise, because `s` is at most `last`.
            let bits = unsafe { differences::<V, K, T>(places, text, s).zeros() } >> known;
            if text.branch(bits != 0) {
                // SAFETY: as above.
                unsafe { verify(pattern, text, s + known, bits, &mut effort, found)? };
                if found.is_full() {
                    return Ok(());
                }
            }
        }};
    }
    block!(begin, 0);
    let mut s = begin + V::LANES;
    // From here on, the first place is read at multiples of LANES. The first of these blocks overlaps the one
    // before.
    let known = (text.misalignment() + s + places[0].offset) % V::LANES;
    if known > 0 && text.branch(s - known <= last) {
        block!(s - known, known);
        s += V::LANES - known;
    }
    let span = (GROUP - 1) * V::LANES;
    let most = if F::AT_ONCE { 1 } else { LIST };
    let mut list = [0; LIST];
    loop {
        let (begun, mut hits) = (s, 0);
        while text.branch(s + span <= last && hits < most) {
            // SAFETY: the caller's promise, because all of the group is at most `last`.
            let hit = unsafe {
                let mut least = differences::<V, K, T>(places, text, s);
                for block in 1..GROUP {
                    least = least.least(differences::<V, K, T>(places, text, s + block * V::LANES));
                }
                for line in 0..GROUP * V::LANES / LINE {
                    text.prefetch(s + BYTES_AHEAD + line * LINE);
                }
                least.has_zero()
            };
            // Without a branch, because the CPU would mispredict it at each candidate.
            list[hits] = s;
            hits += usize::from(hit);
            s += span + V::LANES;
        }
        for &s in &list[..hits] {
            let (mut blocks, mut candidates) = ([(0, 0); GROUP], 0);
            for block in 0..GROUP {
                let s = s + block * V::LANES;
                // SAFETY: the caller's promise, because all of the group is at most `last`.
                let bits = unsafe { differences::<V, K, T>(places, text, s).zeros() };
                blocks[candidates] = (s, bits);
                candidates += usize::from(bits != 0);
            }
            for &(s, bits) in &blocks[..candidates] {
                // SAFETY: as above.
                unsafe { verify(pattern, text, s, bits, &mut effort, found)? };
                if found.is_full() {
                    return Ok(());
                }
            }
        }
        text.jumps((s - begun) / (span + V::LANES));
        if !text.branch(hits > 0) {
            break;
        }
    }
    while text.branch(s < last + V::LANES) {
        // The last block overlaps the one before, too.
        let from = s.min(last);
        block!(from, s - from);
        s = from + V::LANES;
        text.jump();
    }
    Ok(())
}
