//! The measuring of batches, in a worker or, on request, in the host: its repetitions, and all that happens
//! around them.

mod opening;
mod repetition;

use std::rc::Rc;

use assay_base::columns::Call;
use assay_experiment::calls;
use assay_load::plugin::algorithm::AlgorithmEntry;
use assay_load::plugin::{Failure, FittedText, Needs, Searcher, TextBuffer, VerifiedLibrary};
use assay_load::process::OriginalProcess;
use assay_store::{Row, Start, StartTimes};

use super::batch_share::{BatchShare, StartTiming};
use super::clock::now_ns;
use super::conditions::{RunTime, RunTimer};
use super::counters::Counters;
use super::eviction::Eviction;
use super::heartbeat::{Heartbeat, Phase};
use super::pattern::PatternMemory;
use super::pauses::{PauseWatch, Pauses};
use super::protocol::{BatchEnd, Halt, Portion, Setup};
use super::scheduling::SchedulingWatch;
use super::shared_text::MappedText;
use super::team::{Member, Orders, ReadyMember, Share, Team};
use super::texts::{fit, open_texts};
use super::{BLOCK_NS, Batch};

/// Rows are passed to the host after this time, so that little is lost with a worker that dies. It is much
/// longer than the system calls that pass them on, so these disturb few repetitions.
const PASS_ON_AFTER_NS: u64 = 20_000_000;

/// A repetition that a pause interrupted is measured again, up to this number of times. An algorithm that is
/// interrupted each time probably waits by itself, for example for a lock, and its last time counts.
const MOST_ATTEMPTS: u32 = 3;

/// The threads that search.
enum SearchThreads<'a, 't> {
    /// The worker's own thread searches these texts.
    One(&'a mut [FittedText<'t>]),
    /// Several threads search together. The member is the worker's own thread.
    Several(&'a Team<'t>, ReadyMember<'a>),
}

/// One algorithm, ready to measure.
pub(crate) struct Bench {
    setup: Setup,
    library: VerifiedLibrary,
    algorithm: AlgorithmEntry,
    searcher: Searcher,
    texts: Vec<Rc<MappedText>>,
    /// Whether this process has searched for a pattern that needs a process of its own, and so can search for
    /// no other.
    used_up: bool,
    counters: Counters,
    pattern: PatternMemory,
    floor_ns: u64,
    /// Time in nanoseconds and number of occurrences of each call of the repetition.
    taken: Vec<(u64, u64)>,
    /// The pauses in the current batch.
    pauses: Pauses,
    /// Time of the warm-up repetitions of the current batch, in nanoseconds.
    warmup_ns: u64,
    /// Elapsed and CPU time of the threads in the current batch, if there are several.
    together: Option<RunTime>,
    simulated: bool,
    start: StartTiming,
    /// How texts are evicted from the caches; `None` if searches are to be warm.
    eviction: Option<Eviction>,
    /// Time from the end of the last search until its measurements were read back, in nanoseconds.
    read_back_ns: u64,
    /// When the last repetition ended. The clock is read once for all that ask, because each reading adds to
    /// the host's own time.
    ended_ns: u64,
    original: OriginalProcess,
    /// Watches how the thread is scheduled.
    scheduling: Option<SchedulingWatch>,
    /// Unused memory of a size that the round has drawn: it moves what is allocated after it.
    _before_searcher: Vec<u8>,
}

impl Bench {
    /// Checks whether one process can serve all patterns of this length.
    ///
    /// # Errors
    /// If the algorithm needs a new process for each pattern.
    pub(crate) fn serves_all(&self, pattern_length: usize) -> Result<(), Failure> {
        if !self.searcher.needs(pattern_length)?.fresh_process() {
            return Ok(());
        }
        let reason = "it needs a process for each pattern, and here one serves all";
        Err(Failure::CannotSearch(reason.to_owned()))
    }

    /// Stops reading the counters of a backend.
    pub(crate) fn leave_out(&mut self, backend: usize) {
        self.counters.leave_out(backend);
    }

    /// The time of an empty call in this process, in nanoseconds.
    pub(super) fn floor_ns(&self) -> u64 {
        self.floor_ns
    }

    /// The pauses in the last batch.
    pub(super) fn pauses(&self) -> Pauses {
        self.pauses
    }

