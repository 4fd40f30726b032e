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

impl Table {
    /// Enters each `K`-th q-gram of the pattern into 2^`bits` entries, and returns these.
    ///
    /// # Safety
    /// As for [`GramHash`]; the pattern has `Q + K` bytes or more.
    #[inline(always)]
    unsafe fn fill<H: GramHash, const K: usize>(
        &mut self,
        pattern: &[u8],
        hash: H,
        bits: u32,
    ) -> &[MaybeUninit<u8>] {
        let used = &mut self.0[..1 << bits];
        used.fill(MaybeUninit::new(0));
        macro_rules! enter {
            ($i:expr) => {
                // SAFETY: the caller's promise: a q-gram begins at `$i` in the pattern, and as many bits of
                // its hash value are left as the table has.
                unsafe {
                    *used.get_unchecked_mut((hash.hash(Bytes(pattern), $i) >> (64 - bits)) as usize) =
                        MaybeUninit::new(1)
                }
            };
        }
        let (mut i, last) = (0, pattern.len() - H::Q);
        while i + 3 * K <= last {
            for j in 0..4 {
                enter!(i + j * K);
            }
            i += 4 * K;
        }
        while i <= last {
            enter!(i);
            i += K;
        }
        used
    }
}

/// Windows that share one branch. Their probes are independent, so the CPU makes the reads of all at the same
/// time. On an AMD of family 25 model 1, two and eight take the same time within 2 %.
pub const GROUP: usize = 4;

/// Prefetch distance in windows. On an AMD of family 25 model 1, 8 take 1.01 of the time, 4 take 1.03, and 32
/// the same.
const WINDOWS_AHEAD: usize = 16;

/// The CPU's own prefetcher fetches closer windows in time: from this distance on, ours took 0.77 to 0.95 of
/// the time.
const PREFETCHED: usize = 80;

/// The table, and the text whose q-grams are looked up in it.
#[derive(Clone, Copy)]
struct Entries<'a, H, T> {
    used: &'a [MaybeUninit<u8>],
    hash: H,
    text: T,
    shift: u32,
}

impl<H: GramHash, T: Text> Entries<'_, H, T> {
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
            self.used.get_unchecked((self.hash.hash(self.text, x) >> self.shift) as usize).assume_init()
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
            let after = |i: usize| Some(x + i * chain.distance).filter(|x| x + H::Q <= self.text.len());
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

/// Windows of the text, and how far the search has come.
struct Windows {
    /// From one window to the next.
    stride: usize,
    /// The last alignment of the text.
    last: usize,
    /// The last probe that ends in the text. Alignments after it are compared without a probe.
    last_probe: usize,
    /// Where the next window is probed: it holds the alignments from `x - stride + 1` to `x`.
    x: usize,
    /// The first alignment that was not excluded.
    first: usize,
}

impl Windows {
    /// For patterns of `m` bytes, from `begin` on.
    #[inline(always)]
    fn new<H: GramHash, const K: usize, T: Text>(m: usize, text: T, begin: usize) -> Self {
        let n = text.len();
        // As far apart as an occurrence always has all of the `K` q-grams that one of them probes.
        let farthest = m - H::Q + 2 - K;
        // Multiples of eight, for reads that cross no line; not of 128, for they would share few sets of the
        // cache.
        let mut stride = farthest & !7;
        if stride.is_multiple_of(128) {
            stride -= 8;
        }
        let mut x = begin + stride - 1;
        x += (8 - (text.misalignment() + x) % 8) % 8;
        if x - begin >= farthest {
            x -= 8;
        }
        Windows { stride, last: n - m, last_probe: n - (H::Q + K - 1), x, first: begin }
    }

    /// Whether no window is left.
    #[inline(always)]
    fn have_ended(&self) -> bool {
        self.x > self.last_probe || self.first > self.last
    }

    /// Skips groups of windows without a q-gram of the pattern.
    ///
    /// # Safety
    /// As for [`Entries::at`].
    #[inline(always)]
    unsafe fn skip<H: GramHash, const K: usize, T: Text>(&mut self, entries: Entries<'_, H, T>) {
        let Entries { text, .. } = entries;
        while self.x + (GROUP - 1) * self.stride <= self.last_probe {
            if self.stride >= PREFETCHED {
                for window in 0..GROUP {
                    text.prefetch(self.x + (WINDOWS_AHEAD + window) * self.stride);
                }
            }
            let mut any = 0;
            for window in 0..GROUP {
                // SAFETY: the caller's promise; the probe ends in the text.
                any |= unsafe { entries.probe::<K>(self.x + window * self.stride) };
            }
            text.jump();
            if text.branch(any != 0) {
                break;
            }
            self.x += GROUP * self.stride;
            self.first = self.x + 1 - self.stride;
        }
    }

