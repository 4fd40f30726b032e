//! The measuring itself: what runs between two readings of the clock, in a worker or, on request, in the host.

use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_plugin_api::abi::algorithm::Entry;
use assay_plugin_api::{EventCount, Hints};

use super::clock::now_ns;
use super::protocol::{CounterSetup, Setup};
use super::shared::{Heartbeat, MappedText, Phase};
use super::{Batch, BatchResult, Patterns, Worker};
use crate::plugin::{CounterSet, Failure, Searcher, TextMemory, load};
use crate::results::{Cost, Ended, Measured, Row};

/// Rows are passed on at least so often, so that little is lost with a worker that dies.
const PASS_ON_AFTER_NS: u64 = 20_000_000;

/// One algorithm, ready to measure.
pub struct Bench {
    algorithm: Entry,
    searcher: Searcher,
    text: Rc<MappedText>,
    /// The costliest to read first.
    counters: Vec<OpenCounters>,
    /// Which events are levels, in the order of their columns.
    instants: Vec<bool>,
    pattern: Vec<u8>,
    readings: [Reading; 4],
}

/// An open set of events, started.
struct OpenCounters {
    set: CounterSet,
    /// Where its events are among those of all sets.
    places: Range<usize>,
    /// What a reading takes.
    price_ns: u64,
}

/// A reading of all counters: `None` for those of a backend that failed to read.
type Reading = Vec<Option<EventCount>>;

/// Indices of the readings of a repetition: around the preparation, and around the search.
const BEFORE_PREPARE: usize = 0;
const AFTER_PREPARE: usize = 1;
const BEFORE_SEARCH: usize = 2;
const AFTER_SEARCH: usize = 3;

impl Bench {
    /// Loads what the setup names, and opens it.
    ///
    /// # Errors
    /// If a library, an algorithm or a counter can't be had: a message for the user.
    pub fn new(setup: &Setup) -> Result<Self, Failure> {
        let error = |message: String| Failure::Error(message);
        let catalogue = load(&setup.library).map_err(|failure| error(failure.to_string()))?;
        let algorithm = catalogue.algorithms.into_iter().find(|entry| entry.facts.id == setup.algorithm);
        let algorithm =
            algorithm.ok_or_else(|| error(format!("`{}` no longer brings it", setup.library.display())))?;
        let searcher = Searcher::new(&algorithm)?;
        let text = MappedText::open(&setup.text, searcher.needs(1).writes_slack())
            .map_err(|reason| error(format!("the text can't be mapped: {reason}")))?;
        let mut counters = Vec::new();
        let mut instants = Vec::new();
        for setup in &setup.counters {
            counters.push(OpenCounters::new(setup, instants.len()).map_err(error)?);
            instants.extend(setup.events.iter().map(|(_, instant)| *instant));
        }
        let mut readings: [Reading; 4] = std::array::from_fn(|_| vec![None; instants.len()]);
        for open in &mut counters {
            open.take_price(&mut readings[BEFORE_PREPARE]);
        }
        counters.sort_by_key(|open| Reverse(open.price_ns));
        Ok(Bench {
            algorithm,
            searcher,
            text: Rc::new(text),
            counters,
            instants,
            pattern: Vec::new(),
            readings,
        })
    }

    /// Measures a batch. Rows are handed to `pass_on` from time to time, and at the end; it says whether to go on.
    ///
    /// # Errors
    /// What the algorithm answered instead of a result; rows before that have been passed on.
    pub fn run(
        &mut self,
        batch: &Batch,
        watch: &Heartbeat,
        mut pass_on: impl FnMut(Vec<Row>) -> bool,
    ) -> Result<(), Failure> {
        self.searcher.accepts(batch.length, self.text.bytes().len())?;
        let needs = self.searcher.needs(batch.length);
        let map = Rc::clone(&self.text);
        let text = map.with(&needs).map_err(Failure::CannotSearch)?;
        let sample = needs.sample.min(text.bytes().len());
        let mut rows = Vec::with_capacity(batch.patterns.len());
        let mut now = now_ns();
        let mut passed_on = now;
        let warmup = std::iter::repeat_n(0, if batch.patterns.is_empty() { 0 } else { batch.warmup });
        for (measured, i) in warmup.map(|i| (false, i)).chain((0..batch.patterns.len()).map(|i| (true, i))) {
            self.take_pattern(batch, i);
            watch.begin((batch.first + i) as u64, now);
            let row = self.repetition(&text, sample, watch);
            watch.enter(Phase::Idle);
            match row {
                Ok(row) if measured => rows.push(row),
                Ok(_) => {}
                Err(failure) => {
                    pass_on(rows);
                    if let Failure::Panicked(_) = failure {
                        self.searcher = Searcher::new(&self.algorithm)?;
                    }
                    return Err(failure);
                }
            }
            now = now_ns();
            if now - passed_on > PASS_ON_AFTER_NS {
                if !pass_on(std::mem::take(&mut rows)) {
                    return Ok(());
                }
                now = now_ns();
                passed_on = now;
            }
        }
        pass_on(rows);
        Ok(())
    }

    /// Copies the pattern of a repetition to memory of its own.
    fn take_pattern(&mut self, batch: &Batch, i: usize) {
        self.pattern.clear();
        self.pattern.extend_from_slice(match &batch.patterns {
            Patterns::At(positions) => &self.text.bytes()[positions[i]..][..batch.length],
            Patterns::Same(pattern, _) => pattern,
        });
    }

