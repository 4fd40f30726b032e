//! The measuring itself: what runs between two readings of the clock, in a worker or, on request, in the host.

use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_plugin_api::{EventCount, Hints, Measurements, Open};

use super::clock::now_ns;
use super::conditions::Begun;
use super::floor::floor_ns;
use super::pattern::PatternMemory;
use super::presence::{Presence, Torn};
use super::protocol::{CounterSetup, Setup};
use super::shared::{Heartbeat, MappedText, Phase, TextPlace};
use super::{Batch, BatchResult, Patterns, Worker};
use crate::plugin::algorithm::Entry;
use crate::plugin::{CounterSet, Failure, FittedText, Needs, Pin, Searcher, TextBuffer};
use crate::results::{Cost, Ended, Measured, Row};

/// Rows are passed on at least so often, so that little is lost with a worker that dies.
const PASS_ON_AFTER_NS: u64 = 20_000_000;

/// A repetition that was torn apart by a pause is measured again; what is torn so often waits by itself.
const MOST_ATTEMPTS: u32 = 3;

/// One algorithm, ready to measure.
pub struct Bench {
    library: Pin,
    algorithm: Entry,
    searcher: Searcher,
    place: TextPlace,
    text: Rc<MappedText>,
    /// Whether a pattern was searched for that wanted a process of its own: this one serves no other.
    used_up: bool,
    /// The costliest to read first.
    counters: Vec<OpenCounters>,
    /// Which events are levels, in the order of their columns.
    instants: Vec<bool>,
    pattern: PatternMemory,
    readings: [Reading; 4],
    floor_ns: u64,
    /// What was torn apart in the batch.
    torn: Torn,
    /// Memory that nobody uses: it moves what is taken after it.
    _before_searcher: Vec<u8>,
}