    /// Returns the time of the warm-up repetitions of the last batch in nanoseconds, once.
    pub(super) fn take_warmup_ns(&mut self) -> u64 {
        std::mem::take(&mut self.warmup_ns)
    }

    /// Elapsed and CPU time of the threads in the last batch, if there were several.
    pub(super) fn together(&self) -> Option<RunTime> {
        self.together
    }

    /// Returns the times of the start of this process, once.
    pub(crate) fn take_start(&mut self) -> Option<Start> {
        match std::mem::replace(&mut self.start, StartTiming::Untimed) {
            StartTiming::Complete(start) => Some(start),
            not_yet => {
                self.start = not_yet;
                None
            }
        }
    }

    /// Measures a batch, or what of it can be measured in a second. Rows are handed to `pass_on` from time to
    /// time, and measuring ends if it returns `false`. The last rows are returned, unless counters are in
    /// use.
    ///
    /// If the algorithm needs a process for each pattern, only the first repetition in this process is
    /// measured. For all other algorithms, the first repetition of a process whose start is timed belongs to
    /// that start, and is no row.
    ///
    /// # Errors
    /// If the algorithm or a counter backend fails. The rows before that have been passed on.
    pub(super) fn run(
        &mut self,
        batch: &Batch,
        heartbeat: &Heartbeat,
        mut pass_on: impl FnMut(Portion) -> bool,
    ) -> Result<(Portion, BatchEnd), Halt> {
        (self.pauses, self.warmup_ns, self.together) = (Pauses::default(), 0, None);
        let entered = now_ns();
        heartbeat.enter(Phase::Needs);
        let needs = self.searcher.needs(batch.length);
        heartbeat.enter(Phase::Idle);
        let needs = needs?;
        self.texts.iter().try_for_each(|text| needs.accept(text.bytes().len()))?;
        if needs.own_times() && batch.steps.len() > Call::ALL.len() {
            return Err(Failure::of_both_in_one_call().into());
        }
        // Texts protect themselves, except where the algorithm declares that it writes around them.
        let writes = needs.writes_around();
        if self.texts.iter().any(|text| text.writable() != writes) {
            self.texts = open_texts(&self.setup, writes)?;
        }
        let maps = self.texts.clone();
        let mut aligned: Vec<Option<TextBuffer>> = maps.iter().map(|_| None).collect();
        let texts = maps.iter().zip(&mut aligned).map(|(map, copy)| fit(map, &needs, copy));
        let mut texts = texts.collect::<Result<Vec<_>, _>>()?;
        self.counters.expect(batch.steps.len());
        // Nothing is measured, and the host starts another process for the rest of the batch.
        let share = BatchShare::new(batch, &needs, self.used_up, &self.start);
        self.used_up = needs.fresh_process();
        let Some(share) = share else { return Ok((Portion::default(), BatchEnd::Done)) };
        // `start` may fail after it has started some of the counters, so `stop` follows in any case.
        let outcome = match self.counters.start(heartbeat) {
            Ok(()) => {
                let fitted_ns = now_ns() - entered;
                let (m, setup, orders) = (batch.length, self.setup.clone(), Orders::default());
                match batch.threads {
                    1 => {
                        let threads = SearchThreads::One(&mut texts);
                        self.repeat(batch, share, fitted_ns, threads, &needs, heartbeat, &mut pass_on)
                    }
                    _ => std::thread::scope(|scope| {
                        let texts: Vec<&[u8]> = maps.iter().map(|map| map.bytes()).collect();
                        let shares = Share::all(batch, &texts);
                        heartbeat.enter(Phase::Create);
                        let mut own = Member::new(&setup, shares[0].clone(), m)?;
                        let team = Team::start(scope, &orders, &setup, shares, m)?;
                        heartbeat.enter(Phase::Idle);
                        let threads = SearchThreads::Several(&team, own.ready()?);
                        self.repeat(batch, share, fitted_ns, threads, &needs, heartbeat, &mut pass_on)
                    }),
                }
            }
            Err(fault) => Err(fault.into()),
        };
        // A counter backend may end the process when it is stopped, so the last rows are passed on before
        // that.
        let outcome = outcome.map(|(last, end)| {
            if self.counters.is_empty() {
                return (last, end);
            }
            pass_on(last);
            (Portion::default(), end)
        });
        let stopped = self.counters.stop(heartbeat);
        // What the algorithm did comes first: a counter that can't be stopped may be a consequence of it.
        let answer = outcome?;
        stopped?;
        Ok(answer)
    }

