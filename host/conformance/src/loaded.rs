//! An algorithm of a loaded library as a candidate of the test kit. The kit calls it through the ABI, on
//! texts in [`GuardedMemory`].

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use assay_load::plugin::algorithm::AlgorithmEntry;
use assay_load::plugin::{Failure, FittedText, Needs, Prepared, Searcher, TextBuffer};
use assay_plugin_api::Hints;
use assay_plugin_api::testing::cases::{Around, Edge};
use assay_plugin_api::testing::{self, Candidate, Search, possible};
use assay_trace::{SearchResult, contradiction};

use super::memory::GuardedMemory;

/// An algorithm or a twin of a loaded library.
#[derive(Debug)]
pub(crate) struct LoadedVariant {
    entry: AlgorithmEntry,
    /// Whether it counts by our convention, so that its counts can be checked.
    counts: bool,
    /// The reason for its last refusal; empty if it has refused nothing.
    refusal: Mutex<String>,
}

impl LoadedVariant {
    /// A variant of a library. A library with our ABI (`has_abi`) also follows our convention of counting;
    /// one in the format of SMART need not.
    pub(crate) fn new(entry: &AlgorithmEntry, has_abi: bool) -> Self {
        let counts = entry.instrumented && has_abi;
        LoadedVariant { entry: entry.clone(), counts, refusal: Mutex::default() }
    }

    /// Whether it counts by our convention.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    /// A new searcher.
    pub(crate) fn searcher(&self) -> LoadedSearcher<'_> {
        LoadedSearcher {
            searcher: Searcher::new(&self.entry),
            memory: GuardedMemory::default(),
            variant: self,
        }
    }

    /// What it needs for patterns of this length.
    ///
    /// # Errors
    /// If it answers with an error, which is returned.
    pub(crate) fn needs(&self, pattern_length: usize) -> Result<Needs, String> {
        let searcher = Searcher::new(&self.entry).map_err(Failure::message)?;
        searcher.needs(pattern_length).map_err(Failure::message)
    }

    /// Whether its declared needs allow a pattern and a text of these lengths.
    pub(crate) fn accepts(&self, pattern_length: usize, text_length: usize) -> bool {
        self.needs(pattern_length).is_ok_and(|needs| needs.accept(text_length).is_ok())
    }

    /// Searches for a pattern with a record of its events, and checks that these agree with its counts, the text and
    /// the occurrences. Does nothing if it can't report events, or can't search here.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn trace(&self, pattern: &[u8], text: &[u8]) -> Result<(), String> {
        let events = Rc::new(RefCell::new(Vec::new()));
        let mut searcher = Searcher::new(&self.entry).map_err(Failure::message)?;
        let needs = searcher.needs(pattern.len()).map_err(Failure::message)?;
        let take = Rc::clone(&events);
        if needs.accept(text.len()).is_err() || !searcher.trace(move |event| take.borrow_mut().push(event)) {
            return Ok(());
        }
        let mut buffer = TextBuffer::new(text, &needs)?;
        let fitted = buffer.fit(&needs)?;
        let hints = Hints { sample: &text[..needs.raw().sample.min(text.len())], text_length: text.len() };
        let mut prepared = match searcher.prepare(pattern, hints) {
            Ok(prepared) => prepared,
            Err(Failure::CannotSearch(_)) => return Ok(()),
            Err(failure) => return Err(failure.message()),
        };
        let occurrences = prepared.count(&fitted).map_err(Failure::message)?;
        let figures = prepared.measurements().map_err(Failure::message)?.figures;
        let slack = needs.raw().slack;
        let result = SearchResult { occurrences, counts: &figures.fields, extra: &figures.extra, slack };
        let wrong = contradiction(Some(&assay_trace::events(&events.borrow())), result, pattern, text);
        wrong.map_or(Ok(()), Err)
    }

    /// Whether its functions begin at multiples of 64 bytes.
    pub(crate) fn is_aligned(&self) -> bool {
        self.entry.is_aligned()
    }

    /// The reason for its last refusal; empty if it has refused nothing.
    pub(crate) fn refusal(&self) -> String {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The failure in the type of the kit. The reason for a refusal is remembered.
    fn failure(&self, failure: Failure) -> testing::Failure {
        match failure {
            Failure::CannotSearch(reason) => {
                *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = reason.clone();
                testing::Failure::CannotSearch(reason)
            }
            Failure::Error(message) | Failure::Panicked(message) => testing::Failure::Fault(message),
        }
    }
}

