//! Several threads that search together. Each has a searcher of its own, and what it searches in memory of its
//! own: a part of each text, or the texts of its own calls. Neighbouring parts of a text overlap by one byte
//! less than the pattern length, so that each occurrence lies in exactly one part.
//!
//! The worker's own thread is one of them. It gives the orders, and times each from the order until all
//! threads have completed it.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, yield_now};

use assay_base::columns::Call;
use assay_experiment::points::Step;
use assay_load::plugin::{Failure, FittedText, Needs, Prepared, Searcher, TextBuffer};
use assay_load::process::bind_to_cpu;
use assay_plugin_api::Hints;

use super::Batch;
use super::clock::now_ns;
use super::counters::Counters;
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
    /// Number of the last order. For each pattern, there is one to copy it, and one for each call.
    given: AtomicUsize,
    /// Number of threads that have completed the last order.
    done: AtomicUsize,
    pattern: Mutex<Vec<u8>>,
    /// Occurrences that the other threads have found in the current call.
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

/// What one thread of a team does in each repetition.
#[derive(Clone)]
pub(super) struct Share<'t> {
    /// Its calls. Texts are numbered as in `texts`.
    steps: Vec<Step>,
    /// The texts, or parts of texts, that it searches.
    texts: Vec<&'t [u8]>,
}

impl<'t> Share<'t> {
    /// What each thread does in a batch, of which these are all texts: its own calls, or all calls on its part
    /// of each text.
    pub(super) fn all(batch: &Batch, texts: &[&'t [u8]]) -> Vec<Self> {
        let share = |number: usize| match batch.lanes.get(number) {
            Some(steps) => Share::new(steps, |text| texts[text]),
            None => Share::new(&batch.steps, |text| {
                &texts[text][part(texts[text].len(), batch.length, batch.threads, number)]
            }),
        };
        (0..batch.threads).map(share).collect()
    }

    /// These calls, each on what `find` finds for the number of its text.
    fn new(steps: &[Step], find: impl Fn(usize) -> &'t [u8]) -> Self {
        let mut numbers: Vec<usize> = steps.iter().map(|step| step.text).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let place = |text| numbers.binary_search(&text).expect("it is one of them");
        let steps = steps.iter().map(|step| Step { text: place(step.text), ..*step }).collect();
        Share { steps, texts: numbers.iter().map(|number| find(*number)).collect() }
    }
}

/// The searcher of one thread, with copies of what it searches.
pub(crate) struct Member<'t> {
    share: Share<'t>,
    searcher: Searcher,
    needs: Needs,
    texts: Vec<TextBuffer>,
    pattern: PatternMemory,
}

/// A member whose texts are fitted to the needs of the algorithm.
pub(crate) struct ReadyMember<'m> {
    share: &'m Share<'m>,
    searcher: &'m mut Searcher,
    needs: &'m Needs,
    texts: Vec<FittedText<'m>>,
    pattern: &'m mut PatternMemory,
}

impl<'t> Member<'t> {
    /// Makes a searcher, and copies of the texts.
    ///
    /// # Errors
    /// If the algorithm fails, or can't search with several threads.
    pub(super) fn new(setup: &Setup, share: Share<'t>, pattern_length: usize) -> Result<Self, Failure> {
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
        Member::with_searcher(searcher, needs, share, setup.offsets.pattern)
    }

    fn with_searcher(
        searcher: Searcher,
        needs: Needs,
        share: Share<'t>,
        pattern_offset: usize,
    ) -> Result<Self, Failure> {
        let mut texts = Vec::with_capacity(share.texts.len());
        for original in &share.texts {
            needs.accept(original.len())?;
            texts.push(TextBuffer::new(original, &needs).map_err(Failure::CannotSearch)?);
        }
        Ok(Member { share, searcher, needs, texts, pattern: PatternMemory::new(pattern_offset) })
    }

    /// Fits the texts, once for all repetitions, so that these allocate nothing.
    ///
    /// # Errors
    /// If a text can't be fitted.
    pub(super) fn ready(&mut self) -> Result<ReadyMember<'_>, Failure> {
        let Member { share, searcher, needs, texts, pattern } = self;
        let needs: &Needs = needs;
        let fitted = texts.iter_mut().map(|text| text.fit(needs).map_err(Failure::CannotSearch));
        let texts = fitted.collect::<Result<Vec<_>, _>>()?;
        Ok(ReadyMember { share, searcher, needs, texts, pattern })
    }
}