    /// Measures the repetitions of a batch while the counters run. The order of its steps:
    ///
    /// 1. Warm-up repetitions come before the counters that are read around a whole block, so these count
    ///    measured ones only.
    /// 2. In each repetition, the pattern is copied to its place before any clock or counter is read.
    /// 3. The start of the process is completed by its first repetition, which is a warm-up unless each
    ///    pattern has a process.
    /// 4. Rows are passed on only between two repetitions. The texts are compared first, because a row of a
    ///    changed text must not reach the host.
    /// 5. After the last repetition, the counters around the block are read at once, before the costly checks
    ///    of threads, library, scheduling and text. The last rows are returned when all of these have
    ///    succeeded.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is fitted to the batch borrows from it and from the text"
    )]
    fn repeat(
        &mut self,
        batch: &Batch,
        BatchShare { warmup, measured: repetitions }: BatchShare,
        fitted_ns: u64,
        mut threads: SearchThreads<'_, '_>,
        needs: &Needs,
        heartbeat: &Heartbeat,
        pass_on: &mut impl FnMut(Portion) -> bool,
    ) -> Result<(Portion, BatchEnd), Halt> {
        let begun = now_ns();
        let mut end = BatchEnd::Done;
        let (by_round, timer) = (self.counters.any_by_round(), RunTimer::now(batch.threads));
        let mut portion = Portion { rows: Vec::with_capacity(repetitions), faults: Vec::new() };
        let mut passed_on = now_ns();
        let mut watch = PauseWatch::start(batch.threads);
        // Notices pauses between the two readings of the counters around the block, also outside of
        // repetitions.
        let (mut block_watch, mut block_paused) = (PauseWatch::start(batch.threads), false);
        let mut pauses_before_block = 0;
        let all = std::iter::repeat_n((false, 0), warmup).chain((0..repetitions).map(|i| (true, i)));
        for (measured, i) in all {
            if by_round && measured && i == 0 {
                self.counters.read_around(false, heartbeat);
                (block_watch, pauses_before_block) =
                    (PauseWatch::start(batch.threads), self.pauses.repetitions);
            }
            self.take_pattern(batch, i);
            let (row, again) =
                self.uninterrupted_repetition(batch, i, &mut threads, needs, heartbeat, &mut watch);
            if let (Ok(row), StartTiming::Initialised { load_ns, made_ns }) = (&row, &self.start) {
                let (load_ns, initialise_ns) = (Some(*load_ns), Some(made_ns + fitted_ns));
                let times = StartTimes { load_ns, initialise_ns, ..StartTimes::default() };
                let start = Start { repetition: (batch.first + i) as u64, times, ..Start::default() };
                self.start = StartTiming::Complete(start.searched(row, self.read_back_ns, again));
            }
            match row {
                Ok(row) if measured => {
                    // An algorithm with its own times has counts of the search only (see `repetition`).
                    let first = usize::from(row.own_ns.is_some());
                    self.counters.note(first..batch.steps.len(), &mut portion.faults);
                    portion.rows.push(row);
                }
                // All warm-up repetitions come first.
                Ok(_) => self.warmup_ns = self.ended_ns - begun,
                Err(failure) => {
                    self.check_text(MappedText::is_intact)?;
                    pass_on(portion);
                    self.recover(&failure, heartbeat)?;
                    // The call that failed is the first one without a time.
                    let place = calls::place(&batch.steps, self.taken.len(), batch.first + i);
                    return Err(failure.within(place).into());
                }
            }
            let now = self.ended_ns;
            if measured && i + 1 < repetitions && now - begun > BLOCK_NS {
                end = BatchEnd::TimeUp;
                break;
            }
            if now - passed_on > PASS_ON_AFTER_NS {
                self.check_text(MappedText::is_intact)?;
                // Rows that lack the counts of the block stay here. The empty message still shows the host
                // that this worker is alive.
                let complete = if by_round { Portion::default() } else { std::mem::take(&mut portion) };
                let continues = pass_on(complete);
                passed_on = now_ns();
                // A pause while rows are passed on interrupts no repetition, but the counts around the block
                // contain it.
                block_paused |= block_watch.pause_ns(block_watch.begun_ns(), passed_on).is_some();
                if !continues {
                    return Ok((Portion::default(), BatchEnd::Done));
                }
                watch = PauseWatch::start(batch.threads);
                block_watch = watch;
            }
        }
        if by_round {
            self.counters.read_around(true, heartbeat);
            block_paused |= block_watch.pause_ns(block_watch.begun_ns(), now_ns()).is_some();
            self.counters.share(&mut portion, block_paused || self.pauses.repetitions > pauses_before_block);
        }
        if let SearchThreads::Several(team, own) = &mut threads {
            self.together = Some(timer.ran());
            team.check(own)?;
        }
        // If the library's file was overwritten, other code than the inspected one may have been measured.
        self.library.check().map_err(Failure::Error)?;
        self.scheduling.as_ref().map_or(Ok(()), SchedulingWatch::check)?;
        self.check_text(MappedText::is_whole)?;
        Ok((portion, end))
    }

    /// Measures a repetition, again if a pause interrupted it. Also returns whether it was measured more than
    /// once.
    fn uninterrupted_repetition(
        &mut self,
        batch: &Batch,
        i: usize,
        threads: &mut SearchThreads<'_, '_>,
        needs: &Needs,
        heartbeat: &Heartbeat,
        watch: &mut PauseWatch,
    ) -> (Result<Row, Failure>, bool) {
        // Threads without CPUs of their own wait for each other, which looks like a pause. In a simulation,
        // the clock says nothing about the real CPU.
        let pauses_are_known = !(self.simulated || batch.threads > 1 && self.setup.team.is_empty());
        let mut attempt = 1;
        loop {
            if let (Some(eviction), SearchThreads::One(texts)) = (&self.eviction, &threads) {
                texts.iter().for_each(|text| eviction.evict(text.bytes()));
            }
            let begun = now_ns();
            heartbeat.begin((batch.first + i) as u64, begun);
            let row = match threads {
                SearchThreads::One(texts) => self.repetition(&batch.steps, texts, needs, heartbeat),
                SearchThreads::Several(team, own) => {
                    let Bench { pattern, counters, taken, .. } = &mut *self;
                    let measured = team.repetition(own, pattern.bytes(), counters, taken, heartbeat);
                    let row = measured.map(|()| self.row(&batch.steps));
                    self.ended_ns = now_ns();
                    row
                }
            };
            heartbeat.enter(Phase::Idle);
            // Before anything is reported: an algorithm that forks would report twice.
            self.original.end_copies();
            if attempt == MOST_ATTEMPTS || row.is_err() || !pauses_are_known {
                return (row, attempt > 1);
            }
            let Some(paused_ns) = watch.pause_ns(begun, self.ended_ns) else {
                return (row, attempt > 1);
            };
            self.pauses.repetitions += u64::from(attempt == 1);
            self.pauses.paused_ns += paused_ns;
            attempt += 1;
            *watch = PauseWatch::start(batch.threads);
        }
    }

    /// Replaces a searcher that has panicked, because its state may be broken.
    fn recover(&mut self, failure: &Failure, heartbeat: &Heartbeat) -> Result<(), Failure> {
        if let Failure::Panicked(_) = failure {
            heartbeat.enter(Phase::Create);
            self.searcher = Searcher::new(&self.algorithm)?;
            heartbeat.enter(Phase::Idle);
        }
        Ok(())
    }

    /// Checks whether the texts are unchanged. If not, they are mapped again, because the next batch needs
    /// sound ones.
    ///
    /// # Errors
    /// If the algorithm has changed a text: the rows that it measured there are worthless.
    fn check_text(&mut self, is_unchanged: fn(&MappedText) -> bool) -> Result<(), Failure> {
        let failure = if !self.texts.iter().all(|text| is_unchanged(text)) {
            Failure::wrote_to_text()
        } else if !self.texts.iter().all(|text| text.is_bounded()) {
            Failure::wrote_around_text()
        } else {
            return Ok(());
        };
        self.texts = open_texts(&self.setup, self.texts[0].writable())?;
        Err(failure)
    }

    /// Copies the pattern of a repetition to its place in memory.
    fn take_pattern(&mut self, batch: &Batch, i: usize) {
        let text = self.texts[batch.steps[0].text].bytes();
        self.pattern.take(batch.patterns.get(i, batch.length, text));
    }
}

#[cfg(test)]
mod tests;
