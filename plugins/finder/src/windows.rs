//! Long patterns: one q-gram of each window of the text is looked up in a table of the pattern's q-grams, and
//! most windows end with that.
//!
//! Windows of `m - q + 1` characters are probed at their ends: an occurrence covers all of a window's q-gram,
//! so a window whose q-gram is not of the pattern has no occurrence that begins in it. Nothing depends on
//! what a probe found, so the CPU has many of them in flight at the same time. For long patterns only each
//! `K`-th q-gram is in the table, and `K` q-grams in a row are probed.

use core::mem::MaybeUninit;

use crate::candidates::Effort;
use crate::found::Found;
use crate::gram_hash::GramHash;
use crate::region::{PLACES, Region};
use crate::some_characters::Place;
use crate::text::{Bytes, Text};

/// Most entries of a table.
const ENTRIES: usize = 1 << 15;

/// Whether a q-gram of the pattern has this hash value. At the beginning of a line, so that all of it fits
/// into as few lines as it can.
#[repr(align(64))]
struct Table([MaybeUninit<u8>; ENTRIES]);

/// Windows that share one branch. Nothing depends on their probes, so the CPU makes the reads of all at the
/// same time. On an AMD of family 25 model 1, two and eight take the same time within 2 %.
pub const GROUP: usize = 4;

/// Prefetch distance in windows. On an AMD of family 25 model 1, 8 take 1.01 of the time, 4 take 1.03, and 32
/// the same.
const WINDOWS_AHEAD: usize = 16;

/// The table, and the text whose q-grams are looked up in it.
#[derive(Clone, Copy)]
struct Entries<'a, G, T> {
    used: &'a [MaybeUninit<u8>],
    gram: G,
    text: T,
    shift: u32,
}

impl<G: GramHash, T: Text> Entries<'_, G, T> {
    /// The entry of the q-gram at `x`.
    ///
    /// # Safety
    /// As for [`GramHash::hash`]; the table has as many entries as the hash has bits that are not shifted
    /// out.
    #[inline(always)]
    unsafe fn at(self, x: usize) -> u8 {
        self.text.looks_up();
        // SAFETY: the caller's promise; all entries were filled.
        unsafe {
            self.used.get_unchecked((self.gram.hash(self.text, x) >> self.shift) as usize).assume_init()
        }
    }

    /// Whether one of `K` q-grams from `x` on has an entry.
    ///
    /// # Safety
    /// As for [`at`](Self::at), of all of them.
    #[inline(always)]
    unsafe fn probe<const K: usize>(self, x: usize) -> u8 {
        // SAFETY: the caller's promise.
        unsafe {
            let mut any = self.at(x);
            let mut k = 1;
            while k < K {
                any |= self.at(x + k);
                k += 1;
            }
            any
        }
    }

    /// Whether one of the `K` q-grams has an entry, and all of a chain of q-grams before it or after it have
    /// one, too. In an occurrence, they do.
    ///
    /// # Safety
    /// As for [`probe`](Self::probe).
    #[inline(always)]
    unsafe fn confirmed<const K: usize>(self, x: usize, chain: Chain) -> bool {
        let mut confirmed = false;
        for x in x..x + K {
            let before = |i: usize| x.checked_sub(i * chain.distance);
            let after = |i: usize| Some(x + i * chain.distance).filter(|x| x + G::Q <= self.text.len());
            // SAFETY: the caller's promise; other q-grams are looked up only if they lie in the text.
            let known = |x: Option<usize>| x.is_some_and(|x| self.text.branch(unsafe { self.at(x) } != 0));
            confirmed |= known(Some(x))
                && ((1..=chain.links).all(|i| known(before(i)))
                    || (1..=chain.links).all(|i| known(after(i))));
        }
        confirmed
    }
}

/// The q-grams on one side of another that must have entries, too.
#[derive(Clone, Copy)]
struct Chain {
    links: usize,
    distance: usize,
}

impl Chain {
    /// The most links, because each one costs a probe in every window with an occurrence.
    const LINKS: usize = 16;
    /// A chain over half of the pattern, because on one side or the other an occurrence has that much of it.
    /// Links are about eight characters apart or more, because distant q-grams depend less on each other than
    /// neighbours.
    fn new<const K: usize>(m: usize, q: usize) -> Self {
        let half = (m - q) / 2;
        let links = (half / 8).clamp(1, Self::LINKS);
        Chain { links, distance: half / links / K * K }
    }
}

