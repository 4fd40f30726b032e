//! The measuring itself: what runs between two readings of the clock, in a worker or, on request, in the host.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_plugin_api::abi::algorithm::Entry;
use assay_plugin_api::{EventCount, Hints};

use super::clock::now_ns;
use super::protocol::{CounterSetup, Setup};
use super::shared::{MappedText, Phase, Watch};
use super::{Batch, BatchResult, Ended, Measured, Patterns, PhaseCounts, Row, Worker};
use crate::plugin::{CounterSet, Failure, Searcher, TextMemory, load};

/// Rows are passed on at least so often, so that little is lost with a worker that dies.
const PASS_ON_AFTER_NS: u64 = 20_000_000;

/// One algorithm, ready to measure.
pub struct Bench {
    algorithm: Entry,
    searcher: Searcher,
    text: Rc<MappedText>,
    counters: Vec<OpenCounters>,
    pattern: Vec<u8>,
    readings: [Reading; 3],
}

/// An open set of events, started.
struct OpenCounters {
    set: CounterSet,
    /// Which of its events are levels.
    instants: Vec<bool>,
}

/// A reading of all counters: `None` for those of a backend that failed to read.
type Reading = Vec<Option<EventCount>>;

/// Indices of the readings of a repetition.
const BEFORE: usize = 0;
const BETWEEN: usize = 1;
const AFTER: usize = 2;

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
        let counters = setup.counters.iter().map(OpenCounters::new);
        let counters: Vec<OpenCounters> = counters.collect::<Result<_, _>>().map_err(error)?;
        let events = counters.iter().map(|open| open.instants.len()).sum();
        let readings = std::array::from_fn(|_| Reading::with_capacity(events));
        Ok(Bench { algorithm, searcher, text: Rc::new(text), counters, pattern: Vec::new(), readings })
    }

    /// Measures a batch. Rows are handed to `pass_on` from time to time, and at the end; it says whether to go on.
    ///
    /// # Errors
    /// What the algorithm answered instead of a result; rows before that have been passed on.
    pub fn run(
        &mut self,
        batch: &Batch,
        watch: &Watch,
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
    fn repetition(&mut self, text: &TextMemory<'_>, sample: usize, watch: &Watch) -> Result<Row, Failure> {
        let hints = Hints { sample: &text.bytes()[..sample], text_length: text.bytes().len() };

        self.read_counters(BEFORE);
        let start = now_ns();
        let prepared = self.searcher.prepare(&self.pattern, hints);
        let prepare_ns = now_ns() - start;
        self.read_counters(BETWEEN);
        prepared?;

        watch.enter(Phase::Search);
        let start = now_ns();
        let found = self.searcher.count(&self.pattern, text);
        let search_ns = now_ns() - start;
        self.read_counters(AFTER);

        let measured = self.algorithm.instrumented.then(|| {
            let measurements = self.searcher.measurements();
            Box::new(Measured { fields: measurements.fields, extra: measurements.extra })
        });
        let [before, between, after] = &self.readings;
        let instants = self.counters.iter().flat_map(|open| &open.instants);
        let counts = instants
            .enumerate()
            .map(|(i, &instant)| PhaseCounts {
                prepare: cost(before[i], between[i], instant),
                search: cost(between[i], after[i], instant),
            })
            .collect();
        Ok(Row { prepare_ns, search_ns, occurrences: found?, counts, measured })
    }

    /// Reads all counters.
    #[inline]
    fn read_counters(&mut self, moment: usize) {
        let reading = &mut self.readings[moment];
        reading.clear();
        for open in &mut self.counters {
            match open.set.read() {
                Ok(counts) => reading.extend(counts.iter().copied().map(Some)),
                Err(_) => reading.extend(open.instants.iter().map(|_| None)),
            }
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
    fn new(setup: &CounterSetup) -> Result<Self, String> {
        let catalogue = load(&setup.library).map_err(|failure| failure.to_string())?;
        let backend = catalogue.counters.iter().find(|entry| entry.facts.id == setup.backend);
        let backend = backend.ok_or_else(|| format!("counter backend {} is gone", setup.backend))?;
        let events: Vec<&str> = setup.events.iter().map(|(event, _)| event.as_str()).collect();
        let mut set = CounterSet::open(backend, &events)?;
        set.start()?;
        Ok(OpenCounters { set, instants: setup.events.iter().map(|(_, instant)| *instant).collect() })
    }
}

/// Measures in this very process: for profiling, and without any protection.
pub struct InProcess {
    bench: Result<Bench, Failure>,
    watch: Watch,
}

impl InProcess {
    /// Loads what the setup names; what goes wrong there is the answer to every batch.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(setup: &Setup) -> std::io::Result<Self> {
        Ok(InProcess { bench: Bench::new(setup), watch: Watch::new()? })
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
            Err(Failure::CannotSearch(message)) => Some(Ended::CannotSearch(message)),
            Err(Failure::Error(message) | Failure::Panicked(message)) => Some(Ended::Error(message)),
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
