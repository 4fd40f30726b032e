//! Several threads that search one text together. Each has a searcher of its own, and a part of the text in
//! memory of its own. Neighbouring parts overlap by one byte less than the pattern length, so that each
//! occurrence lies in exactly one part.
//!
//! The worker's own thread is one of them. It gives the orders, and times each from the order until all
//! threads have completed it.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, yield_now};

use assay_load::plugin::{Failure, FittedText, Needs, Prepared, Searcher, TextBuffer};
use assay_load::process::bind_to_cpu;
use assay_plugin_api::Hints;
use assay_store::{Cost, Row};

use super::clock::now_ns;
use super::heartbeat::{Heartbeat, Phase};
use super::pattern::PatternMemory;
use super::protocol::Setup;

/// The threads of a batch, without the worker's own. They end when this value is dropped.
pub(crate) struct Team<'a> {
    orders: &'a Orders,
    others: usize,
}

/// The orders to the threads, and their answers.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// Number of the last order. For each pattern there are three: copy it, prepare it, search for it.
    given: AtomicUsize,
    /// Number of threads that have completed the last order.
    done: AtomicUsize,
    pattern: Mutex<Vec<u8>>,
    found: AtomicU64,
    failure: Mutex<Option<Failure>>,
}

/// The order to end.
const END: usize = usize::MAX;

/// Number of looks at the orders before a waiting thread yields its CPU, which take a fraction of a
/// millisecond. Orders usually follow each other sooner, so a thread with a CPU of its own reacts at once,
/// without a system call in what is timed.
const LOOKS: u32 = 20_000;

impl Orders {
    /// Waits for an order. Returns `false` if the threads are to end.
    fn wait(&self, order: usize) -> bool {
        wait_for(|| Some(self.given.load(Ordering::Acquire)).filter(|given| *given >= order)) != END
    }

    /// Notes that a thread has completed the last order.
    fn complete(&self) {
        self.done.fetch_add(1, Ordering::Release);
    }

    /// Notes a failure, unless there is an earlier one.
    fn fail(&self, failure: Failure) {
        locked(&self.failure).get_or_insert(failure);
    }
}

/// Looks until there is something, first without giving up the CPU.
fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let mut looks = 0u32;
    loop {
        if let Some(found) = look() {
            return found;
        }
        looks = looks.saturating_add(1);
        // If there are more threads than CPUs, a thread that spins would keep the others from working.
        if looks > LOOKS { yield_now() } else { std::hint::spin_loop() }
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.orders.given.store(END, Ordering::Release);
    }
}

/// The part of a text of `n` bytes that one of the threads searches for patterns of `m` bytes. The positions
/// at which an occurrence can begin are divided equally, and each part ends where the last of its occurrences
/// would end.
pub(super) fn part(n: usize, m: usize, threads: usize, number: usize) -> Range<usize> {
    let begins = (n + 1).saturating_sub(m);
    let at = |number: usize| (begins as u128 * number as u128 / threads as u128) as usize;
    let (start, end) = (at(number), at(number + 1));
    if start == end { start..start } else { start..end + m - 1 }
}

/// The searcher of one thread, with its part of the text.
pub(crate) struct Member<'t> {
    /// The part in the shared text, to compare with.
    original: &'t [u8],
    searcher: Searcher,
    needs: Needs,
    text: TextBuffer,
    pattern: PatternMemory,
}

impl<'t> Member<'t> {
    /// Makes a searcher, and a copy of a part of the text.
    ///
    /// # Errors
    /// If the algorithm fails, or can't search with several threads.
    pub(super) fn new(setup: &Setup, original: &'t [u8], pattern_length: usize) -> Result<Self, Failure> {
        let library = setup.library.verify_in_sandbox().map_err(Failure::Error)?;
        let algorithm = library.load_algorithm(&setup.algorithm).map_err(Failure::Error)?;
        let searcher = Searcher::new(&algorithm)?;
        let needs = searcher.needs(pattern_length)?;
        if needs.own_times() {
            return Err(needs_one_thread("it takes its times itself"));
        }
        if needs.fresh_process() {
            return Err(needs_one_thread("it needs a process for each pattern"));
        }
        needs.accept(original.len())?;
        let text = TextBuffer::new(original, &needs).map_err(Failure::CannotSearch)?;
        Ok(Member { original, searcher, needs, text, pattern: PatternMemory::new(setup.offsets.pattern) })
    }

