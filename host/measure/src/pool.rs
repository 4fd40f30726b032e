//! The workers of a round, one for each algorithm. A worker's process ends when it is not needed any more,
//! and there are never more of them at a time than the system has room for.

use std::io;
use std::sync::atomic::AtomicBool;

use assay_base::error::{Error, Result};
use assay_counting::EventFacts;
use assay_experiment::Resolved;
use assay_experiment::points::TextGroup;
use assay_experiment::selection::Chosen;
use assay_experiment::text::TextBytes;
use assay_load::plugin::Registry;
use assay_load::process::{bind_to_cpu, room_for};
use assay_plugin_api::Semantics;

use super::placement::Placement;
use super::worker::{
    Batch, BatchResult, CounterSetup, DESCRIPTORS, EventKind, InProcessWorker, ProcessWorker, Setup,
    SharedText, Worker,
};

/// The workers of a round, with those of them that have a process.
pub struct Pool {
    workers: Vec<Box<dyn Worker>>,
    /// The algorithms whose workers have a process. The one that has measured last comes last.
    alive: Vec<usize>,
    most_alive: usize,
    /// The texts that they search. A worker opens them when it starts, which is possible while they are open
    /// here.
    _texts: Vec<SharedText>,
}

impl Pool {
    /// A pool of these workers, in the order of their algorithms.
    pub fn new(workers: Vec<Box<dyn Worker>>) -> Self {
        let most_alive = room_for(workers.len(), DESCRIPTORS);
        Pool { workers, alive: Vec::new(), most_alive, _texts: Vec::new() }
    }

    /// Makes the workers of a round, one for each algorithm, and puts their texts into shared memory.
    /// Everything lies at places that are drawn for this round. If workers measure in this process, the
    /// calling thread is bound to their CPU.
    ///
    /// # Errors
    /// If the library of a counter backend can't be used, or if there is no memory for a text or a worker.
    pub fn for_round(
        resolved: &Resolved,
        counters: &[CounterSetup],
        registry: &Registry,
        round: usize,
        group: &TextGroup,
    ) -> Result<Self> {
        let mut placement = Placement::for_round(resolved.seed, round);
        let texts = group.texts.iter().map(|text| share_text(resolved, *text, placement.text()));
        let texts = texts.collect::<Result<Vec<_>>>()?;
        let experiment = &resolved.experiment;
        if experiment.in_process
            && let Some(cpu) = resolved.cpu
        {
            bind_to_cpu(cpu);
        }
        let mut workers = Vec::with_capacity(resolved.algorithms.len());
        for chosen in &resolved.algorithms {
            workers.push(new_worker(
                resolved,
                chosen,
                Setup {
                    library: registry.inspected(&chosen.listing),
                    algorithm: chosen.listing.id.clone(),
                    counters: counters.to_vec(),
                    texts: texts.iter().map(SharedText::place).collect(),
                    offsets: placement.worker(),
                    simulated: resolved.launch.is_some(),
                    times_start: resolved.times_starts(),
                    cold: experiment.cold,
                    cpu: resolved.cpu,
                    team: resolved.team.clone(),
                    threads: resolved.points.iter().map(|point| point.threads).max().unwrap_or(1),
                },
            )?);
        }
        Ok(Pool { _texts: texts, ..Pool::new(workers) })
    }

    /// Lets the worker of an algorithm measure a batch. If there is no room for its process, that of the
    /// worker that measured last is ended: algorithms take turns, so this worker will wait longest for its
    /// next batch.
    pub fn measure(&mut self, algorithm: usize, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        self.alive.retain(|other| *other != algorithm);
        if self.alive.len() == self.most_alive
            && let Some(last) = self.alive.pop()
        {
            self.workers[last].end();
        }
        self.alive.push(algorithm);
        let result = self.workers[algorithm].measure(batch, interrupted);
        result.lost.iter().for_each(|(backend, _)| self.leave_out(*backend));
        result
    }

    /// Takes a counter backend out of use, for all workers.
    pub(crate) fn leave_out(&mut self, backend: usize) {
        self.workers.iter_mut().for_each(|worker| worker.leave_out(backend));
    }

    /// Ends the process of a worker, because it is not needed now or because its memory may be damaged.
    pub fn end(&mut self, algorithm: usize) {
        self.alive.retain(|other| *other != algorithm);
        self.workers[algorithm].end();
    }
}

/// Makes the worker of an algorithm, of the kind that the experiment asks for.
fn new_worker(resolved: &Resolved, chosen: &Chosen, setup: Setup) -> Result<Box<dyn Worker>> {
    if resolved.experiment.in_process {
        let worker =
            InProcessWorker::new(setup).map_err(|error| no_memory(&format!("for {}", chosen.id), &error))?;
        return Ok(Box::new(worker));
    }
    Ok(Box::new(ProcessWorker::new(setup, resolved.time_limit_ms(), resolved.launch.as_ref())?))
}

/// Returns what the workers of an experiment count, by counter backend.
///
/// # Errors
/// If the library of a counter backend can't be used.
pub fn counter_setups(resolved: &Resolved, registry: &Registry) -> Result<Vec<CounterSetup>> {
    let mut setups = Vec::with_capacity(resolved.counters.len());
    for group in &resolved.counters {
        let part = group.part(registry, resolved.experiment.multiplex)?;
        let kinds = group.events.iter().map(event_kind).collect();
        setups.push(CounterSetup { part, kinds, used: true, price_ns: None });
    }
    Ok(setups)
}

