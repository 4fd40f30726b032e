//! Several threads that search one text together. Each has a part of it, in memory of its own, and a searcher of its own. Parts
//! overlap by what an occurrence may be longer than a byte, so that each occurrence lies in one part alone.
//!
//! The worker's own thread is one of them: it gives the orders, and takes the time from an order until all have carried it out.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, yield_now};

use assay_load::plugin::{Failure, FittedText, Needs, Prepared, Searcher, TextBuffer};
use assay_load::process::keep_on;
use assay_plugin_api::Hints;
use assay_store::{Cost, Row};

use super::clock::now_ns;
use super::pattern::PatternMemory;
use super::protocol::Setup;
use super::shared::{Heartbeat, Phase};

/// The threads of a batch but the worker's own; they end with it.
pub(crate) struct Team<'a> {
    orders: &'a Orders,
    others: usize,
}

/// The orders of the threads, and their answers.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// Counted up: each pattern is taken, then prepared, then searched for.
    given: AtomicUsize,
    /// How many have carried out the last order.
    done: AtomicUsize,
    pattern: Mutex<Vec<u8>>,
    found: AtomicU64,
    failure: Mutex<Option<Failure>>,
}

/// Nothing is left to do.
const END: usize = usize::MAX;

/// So often an order is looked for before the CPU is offered to others.
const LOOKS: u32 = 20_000;

impl Orders {
    /// Waits for an order; `false` if there is none any more.
    fn wait(&self, order: usize) -> bool {
        wait_for(|| Some(self.given.load(Ordering::Acquire)).filter(|given| *given >= order)) != END
    }

    fn fail(&self, failure: Failure) {
        locked(&self.failure).get_or_insert(failure);
    }
}

/// Looks until there is something.
fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let mut looks = 0u32;
    loop {
        if let Some(found) = look() {
            return found;
        }
        looks = looks.saturating_add(1);
        // Where threads have no CPU each, waiting in vain would keep the others from working.
        if looks > LOOKS { yield_now() } else { std::hint::spin_loop() }
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.orders.given.store(END, Ordering::Release);
    }
}

/// The part of a text of `n` bytes that one of `threads` searches for patterns of `m` bytes: an occurrence that begins in it ends in
/// it, and begins in no other.
pub(super) fn part(n: usize, m: usize, threads: usize, number: usize) -> Range<usize> {
    let begins = (n + 1).saturating_sub(m);
    let at = |number: usize| (begins as u128 * number as u128 / threads as u128) as usize;
    let (start, end) = (at(number), at(number + 1));
    if start == end { start..start } else { start..end + m - 1 }
}

/// What one thread searches with.
pub(crate) struct Member<'t> {
    /// The part as it was.
    original: &'t [u8],
    searcher: Searcher,
    needs: Needs,
    text: TextBuffer,
    pattern: PatternMemory,
}

impl<'t> Member<'t> {
    /// With a part of the text.
    ///
    /// # Errors
    /// What the algorithm answers.
    pub(super) fn new(setup: &Setup, original: &'t [u8], pattern_length: usize) -> Result<Self, Failure> {
        let library = setup.library.pin().map_err(Failure::Error)?;
        let catalogue = library.load().map_err(Failure::Error)?;
        let searcher = Searcher::new(&setup.find(catalogue)?)?;
        let needs = searcher.needs(pattern_length)?;
        let alone = |why: &str| Failure::CannotSearch(format!("{why}, and several threads search at a time"));
        if needs.own_times() {
            return Err(alone("it takes its times itself"));
        }
        if needs.fresh_process() {
            return Err(alone("it needs a process for each pattern"));
        }
        needs.accept(original.len())?;
        let text = TextBuffer::new(original, &needs).map_err(Failure::CannotSearch)?;
        Ok(Member { original, searcher, needs, text, pattern: PatternMemory::new(setup.offsets.pattern) })
    }

    fn take(&mut self, pattern: &[u8]) {
        self.pattern.take(pattern);
    }

    /// Carries out orders until there are none.
    fn work(&mut self, orders: &Orders) -> Result<(), Failure> {
        let Member { original, searcher, needs, text, pattern } = self;
        let mut text = text.fit(needs).map_err(Failure::CannotSearch)?;
        let mut order = 1;
        let done = |_| orders.done.fetch_add(1, Ordering::Release);
        while orders.wait(order) {
            pattern.take(&locked(&orders.pattern));
            text.clear_around();
            // What the search before has done to its text is looked at when nobody takes the time.
            if text.bytes() != *original {
                orders.fail(Failure::wrote_to_text());
            }
            done(());
            if !orders.wait(order + 1) {
                break;
            }
            let prepared = prepare(searcher, pattern, &text, needs);
            done(());
            if !orders.wait(order + 2) {
                break;
            }
            let found = prepared.and_then(|mut prepared| prepared.count(&text));
            match found {
                Ok(found) => _ = orders.found.fetch_add(found, Ordering::Relaxed),
                Err(failure) => orders.fail(failure),
            }
            done(());
            order += 3;
        }
        Ok(())
    }
}

/// What a lock keeps, whatever became of those who had it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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

impl<'a> Team<'a> {
    /// Starts `threads` - 1 threads beside the worker's own, each with its part of the text, and waits until they are ready.
    ///
    /// # Errors
    /// What the algorithm answers in one of them.
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
            let work = move || {
                if let Some(cpu) = setup.team.get(number) {
                    keep_on(*cpu);
                }
                let part = &text[part(text.len(), pattern_length, threads, number)];
                let member = Member::new(setup, part, pattern_length);
                // A thread that can't search has nothing to do for any order.
                let answered = member.and_then(|mut member| {
                    orders.done.fetch_add(1, Ordering::Release);
                    member.work(orders)
                });
                if let Err(failure) = answered {
                    orders.fail(failure);
                    orders.done.fetch_add(1, Ordering::Release);
                }
            };
            std::thread::Builder::new()
                .spawn_scoped(scope, work)
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

    /// Waits until all have carried it out. Between two readings of the clock nothing else is done.
    fn all_done(&self) {
        wait_for(|| (self.orders.done.load(Ordering::Acquire) >= self.others).then_some(()));
        self.orders.done.store(0, Ordering::Relaxed);
    }

    /// What went wrong in one of the other threads.
    fn failure(&self) -> Result<(), Failure> {
        let failure = locked(&self.orders.failure).take();
        failure.map_or(Ok(()), Err)
    }

    /// Checks, after the last repetition, whether all parts of the text are unchanged.
    ///
    /// # Errors
    /// If one is not.
    pub(super) fn check(&self, own: &mut Member<'_>) -> Result<(), Failure> {
        self.order();
        let text = own.text.fit(&own.needs).map_err(Failure::CannotSearch)?;
        let whole = text.bytes() == own.original;
        self.all_done();
        self.failure()?;
        if whole { Ok(()) } else { Err(Failure::wrote_to_text()) }
    }

    /// One repetition of all threads: a preparation by each, and a search by each of its part. Both times are from the order until the
    /// last thread has carried it out.
    ///
    /// # Errors
    /// What the algorithm answers in one of the threads.
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
    use assay_plugin_api::testing::naive;
    use proptest::prelude::*;

    use super::*;

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