    /// Copies a pattern to its place.
    fn take(&mut self, pattern: &[u8]) {
        self.pattern.take(pattern);
    }

    /// Completes orders until there are no more.
    fn work(&mut self, orders: &Orders) -> Result<(), Failure> {
        let Member { original, searcher, needs, text, pattern } = self;
        let mut text = text.fit(needs).map_err(Failure::CannotSearch)?;
        let mut order = 1;
        while orders.wait(order) {
            pattern.take(&locked(&orders.pattern));
            text.clear_around();
            // Compared in this order, which is not timed: the search before may have changed its text.
            if text.bytes() != *original {
                orders.fail(Failure::wrote_to_text());
            }
            orders.complete();
            if !orders.wait(order + 1) {
                break;
            }
            let prepared = prepare(searcher, pattern, &text, needs);
            orders.complete();
            if !orders.wait(order + 2) {
                break;
            }
            let found = prepared.and_then(|mut prepared| prepared.count(&text));
            match found {
                Ok(found) => _ = orders.found.fetch_add(found, Ordering::Relaxed),
                Err(failure) => orders.fail(failure),
            }
            orders.complete();
            order += 3;
        }
        Ok(())
    }
}

/// Locks, also if a thread has panicked while it held the lock: what it guards is valid at any time.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prepares a pattern, with the sample of the text that the algorithm needs.
fn prepare<'a>(
    searcher: &'a mut Searcher,
    pattern: &'a PatternMemory,
    text: &FittedText<'_>,
    needs: &Needs,
) -> Result<Prepared<'a>, Failure> {
    let sample = needs.raw().sample.min(text.bytes().len());
    let hints = Hints { sample: &text.bytes()[..sample], text_length: text.bytes().len() };
    searcher.prepare(pattern.bytes(), hints)
}

/// What an algorithm that can't search with several threads answers.
fn needs_one_thread(reason: &str) -> Failure {
    Failure::CannotSearch(format!("{reason}, and several threads search at a time"))
}

/// The life of a thread: it makes its searcher on its CPU, and then completes orders.
fn run_thread(orders: &Orders, setup: &Setup, number: usize, part: &[u8], pattern_length: usize) {
    if let Some(cpu) = setup.team.get(number) {
        bind_to_cpu(*cpu);
    }
    let outcome = Member::new(setup, part, pattern_length).and_then(|mut member| {
        orders.complete();
        member.work(orders)
    });
    if let Err(failure) = outcome {
        // The thread ends, but counts as done with its last order, so that the worker goes on and finds the
        // failure.
        orders.fail(failure);
        orders.complete();
    }
}

