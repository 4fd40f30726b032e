//! The functions that a program calls.

use crate::cpu::{Available, Instructions};
use crate::found::{Count, First, Found, Last};
use crate::iter::FindIter;
use crate::method::{CHOSEN_BY_SAMPLE, Method};
use crate::near;
use crate::search::{run, search};
#[cfg(target_arch = "x86_64")]
use crate::short;
use crate::text::Bytes;

/// Alignments that [`Finder::find`] searches without choosing a method, because an occurrence may be close:
/// the choice takes as long as this. All of a text is searched so in which nothing is chosen by a sample.
const NEAR: usize = 4096;

/// Alignments of the part that [`Finder::rfind`] searches first.
const PART: usize = 1024;

/// A pattern, and the instructions that it is searched with.
///
/// ```
/// use assay_finder::Finder;
///
/// let finder = Finder::new(b"GATTACA");
/// let lines = ["CATGATTACAGAT", "CATCAT"];
/// let positions = lines.map(|line| finder.find(line.as_bytes()));
/// assert_eq!(positions, [Some(3), None]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Finder<'n> {
    needle: &'n [u8],
    instructions: Available,
}

impl<'n> Finder<'n> {
    /// For this pattern. An empty one occurs everywhere, also before the first byte and after the last.
    ///
    /// ```
    /// # use assay_finder::Finder;
    /// assert_eq!(Finder::new("abc").needle(), b"abc");
    /// assert_eq!(Finder::new("").find_iter(b"ab").collect::<Vec<_>>(), [0, 1, 2]);
    /// ```
    pub fn new<B: ?Sized + AsRef<[u8]>>(needle: &'n B) -> Self {
        Finder { needle: needle.as_ref(), instructions: Available::best() }
    }