    /// Goes on to the next window.
    #[inline(always)]
    fn next(&mut self) {
        self.first = self.x + 1;
        self.x += self.stride;
    }
}

/// What windows with a q-gram of the pattern may cost, in characters that planes compare in the same time.
/// Measured on an Intel of family 6 model 207, on which planes take 0.0165 ns for a character.
struct Budget {
    spent: usize,
    /// Of each window.
    allowed: usize,
    /// What a window takes that is confirmed, and therefore compared.
    visit: usize,
}

impl Budget {
    /// What the probe of each window takes.
    const PROBE: usize = 56;
    /// What a window takes that has a q-gram of the pattern, but is not confirmed.
    const HIT: usize = 900;
    /// What a confirmed window takes, without its alignments.
    const VISIT: usize = 1800;
    /// What each of these alignments takes.
    const ALIGNMENT: usize = 5;
    /// Visits that are free.
    const FREE: usize = 4;

    #[inline(always)]
    fn new(stride: usize) -> Self {
        // What the probe leaves of a window's characters may be spent; in small windows, half of them.
        let allowed = (stride - stride.min(Self::PROBE)).max(stride / 2);
        Budget { spent: 0, allowed, visit: Self::VISIT + Self::ALIGNMENT * stride }
    }

    /// Whether more was spent than in this number of windows may be.
    #[inline(always)]
    fn is_spent(&self, windows: usize) -> bool {
        self.spent > windows * self.allowed + Self::FREE * self.visit
    }
}

/// Patterns of more bytes have a table of [`ENTRIES`] entries, others one of half as many. A q-gram that is
/// not of the pattern then has an entry in less than 2 % of all cases up to m = 600, and in 6 % at 2,000 and
/// 4,096; and 2^15 entries fill an L1 cache of 32 KiB.
const MANY_GRAMS: usize = 300;

/// Reports the occurrences from `begin` on. If too many windows have a q-gram of the pattern, or too much is
/// verified in vain, ends with the first alignment that was not tried.
///
/// # Safety
/// As for [`GramHash`] and [`Region`]; `Q + K - 1 + 16 <= m`.
#[inline(always)]
pub unsafe fn search<H: GramHash, const K: usize, T: Text, F: Found>(
    pattern: &[u8],
    hash: H,
    region: Region<T, F>,
    places: &[Place; PLACES],
    text: T,
    begin: usize,
    found: &mut F,
) -> Result<(), usize> {
    let m = pattern.len();
    let bits = ENTRIES.ilog2() - u32::from(m <= MANY_GRAMS);
    let mut table = Table([const { MaybeUninit::uninit() }; ENTRIES]);
    // SAFETY: the caller's promise: probes end in the text, and windows of a region are the text's.
    unsafe {
        let used = table.fill::<H, K>(pattern, hash, bits);
        text.fills_table(used.len());
        let entries = Entries { used, hash, text, shift: 64 - bits };
        let mut windows = Windows::new::<H, K, T>(m, text, begin);
        let (last, stride) = (windows.last, windows.stride);
        let chain = Chain::new::<K>(m, H::Q);
        let (mut budget, mut effort) = (Budget::new(stride), Effort::new(begin, 0));
        loop {
            windows.skip::<H, K, T>(entries);
            if windows.have_ended() {
                break;
            }
            // Up to four windows one by one.
            for _ in 0..GROUP {
                if windows.have_ended() {
                    break;
                }
                if text.branch(entries.probe::<K>(windows.x) != 0) {
                    budget.spent += Budget::HIT;
                    let end = windows.x.min(last);
                    if text.branch(entries.confirmed::<K>(windows.x, chain)) {
                        budget.spent += budget.visit;
                        region(pattern, places, text, windows.first, end, &mut effort, found)?;
                        if found.is_full() {
                            return Ok(());
                        }
                    }
                    if text.branch(budget.is_spent((windows.x - begin) / stride)) {
                        return Err(end + 1);
                    }
                }
                windows.next();
                text.jump();
            }
        }
        if windows.first <= last {
            region(pattern, places, text, windows.first, last, &mut effort, found)?;
        }
    }
    Ok(())
}