/// An open set of events.
struct OpenCounters {
    set: CounterSet,
    /// Its number in the setup.
    number: usize,
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
        let library = setup.library.pin().map_err(error)?;
        let catalogue = library.load().map_err(error)?;
        let algorithm = catalogue.algorithms.into_iter().find(|entry| entry.facts.id == setup.algorithm);
        let algorithm = algorithm
            .ok_or_else(|| error(format!("`{}` no longer brings it", setup.library.path.display())))?;
        let before_searcher = Vec::with_capacity(setup.offsets.searcher);
        let searcher = Searcher::new(&algorithm)?;
        let text = open_text(&setup.text, false)?;
        let mut counters = Vec::new();
        let mut instants = Vec::new();
        for (number, counter) in setup.counters.iter().enumerate() {
            let named = |message| Failure::Error(format!("counter backend `{}`: {message}", counter.backend));
            counters.push(OpenCounters::new(counter, number, setup.cpu, instants.len()).map_err(named)?);
            instants.extend(counter.events.iter().map(|(_, instant)| *instant));
        }
        let mut readings: [Reading; 4] = std::array::from_fn(|_| vec![None; instants.len()]);
        for open in &mut counters {
            open.take_price(&mut readings[BEFORE_PREPARE]).map_err(error)?;
        }
        counters.sort_by_key(|open| Reverse(open.price_ns));
        Ok(Bench {
            library,
            algorithm,
            searcher,
            place: setup.text.clone(),
            text: Rc::new(text),
            used_up: false,
            counters,
            instants,
            pattern: PatternMemory::new(setup.offsets.pattern),
            readings,
            floor_ns: floor_ns()?,
            torn: Torn::default(),
            _before_searcher: before_searcher,
        })
    }

    /// Whether the algorithm takes patterns of this length one after the other in one process.
    fn serves_all(&self, pattern_length: usize) -> Result<(), Failure> {
        if !self.searcher.needs(pattern_length)?.fresh_process() {
            return Ok(());
        }
        let reason = "it needs a process for each pattern, and here one serves all";
        Err(Failure::CannotSearch(reason.to_owned()))
    }

    /// What an empty call takes here.
    pub fn floor_ns(&self) -> u64 {
        self.floor_ns
    }

    /// What was torn apart in the last batch, and measured again.
    pub fn torn(&self) -> Torn {
        self.torn
    }

    /// Measures a batch. Rows are handed to `pass_on` from time to time, and at the end; it says whether to go on. Of an
    /// algorithm that wants a process for each pattern, the first repetition in this process is measured and no other.
    ///
    /// # Errors
    /// What the algorithm answered instead of a result; rows before that have been passed on.
    pub fn run(
        &mut self,
        batch: &Batch,
        heartbeat: &Heartbeat,
        mut pass_on: impl FnMut(Vec<Row>) -> bool,
    ) -> Result<(), Failure> {
        self.torn = Torn::default();
        let needs = self.searcher.needs(batch.length)?;
        needs.accept(self.text.bytes().len())?;
        if needs.writes() && !self.text.writable() {
            self.text = Rc::new(open_text(&self.place, true)?);
        }
        let map = Rc::clone(&self.text);
        let mut aligned = None;
        let mut text = fit(&map, &needs, &mut aligned)?;
        let (most, warmup) = match needs.fresh_process() {
            true if self.used_up => return Ok(()),
            true => (batch.patterns.len().min(1), 0),
            false => (batch.patterns.len(), batch.warmup),
        };
        self.used_up = needs.fresh_process();
        for open in &mut self.counters {
            open.set.start().map_err(Failure::Error)?;
        }
        let mut rows = Vec::with_capacity(most);
        let mut now = now_ns();
        let mut passed_on = now;
        let mut presence = Presence::start();
        let warmup = std::iter::repeat_n(0, if most == 0 { 0 } else { warmup });
        for (measured, i) in warmup.map(|i| (false, i)).chain((0..most).map(|i| (true, i))) {
            self.take_pattern(batch, i);
            let mut attempt = 1;
            let row = loop {
                let begun = now;
                heartbeat.begin((batch.first + i) as u64, begun);
                let row = self.repetition(&mut text, &needs, heartbeat);
                heartbeat.enter(Phase::Idle);
                now = now_ns();
                if attempt == MOST_ATTEMPTS || row.is_err() {
                    break row;
                }
                let Some(away_ns) = presence.absence_ns(begun, now) else { break row };
                self.torn.repetitions += u64::from(attempt == 1);
                self.torn.away_ns += away_ns;
                attempt += 1;
                presence = Presence::start();
            };
            match row {
                Ok(row) if measured => rows.push(row),
                Ok(_) => {}
                Err(failure) => {
                    self.check_text()?;
                    pass_on(rows);
                    if let Failure::Panicked(_) = failure {
                        self.searcher = Searcher::new(&self.algorithm)?;
                    }
                    return Err(failure);
                }
            }
            if now - passed_on > PASS_ON_AFTER_NS {
                self.check_text()?;
                if !pass_on(std::mem::take(&mut rows)) {
                    return Ok(());
                }
                presence = Presence::start();
                now = now_ns();
                passed_on = now;
            }
        }
        // Rows that other code may have measured are no rows.
        self.library.check().map_err(Failure::Error)?;
        self.check_text()?;
        pass_on(rows);
        for open in &mut self.counters {
            open.set.stop().map_err(Failure::Error)?;
        }
        Ok(())
    }

    /// Rows of searches in a text that was changed meanwhile are no rows, and those that come need another copy.
    fn check_text(&mut self) -> Result<(), Failure> {
        if self.text.is_intact() {
            return Ok(());
        }
        self.text = Rc::new(open_text(&self.place, true)?);
        Err(Failure::Error(
            "it writes to the text: only what lies around it is for algorithms to change".to_owned(),
        ))
    }

    /// Copies the pattern of a repetition to memory of its own.
    fn take_pattern(&mut self, batch: &Batch, i: usize) {
        self.pattern.take(match &batch.patterns {
            Patterns::At(positions) => &self.text.bytes()[positions[i]..][..batch.length],
            Patterns::Same(pattern, _) => pattern,
        });
    }

    /// Prepares and searches once. Between two readings of the clock nothing happens but the call itself. Counters are read
    /// outside of these, so the time of a phase does not include their cost; nothing is allocated from the first reading to
    /// the last.
    fn repetition(
        &mut self,
        text: &mut FittedText<'_>,
        needs: &Needs,
        heartbeat: &Heartbeat,
    ) -> Result<Row, Failure> {
        text.clear_around();
        let sample = needs.raw().sample.min(text.bytes().len());
        let hints = Hints { sample: &text.bytes()[..sample], text_length: text.bytes().len() };
        let Bench { algorithm, searcher, counters, instants, pattern, readings, .. } = self;
        let pattern = pattern.bytes();

        read_before(counters, &mut readings[BEFORE_PREPARE], heartbeat);
        heartbeat.enter(Phase::Prepare);
        let start = now_ns();
        let prepared = searcher.prepare(pattern, hints);
        let prepare_ns = now_ns() - start;
        read_after(counters, &mut readings[AFTER_PREPARE], heartbeat);
        let mut prepared = prepared?;

        read_before(counters, &mut readings[BEFORE_SEARCH], heartbeat);
        heartbeat.enter(Phase::Search);
        let start = now_ns();
        let found = prepared.count(text);
        let search_ns = now_ns() - start;
        read_after(counters, &mut readings[AFTER_SEARCH], heartbeat);
        heartbeat.enter(Phase::Search);
        let occurrences = found?;

        let (mut measured, mut own_ns) = (None, None);
        if algorithm.instrumented || needs.own_times() {
            let told = prepared.measurements()?;
            let Measurements { fields, extra } = told.figures;
            measured = algorithm.instrumented.then(|| Box::new(Measured { fields, extra }));
            let own = [told.own_prepare_ns, told.own_search_ns];
            own_ns = needs.own_times().then(|| own.map(|ns| ns.map(|ns| ns.round() as u64)));
        }
        let cost = |ns: u64, before: usize, after: usize| {
            let counts = readings[before].iter().zip(&readings[after]).zip(instants.iter());
            Cost {
                ns,
                counts: counts.map(|((before, after), instant)| cost(*before, *after, *instant)).collect(),
            }
        };
        let mut calls =
            [cost(prepare_ns, BEFORE_PREPARE, AFTER_PREPARE), cost(search_ns, BEFORE_SEARCH, AFTER_SEARCH)];
        if own_ns.is_some() {
            // Where its preparation ends, only the algorithm knows: what was counted is of both.
            calls[0].counts.fill(None);
        }
        Ok(Row { occurrences, calls, own_ns, measured })
    }
}

