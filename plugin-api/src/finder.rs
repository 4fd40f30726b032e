//! The search of one algorithm, for a program that has chosen it.

mod find_iter;
mod parts;
mod searcher;

use std::cell::RefCell;
use std::fmt;

pub use find_iter::FindIter;

use self::parts::{Direction, Parts};
use self::searcher::Searcher;
use crate::cpu::cpu_has;
use crate::{Algorithm, CannotSearch, Hints, Off};

/// A pattern that is prepared for the search of one algorithm, in any text.
///
/// The methods are those of the crate `assay-finder`, so that a program can change from one to the other. The
/// algorithm is that of the timed reading ([`Off`]), called directly.
///
/// ```
/// # use assay_plugin_api::prelude::*;
/// # #[derive(Default)]
/// # struct Horspool;
/// # impl Algorithm for Horspool {
/// #     const ABOUT: About = About { id: "hor", ..About::UNKNOWN };
/// #     fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
/// #         let m = pattern.len();
/// #         (0..=text.len() - m).filter(|&s| pattern.occurs(text, s, 0..m)).for_each(|s| found.at(s));
/// #     }
/// # }
/// use assay_plugin_api::Finder;
/// // use assay_comparison::occurrence::hor::Horspool;
///
/// let finder = Finder::<Horspool>::new("ana")?;
/// assert_eq!(finder.count(b"bananas"), 2);
/// assert_eq!(finder.find(b"bananas"), Some(1));
/// assert_eq!(finder.rfind(b"bananas"), Some(3));
/// assert_eq!(finder.find_iter(b"bananas").collect::<Vec<_>>(), [1]);
/// assert_eq!(finder.positions(b"bananas"), [1, 3]);
///
/// let refused = Finder::<Horspool>::new("").unwrap_err();
/// assert_eq!(refused.to_string(), "cannot search: the length of the pattern is 0, and this algorithm needs at least 1");
/// # Ok::<(), assay_plugin_api::CannotSearch>(())
/// ```
///
/// # What it costs
///
/// A text is any slice of bytes. It is searched where it is, in one call of the algorithm, unless the
/// algorithm [needs](crate::Needs) more:
///
/// * If it may touch `slack` bytes after the text, the last `slack` windows are searched in a copy of the
///   text's end: `m - 1 + slack` bytes are copied.
/// * If it writes to the slack, or if it needs an alignment that the text has not, the text is copied and
///   searched in parts of 64 KiB, which stay in the cache. The memory is kept for later searches.
///
/// An algorithm can't be stopped at an occurrence. [`find`](Finder::find), [`rfind`](Finder::rfind) and
/// [`find_iter`](Finder::find_iter) therefore search the text in parts that overlap by `m - 1` bytes: first of
/// 2,048 windows, then of twice as many each, up to 65,536 or four pattern lengths.
pub struct Finder<'p, A> {
    pattern: &'p [u8],
    searcher: RefCell<Searcher<A>>,
    parts: Parts,
}

impl<'p, A: Algorithm> Finder<'p, A> {
    /// Prepares the algorithm for this pattern.
    ///
    /// # Errors
    /// If the algorithm does not take patterns of this length or of these characters, or if the CPU does not
    /// have the instructions that it needs.
    pub fn new<B: ?Sized + AsRef<[u8]>>(pattern: &'p B) -> Result<Self, CannotSearch> {
        Self::prepared(pattern.as_ref(), Hints::default())
    }

    /// Prepares the algorithm for this pattern and for texts such as this one. Some algorithms look at the
    /// [beginning of the text](crate::Needs::sample), and are faster if it resembles the texts that are
    /// searched; they find the same in any.
    ///
    /// # Errors
    /// As [`new`](Finder::new).
    pub fn for_text<B: ?Sized + AsRef<[u8]>>(pattern: &'p B, text: &[u8]) -> Result<Self, CannotSearch> {
        let sample = &text[..text.len().min(A::NEEDS.sample)];
        Self::prepared(pattern.as_ref(), Hints { sample, text_length: text.len() })
    }

    fn prepared(pattern: &'p [u8], hints: Hints) -> Result<Self, CannotSearch> {
        takes::<A>(pattern.len())?;
        let mut algorithm = A::default();
        algorithm.prepare_with(pattern, hints, Off)?;
        let parts = Parts::usual(pattern.len());
        Ok(Finder { pattern, searcher: RefCell::new(Searcher::new(algorithm)), parts })
    }

    /// The same with small parts, so that tests search many in a short text.
    pub(crate) fn with_parts(self, first: usize, longest: usize) -> Self {
        Finder { parts: Parts { first, longest }, ..self }
    }

    /// The pattern.
    pub fn needle(&self) -> &'p [u8] {
        self.pattern
    }

    /// How often the pattern occurs; occurrences that overlap all count.
    pub fn count(&self, text: &[u8]) -> u64 {
        self.searcher.borrow_mut().count(self.pattern, text, self.parts.longest)
    }

    /// Where the pattern occurs, in ascending order; occurrences that overlap are all listed.
    pub fn positions(&self, text: &[u8]) -> Vec<usize> {
        let mut positions = Vec::new();
        let all = 0..self.alignments(text);
        self.searcher.borrow_mut().find(self.pattern, text, all, self.parts.longest, &mut positions);
        positions
    }

    /// Where the pattern occurs first.
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        self.in_parts(text, Direction::Forward).map(|found| found[0])
    }

    /// Where the pattern occurs last. The text is searched from its end, in parts.
    pub fn rfind(&self, text: &[u8]) -> Option<usize> {
        self.in_parts(text, Direction::Backward).map(|found| found[found.len() - 1])
    }

    /// Where the pattern occurs, from left to right. The next occurrence begins where the last one ended, or
    /// after it.
    pub fn find_iter<'f, 'h>(&'f self, text: &'h [u8]) -> FindIter<'f, 'p, 'h, A> {
        FindIter::new(self, text)
    }

    /// Number of windows of the text.
    fn alignments(&self, text: &[u8]) -> usize {
        (text.len() + 1).saturating_sub(self.pattern.len())
    }

    /// The occurrences in the first part that has any.
    fn in_parts(&self, text: &[u8], direction: Direction) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for part in self.parts.of_text(self.alignments(text), direction) {
            self.searcher.borrow_mut().find(self.pattern, text, part, self.parts.longest, &mut found);
            if !found.is_empty() {
                return Some(found);
            }
        }
        None
    }
}

/// Only the pattern, because an algorithm need not be [`Debug`](fmt::Debug).
impl<A> fmt::Debug for Finder<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern = self.pattern.escape_ascii().to_string();
        f.debug_struct("Finder").field("needle", &pattern).finish_non_exhaustive()
    }
}

/// Whether an algorithm can search on this CPU, for a pattern of `m` bytes.
fn takes<A: Algorithm>(m: usize) -> Result<(), CannotSearch> {
    let needs = A::NEEDS;
    if let Some(feature) = needs.cpu.iter().find(|feature| !cpu_has(feature)) {
        return Err(CannotSearch(format!("this algorithm needs {feature}, which this CPU does not have")));
    }
    // A search for the empty pattern is none that any algorithm takes.
    let least = needs.min_pattern.max(1);
    let limit = match m {
        m if m < least => format!("at least {least}"),
        m if m > needs.max_pattern => format!("at most {}", needs.max_pattern),
        _ => return Ok(()),
    };
    Err(CannotSearch(format!("the length of the pattern is {m}, and this algorithm needs {limit}")))
}

#[cfg(test)]
mod tests;
