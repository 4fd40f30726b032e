//! The text of a search, as the methods read it.

use crate::decision::Decision;

/// Bytes of a line of the caches.
pub(crate) const LINE: usize = 64;

/// Reads of the text, and reports of what a search does.
///
/// A program that only searches passes [`Bytes`], whose reports do nothing. A program that counts what a
/// search does implements this trait for a text of its own.
///
/// # Safety
/// The reads must return the bytes of one text that does not change.
#[expect(clippy::len_without_is_empty, reason = "no text is shorter than its pattern, which is not empty")]
pub unsafe trait Text: Copy {
    /// Number of bytes.
    fn len(self) -> usize;

    /// The address of the first byte modulo 64, so that long loops can read at multiples of 64.
    fn misalignment(self) -> usize;

    /// Reads `N` bytes from `index` on.
    ///
    /// # Safety
    /// All of them lie in the text.
    unsafe fn read<const N: usize>(self, index: usize) -> [u8; N];

    /// Prefetches the cache line of the byte at this index; does nothing beyond the text.
    #[inline(always)]
    fn prefetch(self, _index: usize) {}

    /// Reports that a method begins to search, and what was decided. The decision is put together only if a
    /// text asks for it.
    #[inline(always)]
    fn begins(self, _decision: impl FnOnce() -> Decision) {}

    /// Reports that the method gave up, so that another one goes on.
    #[inline(always)]
    fn gives_up(self) {}

    /// Reports a condition that decides where the search goes on, and returns it.
    #[inline(always)]
    fn branch(self, condition: bool) -> bool {
        condition
    }

    /// Reports that a window was compared as a whole, and returns whether it matched.
    #[inline(always)]
    fn verify(self, matched: bool) -> bool {
        matched
    }

    /// Reports windows that were compared as a whole at once, and matched.
    #[inline(always)]
    fn matches(self, _windows: u64) {}

    /// Reports that the search went on to the next block or window.
    #[inline(always)]
    fn jump(self) {
        self.jumps(1);
    }

    /// Reports that the search went on by this number of blocks or windows. A method that looks ahead reports
    /// this when it has verified what it saw, because it goes back if it gives up.
    #[inline(always)]
    fn jumps(self, _times: usize) {}

    /// Reports computations beyond reading and comparing, such as a step of a hash function.
    #[inline(always)]
    fn computes(self, _steps: u64) {}

    /// Reports reads of bytes of the pattern.
    #[inline(always)]
    fn reads_pattern(self, _bytes: usize) {}

    /// Reports assignments to variables that change during the search.
    #[inline(always)]
    fn writes(self, _times: u64) {}

    /// Reports that a table of this number of entries, of one byte each, was filled.
    #[inline(always)]
    fn fills_table(self, _entries: usize) {}

    /// Reports that an entry of the table was looked up.
    #[inline(always)]
    fn looks_up(self) {}
}

/// Bytes in memory.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

// SAFETY: a slice does not change while it is borrowed.
unsafe impl Text for Bytes<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn misalignment(self) -> usize {
        self.0.as_ptr().addr() % 64
    }

    #[inline(always)]
    unsafe fn read<const N: usize>(self, index: usize) -> [u8; N] {
        debug_assert!(index <= self.0.len() && self.0.len() - index >= N, "a read of {N} bytes at {index}");
        // SAFETY: the caller's promise; an array of bytes has no alignment to keep.
        unsafe { self.0.as_ptr().add(index).cast::<[u8; N]>().read() }
    }

    #[inline(always)]
    fn prefetch(self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint, which may name any address.
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.0.as_ptr().wrapping_add(index).cast());
        }
    }
}