/// The text as an algorithm wants it: shared, or a copy where it wants a greater alignment than all get.
fn fit<'a>(
    map: &'a MappedText,
    needs: &Needs,
    copy: &'a mut Option<TextBuffer>,
) -> Result<FittedText<'a>, Failure> {
    let memory = map.memory();
    if memory.is_aligned(needs) {
        return memory.fit(needs).map_err(Failure::CannotSearch);
    }
    let copied = TextBuffer::new(map.bytes(), needs).map_err(Failure::CannotSearch)?;
    copy.insert(copied).fit(needs).map_err(Failure::CannotSearch)
}

fn open_text(place: &TextPlace, writes: bool) -> Result<MappedText, Failure> {
    MappedText::open(place, writes)
        .map_err(|reason| Failure::Error(format!("the text can't be mapped: {reason}")))
}

/// Reads all counters before a phase, the cheapest last ..
#[inline]
fn read_before(counters: &mut [OpenCounters], reading: &mut Reading, heartbeat: &Heartbeat) {
    for open in counters {
        heartbeat.enter(Phase::Counters(open.number));
        open.read(reading);
    }
}

/// .. and after it, the cheapest first: so its count includes the reading of no other.
#[inline]
fn read_after(counters: &mut [OpenCounters], reading: &mut Reading, heartbeat: &Heartbeat) {
    for open in counters.iter_mut().rev() {
        heartbeat.enter(Phase::Counters(open.number));
        open.read(reading);
    }
}

/// What a phase cost, from the readings around it. A counter that did not count all the time counted nothing usable, nor
/// one that was scaled up, has begun again from zero, or says what can't be: no number, less than before, or that it
/// counted for longer than it was meant to.
fn cost(before: Option<EventCount>, after: Option<EventCount>, instant: bool) -> Option<f64> {
    let (before, after) = (before?, after?);
    let unusable = EventCount::MISSING | EventCount::SCALED | EventCount::WRAPPED;
    let idle = |count: EventCount| count.enabled.checked_sub(count.running);
    let complete = (before.flags | after.flags) & unusable == 0
        && after.running > 0
        && idle(before).is_some_and(|idle_before| idle(after) == Some(idle_before));
    let cost = if instant { after.value } else { after.value - before.value };
    (complete && cost.is_finite() && (instant || cost >= 0.0)).then_some(cost)
}