/// Reports the occurrences from `begin` on. If too many windows have a q-gram of the pattern, or too much is
/// verified in vain, ends with the first alignment that was not tried.
///
/// # Safety
/// As for [`GramHash`] and [`Region`]; `Q + K - 1 + 16 <= m`.
#[inline(always)]
pub unsafe fn search<G: GramHash, const K: usize, T: Text, F: Found>(
    pattern: &[u8],
    gram: G,
    region: Region<T, F>,
    places: &[Place; PLACES],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    // SAFETY: the caller's promise.
    unsafe {
        let (m, n) = (pattern.len(), text.len());
        let last = n - m;
        // More entries where there are more q-grams: a q-gram that is not of the pattern has an entry in less
        // than 2 % of all cases up to m = 600, and in 6 % at 2,000 and 4,096. 2^15 fill an L1 cache of 32
        // KiB.
        let bits = if m <= 300 { 14 } else { 15 };
        let shift = 64 - bits;
        let mut table = Table([const { MaybeUninit::uninit() }; ENTRIES]);
        let used = &mut table.0[..1 << bits];
        used.fill(MaybeUninit::new(0));
        text.fills_table(used.len());
        macro_rules! enter {
            ($i:expr) => {
                *used.get_unchecked_mut((gram.hash(Bytes(pattern), $i) >> shift) as usize) =
                    MaybeUninit::new(1)
            };
        }
        let mut i = 0;
        while i + 3 * K <= m - G::Q {
            for j in 0..4 {
                enter!(i + j * K);
            }
            i += 4 * K;
        }
        while i <= m - G::Q {
            enter!(i);
            i += K;
        }
        let entries = Entries { used, gram, text, shift };
        // Multiples of eight, for reads that cross no line; not of 128, for they would share few sets of the
        // cache.
        let mut stride = (m - G::Q + 2 - K) & !7;
        if stride.is_multiple_of(128) {
            stride -= 8;
        }
        let mut effort = Effort::new(begin, 0);
        // The window that ends at `x` holds the starts from `x - stride + 1` to `x`.
        let mut x = begin + stride - 1;
        x += (8 - (text.misalignment() + x) % 8) % 8;
        if x - begin >= m - G::Q + 2 - K {
            x -= 8;
        }
        let mut first = begin;
        let chain = Chain::new::<K>(m, G::Q);
        // Windows pay as long as few of them have a q-gram of the pattern. A window that is not confirmed
        // takes as long as planes take for 900 characters. A confirmed one takes as long as for 1,800, and
        // for five of each start that it compares. The first four are free. The probe of each window takes as
        // long as for 56 characters, so the rest of its characters may be spent, or half of them in small
        // windows.
        let visit = 1800 + 5 * stride;
        let allowed = (stride - stride.min(56)).max(stride / 2);
        let mut spent = 0;
        // The last probe ends in the text; starts after it are compared without a probe.
        let end = n - (G::Q + K - 1);
        // The CPU's own prefetcher fetches closer windows in time: from here on, ours took 0.77 to 0.95 of
        // the time.
        let far = stride >= 80;
        loop {
            while x + 3 * stride <= end {
                if far {
                    for window in 0..GROUP {
                        text.prefetch(x + (WINDOWS_AHEAD + window) * stride);
                    }
                }
                let any = entries.probe::<K>(x)
                    | entries.probe::<K>(x + stride)
                    | entries.probe::<K>(x + 2 * stride)
                    | entries.probe::<K>(x + 3 * stride);
                text.jump();
                if text.branch(any != 0) {
                    break;
                }
                x += 4 * stride;
                first = x + 1 - stride;
            }
            if x > end || first > last {
                break;
            }
            // Up to four windows one by one.
            for _ in 0..GROUP {
                if x > end || first > last {
                    break;
                }
                if text.branch(entries.probe::<K>(x) != 0) {
                    spent += 900;
                    let end = x.min(last);
                    if text.branch(entries.confirmed::<K>(x, chain)) {
                        spent += visit;
                        region(pattern, places, text, first, end, &mut effort, found)?;
                        if found.is_full() {
                            return Ok(());
                        }
                    }
                    if text.branch(spent > (x - begin) / stride * allowed + 4 * visit) {
                        return Err(end + 1);
                    }
                }
                first = x + 1;
                x += stride;
                text.jump();
            }
        }
        if first <= last {
            region(pattern, places, text, first, last, &mut effort, found)?;
        }
    }
    Ok(())
}
