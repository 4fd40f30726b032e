//! Text and pattern as an algorithm sees them: every read goes through a view, which reports it to the probe.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;

use crate::probe::Probe;

/// The text of a search: `len()` bytes, and after them as much slack as the algorithm declared in its
/// [`Needs`](crate::Needs). There is no terminator, and no byte after the slack may be touched.
#[derive(Clone, Copy)]
pub struct Text<'a, P> {
    start: *mut u8,
    len: usize,
    limit: usize,
    writable: bool,
    probe: P,
    bytes: PhantomData<&'a [Cell<u8>]>,
}

impl<'a, P: Probe> Text<'a, P> {
    /// A text without slack.
    pub fn new(bytes: &'a [u8], probe: P) -> Self {
        Text {
            start: bytes.as_ptr().cast_mut(),
            len: bytes.len(),
            limit: bytes.len(),
            writable: false,
            probe,
            bytes: PhantomData,
        }
    }

    /// A text of `len` bytes with `slack` bytes after it, which are `writable` if the algorithm has declared
    /// that it writes them ([`Needs::writes_slack`](crate::Needs)).
    ///
    /// # Safety
    /// `start` must be good for reads of `len + slack` bytes as long as `'a` lasts, and nothing may
    /// write to them meanwhile. If the slack is writable, the last `slack` bytes must be good for writes too,
    /// and nothing else may touch them.
    pub unsafe fn with_slack(start: *mut u8, len: usize, slack: usize, writable: bool, probe: P) -> Self {
        Text { start, len, limit: len + slack, writable, probe, bytes: PhantomData }
    }

    /// Length of the text in bytes, without the slack.
    #[inline(always)]
    #[expect(
        clippy::len_without_is_empty,
        reason = "a text is never shorter than the pattern, which is not empty"
    )]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The address of the first byte modulo 64. Vector code that begins at a multiple of its width reads no two
    /// cache lines at once.
    #[inline(always)]
    pub fn misalignment(&self) -> usize {
        self.start.addr() % 64
    }

    /// Says that the byte at `index` will be read soon, wherever that lies. Nothing is read or counted.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint, which may name any address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.start.wrapping_add(index).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// Reads the byte at `index`, of the text or of the slack.
    ///
    /// # Panics
    /// If `index` lies beyond both.
    #[inline(always)]
    #[track_caller]
    pub fn at(&self, index: usize) -> u8 {
        // Compilers can prove that the index is below `len`, and remove the whole check then.
        if index >= self.len && index >= self.limit {
            self.outside("read", index, 1);
        }
        self.probe.reads_text(index, 1);
        // SAFETY: index < len + slack = limit, and the constructors' callers answer for those bytes.
        unsafe { *self.start.add(index) }
    }

    /// Reads the byte at `index`. The timed reading does not check it; the other two do.
    ///
    /// # Safety
    /// `index` must lie within the text or its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn at_unchecked(&self, index: usize) -> u8 {
        if P::CHECKS && index >= self.limit {
            self.outside("read", index, 1);
        }
        self.probe.reads_text(index, 1);
        // SAFETY: the caller's promise.
        unsafe { *self.start.add(index) }
    }

    /// Reads `N` bytes from `index` on, as vector code and q-grams do; all `N` are counted.
    ///
    /// # Panics
    /// If they don't lie within the text and its slack.
    #[inline(always)]
    #[track_caller]
    pub fn block<const N: usize>(&self, index: usize) -> [u8; N] {
        if index > self.limit || self.limit - index < N {
            self.outside("read", index, N);
        }
        self.probe.reads_text(index, N);
        // SAFETY: index + N <= limit, and an array of bytes has no alignment to keep.
        unsafe { self.start.add(index).cast::<[u8; N]>().read() }
    }

    /// Reads `N` bytes from `index` on. The timed reading does not check them; the other two do.
    ///
    /// # Safety
    /// All of them must lie within the text and its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn block_unchecked<const N: usize>(&self, index: usize) -> [u8; N] {
        if P::CHECKS {
            return self.block(index);
        }
        self.probe.reads_text(index, N);
        // SAFETY: the caller's promise; an array of bytes has no alignment to keep.
        unsafe { self.start.add(index).cast::<[u8; N]>().read() }
    }

    /// Reads a q-gram: the `N` bytes from `index` on, at most eight, as a number whose lowest byte is the
    /// first. A [block](Text::block_unchecked) of 3, 5, 6 or 7 bytes would be read byte by byte, so this
    /// takes two reads that overlap.
    ///
    /// # Safety
    /// All of them must lie within the text and its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn gram_unchecked<const N: usize>(&self, index: usize) -> u64 {
        const { assert!(N >= 1 && N <= 8, "a q-gram has from one to eight bytes") };
        if P::CHECKS {
            return self
                .block::<N>(index)
                .iter()
                .rev()
                .fold(0, |number, &byte| number << 8 | u64::from(byte));
        }
        self.probe.reads_text(index, N);
        let two = |i: usize| {
            // SAFETY: the caller's promise, because i + 2 is at most N; an unaligned read needs no alignment.
            let bytes = unsafe { self.start.add(index + i).cast::<[u8; 2]>().read() };
            u64::from(u16::from_le_bytes(bytes))
        };
        let four = |i: usize| {
            // SAFETY: the same, of four bytes.
            let bytes = unsafe { self.start.add(index + i).cast::<[u8; 4]>().read() };
            u64::from(u32::from_le_bytes(bytes))
        };
        match N {
            // SAFETY: the caller's promise.
            1 => u64::from(unsafe { *self.start.add(index) }),
            2..4 => two(0) | two(N - 2) << (8 * (N - 2)),
            _ => four(0) | four(N - 4) << (8 * (N - 4)),
        }
    }

    /// Reads a q-gram as [`gram_unchecked`](Text::gram_unchecked) does, with one read of eight bytes: the
    /// algorithm gets `N` of them, and they are counted, because the others are no part of the q-gram.
    ///
    /// # Safety
    /// The eight bytes from `index` on must lie within the text or its slack.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn gram_in_eight<const N: usize>(&self, index: usize) -> u64 {
        const { assert!(N >= 1 && N <= 8, "a q-gram has from one to eight bytes") };
        if P::CHECKS && (index > self.limit || self.limit - index < 8) {
            self.outside("read", index, 8);
        }
        self.probe.reads_text(index, N);
        // SAFETY: the caller's promise; an unaligned read needs no alignment.
        let bytes = unsafe { self.start.add(index).cast::<[u8; 8]>().read() };
        u64::from_le_bytes(bytes) & u64::MAX >> (64 - 8 * N)
    }

    /// The bytes of the text, without the slack, for somebody else's code.
    ///
    /// # Panics
    /// In the reading that counts: an algorithm that calls this is not
    /// [instrumented](crate::Algorithm::INSTRUMENTED).
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        given_away::<P>("text");
        // SAFETY: the constructors' callers answer for the text's bytes as long as `'a` lasts; only slack is
        // written to.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    /// Writes a byte of the slack, for algorithms that put a sentinel after the text.
    ///
    /// # Panics
    /// If `index` lies in the text or beyond the slack, or if the algorithm has not declared that it writes
    /// there.
    #[inline(always)]
    #[track_caller]
    pub fn set_slack(&self, index: usize, byte: u8) {
        assert!(self.writable, "write at text offset {index}: Needs::writes_slack is not declared");
        if index < self.len || index >= self.limit {
            self.outside("write", index, 1);
        }
        // SAFETY: len <= index < limit, and `with_slack` was given bytes that may be written: no other text
        // is writable.
        unsafe { *self.start.add(index) = byte }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside(&self, what: &str, index: usize, bytes: usize) -> ! {
        panic!(
            "{what} of {bytes} byte(s) at text offset {index}: the text has {} bytes, then {} of slack",
            self.len,
            self.limit - self.len
        );
    }
}

