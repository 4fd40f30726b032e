//! An algorithm under test, called as a program calls it.

use std::marker::PhantomData;

use super::cases::{Around, Edge};
use super::kit::{Candidate, Failure, Search};
use crate::export::guard::guard;
use crate::{Algorithm, CannotSearch, Finder};

/// An algorithm, called by the [`Finder`] of a program. Texts lie between bytes that continue a match
/// ([`Around`]), and are searched in small parts.
pub struct FinderSubject<A>(PhantomData<A>);

impl<A> Default for FinderSubject<A> {
    fn default() -> Self {
        FinderSubject(PhantomData)
    }
}

/// A [`FinderSubject`] that is prepared for a pattern.
struct PreparedFinder<'a, A> {
    finder: Finder<'a, A>,
    around: Around,
}

impl<A: Algorithm> Candidate for FinderSubject<A> {
    fn prepare<'a>(&'a mut self, pattern: &'a [u8], text: &[u8]) -> Result<Box<dyn Search + 'a>, Failure> {
        let finder = guard(|| Finder::<A>::new(pattern)).map_err(Failure::Fault)?;
        let finder = finder.map_err(|CannotSearch(reason)| Failure::CannotSearch(reason))?;
        // A text is searched in a few parts, the first of which are shorter than most patterns.
        let finder = finder.with_parts(1 + text.len() % 7, (text.len() / 4).max(8));
        Ok(Box::new(PreparedFinder { finder, around: Around::Continuing }))
    }
}

impl<A: Algorithm> Search for PreparedFinder<'_, A> {
    /// The edge does not matter, because other readings check where an algorithm reads.
    fn surround(&mut self, around: Around, _: Edge) {
        self.around = around;
    }

    fn count(&mut self, text: &[u8]) -> Result<u64, Failure> {
        self.search(text, |finder, text| finder.count(text))
    }

    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, Failure> {
        let positions = self.search(text, |finder, text| finder.positions(text))?;
        let mut end = 0;
        let apart = positions.iter().copied().filter(|&position| {
            let begins = position >= end;
            if begins {
                end = position + self.finder.needle().len();
            }
            begins
        });
        let expected = (positions.first().copied(), positions.last().copied(), apart.collect());
        let found = self.search(text, |finder, text| {
            (finder.find(text), finder.rfind(text), finder.find_iter(text).collect::<Vec<_>>())
        })?;
        if found != expected {
            let fault = format!("find, rfind and find_iter found {found:?}, and positions {positions:?}");
            return Err(Failure::Fault(fault));
        }
        Ok(Some(positions))
    }
}

impl<A: Algorithm> PreparedFinder<'_, A> {
    /// Searches the text in its surroundings.
    fn search<T>(&self, text: &[u8], search: impl Fn(&Finder<A>, &[u8]) -> T) -> Result<T, Failure> {
        let pattern = self.finder.needle();
        let before = self.around.before(pattern, text, pattern.len());
        let after = self.around.after(pattern, text, 2 * pattern.len());
        let memory = [&before, text, &after].concat();
        guard(|| search(&self.finder, &memory[before.len()..][..text.len()])).map_err(Failure::Fault)
    }
}
