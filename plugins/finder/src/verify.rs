//! Candidates: windows in which some characters matched.

use crate::text::Text;

/// Whether the pattern occurs at `s`; adds the bytes that were compared.
///
/// # Safety
/// The text has as many bytes from `s` on as the pattern.
#[inline(always)]
pub unsafe fn occurs<T: Text>(pattern: &[u8], text: T, s: usize, effort: &mut Effort) -> bool {
    // SAFETY: the caller's promise, because `i + N` is at most the length of the pattern in each case.
    unsafe {
        match pattern.len() {
            m @ 8.. => {
                let mut i = 0;
                while i + 8 < m {
                    if !same::<8, T>(pattern, text, s, i) {
                        effort.spent += i + 8;
                        return text.verify(false);
                    }
                    i += 8;
                }
                effort.spent += m;
                text.verify(same::<8, T>(pattern, text, s, m - 8))
            }
            m @ 4..8 => {
                text.verify(same::<4, T>(pattern, text, s, 0) & same::<4, T>(pattern, text, s, m - 4))
            }
            m @ 2..4 => {
                text.verify(same::<2, T>(pattern, text, s, 0) & same::<2, T>(pattern, text, s, m - 2))
            }
            _ => text.verify(same::<1, T>(pattern, text, s, 0)),
        }
    }
}

/// Whether `N` characters from the pattern's `i`-th on are those of the window at `s`.
///
/// # Safety
/// Pattern and window have them.
#[inline(always)]
unsafe fn same<const N: usize, T: Text>(pattern: &[u8], text: T, s: usize, i: usize) -> bool {
    text.reads_pattern(N);
    // SAFETY: the caller's promise; an array of bytes has no alignment to keep.
    text.branch(unsafe { text.read::<N>(s + i) == pattern.as_ptr().add(i).cast::<[u8; N]>().read() })
}

/// Limits the bytes that are compared in vain, so that a search stays linear.
#[derive(Debug)]
pub struct Effort {
    begin: usize,
    spent: usize,
}

impl Effort {
    /// What may be spent before the text's first byte, in bytes.
    const START: usize = 1 << 14;
    /// What may be spent for each byte of the text.
    const RATE: usize = 4;

    /// Of a search from `begin` on.
    pub fn new(begin: usize) -> Self {
        Effort { begin, spent: 0 }
    }

    /// Whether more was spent than a linear search may, which has come to `s`.
    #[inline(always)]
    pub fn too_much(&self, s: usize) -> bool {
        self.spent > Self::START + Self::RATE * (s - self.begin)
    }
}
