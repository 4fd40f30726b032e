//! A reading of an algorithm under test, called as the host calls it.

use std::marker::PhantomData;

use super::cases::{Around, Edge};
use super::kit::{Candidate, Failure, Search};
use super::plausible::possible;
use crate::export::guard::guard;
use crate::measurements::{Counters, Measurements};
use crate::probe::Reading;
use crate::{Algorithm, CannotSearch, Hints, Needs, Pattern, Text};

/// An algorithm in one reading, called as the host calls it: its [`Needs`](crate::Needs) are kept.
///
/// Every text lies in a larger memory. The bytes before and after it *continue a match* at its beginning or
/// end ([`Around`]), so an algorithm that reads too far finds too much, even if nothing checks its reads.
/// After the search, text and memory must be unchanged, except for slack that the algorithm has declared to
/// write.
///
/// If the reading counts, its counts must be [`possible`], and each look-up must be in a declared table.
pub struct Subject<A, R> {
    algorithm: A,
    /// The counters after the preparation, from which each search starts.
    prepared: Counters,
    counters: Counters,
    memory: Vec<u8>,
    surroundings: Surroundings,
    reading: PhantomData<R>,
}

impl<A: Default, R> Default for Subject<A, R> {
    fn default() -> Self {
        Subject {
            algorithm: A::default(),
            prepared: Counters::default(),
            counters: Counters::default(),
            memory: Vec::new(),
            surroundings: Surroundings::default(),
            reading: PhantomData,
        }
    }
}

/// A [`Subject`] that is prepared for a pattern.
struct PreparedSubject<'a, A, R> {
    subject: &'a mut Subject<A, R>,
    pattern: &'a [u8],
}

impl<A: Algorithm, R: Reading> Candidate for Subject<A, R> {
    fn prepare<'a>(&'a mut self, pattern: &'a [u8], text: &[u8]) -> Result<Box<dyn Search + 'a>, Failure> {
        accepts(&A::NEEDS, pattern.len(), text.len())?;
        self.prepared = Counters::default();
        let hints = Hints { sample: &text[..text.len().min(A::NEEDS.sample)], text_length: text.len() };
        let answer = guard(|| self.algorithm.prepare_with(pattern, hints, R::probe(&self.prepared)));
        answer.map_err(Failure::Fault)?.map_err(|CannotSearch(reason)| Failure::CannotSearch(reason))?;
        self.surroundings.around = Around::Continuing;
        Ok(Box::new(PreparedSubject { subject: self, pattern }))
    }
}

impl<A: Algorithm, R: Reading> Search for PreparedSubject<'_, A, R> {
    /// The edge does not matter here, because the reading [`Checked`](crate::probe::Checked) detects reads
    /// beyond it.
    fn surround(&mut self, around: Around, _: Edge) {
        self.subject.surroundings.around = around;
    }

    fn count(&mut self, text: &[u8]) -> Result<u64, Failure> {
        let count = self.subject.run(self.pattern, text)?.len() as u64;
        let counted = self.subject.counted(count, self.pattern.len(), text.len());
        counted.map_err(Failure::Fault)?;
        Ok(count)
    }

    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, Failure> {
        let mut positions = self.subject.run(self.pattern, text)?;
        positions.sort_unstable();
        Ok(Some(positions))
    }
}

impl<A: Algorithm, R: Reading> Subject<A, R> {
    /// The measurements of the last search. Each figure is `None` if the reading does not count.
    pub fn measurements(&self) -> Measurements {
        if R::COUNTS { self.counters.measurements(A::EXTRA.len()) } else { Measurements::default() }
    }

    /// Positions of the occurrences, in the order in which they were reported. `count` uses them as well,
    /// because another sink would compile each search once more.
    fn run(&mut self, pattern: &[u8], text: &[u8]) -> Result<Vec<usize>, Failure> {
        let (m, n, needs) = (pattern.len(), text.len(), A::NEEDS);
        accepts(&needs, m, n)?;
        self.counters.clone_from(&self.prepared);
        let probe = R::probe(&self.counters);
        let slack = (needs.slack)(m);
        let place = self.surroundings.lay(&mut self.memory, pattern, text, &needs);
        // SAFETY: the memory holds `slack + m` bytes after the text and outlives the view. Until the search
        // has ended, it is accessed only through the view.
        let view = unsafe { Text::with_slack(place, n, slack, needs.writes_slack, probe) };
        let mut positions = Vec::new();
        guard(|| self.algorithm.search(Pattern::new(pattern, probe), view, &mut positions, probe))
            .map_err(Failure::Fault)?;
        self.surroundings.unchanged(&self.memory, text, if needs.writes_slack { slack } else { 0 })?;
        Ok(positions)
    }

    /// Checks that the counts are possible, if the reading counts.
    fn counted(&self, occurrences: u64, m: usize, n: usize) -> Result<(), String> {
        possible(occurrences, m, n, &self.measurements())?;
        match self.counters.undeclared() {
            0 => Ok(()),
            tables => Err(format!("looked {tables} times into tables that were not declared")),
        }
    }
}

/// The bytes around a text.
#[derive(Default)]
struct Surroundings {
    around: Around,
    before: Vec<u8>,
    after: Vec<u8>,
    /// Position of the text in its memory.
    start: usize,
}

impl Surroundings {
    /// Puts a text into memory, and returns its address.
    fn lay(&mut self, memory: &mut Vec<u8>, pattern: &[u8], text: &[u8], needs: &Needs) -> *mut u8 {
        let (m, slack) = (pattern.len(), (needs.slack)(pattern.len()));
        self.before = self.around.before(pattern, text, m);
        self.after = self.around.after(pattern, text, slack + m);
        memory.clear();
        memory.reserve(m + needs.alignment + text.len() + slack + m);
        self.start = m + memory.as_ptr().wrapping_add(m).align_offset(needs.alignment);
        memory.resize(self.start - m, 0);
        memory.extend(self.before.iter().chain(text).chain(&self.after));
        memory[self.start..].as_mut_ptr()
    }

    /// Checks that nothing was written to, except for the `own` bytes after the text.
    fn unchanged(&self, memory: &[u8], text: &[u8], own: usize) -> Result<(), Failure> {
        let fault = |what: &str| Err(Failure::Fault(what.to_owned()));
        let (front, kept) = memory.split_at(self.start);
        let (kept, rear) = kept.split_at(text.len());
        if kept != text {
            return fault("the text was written to");
        }
        if self.after[own..] != rear[own..] {
            return fault("bytes after the text were written to");
        }
        if !front.ends_with(&self.before) {
            return fault("bytes before the text were written to");
        }
        Ok(())
    }
}

fn accepts(needs: &Needs, m: usize, n: usize) -> Result<(), Failure> {
    assert!(m > 0, "an empty pattern");
    if m < needs.min_pattern || m > needs.max_pattern || n < (needs.min_text)(m).max(m) {
        return Err(Failure::CannotSearch(format!("not made for {m} bytes in {n}")));
    }
    Ok(())
}
