//! The measuring itself: what runs between two readings of the clock, in a worker or, on request, in the host.

use std::rc::Rc;

use assay_base::columns::Call;
use assay_experiment::calls;
use assay_experiment::points::Step;
use assay_load::plugin::algorithm::AlgorithmEntry;
use assay_load::plugin::{Failure, FittedText, LibraryLock, Needs, Searcher, TextBuffer};
use assay_load::process::Original;
use assay_plugin_api::{Hints, Measurements};
use assay_store::{Cost, Measured, Row, Start};

use super::Batch;
use super::clock::now_ns;
use super::conditions::{Ran, ThreadUse};
use super::counters::Counters;
use super::eviction::Eviction;
use super::floor::floor_ns;
use super::pattern::PatternMemory;
use super::presence::{Presence, Torn};
use super::protocol::{Halt, Portion, Setup};
use super::shared::{Heartbeat, MappedText, Phase, TextPlace};
use super::team::{self, Member, Orders, Team};

/// Rows are passed on at least so often, so that little is lost with a worker that dies.
const PASS_ON_AFTER_NS: u64 = 20_000_000;

/// A repetition that was torn apart by a pause is measured again; what is torn so often waits by itself.
const MOST_ATTEMPTS: u32 = 3;

/// How far the start of the process is, as far as it is timed.
enum Starting {
    /// It was not timed, or has been reported.
    Told,
    /// Nothing was searched yet. Loading and making what can be made without a pattern took so long.
    Begun { load_ns: u64, made_ns: u64 },
    /// It was timed, and is still to be reported.
    Done(Start),
}

/// How much of a batch is measured.
#[derive(Clone, Copy)]
struct BatchPart {
    /// The greatest number of repetitions that are measured ..
    most: usize,
    /// .. after this number of repetitions that are not.
    warmup: usize,
}

/// Who searches.
enum How<'a, 't> {
    /// One thread, these texts.
    Alone(&'a mut [FittedText<'t>]),
    /// Several threads, a text together.
    Together(&'a Team<'t>, &'a mut Member<'t>),
}

/// One algorithm, ready to measure.
pub(crate) struct Bench {
    setup: Setup,
    library: LibraryLock,
    algorithm: AlgorithmEntry,
    searcher: Searcher,
    texts: Vec<Rc<MappedText>>,
    /// Whether a pattern was searched for that wanted a process of its own: this one serves no other.
    used_up: bool,
    counters: Counters,
    pattern: PatternMemory,
    floor_ns: u64,
    /// What each call of the repetition took in nanoseconds, and found.
    taken: Vec<(u64, u64)>,
    /// What was torn apart in the batch.
    torn: Torn,
    /// What the threads of the batch had of their CPUs, if they were several.
    together: Option<Ran>,
    simulated: bool,
    start: Starting,
    /// Where searches are to be cold.
    eviction: Option<Eviction>,
    /// What was read after the last search took so long.
    read_back_ns: u64,
    original: Original,
    /// Memory that nobody uses: it moves what is taken after it.
    _before_searcher: Vec<u8>,
}