/// The pattern of a search. It has no terminator.
#[derive(Clone, Copy)]
pub struct Pattern<'a, P> {
    pub(crate) bytes: &'a [u8],
    pub(crate) probe: P,
}

impl<'a, P: Probe> Pattern<'a, P> {
    /// A view of the pattern's bytes.
    ///
    /// # Panics
    /// If there are none.
    #[inline(always)]
    pub fn new(bytes: &'a [u8], probe: P) -> Self {
        assert!(!bytes.is_empty(), "an empty pattern");
        Pattern { bytes, probe }
    }

    /// Length of the pattern in bytes; at least 1.
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "a pattern is never empty")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of the pattern, for somebody else's code.
    ///
    /// # Panics
    /// As [`Text::bytes`] does.
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        given_away::<P>("pattern");
        self.bytes
    }

    /// Reads the byte at `index`.
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline(always)]
    #[track_caller]
    pub fn at(&self, index: usize) -> u8 {
        self.probe.reads_pattern(Some(index), 1);
        self.bytes[index]
    }

    /// Whether the pattern's characters in `part` are those of the window at `s`, compared from left to right
    /// until two differ. It is counted as a loop: two reads and a branch for each comparison, a branch at the
    /// end of the part, a write before the loop and one for each character that matched, and a verification.
    /// A part that ends before it begins has no characters to compare.
    ///
    /// # Panics
    /// If the part or the window reaches beyond pattern or text.
    #[inline(always)]
    #[track_caller]
    pub fn occurs(&self, text: Text<P>, s: usize, part: Range<usize>) -> bool {
        let Range { start: mut i, end } = part;
        if end > self.len() || s > text.limit || end > text.limit - s {
            text.outside("read", s, end);
        }
        self.probe.writes(1);
        // SAFETY: i < end, and the window's first `end` bytes and those of the pattern were found to be
        // there.
        while self.probe.branch(i < end && unsafe { self.at_unchecked(i) == text.at_unchecked(s + i) }) {
            i += 1;
            self.probe.writes(1);
        }
        self.probe.verify(i >= end)
    }

    /// Reads the byte at `index`. The timed reading does not check it; the other two do.
    ///
    /// # Safety
    /// `index` must be below the length.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn at_unchecked(&self, index: usize) -> u8 {
        if P::CHECKS {
            return self.at(index);
        }
        self.probe.reads_pattern(Some(index), 1);
        // SAFETY: the caller's promise.
        unsafe { *self.bytes.get_unchecked(index) }
    }
}

/// Reads of bytes that were handed to other code cannot be counted.
#[inline(always)]
#[track_caller]
fn given_away<P: Probe>(what: &str) {
    assert!(!P::COUNTS, "what is read of the bytes of the {what} can't be counted: say INSTRUMENTED = false");
}

#[cfg(test)]
mod tests;