impl ReadyMember<'_> {
    /// Copies a pattern to its place, and clears what an algorithm may have written around the texts.
    fn take(&mut self, pattern: &[u8]) {
        self.pattern.take(pattern);
        self.texts.iter_mut().for_each(FittedText::clear_around);
    }

    /// Whether the texts are unchanged.
    fn is_whole(&self) -> bool {
        self.texts.iter().zip(&self.share.texts).all(|(text, original)| text.bytes() == *original)
    }

    /// Completes orders until there are no more.
    fn work(&mut self, orders: &Orders) {
        let mut order = 0;
        let mut next = || {
            order += 1;
            orders.wait(order)
        };
        while next() {
            self.take(&locked(&orders.pattern));
            // Compared in this order, which is not timed: the search before may have changed its text.
            if !self.is_whole() {
                orders.fail(Failure::wrote_to_text());
            }
            orders.complete();
            let ReadyMember { share, searcher, needs, texts, pattern } = self;
            for calls in share.steps.chunk_by(|_, next| next.call == Call::Search) {
                if !next() {
                    return;
                }
                let prepared = prepare(searcher, pattern, &texts[calls[0].text], needs);
                let mut prepared = prepared.map_err(|failure| orders.fail(failure)).ok();
                orders.complete();
                for call in &calls[1..] {
                    if !next() {
                        return;
                    }
                    let text = &mut texts[call.text];
                    // After a failure, the worker's own thread gives no further orders but the last.
                    match prepared.as_mut().map_or(Ok(0), |prepared| prepared.count(text)) {
                        Ok(found) => _ = orders.found.fetch_add(found, Ordering::Relaxed),
                        Err(failure) => orders.fail(failure),
                    }
                    orders.complete();
                    text.clear_around();
                }
            }
        }
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
fn run_thread(orders: &Orders, setup: &Setup, number: usize, share: Share<'_>, pattern_length: usize) {
    if let Some(cpu) = setup.team.get(number) {
        bind_to_cpu(*cpu);
    }
    let outcome = Member::new(setup, share, pattern_length).and_then(|mut member| {
        let mut member = member.ready()?;
        orders.complete();
        member.work(orders);
        Ok(())
    });
    if let Err(failure) = outcome {
        // The thread ends, but counts as done with its last order, so that the worker goes on and finds the
        // failure.
        orders.fail(failure);
        orders.complete();
    }
}

impl<'a> Team<'a> {
    /// Starts the threads, without the worker's own, which has the first share, and waits until they are
    /// ready.
    ///
    /// # Errors
    /// If a thread can't be started, or if the algorithm fails in one of them.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        orders: &'a Orders,
        setup: &'scope Setup,
        shares: Vec<Share<'scope>>,
        pattern_length: usize,
    ) -> Result<Self, Failure>
    where
        'a: 'scope,
    {
        let team = Team { orders, others: shares.len() - 1 };
        for (number, share) in shares.into_iter().enumerate().skip(1) {
            std::thread::Builder::new()
                .spawn_scoped(scope, move || run_thread(orders, setup, number, share, pattern_length))
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

    /// Checks after the last repetition whether all texts are unchanged.
    ///
    /// # Errors
    /// If the algorithm has changed one.
    pub(super) fn check(&self, own: &ReadyMember<'_>) -> Result<(), Failure> {
        self.order();
        let whole = own.is_whole();
        self.all_done();
        self.failure()?;
        if whole { Ok(()) } else { Err(Failure::wrote_to_text()) }
    }

    /// Measures one repetition: in each of its calls, all threads prepare the pattern, or all search. The time
    /// of a call is from the order until the last thread has completed it, because a call of several threads
    /// is done when the slowest of them is. The worker's own thread reads the counters, outside the clock. The
    /// copy of the pattern and the check of the texts come before all calls, and are not timed. Time and
    /// occurrences of each call are appended to `taken`.
    ///
    /// # Errors
    /// If the algorithm fails in one of the threads.
    pub(super) fn repetition(
        &self,
        own: &mut ReadyMember<'_>,
        pattern: &[u8],
        counters: &mut Counters,
        taken: &mut Vec<(u64, u64)>,
        heartbeat: &Heartbeat,
    ) -> Result<(), Failure> {
        taken.clear();
        pattern.clone_into(&mut locked(&self.orders.pattern));
        self.order();
        own.take(pattern);
        let whole = own.is_whole();
        self.all_done();
        self.failure()?;
        if !whole {
            return Err(Failure::wrote_to_text());
        }
        let ReadyMember { share, searcher, needs, texts, pattern } = own;
        for calls in share.steps.chunk_by(|_, next| next.call == Call::Search) {
            counters.read_before(taken.len(), heartbeat);
            heartbeat.enter(Phase::Prepare(taken.len()));
            let start = now_ns();
            self.order();
            let prepared = prepare(searcher, pattern, &texts[calls[0].text], needs);
            self.all_done();
            let prepare_ns = now_ns() - start;
            counters.read_after(taken.len(), heartbeat);
            self.failure()?;
            let mut prepared = prepared?;
            taken.push((prepare_ns, 0));

            for call in &calls[1..] {
                let text = &mut texts[call.text];
                self.orders.found.store(0, Ordering::Relaxed);
                counters.read_before(taken.len(), heartbeat);
                heartbeat.enter(Phase::Search(taken.len()));
                let start = now_ns();
                self.order();
                let found = prepared.count(text);
                self.all_done();
                let search_ns = now_ns() - start;
                counters.read_after(taken.len(), heartbeat);
                self.failure()?;
                taken.push((search_ns, found?.saturating_add(self.orders.found.load(Ordering::Relaxed))));
                text.clear_around();
            }
        }
        Ok(())
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
        let steps = [Call::Prepare, Call::Search, Call::Search].map(|call| Step { call, text: 0 });
        let share = Share::new(&steps, |_| &original);
        let mut member = Member::with_searcher(searcher, needs, share, 0).unwrap();
        let mut own = member.ready().unwrap();
        let (orders, heartbeat) = (Orders::default(), Heartbeat::new().unwrap());
        let team = Team { orders: &orders, others: 0 };
        let mut counters = Counters::open(&[], None, &heartbeat).unwrap();
        counters.expect(steps.len());
        let mut taken = Vec::with_capacity(steps.len());
        // The first repetition makes room for its pattern.
        team.repetition(&mut own, b"abcd", &mut counters, &mut taken, &heartbeat).unwrap();
        let allocated = allocation_counter::measure(|| {
            team.repetition(&mut own, b"bcda", &mut counters, &mut taken, &heartbeat).unwrap();
        });
        assert_eq!((allocated.count_total, allocated.bytes_total, taken.len()), (0, 0, 3));
    }

    #[test]
    fn each_thread_has_its_part_of_every_text_or_calls_of_its_own() {
        let texts: [&[u8]; 3] = [b"0123456789", b"abcdefgh", b"xyz"];
        let step = |call, text| Step { call, text };
        let steps = vec![step(Call::Prepare, 1), step(Call::Search, 1), step(Call::Search, 0)];
        let lanes = vec![
            vec![step(Call::Prepare, 2), step(Call::Search, 2)],
            vec![step(Call::Prepare, 0), step(Call::Search, 0)],
        ];
        let patterns = assay_experiment::patterns::Patterns::Drawn(vec![0]);
        let batch = Batch { first: 0, length: 3, patterns, steps, lanes: Vec::new(), threads: 2, warmup: 0 };
        let shares = Share::all(&batch, &texts);
        assert_eq!(shares[0].texts, [&b"012345"[..], b"abcde"]);
        assert_eq!(shares[1].texts, [&b"456789"[..], b"defgh"]);
        assert_eq!(shares[1].steps.iter().map(|step| step.text).collect::<Vec<_>>(), [1, 1, 0]);
        let shares = Share::all(&Batch { lanes, ..batch }, &texts);
        assert_eq!((&shares[0].texts, &shares[1].texts), (&vec![texts[2]], &vec![texts[0]]));
        assert_eq!(shares[0].steps, [step(Call::Prepare, 0), step(Call::Search, 0)]);
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
