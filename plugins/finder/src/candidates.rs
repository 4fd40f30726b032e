//! Candidates: windows in which some characters matched.

use crate::decision::Kind;
use crate::text::Text;

/// Whether the pattern occurs at `s`; adds the bytes that were compared.
///
/// # Safety
/// The text has as many bytes from `s` on as the pattern.
#[inline(always)]
pub unsafe fn occurs<T: Text>(pattern: &[u8], text: T, s: usize, effort: &mut Effort) -> bool {
    // SAFETY: the caller's promise.
    let matched = unsafe { compare(pattern, text, s, effort) };
    effort.vain += usize::from(!matched || pattern.len() <= COMPARED_AS_WHOLE);
    text.verify(matched)
}

/// As [`occurs`], without a report.
#[inline(always)]
unsafe fn compare<T: Text>(pattern: &[u8], text: T, s: usize, effort: &mut Effort) -> bool {
    let m = pattern.len();
    // SAFETY: the caller's promise, because `i + N` is at most the length of the pattern in each case.
    unsafe {
        if m >= 8 {
            let mut i = 0;
            while i + 8 < m {
                if !same::<8, T>(pattern, text, s, i) {
                    effort.spent += i + 8;
                    return false;
                }
                i += 8;
            }
            effort.spent += m;
            return same::<8, T>(pattern, text, s, m - 8);
        }
        effort.spent += m;
        match m {
            4.. => same::<4, T>(pattern, text, s, 0) & same::<4, T>(pattern, text, s, m - 4),
            2.. => same::<2, T>(pattern, text, s, 0) & same::<2, T>(pattern, text, s, m - 2),
            _ => same::<1, T>(pattern, text, s, 0),
        }
    }
}

/// The first place at which the pattern differs from the window at `s`; `None` if it occurs there.
///
/// # Safety
/// The text has as many bytes from `s` on as the pattern.
pub unsafe fn difference<T: Text>(pattern: &[u8], text: T, s: usize) -> Option<usize> {
    (0..pattern.len()).find(|&i| {
        text.reads_pattern(1);
        // SAFETY: the caller's promise.
        let [byte] = unsafe { text.read::<1>(s + i) };
        byte != pattern[i]
    })
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

/// The longest pattern of which all characters can be compared, so that no candidate needs a verification.
const COMPARED_AS_WHOLE: usize = Kind::AllCharacters.lengths().1;

/// Limits the bytes that are compared at candidates, so that a search stays linear, and the candidates in
/// vain.
#[derive(Debug)]
pub struct Effort {
    begin: usize,
    /// Bytes that were compared.
    spent: usize,
    /// Candidates that another method would not have had: those at which the pattern does not occur, and all
    /// candidates of patterns that [`Kind::AllCharacters`] can search.
    vain: usize,
    /// Candidates in vain that are free, because rare ones may be close to each other by chance.
    free: usize,
    least_gap: usize,
}

impl Effort {
    /// Bytes that may be compared at once: that much takes a microsecond.
    const START: usize = 1 << 14;
    /// Bytes that may be compared for each byte of the text. Two Way reads each byte up to three times.
    const RATE: usize = 4;
    /// Candidates in vain that are free, unless a method says otherwise.
    const FREE: usize = 8;

    /// Of a search from `begin` on, by a method that pays only where candidates in vain are at least
    /// `least_gap` bytes apart on average; 0 if it pays anyway.
    pub fn new(begin: usize, least_gap: usize) -> Self {
        Effort { begin, spent: 0, vain: 0, free: Self::FREE, least_gap }
    }

    /// The same with another number of candidates in vain that are free.
    pub fn with_free_candidates(self, free: usize) -> Self {
        Effort { free, ..self }
    }

    /// Whether a search that has come to `s` has compared more than it may, or had too many candidates in
    /// vain.
    #[inline(always)]
    pub fn too_much(&self, s: usize) -> bool {
        let passed = s - self.begin;
        self.spent > Self::RATE.saturating_mul(passed).saturating_add(Self::START)
            || self.vain > self.free && (self.vain - self.free).saturating_mul(self.least_gap) > passed
    }
}