impl<'a> Team<'a> {
    /// Starts the threads, without the worker's own, each with its part of the text, and waits until they are
    /// ready.
    ///
    /// # Errors
    /// If a thread can't be started, or if the algorithm fails in one of them.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        orders: &'a Orders,
        setup: &'scope Setup,
        text: &'scope [u8],
        (pattern_length, threads): (usize, usize),
    ) -> Result<Self, Failure>
    where
        'a: 'scope,
    {
        let team = Team { orders, others: threads - 1 };
        for number in 1..threads {
            let part = &text[part(text.len(), pattern_length, threads, number)];
            std::thread::Builder::new()
                .spawn_scoped(scope, move || run_thread(orders, setup, number, part, pattern_length))
                .map_err(|error| Failure::Error(format!("no further thread could be started: {error}")))?;
        }
        team.all_done();
        team.failure()?;
        Ok(team)
    }

    /// Gives the next order, without waiting.
    fn order(&self) {
        self.orders.given.fetch_add(1, Ordering::Release);
    }

    /// Waits until all threads have completed the last order.
    fn all_done(&self) {
        wait_for(|| (self.orders.done.load(Ordering::Acquire) >= self.others).then_some(()));
        self.orders.done.store(0, Ordering::Relaxed);
    }

    /// The first failure in one of the other threads.
    fn failure(&self) -> Result<(), Failure> {
        let failure = locked(&self.orders.failure).take();
        failure.map_or(Ok(()), Err)
    }

    /// Checks after the last repetition whether all parts of the text are unchanged.
    ///
    /// # Errors
    /// If the algorithm has changed one.
    pub(super) fn check(&self, own: &mut Member<'_>) -> Result<(), Failure> {
        self.order();
        let text = own.text.fit(&own.needs).map_err(Failure::CannotSearch)?;
        let whole = text.bytes() == own.original;
        self.all_done();
        self.failure()?;
        if whole { Ok(()) } else { Err(Failure::wrote_to_text()) }
    }

    /// Measures one repetition: each thread prepares the pattern, and then searches its part. Both times are
    /// from the order until the last thread has completed it, because a search with several threads is done
    /// when the slowest of them is. The copy of the pattern and the check of the texts come before both, and
    /// are not timed.
    ///
    /// # Errors
    /// If the algorithm fails in one of the threads.
    pub(super) fn repetition(
        &self,
        own: &mut Member<'_>,
        pattern: &[u8],
        heartbeat: &Heartbeat,
    ) -> Result<Row, Failure> {
        self.orders.found.store(0, Ordering::Relaxed);
        pattern.clone_into(&mut locked(&self.orders.pattern));
        self.order();
        own.take(pattern);
        let Member { original, searcher, needs, text, pattern } = own;
        let mut text = text.fit(needs).map_err(Failure::CannotSearch)?;
        text.clear_around();
        self.all_done();
        self.failure()?;
        if text.bytes() != *original {
            return Err(Failure::wrote_to_text());
        }

        heartbeat.enter(Phase::Prepare(0));
        let start = now_ns();
        self.order();
        let prepared = prepare(searcher, pattern, &text, needs);
        self.all_done();
        let prepare_ns = now_ns() - start;
        self.failure()?;
        let mut prepared = prepared?;

        heartbeat.enter(Phase::Search(1));
        let start = now_ns();
        self.order();
        let found = prepared.count(&text);
        self.all_done();
        let search_ns = now_ns() - start;
        self.failure()?;
        let occurrences = found?.saturating_add(self.orders.found.load(Ordering::Relaxed));
        let cost = |ns| Cost { ns, counts: Vec::new() };
        Ok(Row { occurrences, calls: [cost(prepare_ns), cost(search_ns)], ..Row::default() })
    }
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::idle;
    use assay_plugin_api::testing::naive;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_repetition_allocates_nothing() {
        let original = [b'a'; 1000];
        let searcher = Searcher::new(&idle()).unwrap();
        let needs = searcher.needs(4).unwrap();
        let text = TextBuffer::new(&original, &needs).unwrap();
        let mut own = Member { original: &original, searcher, needs, text, pattern: PatternMemory::new(0) };
        let (orders, heartbeat) = (Orders::default(), Heartbeat::new().unwrap());
        let team = Team { orders: &orders, others: 0 };
        // The first repetition makes room for its pattern.
        team.repetition(&mut own, b"abcd", &heartbeat).unwrap();
        let allocated = allocation_counter::measure(|| {
            team.repetition(&mut own, b"bcda", &heartbeat).unwrap();
        });
        assert_eq!((allocated.count_total, allocated.bytes_total), (0, 0));
    }

    proptest! {
        #[test]
        fn every_occurrence_lies_in_one_part(
            text in "[ab]{0,40}", pattern in "[ab]{1,6}", threads in 1..9usize,
        ) {
            let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
            let found = |number| naive(pattern, &text[part(text.len(), pattern.len(), threads, number)]).len();
            prop_assert_eq!((0..threads).map(found).sum::<usize>(), naive(pattern, text).len());
        }
    }
}
