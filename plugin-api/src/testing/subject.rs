//! A reading of an algorithm under test, called as the host calls it.

use std::marker::PhantomData;

use super::cases::{Around, Edge};
use super::kit::{Candidate, Failure, Search};
use super::plausible::possible;
use crate::export::guard::guard;
use crate::measurements::{Counters, Measurements};
use crate::probe::Reading;
use crate::{Algorithm, CannotSearch, Count, Found, Hints, Pattern, Text};

/// An algorithm in one reading, called as the host calls it: its [`Needs`](crate::Needs) are kept.
///
/// Every text lies in a larger memory. Before and behind it, the bytes *continue a match* that the text ends or begins
/// ([`Around`]): an algorithm that looks too far finds too much, even where nothing checks its reads. After the search, text
/// and memory must be unchanged, but for slack that the algorithm has declared to write.
///
/// Where the reading counts, its counts must be [`possible`], and what was looked up stands in a table that was declared.
pub struct Subject<A, R> {
    algorithm: A,
    /// What the preparation declared: each search starts from it.
    prepared: Counters,
    counters: Counters,
    memory: Vec<u8>,
    around: Around,
    reading: PhantomData<R>,
}

impl<A: Default, R> Default for Subject<A, R> {
    fn default() -> Self {
        Subject {
            algorithm: A::default(),
            prepared: Counters::default(),
            counters: Counters::default(),
            memory: Vec::new(),
            around: Around::Continuing,
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
        self.around = Around::Continuing;
        Ok(PreparedSubject { subject: self, pattern })
    }
}

impl<A: Algorithm, R: Reading> Search for PreparedSubject<'_, A, R> {
    /// Reads beyond the edge are found by the reading [`Checked`](crate::probe::Checked).
    fn surround(&mut self, around: Around, _: Edge) {
        self.subject.around = around;
    }

    fn count(&mut self, text: &[u8]) -> Result<u64, Failure> {
        let mut count = Count::default();
        self.subject.run(self.pattern, text, &mut count)?;
        let counted = self.subject.counted(count.0, self.pattern.len(), text.len());
        counted.map_err(Failure::Fault)?;
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
        let before = self.around.before(pattern, text, m);
        let behind = self.around.behind(pattern, text, slack + m);
        self.memory.clear();
        self.memory.reserve(m + needs.alignment + n + slack + m);
        let start = m + self.memory.as_ptr().wrapping_add(m).align_offset(needs.alignment);
        self.memory.resize(start - m, 0);
        self.memory.extend(before.iter().chain(text).chain(&behind));
        let memory = self.memory[start..].as_mut_ptr();
        // SAFETY: the memory holds `slack + m` bytes after the text and outlives the view; it is used through the view
        // alone until the search has ended.
        let view = unsafe { Text::with_slack(memory, n, slack, needs.writes_slack, probe) };
        guard(|| self.algorithm.search(Pattern::new(pattern, probe), view, found, probe))
            .map_err(Failure::Fault)?;

        let fault = |what: &str| Err(Failure::Fault(what.to_owned()));
        let (front, kept) = self.memory.split_at(start);
        let (kept, rear) = kept.split_at(n);
        let own = if needs.writes_slack { slack } else { 0 };
        if kept != text {
            return fault("the text was written to");
        }
        if behind[own..] != rear[own..] {
            return fault("bytes behind the text were written to");
        }
        if !front.ends_with(&before) {
            return fault("bytes before the text were written to");
        }
        Ok(())
    }

    /// Finds out counts that can't be, where the reading counts.
    fn counted(&self, occurrences: u64, m: usize, n: usize) -> Result<(), String> {
        possible(occurrences, m, n, &self.measurements())?;
        match self.counters.undeclared() {
            0 => Ok(()),
            tables => Err(format!("looked {tables} times into tables that were not declared")),
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