impl OpenCounters {
    /// Opens the set whose events begin at `place` among those of all sets.
    fn new(setup: &CounterSetup, number: usize, cpu: Option<usize>, place: usize) -> Result<Self, String> {
        let catalogue = setup.library.pin()?.load()?;
        let backend = catalogue.counters.iter().find(|entry| entry.facts.id == setup.backend);
        let backend = backend.ok_or_else(|| format!("counter backend {} is gone", setup.backend))?;
        let events: Vec<&str> = setup.events.iter().map(|(event, _)| event.as_str()).collect();
        let set = backend.open(&Open { events: &events, cpu, ..Open::default() })?;
        Ok(OpenCounters { set, number, places: place..place + events.len(), price_ns: 0 })
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
    fn take_price(&mut self, reading: &mut Reading) -> Result<(), String> {
        self.set.start()?;
        let mut time = |_| {
            let start = now_ns();
            self.read(reading);
            now_ns() - start
        };
        self.price_ns = (0..10).map(&mut time).min().unwrap_or(0);
        self.set.stop()
    }
}

/// Measures in this very process: for profiling, and without any protection.
pub struct InProcess {
    bench: Result<Bench, Failure>,
    heartbeat: Heartbeat,
}

impl InProcess {
    /// Loads what the setup names; what goes wrong there is the answer to every batch.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(setup: &Setup) -> std::io::Result<Self> {
        Ok(InProcess { bench: Bench::new(setup), heartbeat: Heartbeat::new()? })
    }
}

impl Worker for InProcess {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let mut rows = Vec::new();
        let begun = Begun::now();
        let result = match &mut self.bench {
            Err(failure) => Err(failure.clone()),
            Ok(bench) => bench.serves_all(batch.length).and_then(|()| {
                bench.run(batch, &self.heartbeat, |more| {
                    rows.extend(more);
                    !interrupted.load(Ordering::Relaxed)
                })
            }),
        };
        let ended = match result {
            Err(failure) => Some(failure.into()),
            Ok(()) if rows.len() < batch.patterns.len() => Some(Ended::Interrupted),
            Ok(()) => None,
        };
        let noise = self.bench.as_ref().ok().map(|bench| begun.end(bench.floor_ns(), bench.torn()));
        BatchResult { rows, ended, ended_in: None, noise }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_did_not_count_all_the_time_is_missing() {
        let count = |value, enabled, running| Some(EventCount { value, enabled, running, flags: 0 });
        assert_eq!(cost(count(5.0, 10, 10), count(9.0, 20, 20), false), Some(4.0));
        assert_eq!(cost(count(5.0, 1, 1), count(9.0, 1, 1), false), Some(4.0));
        assert_eq!(cost(count(5.0, 1, 1), count(9.0, 1, 1), true), Some(9.0));
        assert_eq!(cost(count(5.0, 10, 10), count(9.0, 20, 15), false), None);
        assert_eq!(cost(count(0.0, 10, 0), count(0.0, 20, 0), false), None);
        assert_eq!(cost(None, count(0.0, 1, 1), false), None);
        assert_eq!(cost(count(1029.0, 1, 1), count(5.0, 1, 1), false), None, "it went backwards");
        assert_eq!(cost(count(1029.0, 1, 1), count(5.0, 1, 1), true), Some(5.0), "a level may fall");
        assert_eq!(cost(count(5.0, 10, 12), count(9.0, 20, 22), false), None, "it ran for too long");
        for strange in [f64::NAN, f64::INFINITY] {
            for instant in [true, false] {
                assert_eq!(cost(count(5.0, 1, 1), count(strange, 1, 1), instant), None);
            }
            assert_eq!(cost(count(strange, 1, 1), count(5.0, 1, 1), false), None);
        }
        for flags in [EventCount::MISSING, EventCount::SCALED, EventCount::WRAPPED] {
            let flagged = count(9.0, 20, 20).map(|count| EventCount { flags, ..count });
            assert_eq!(cost(count(5.0, 10, 10), flagged, false), None);
        }
    }
}