/// A searcher of a loaded library. Bytes that continue the pattern surround its text, so an algorithm that
/// reads too far finds too much. One that reads still further crashes, and forbidden writes are detected.
#[derive(Debug)]
pub(crate) struct LoadedSearcher<'v> {
    searcher: Result<Searcher, Failure>,
    memory: GuardedMemory,
    variant: &'v LoadedVariant,
}

impl Candidate for LoadedSearcher<'_> {
    fn prepare<'a>(
        &'a mut self,
        pattern: &'a [u8],
        text: &[u8],
    ) -> Result<Box<dyn Search + 'a>, testing::Failure> {
        let LoadedSearcher { searcher, memory, variant } = self;
        let failed = |failure| variant.failure(failure);
        let searcher = searcher.as_mut().map_err(|failure| failed(failure.clone()))?;
        let needs = searcher.needs(pattern.len()).map_err(failed)?;
        needs.accept(text.len()).map_err(failed)?;
        let hints = Hints { sample: &text[..needs.raw().sample.min(text.len())], text_length: text.len() };
        let prepared = searcher.prepare(pattern, hints).map_err(failed)?;
        let around = (Around::Continuing, Edge::After);
        Ok(Box::new(LoadedPrepared { prepared, needs, pattern, memory, around, variant }))
    }
}

/// A searcher of a loaded library, prepared for a pattern.
#[derive(Debug)]
struct LoadedPrepared<'a> {
    prepared: Prepared<'a>,
    needs: Needs,
    pattern: &'a [u8],
    memory: &'a mut GuardedMemory,
    around: (Around, Edge),
    variant: &'a LoadedVariant,
}

impl LoadedPrepared<'_> {
    fn run<T>(
        &mut self,
        text: &[u8],
        search: impl FnOnce(&mut Prepared<'_>, &FittedText<'_>) -> Result<T, Failure>,
    ) -> Result<T, testing::Failure> {
        let LoadedPrepared { prepared, needs, pattern, memory, around: (around, edge), variant } = self;
        let failed = |failure| variant.failure(failure);
        let error = |message| variant.failure(Failure::Error(message));
        needs.accept(text.len()).map_err(failed)?;
        memory.put(text, pattern, needs, *around, *edge).map_err(error)?;
        let found = search(prepared, &memory.fit(needs).map_err(error)?).map_err(failed)?;
        memory.check(needs).map_err(error)?;
        Ok(found)
    }
}

impl Search for LoadedPrepared<'_> {
    fn surround(&mut self, around: Around, edge: Edge) {
        self.around = (around, edge);
    }

    fn count(&mut self, text: &[u8]) -> Result<u64, testing::Failure> {
        let count = self.run(text, |prepared, text| prepared.count(text))?;
        if self.variant.counts && text.len() >= self.pattern.len() {
            let measured = self.prepared.measurements().map_err(|failure| self.variant.failure(failure))?;
            possible(count, self.pattern.len(), text.len(), &measured.figures)
                .map_err(testing::Failure::Fault)?;
        }
        Ok(count)
    }

    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, testing::Failure> {
        let mut positions = vec![0; text.len()];
        let count = self.run(text, |prepared, text| prepared.positions(text, &mut positions))?;
        let Some(count) = count else { return Ok(None) };
        positions.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        positions.sort_unstable();
        Ok(Some(positions))
    }
}