impl Bench {
    /// Loads what the setup names, and opens it.
    ///
    /// # Errors
    /// If a library, an algorithm or a counter can't be had: a message for the user.
    pub(super) fn new(setup: &Setup, heartbeat: &Heartbeat) -> Result<Self, Halt> {
        let error = |message: String| Failure::Error(message);
        heartbeat.enter(Phase::Load);
        let library = setup.library.pin().map_err(error)?;
        let begun = now_ns();
        let catalogue = library.load().map_err(error)?;
        let loaded = now_ns();
        let algorithm = setup.find(catalogue)?;
        let before_searcher = Vec::with_capacity(setup.offsets.searcher);
        heartbeat.enter(Phase::Create);
        let searcher = Searcher::new(&algorithm)?;
        heartbeat.enter(Phase::Idle);
        let texts = setup.texts.iter().map(|place| Ok(Rc::new(open_text(place, false)?)));
        let texts = texts.collect::<Result<_, Failure>>()?;
        let counters = Counters::open(&setup.counters, setup.cpu, heartbeat)?;
        let start = if setup.times_start {
            Starting::Begun { load_ns: loaded - begun, made_ns: now_ns() - loaded }
        } else {
            Starting::Told
        };
        Ok(Bench {
            setup: setup.clone(),
            library,
            algorithm,
            searcher,
            texts,
            used_up: false,
            counters,
            pattern: PatternMemory::new(setup.offsets.pattern),
            floor_ns: floor_ns()?,
            taken: Vec::with_capacity(Call::ALL.len()),
            torn: Torn::default(),
            together: None,
            simulated: setup.simulated,
            start,
            eviction: setup.cold.then(Eviction::here),
            read_back_ns: 0,
            original: Original::here(),
            _before_searcher: before_searcher,
        })
    }

    /// Whether the algorithm takes patterns of this length one after the other in one process.
    pub(crate) fn serves_all(&self, pattern_length: usize) -> Result<(), Failure> {
        if !self.searcher.needs(pattern_length)?.fresh_process() {
            return Ok(());
        }
        let reason = "it needs a process for each pattern, and here one serves all";
        Err(Failure::CannotSearch(reason.to_owned()))
    }

    /// Reads the counters of a backend no more.
    pub(crate) fn leave_out(&mut self, backend: usize) {
        self.counters.leave_out(backend);
    }

    /// What an empty call takes here.
    pub(super) fn floor_ns(&self) -> u64 {
        self.floor_ns
    }

    /// What was torn apart in the last batch, and measured again.
    pub(super) fn torn(&self) -> Torn {
        self.torn
    }

    /// What the threads of the last batch had of their CPUs, if they were several.
    pub(super) fn together(&self) -> Option<Ran> {
        self.together
    }

    /// What the start of this process took, once.
    pub(crate) fn take_start(&mut self) -> Option<Start> {
        match std::mem::replace(&mut self.start, Starting::Told) {
            Starting::Done(start) => Some(start),
            not_yet => {
                self.start = not_yet;
                None
            }
        }
    }

    /// Measures a batch. Rows are handed to `pass_on` from time to time, and at the end; it says whether to go on. Of an
    /// algorithm that wants a process for each pattern, the first repetition in this process is measured and no other. Of all
    /// others, the first in a process whose start is timed is a part of that start, and no row.
    ///
    /// # Errors
    /// What the algorithm answered instead of a result, or what a counter backend did; rows before that have been passed on.
    pub(super) fn run(
        &mut self,
        batch: &Batch,
        heartbeat: &Heartbeat,
        mut pass_on: impl FnMut(Portion) -> bool,
    ) -> Result<(), Halt> {
        (self.torn, self.together) = (Torn::default(), None);
        let entered = now_ns();
        heartbeat.enter(Phase::Needs);
        let needs = self.searcher.needs(batch.length);
        heartbeat.enter(Phase::Idle);
        let needs = needs?;
        self.texts.iter().try_for_each(|text| needs.accept(text.bytes().len()))?;
        if needs.own_times() && batch.steps.len() > Call::ALL.len() {
            return Err(Failure::of_both_in_one_call().into());
        }
        if needs.writes() && !self.texts.iter().all(|text| text.writable()) {
            self.open_texts()?;
        }
        let maps = self.texts.clone();
        let mut aligned: Vec<Option<TextBuffer>> = maps.iter().map(|_| None).collect();
        let texts = maps.iter().zip(&mut aligned).map(|(map, copy)| fit(map, &needs, copy));
        let mut texts = texts.collect::<Result<Vec<_>, _>>()?;
        self.counters.expect(batch.steps.len());
        let Some(part) = self.part_for(batch, &needs) else { return Ok(()) };
        // The part that was begun is stopped where it failed, too.
        let measured = match self.counters.start(heartbeat) {
            Ok(()) => {
                let fitted_ns = now_ns() - entered;
                let (m, setup, orders) = (batch.length, self.setup.clone(), Orders::default());
                match batch.threads {
                    1 => {
                        let how = How::Alone(&mut texts);
                        self.repeat(batch, part, fitted_ns, how, &needs, heartbeat, &mut pass_on)
                    }
                    threads => std::thread::scope(|scope| {
                        let text = maps[batch.steps[0].text].bytes();
                        heartbeat.enter(Phase::Create);
                        let mut own = Member::new(&setup, &text[team::part(text.len(), m, threads, 0)], m)?;
                        let team = Team::start(scope, &orders, &setup, text, (m, threads))?;
                        heartbeat.enter(Phase::Idle);
                        let how = How::Together(&team, &mut own);
                        self.repeat(batch, part, fitted_ns, how, &needs, heartbeat, &mut pass_on)
                    }),
                }
            }
            Err(fault) => Err(fault.into()),
        };
        let stopped = self.counters.stop(heartbeat);
        measured?;
        Ok(stopped?)
    }

