//! A reading of an algorithm under test, called as the host calls it.

use std::marker::PhantomData;

use super::cases::continuation;
use super::kit::{Candidate, Failure, Search};
use crate::export::guard::guard;
use crate::measurements::{Counters, Field, Measurements};
use crate::probe::Reading;
use crate::{Algorithm, CannotSearch, Count, Found, Hints, Pattern, Text};

/// An algorithm in one reading, called as the host calls it: its [`Needs`](crate::Needs) are kept.
///
/// Every text lies in a larger memory. Behind its end and the declared slack, the bytes *continue a match* that the text
/// begins: an algorithm that looks too far finds too much, even where nothing checks its reads. After the search, text and
/// memory must be unchanged, but for slack that the algorithm has declared to write.
///
/// Where the reading counts, an occurrence is a verification that has succeeded, a verification is a branch, the search
/// position advances at most once for each byte of the text, and what was looked up stands in a table that was declared.
pub struct Subject<A, R> {
    algorithm: A,
    /// What the preparation declared: each search starts from it.
    prepared: Counters,
    counters: Counters,
    memory: Vec<u8>,
    reading: PhantomData<R>,
}

impl<A: Default, R> Default for Subject<A, R> {
    fn default() -> Self {
        Subject {
            algorithm: A::default(),
            prepared: Counters::default(),
            counters: Counters::default(),
            memory: Vec::new(),
            reading: PhantomData,
        }
    }
}

/// A [`Subject`] that is prepared for a pattern.
pub struct PreparedSubject<'a, A, R> {
    subject: &'a mut Subject<A, R>,
    pattern: &'a [u8],
}

impl<A: Algorithm, R: Reading> Candidate for Subject<A, R> {
    type Prepared<'a>
        = PreparedSubject<'a, A, R>
    where
        Self: 'a;

    fn prepare<'a>(&'a mut self, pattern: &'a [u8], text: &[u8]) -> Result<Self::Prepared<'a>, Failure> {
        accepts::<A>(pattern.len(), text.len())?;
        self.prepared = Counters::default();
        let hints = Hints { sample: &text[..text.len().min(A::NEEDS.sample)], text_length: text.len() };
        let answer = guard(|| self.algorithm.prepare_with(pattern, hints, R::probe(&self.prepared)));
        answer.map_err(Failure::Fault)?.map_err(|CannotSearch(reason)| Failure::CannotSearch(reason))?;
        Ok(PreparedSubject { subject: self, pattern })
    }
}

impl<A: Algorithm, R: Reading> Search for PreparedSubject<'_, A, R> {
    fn count(&mut self, text: &[u8]) -> Result<u64, Failure> {
        let mut count = Count::default();
        self.subject.run(self.pattern, text, &mut count)?;
        if R::COUNTS {
            self.subject.possible(count.0, text.len()).map_err(Failure::Fault)?;
        }
        Ok(count.0)
    }

    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, Failure> {
        let mut positions = Vec::new();
        self.subject.run(self.pattern, text, &mut positions)?;
        positions.sort_unstable();
        Ok(Some(positions))
    }
}

impl<A: Algorithm, R: Reading> Subject<A, R> {
    /// What the last search measured. Each figure is `None` where the reading doesn't count.
    pub fn measurements(&self) -> Measurements {
        if R::COUNTS { self.counters.measurements(A::EXTRA.len()) } else { Measurements::default() }
    }

    fn run(&mut self, pattern: &[u8], text: &[u8], found: &mut impl Found) -> Result<(), Failure> {
        let (m, n, needs) = (pattern.len(), text.len(), A::NEEDS);
        accepts::<A>(m, n)?;
        self.counters.clone_from(&self.prepared);
        let probe = R::probe(&self.counters);

        let slack = (needs.slack)(m);
        let beyond = || continuation(pattern, text).cycle().take(slack + m);
        self.memory.clear();
        self.memory.reserve(needs.alignment + n + slack + m);
        let start = self.memory.as_ptr().align_offset(needs.alignment);
        self.memory.resize(start, 0);
        self.memory.extend(text.iter().chain(beyond()));
        let memory = self.memory[start..].as_mut_ptr();
        // SAFETY: the memory holds `slack + m` bytes after the text and outlives the view; it is used through the view
        // alone until the search has ended.
        let view = unsafe { Text::with_slack(memory, n, slack, needs.writes_slack, probe) };
        guard(|| self.algorithm.search(Pattern::new(pattern, probe), view, found, probe))
            .map_err(Failure::Fault)?;

        let fault = |what: &str| Err(Failure::Fault(what.to_owned()));
        let (kept, behind) = self.memory[start..].split_at(n);
        let own = if needs.writes_slack { slack } else { 0 };
        if kept != text {
            return fault("the text was written to");
        }
        if !beyond().skip(own).eq(&behind[own..]) {
            return fault("bytes behind the text were written to");
        }
        Ok(())
    }

    /// Finds out counts that can't be.
    fn possible(&self, occurrences: u64, text_length: usize) -> Result<(), String> {
        let count = |field| self.counters.get(field);
        let rules = [
            ("occurrences", occurrences, "verifications", count(Field::Verifications)),
            ("verifications", count(Field::Verifications), "branches", count(Field::Branches)),
            ("jumps", count(Field::Jumps), "bytes of text", text_length as u64),
            (
                "tables looked into",
                count(Field::Lookups).min(1),
                "table entries",
                count(Field::LookupEntries),
            ),
        ];
        match rules.into_iter().find(|(_, fewer, _, more)| fewer > more) {
            Some((what, fewer, than, more)) => Err(format!("counted {fewer} {what}, but {more} {than}")),
            None => Ok(()),
        }
    }
}

fn accepts<A: Algorithm>(m: usize, n: usize) -> Result<(), Failure> {
    assert!(m > 0, "an empty pattern");
    if m < A::NEEDS.min_pattern || m > A::NEEDS.max_pattern || n < (A::NEEDS.min_text)(m).max(m) {
        return Err(Failure::CannotSearch(format!("not made for {m} bytes in {n}")));
    }
    Ok(())
}