/// The facts of an event that a worker needs.
fn event_kind(event: &EventFacts) -> EventKind {
    EventKind {
        instant: event.semantics == Semantics::Instant,
        grain_ns: event.grain_ns,
        per_round: event.is_counted_per_round(),
    }
}

/// Puts a text into shared memory, `offset` bytes after the begin of a page, unless it is a large one that is
/// there already. After it is room for the slack of the longest pattern: libraries for SMART are promised two
/// pattern lengths and 1 KiB, and a page leaves more for others.
fn share_text(resolved: &Resolved, text: usize, offset: usize) -> Result<SharedText> {
    let longest = resolved.points.iter().map(|point| point.set.length).max().unwrap_or(0);
    let spare = 2 * longest + 4096;
    let shared = match &resolved.texts[text].bytes {
        TextBytes::Own(bytes) => SharedText::new(bytes, spare, offset),
        TextBytes::Shared(bytes) => SharedText::shared(bytes, spare),
    };
    shared.map_err(|error| no_memory("to share the text", &error))
}

/// The error that there is no memory for something.
fn no_memory(what: &str, error: &io::Error) -> Error {
    Error::new(format!("there is no memory {what}: {error}"))
        .remedy("give a smaller --text-size, or end programs that use much memory")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use assay_experiment::calls::steps;
    use assay_experiment::definition::Order;
    use assay_experiment::patterns::Patterns;

    use super::super::schedule::{PointRepetitions, schedule};
    use super::*;

    /// How many workers have a process, how many had one at the same time at most, and how many starts there
    /// were.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct Counts {
        alive: usize,
        most: usize,
        starts: usize,
    }

    struct Counted {
        counts: Rc<RefCell<Counts>>,
        lives: bool,
    }

    impl Worker for Counted {
        fn measure(&mut self, _: &Batch, _: &AtomicBool) -> BatchResult {
            let mut counts = self.counts.borrow_mut();
            if !self.lives {
                counts.starts += 1;
                counts.alive += 1;
                counts.most = counts.most.max(counts.alive);
            }
            self.lives = true;
            BatchResult::default()
        }

        fn leave_out(&mut self, _: usize) {}

        fn end(&mut self) {
            self.counts.borrow_mut().alive -= usize::from(self.lives);
            self.lives = false;
        }
    }

    fn batch() -> Batch {
        let (patterns, steps) = (Patterns::Drawn(vec![0]), steps(&[0], &[]));
        Batch { first: 0, length: 1, patterns, steps, lanes: Vec::new(), threads: 1, warmup: 0 }
    }

    /// Five points with ten repetitions each.
    fn parts() -> Vec<PointRepetitions> {
        (0..5).map(|point| (point, 0..10)).collect()
    }

    /// Measures a round of five points, and counts the workers and their starts.
    fn round(algorithms: usize, most_alive: Option<usize>) -> Counts {
        let counts = Rc::new(RefCell::default());
        let worker = |_| Box::new(Counted { counts: Rc::clone(&counts), lives: false }) as Box<dyn Worker>;
        let mut pool = Pool::new((0..algorithms).map(worker).collect());
        pool.most_alive = most_alive.unwrap_or(pool.most_alive);
        let batch = batch();
        for block in schedule(Order::Interleaved, algorithms, parts(), (0, 0), 7) {
            pool.measure(block.algorithm, &batch, &AtomicBool::new(false));
        }
        *counts.borrow()
    }

    #[test]
    fn every_worker_of_a_round_is_started_once_where_there_is_room() {
        assert_eq!(round(260, None), Counts { alive: 260, most: 260, starts: 260 });
    }

    #[test]
    fn where_there_is_no_room_those_beyond_it_alone_are_started_again() {
        let Counts { alive, most, starts } = round(260, Some(200));
        assert_eq!((alive, most), (200, 200));
        assert!(starts <= 260 + 4 * 61, "{starts} starts");
        assert_eq!(round(3, Some(1)), Counts { alive: 1, most: 1, starts: starts_of_one_place() });
    }

    /// Starts of three workers that share one place: each block starts its worker, unless the block before
    /// was of the same one.
    fn starts_of_one_place() -> usize {
        let blocks = schedule(Order::Interleaved, 3, parts(), (0, 0), 7);
        let turns: Vec<usize> = blocks.map(|block| block.algorithm).collect();
        turns.chunk_by(|a, b| a == b).count()
    }

    #[test]
    fn a_worker_that_has_ended_makes_room() {
        let counts = Rc::new(RefCell::<Counts>::default());
        let worker = |_| Box::new(Counted { counts: Rc::clone(&counts), lives: false }) as Box<dyn Worker>;
        let mut pool = Pool::new((0..3).map(worker).collect());
        pool.most_alive = 2;
        let batch = batch();
        let measure = |pool: &mut Pool, algorithm| {
            pool.measure(algorithm, &batch, &AtomicBool::new(false));
            counts.borrow().starts
        };
        assert_eq!([0, 1].map(|algorithm| measure(&mut pool, algorithm)), [1, 2]);
        pool.end(0);
        assert_eq!([2, 1].map(|algorithm| measure(&mut pool, algorithm)), [3, 3]);
    }
}