    /// The same with other instructions than the best that the CPU has.
    ///
    /// # Panics
    /// If the CPU lacks them.
    ///
    /// ```
    /// use assay_finder::Finder;
    /// use assay_finder::cpu::Available;
    ///
    /// for available in Available::all() {
    ///     let finder = Finder::new("na").with_instructions(available.get());
    ///     assert_eq!(finder.count(b"banana"), 2);
    /// }
    /// ```
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        let Some(instructions) = instructions.available() else {
            panic!("this CPU lacks {}", instructions.name())
        };
        Finder { instructions, ..self }
    }

    /// The pattern.
    ///
    /// ```
    /// # use assay_finder::Finder;
    /// assert_eq!(Finder::new("abc").needle(), b"abc");
    /// ```
    pub fn needle(&self) -> &'n [u8] {
        self.needle
    }

    /// Where the pattern occurs first.
    ///
    /// ```
    /// # use assay_finder::Finder;
    /// assert_eq!(Finder::new("an").find(b"bananas"), Some(1));
    /// assert_eq!(Finder::new("an").find(b"apple"), None);
    /// ```
    #[inline]
    pub fn find(&self, haystack: &[u8]) -> Option<usize> {
        if haystack.len() < self.needle.len() {
            return None;
        }
        self.find_in_longer(haystack)
    }

    /// The same in a text that is at least as long as the pattern.
    fn find_in_longer(&self, haystack: &[u8]) -> Option<usize> {
        match self.find_near(haystack) {
            Ok(found) => found,
            Err(untried) => Some(untried + self.search(&haystack[untried..], First::default()).0?),
        }
    }

    /// The same without the choice of a method. Ends with the first alignment that was not tried, if that
    /// does not do: in a long text, or where too many candidates were verified in vain.
    #[inline]
    pub(crate) fn find_near(&self, haystack: &[u8]) -> Result<Option<usize>, usize> {
        let (m, n) = (self.needle.len(), haystack.len());
        if m == 0 || n < m {
            return Ok((m == 0).then_some(0));
        }
        let mut begin = 0;
        #[cfg(target_arch = "x86_64")]
        if m <= short::LONGEST && self.instructions.get() >= Instructions::Sse2 {
            let found = short::find(self.needle, haystack);
            if found.is_some() || n - m < short::ALIGNMENTS {
                return Ok(found);
            }
            // The widest register of `near` is filled, if need be with alignments that were tried.
            begin = short::ALIGNMENTS.min((n - m + 1).saturating_sub(near::WIDEST));
        }
        // One and two characters are searched without a choice in any text.
        let stop = if n <= CHOSEN_BY_SAMPLE || m <= 2 { n } else { NEAR };
        near::find(self.needle, haystack, begin, stop, self.instructions)
    }

    /// Where the pattern occurs last. The text is searched from its end, in parts.
    ///
    /// ```
    /// # use assay_finder::Finder;
    /// assert_eq!(Finder::new("an").rfind(b"bananas"), Some(3));
    /// ```
    pub fn rfind(&self, haystack: &[u8]) -> Option<usize> {
        let m = self.needle.len();
        if m == 0 {
            return Some(haystack.len());
        }
        let mut end = (haystack.len() + 1).checked_sub(m)?;
        // Alignments of the last part; each further one has twice as many. Parts overlap by the length of the
        // pattern, so they have as many alignments at least.
        let mut part = PART.max(m);
        while end > 0 {
            let begin = end.saturating_sub(part);
            if let Some(position) = self.search(&haystack[begin..end + m - 1], Last::default()).0 {
                return Some(begin + position);
            }
            (end, part) = (begin, 2 * part);
        }
        None
    }

    /// How often the pattern occurs; occurrences that overlap all count.
    ///
    /// ```
    /// # use assay_finder::Finder;
    /// assert_eq!(Finder::new("ana").count(b"bananas"), 2);
    /// assert_eq!(Finder::new("ana").find_iter(b"bananas").count(), 1);
    /// ```
    pub fn count(&self, haystack: &[u8]) -> u64 {
        if self.needle.is_empty() {
            return haystack.len() as u64 + 1;
        }
        self.search(haystack, Count::default()).0
    }

    /// Where the pattern occurs, from left to right. The next occurrence begins where the last one ended, or
    /// after it.
    ///
    /// ```
    /// # use assay_finder::Finder;
    /// let finder = Finder::new("an");
    /// assert_eq!(finder.find_iter(b"bananas").collect::<Vec<_>>(), [1, 3]);
    /// ```
    pub fn find_iter<'h>(&self, haystack: &'h [u8]) -> FindIter<'h, 'n> {
        FindIter::new(*self, haystack)
    }

    /// A method for [`search_by`](Self::search_by).
    pub(crate) fn method_without_table(&self, haystack: &[u8]) -> Method {
        Method::without_table(self.needle, Bytes(haystack), self.instructions.get())
    }

    /// Reports the occurrences in a text that is at least as long as the pattern, which is not empty, by a
    /// method or those that it leaves the search to; returns the method to go on with.
    pub(crate) fn search_by(&self, method: Method, haystack: &[u8], found: &mut impl Found) -> Method {
        run(method, self.needle, Bytes(haystack), self.instructions, found)
    }

    /// Reports all occurrences of a pattern that is not empty.
    pub(crate) fn search<F: Found>(&self, haystack: &[u8], mut found: F) -> F {
        search(self.needle, Bytes(haystack), self.instructions, &mut found);
        found
    }
}

/// Where `needle` occurs first in `haystack`.
///
/// ```
/// assert_eq!(assay_finder::find(b"bananas", b"an"), Some(1));
/// ```
pub fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    Finder::new(needle).find(haystack)
}

/// Where `needle` occurs last in `haystack`.
///
/// ```
/// assert_eq!(assay_finder::rfind(b"bananas", b"an"), Some(3));
/// ```
pub fn rfind(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    Finder::new(needle).rfind(haystack)
}

/// Where `needle` occurs in `haystack`, without overlaps, from left to right.
///
/// ```
/// assert_eq!(assay_finder::find_iter(b"bananas", b"an").collect::<Vec<_>>(), [1, 3]);
/// ```
pub fn find_iter<'h, 'n, N: ?Sized + AsRef<[u8]>>(haystack: &'h [u8], needle: &'n N) -> FindIter<'h, 'n> {
    Finder::new(needle).find_iter(haystack)
}