    /// Prepares and searches once. Between two readings of the clock nothing happens but the call itself. Counters are read
    /// outside of these, so the time of a phase does not include their cost; nothing is allocated from the first reading to
    /// the last.
    fn repetition(
        &mut self,
        text: &TextMemory<'_>,
        sample: usize,
        watch: &Heartbeat,
    ) -> Result<Row, Failure> {
        let hints = Hints { sample: &text.bytes()[..sample], text_length: text.bytes().len() };

        self.open_counters(BEFORE_PREPARE);
        let start = now_ns();
        let prepared = self.searcher.prepare(&self.pattern, hints);
        let prepare_ns = now_ns() - start;
        self.close_counters(AFTER_PREPARE);
        prepared?;

        watch.enter(Phase::Search);
        self.open_counters(BEFORE_SEARCH);
        let start = now_ns();
        let found = self.searcher.count(&self.pattern, text);
        let search_ns = now_ns() - start;
        self.close_counters(AFTER_SEARCH);

        let measured = self.algorithm.instrumented.then(|| {
            let measurements = self.searcher.measurements();
            Box::new(Measured { fields: measurements.fields, extra: measurements.extra })
        });
        let cost = |ns: u64, before: usize, after: usize| {
            let counts = self.readings[before].iter().zip(&self.readings[after]).zip(&self.instants);
            Cost {
                ns,
                counts: counts.map(|((before, after), instant)| cost(*before, *after, *instant)).collect(),
            }
        };
        let calls =
            [cost(prepare_ns, BEFORE_PREPARE, AFTER_PREPARE), cost(search_ns, BEFORE_SEARCH, AFTER_SEARCH)];
        Ok(Row { occurrences: found?, calls, measured })
    }

    /// Reads all counters before a phase, the cheapest last ..
    #[inline]
    fn open_counters(&mut self, moment: usize) {
        for open in &mut self.counters {
            open.read(&mut self.readings[moment]);
        }
    }

    /// .. and after it, the cheapest first: so its count includes the reading of no other.
    #[inline]
    fn close_counters(&mut self, moment: usize) {
        for open in self.counters.iter_mut().rev() {
            open.read(&mut self.readings[moment]);
        }
    }
}

/// What a phase cost, from the readings around it. A counter that did not count all the time counted nothing usable.
fn cost(before: Option<EventCount>, after: Option<EventCount>, instant: bool) -> Option<f64> {
    let (before, after) = (before?, after?);
    let complete = after.running > 0 && after.enabled - before.enabled == after.running - before.running;
    complete.then_some(if instant { after.value } else { after.value - before.value })
}

impl OpenCounters {
    /// Opens the set whose events begin at `place` among those of all sets.
    fn new(setup: &CounterSetup, place: usize) -> Result<Self, String> {
        let catalogue = load(&setup.library).map_err(|failure| failure.to_string())?;
        let backend = catalogue.counters.iter().find(|entry| entry.facts.id == setup.backend);
        let backend = backend.ok_or_else(|| format!("counter backend {} is gone", setup.backend))?;
        let events: Vec<&str> = setup.events.iter().map(|(event, _)| event.as_str()).collect();
        let mut set = CounterSet::open(backend, &events)?;
        set.start()?;
        Ok(OpenCounters { set, places: place..place + events.len(), price_ns: 0 })
    }

    /// Reads the set to its places.
    #[inline]
    fn read(&mut self, reading: &mut Reading) {
        let places = &mut reading[self.places.clone()];
        match self.set.read() {
            Ok(counts) => places.iter_mut().zip(counts).for_each(|(place, count)| *place = Some(*count)),
            Err(_) => places.fill(None),
        }
    }

    /// Takes the quickest of a few readings.
    fn take_price(&mut self, reading: &mut Reading) {
        let mut time = |_| {
            let start = now_ns();
            self.read(reading);
            now_ns() - start
        };
        self.price_ns = (0..10).map(&mut time).min().unwrap_or(0);
    }
}

/// Measures in this very process: for profiling, and without any protection.
pub struct InProcess {
    bench: Result<Bench, Failure>,
    watch: Heartbeat,
}

impl InProcess {
    /// Loads what the setup names; what goes wrong there is the answer to every batch.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(setup: &Setup) -> std::io::Result<Self> {
        Ok(InProcess { bench: Bench::new(setup), watch: Heartbeat::new()? })
    }
}

impl Worker for InProcess {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let mut rows = Vec::new();
        let result = match &mut self.bench {
            Err(failure) => Err(failure.clone()),
            Ok(bench) => bench.run(batch, &self.watch, |more| {
                rows.extend(more);
                !interrupted.load(Ordering::Relaxed)
            }),
        };
        let ended = match result {
            Err(failure) => Some(failure.into()),
            Ok(()) if rows.len() < batch.patterns.len() => Some(Ended::Interrupted),
            Ok(()) => None,
        };
        BatchResult { rows, ended }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_did_not_count_all_the_time_is_missing() {
        let count = |value, enabled, running| Some(EventCount { value, enabled, running });
        assert_eq!(cost(count(5.0, 10, 10), count(9.0, 20, 20), false), Some(4.0));
        assert_eq!(cost(count(5.0, 1, 1), count(9.0, 1, 1), false), Some(4.0));
        assert_eq!(cost(count(5.0, 1, 1), count(9.0, 1, 1), true), Some(9.0));
        assert_eq!(cost(count(5.0, 10, 10), count(9.0, 20, 15), false), None);
        assert_eq!(cost(count(0.0, 10, 0), count(0.0, 20, 0), false), None);
        assert_eq!(cost(None, count(0.0, 1, 1), false), None);
    }
}