    /// What of a batch is measured in this process; nothing if it serves no other pattern.
    fn part_for(&mut self, batch: &Batch, needs: &Needs) -> Option<BatchPart> {
        let all = batch.patterns.len();
        let part = match needs.fresh_process() {
            true if self.used_up => return None,
            true => BatchPart { most: all.min(1), warmup: 0 },
            // The first search of a process is cold: without a warm-up it has a repetition of its own.
            false if matches!(self.start, Starting::Begun { .. }) => {
                BatchPart { most: all, warmup: batch.warmup.max(1) }
            }
            false => BatchPart { most: all, warmup: batch.warmup },
        };
        self.used_up = needs.fresh_process();
        Some(if part.most == 0 { BatchPart { warmup: 0, ..part } } else { part })
    }

    /// Measures this part of a batch, while the counters run.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is fitted to the batch borrows from it and from the text"
    )]
    fn repeat(
        &mut self,
        batch: &Batch,
        BatchPart { most, warmup }: BatchPart,
        fitted_ns: u64,
        mut how: How<'_, '_>,
        needs: &Needs,
        heartbeat: &Heartbeat,
        pass_on: &mut impl FnMut(Portion) -> bool,
    ) -> Result<(), Halt> {
        let (by_round, begun) = (self.counters.any_by_round(), ThreadUse::now(batch.threads));
        let mut portion = Portion { rows: Vec::with_capacity(most), faults: Vec::new() };
        let mut passed_on = now_ns();
        let mut presence = Presence::start(batch.threads);
        // Since when it is looked whether a pause lies in what is counted around all repetitions.
        let (mut around, mut torn_around) = (Presence::start(batch.threads), false);
        let mut torn_before = 0;
        let all = std::iter::repeat_n((false, 0), warmup).chain((0..most).map(|i| (true, i)));
        for (measured, i) in all {
            if by_round && measured && i == 0 {
                self.counters.read_around(false, heartbeat);
                (around, torn_before) = (Presence::start(batch.threads), self.torn.repetitions);
            }
            self.take_pattern(batch, i);
            let (row, again) = self.undisturbed(batch, i, &mut how, needs, heartbeat, &mut presence);
            if let (Ok(row), Starting::Begun { load_ns, made_ns }) = (&row, &self.start) {
                let (load_ns, initialise_ns) = (Some(*load_ns), Some(made_ns + fitted_ns));
                let repetition = (batch.first + i) as u64;
                let start = Start { repetition, load_ns, initialise_ns, ..Start::default() };
                self.start = Starting::Done(start.searched(row, self.read_back_ns, again));
            }
            match row {
                Ok(row) if measured => {
                    let first = usize::from(row.own_ns.is_some());
                    self.counters.note(first..batch.steps.len(), &mut portion.faults);
                    portion.rows.push(row);
                }
                Ok(_) => {}
                Err(failure) => {
                    self.check_text(MappedText::is_intact)?;
                    pass_on(portion);
                    self.recover(&failure, heartbeat)?;
                    // The calls before it were taken.
                    let place = calls::place(&batch.steps, self.taken.len(), batch.first + i);
                    return Err(failure.within(place).into());
                }
            }
            if now_ns() - passed_on > PASS_ON_AFTER_NS {
                self.check_text(MappedText::is_intact)?;
                // Rows that are not complete before the end of the block stay here; the host learns that this lives.
                let complete = if by_round { Portion::default() } else { std::mem::take(&mut portion) };
                let goes_on = pass_on(complete);
                passed_on = now_ns();
                // A pause may lie in the passing on, where no repetition is torn.
                torn_around |= around.absence_ns(around.begun_ns(), passed_on).is_some();
                if !goes_on {
                    return Ok(());
                }
                presence = Presence::start(batch.threads);
                around = presence;
            }
        }
        if by_round {
            self.counters.read_around(true, heartbeat);
            torn_around |= around.absence_ns(around.begun_ns(), now_ns()).is_some();
            self.counters.share(&mut portion, torn_around || self.torn.repetitions > torn_before);
        }
        if let How::Together(team, own) = &mut how {
            self.together = Some(begun.ran());
            team.check(own)?;
        }
        // Rows that other code may have measured are no rows.
        self.library.check().map_err(Failure::Error)?;
        self.check_text(MappedText::is_whole)?;
        pass_on(portion);
        Ok(())
    }

    /// A repetition that no pause has torn apart, as far as that can be had, and whether it was measured again for that.
    fn undisturbed(
        &mut self,
        batch: &Batch,
        i: usize,
        how: &mut How<'_, '_>,
        needs: &Needs,
        heartbeat: &Heartbeat,
        presence: &mut Presence,
    ) -> (Result<Row, Failure>, bool) {
        // Threads without CPUs of their own wait for each other.
        let wait_by_themselves = batch.threads > 1 && self.setup.team.is_empty();
        let mut attempt = 1;
        loop {
            if let (Some(eviction), How::Alone(texts)) = (&self.eviction, &how) {
                texts.iter().for_each(|text| eviction.evict(text.bytes()));
            }
            let begun = now_ns();
            heartbeat.begin((batch.first + i) as u64, begun);
            let row = match how {
                How::Alone(texts) => self.repetition(&batch.steps, texts, needs, heartbeat),
                How::Together(team, own) => team.repetition(own, self.pattern.bytes(), heartbeat),
            };
            heartbeat.enter(Phase::Idle);
            self.original.end_copies();
            if attempt == MOST_ATTEMPTS || row.is_err() || self.simulated || wait_by_themselves {
                return (row, attempt > 1);
            }
            let Some(away_ns) = presence.absence_ns(begun, now_ns()) else { return (row, attempt > 1) };
            self.torn.repetitions += u64::from(attempt == 1);
            self.torn.away_ns += away_ns;
            attempt += 1;
            *presence = Presence::start(batch.threads);
        }
    }

    /// Makes another searcher in the place of one that has panicked.
    fn recover(&mut self, failure: &Failure, heartbeat: &Heartbeat) -> Result<(), Failure> {
        if let Failure::Panicked(_) = failure {
            heartbeat.enter(Phase::Create);
            self.searcher = Searcher::new(&self.algorithm)?;
            heartbeat.enter(Phase::Idle);
        }
        Ok(())
    }

    /// Maps the texts anew, so that what lies around them can be written to.
    fn open_texts(&mut self) -> Result<(), Failure> {
        let texts = self.setup.texts.iter().map(|place| Ok(Rc::new(open_text(place, true)?)));
        self.texts = texts.collect::<Result<_, Failure>>()?;
        Ok(())
    }

    /// Rows of searches in a text that was changed meanwhile are no rows, and those that come need another copy.
    fn check_text(&mut self, is_unchanged: fn(&MappedText) -> bool) -> Result<(), Failure> {
        if self.texts.iter().all(|text| is_unchanged(text)) {
            return Ok(());
        }
        self.open_texts()?;
        Err(Failure::wrote_to_text())
    }

    /// Copies the pattern of a repetition to memory of its own.
    fn take_pattern(&mut self, batch: &Batch, i: usize) {
        let text = self.texts[batch.steps[0].text].bytes();
        self.pattern.take(batch.patterns.get(i, batch.length, text));
    }

    /// One repetition: what is prepared, and searched with that. Between two readings of the clock nothing happens but the call
    /// itself. Counters are read outside of these, so the time of a phase does not include their cost; in a repetition that prepares
    /// once and searches once, nothing is allocated from the first reading to the last.
    fn repetition(
        &mut self,
        steps: &[Step],
        texts: &mut [FittedText<'_>],
        needs: &Needs,
        heartbeat: &Heartbeat,
    ) -> Result<Row, Failure> {
        let Bench { algorithm, searcher, counters, pattern, taken, .. } = self;
        let pattern = pattern.bytes();
        taken.clear();
        let (mut measured, mut own_ns, mut found_at) = (None::<Measured>, None, 0);
        for calls in steps.chunk_by(|_, next| next.call == Call::Search) {
            let text = &mut texts[calls[0].text];
            text.clear_around();
            let sample = needs.raw().sample.min(text.bytes().len());
            let hints = Hints { sample: &text.bytes()[..sample], text_length: text.bytes().len() };

            counters.read_before(taken.len(), heartbeat);
            heartbeat.enter(Phase::Prepare(taken.len()));
            let start = now_ns();
            let prepared = searcher.prepare(pattern, hints);
            let prepare_ns = now_ns() - start;
            counters.read_after(taken.len(), heartbeat);
            let mut prepared = prepared?;
            taken.push((prepare_ns, 0));

            for (i, call) in calls[1..].iter().enumerate() {
                let text = &mut texts[call.text];
                if i > 0 || call.text != calls[0].text {
                    text.clear_around();
                }
                counters.read_before(taken.len(), heartbeat);
                heartbeat.enter(Phase::Search(taken.len()));
                let start = now_ns();
                let found = prepared.count(text);
                found_at = now_ns();
                counters.read_after(taken.len(), heartbeat);
                heartbeat.enter(Phase::Search(taken.len()));
                let found = found?;
                if algorithm.instrumented || needs.own_times() {
                    let told = prepared.measurements()?;
                    let Measurements { fields, extra } = told.figures;
                    let of_search = Measured { fields, extra };
                    measured = Some(measured.map_or(of_search, |before| before.and(&of_search)));
                    let own = [told.own_prepare_ns, told.own_search_ns];
                    own_ns = needs.own_times().then(|| own.map(|ns| ns.map(|ns| ns.round() as u64)));
                }
                taken.push((found_at - start, found));
            }
        }
        let mut row = self.row(steps);
        row.measured = measured.filter(|_| self.algorithm.instrumented).map(Box::new);
        row.own_ns = own_ns;
        if own_ns.is_some() {
            // Where its preparation ends, only the algorithm knows: what was counted is of both.
            row.calls[0].counts.fill(None);
        }
        self.read_back_ns = now_ns() - found_at;
        Ok(row)
    }

    /// What the calls of a repetition took, and found.
    fn row(&self, steps: &[Step]) -> Row {
        let Bench { counters, taken, .. } = self;
        let cost = |call: usize| Cost { ns: taken[call].0, counts: counters.costs(call) };
        if steps.len() == Call::ALL.len() {
            return Row { occurrences: taken[1].1, calls: [cost(0), cost(1)], ..Row::default() };
        }
        let searches = steps.iter().zip(taken).filter(|(step, _)| step.call == Call::Search);
        let found = searches.map(|(_, (_, found))| *found).collect();
        Row::of_calls(steps, (0..steps.len()).map(cost).collect(), found, |event| counters.is_level(event))
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
