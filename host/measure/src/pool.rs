//! The workers of a round: one for each algorithm. Processes live only as long as they are needed, and no more at a time than
//! the system has room for.

use std::sync::atomic::AtomicBool;

use assay_base::error::{Error, Result};
use assay_counting::EventFacts;
use assay_experiment::Resolved;
use assay_experiment::counters::BackendCounters;
use assay_experiment::points::TextGroup;
use assay_experiment::selection::Chosen;
use assay_load::plugin::Registry;
use assay_load::process::{keep_on, room_for};
use assay_plugin_api::Semantics;

use super::placement::Placement;
use super::worker::{
    Batch, BatchResult, CounterSetup, DESCRIPTORS, EventKind, InProcess, ProcessWorker, Setup, SharedText,
    Worker,
};

/// All workers, and which of them live.
pub struct Pool {
    workers: Vec<Box<dyn Worker>>,
    /// The one that has measured last comes last.
    alive: Vec<usize>,
    most_alive: usize,
    /// What they search, if they share something.
    _texts: Vec<SharedText>,
}

impl Pool {
    /// Workers, by algorithm.
    pub fn new(workers: Vec<Box<dyn Worker>>) -> Self {
        let most_alive = room_for(workers.len(), DESCRIPTORS);
        Pool { workers, alive: Vec::new(), most_alive, _texts: Vec::new() }
    }

    /// A worker for each algorithm of an experiment, for one round, with these counters, and texts for them, all at places in
    /// memory that are the round's own. Those that measure in this process pin the calling thread.
    ///
    /// # Errors
    /// If a counter backend's library, or memory for a text or a worker, can't be had.
    pub fn of_round(
        resolved: &Resolved,
        counters: &[CounterSetup],
        registry: &Registry,
        round: usize,
        group: &TextGroup,
    ) -> Result<Self> {
        let mut placement = Placement::of_round(resolved.seed, round);
        let texts = group.texts.iter().map(|text| share_text(resolved, *text, placement.text()));
        let texts = texts.collect::<Result<Vec<_>>>()?;
        let experiment = &resolved.experiment;
        if let (true, Some(cpu)) = (experiment.in_process, resolved.cpu) {
            keep_on(cpu);
        }
        let mut worker = |chosen: &Chosen| -> Result<Box<dyn Worker>> {
            let setup = Setup {
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
            };
            if experiment.in_process {
                let worker = InProcess::new(setup)
                    .map_err(|error| Error::new(format!("no memory for {}: {error}", chosen.id)))?;
                return Ok(Box::new(worker));
            }
            Ok(Box::new(ProcessWorker::new(setup, resolved.time_limit_ms(), resolved.launch.as_ref())?))
        };
        let workers = resolved.algorithms.iter().map(&mut worker).collect::<Result<_>>()?;
        Ok(Pool { _texts: texts, ..Pool::new(workers) })
    }

    /// Lets the worker of an algorithm measure a batch. Where there is no room for another, the one that has measured last
    /// ends: algorithms take turns, so its turn comes latest.
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

    /// Lets no worker use a counter backend any more.
    pub(crate) fn leave_out(&mut self, backend: usize) {
        self.workers.iter_mut().for_each(|worker| worker.leave_out(backend));
    }

    /// Ends the worker of an algorithm: it is not needed now, or not to be trusted.
    pub fn end(&mut self, algorithm: usize) {
        self.alive.retain(|other| *other != algorithm);
        self.workers[algorithm].end();
    }
}

/// What the workers of an experiment count.
///
/// # Errors
/// If a counter backend's library can't be had.
pub fn counter_setups(resolved: &Resolved, registry: &Registry) -> Result<Vec<CounterSetup>> {
    let setup = |group: &BackendCounters| {
        let part = group.part(registry, resolved.experiment.multiplex)?;
        let kind = |event: &EventFacts| EventKind {
            instant: event.semantics == Semantics::Instant,
            grain_ns: event.grain_ns,
            per_round: event.is_counted_per_round(),
        };
        Ok(CounterSetup { part, kinds: group.events.iter().map(kind).collect(), used: true, price_ns: None })
    };
    resolved.counters.iter().map(setup).collect()
}

/// Puts a text into shared memory, `offset` bytes after the beginning of a page, with room for the slack of the longest
/// pattern.
fn share_text(resolved: &Resolved, text: usize, offset: usize) -> Result<SharedText> {
    let longest = resolved.points.iter().map(|point| point.set.length).max().unwrap_or(0);
    SharedText::new(&resolved.texts[text].bytes, 2 * longest + 4096, offset)
        .map_err(|error| Error::new(format!("no shared memory for the text: {error}")))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use assay_experiment::calls::steps;
    use assay_experiment::definition::Order;
    use assay_experiment::patterns::Patterns;

    use super::super::schedule::{RoundPart, schedule};
    use super::*;

    /// How many workers live, how many have lived at a time, and how often one was started.
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
        Batch { first: 0, length: 1, patterns, steps, threads: 1, warmup: 0 }
    }

    /// Five sets with ten repetitions each.
    fn parts() -> Vec<RoundPart> {
        (0..5).map(|set| (set, 0..10)).collect()
    }

    /// What becomes of the workers of a round that goes through five turns.
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

    /// Three that share one place: all are started anew, but for who is the last of a turn and the first of the next.
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
