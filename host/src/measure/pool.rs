//! The workers of a round: one for each algorithm. Processes live only as long as they are needed, and not all at once.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use super::placement::Placement;
use super::worker::{
    self, Batch, BatchResult, CounterSetup, InProcess, ProcessWorker, Setup, SharedText, Worker,
};
use crate::error::{Error, Result};
use crate::experiment::Resolved;
use crate::experiment::selection::Chosen;
use crate::plugin::{Kind, Registry};

/// Greatest number of workers that live at a time: each takes three of the host's file descriptors, of which it has 1024.
const MOST_ALIVE: usize = 200;

/// All workers, and which of them live.
pub struct Pool {
    workers: Vec<Box<dyn Worker>>,
    /// The one that has rested longest comes first.
    alive: VecDeque<usize>,
    /// What they search, if they share one.
    _text: Option<SharedText>,
}

impl Pool {
    /// Workers, by algorithm.
    pub fn new(workers: Vec<Box<dyn Worker>>) -> Self {
        Pool { workers, alive: VecDeque::new(), _text: None }
    }

    /// A worker for each algorithm of an experiment, for one round, and the text for them, all at places in memory that are
    /// the round's own. Those that measure in this process pin the calling thread.
    ///
    /// # Errors
    /// If a counter backend's library, or memory for the text or a worker, can't be had.
    pub fn of_round(resolved: &Resolved, registry: &Registry, round: usize) -> Result<Self> {
        let mut placement = Placement::of_round(resolved.seed, round);
        let text = share_text(resolved, placement.text())?;
        let experiment = &resolved.experiment;
        let counters = resolved.counters.iter().map(|group| {
            let library = registry.inspected(registry.find(Kind::Counter, &group.backend)?);
            let events = group.events.iter().map(|event| event.name.clone()).zip(group.instants()).collect();
            Ok(CounterSetup { library, backend: group.backend.clone(), events, used: true })
        });
        let counters = counters.collect::<Result<Vec<_>>>()?;
        if let (true, Some(cpu)) = (experiment.in_process, resolved.cpu) {
            worker::pin(cpu);
        }
        let mut worker = |chosen: &Chosen| -> Result<Box<dyn Worker>> {
            let setup = Setup {
                library: registry.inspected(&chosen.listing),
                algorithm: chosen.listing.id.clone(),
                counters: counters.clone(),
                text: text.place(),
                offsets: placement.worker(),
                cpu: resolved.cpu,
            };
            if experiment.in_process {
                let worker = InProcess::new(setup)
                    .map_err(|error| Error::new(format!("no memory for {}: {error}", chosen.id)))?;
                return Ok(Box::new(worker));
            }
            Ok(Box::new(ProcessWorker::new(setup, experiment.time_limit_ms)?))
        };
        let workers = resolved.algorithms.iter().map(&mut worker).collect::<Result<_>>()?;
        Ok(Pool { _text: Some(text), ..Pool::new(workers) })
    }

    /// Lets the worker of an algorithm measure a batch.
    pub fn measure(&mut self, algorithm: usize, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        self.alive.retain(|other| *other != algorithm);
        if self.alive.len() == MOST_ALIVE {
            self.end(self.alive[0]);
        }
        self.alive.push_back(algorithm);
        let result = self.workers[algorithm].measure(batch, interrupted);
        result.lost.iter().for_each(|(backend, _)| self.leave_out(*backend));
        result
    }

    /// Lets no worker use a counter backend any more.
    pub fn leave_out(&mut self, backend: usize) {
        self.workers.iter_mut().for_each(|worker| worker.leave_out(backend));
    }

    /// Ends the worker of an algorithm: it is not needed now, or not to be trusted.
    pub fn end(&mut self, algorithm: usize) {
        self.alive.retain(|other| *other != algorithm);
        self.workers[algorithm].end();
    }
}

/// Puts the text into shared memory, `offset` bytes behind the begin of a page, with room for the slack of the longest
/// pattern.
fn share_text(resolved: &Resolved, offset: usize) -> Result<SharedText> {
    let longest = resolved.sets.iter().map(|set| set.length).max().unwrap_or(0);
    SharedText::new(&resolved.text.bytes, 2 * longest + 4096, offset)
        .map_err(|error| Error::new(format!("no shared memory for the text: {error}")))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::super::worker::Patterns;
    use super::*;

    struct Counted {
        alive: Rc<Cell<usize>>,
        lives: bool,
    }

    impl Worker for Counted {
        fn measure(&mut self, _: &Batch, _: &AtomicBool) -> BatchResult {
            self.alive.set(self.alive.get() + usize::from(!self.lives));
            self.lives = true;
            BatchResult::default()
        }

        fn leave_out(&mut self, _: usize) {}

        fn end(&mut self) {
            self.alive.set(self.alive.get() - usize::from(self.lives));
            self.lives = false;
        }
    }

    #[test]
    fn workers_beyond_the_limit_end_and_return_on_demand() {
        let alive = Rc::new(Cell::new(0));
        let worker = |_| Box::new(Counted { alive: alive.clone(), lives: false }) as Box<dyn Worker>;
        let mut pool = Pool::new((0..MOST_ALIVE + 50).map(worker).collect());
        let batch = Batch { first: 0, length: 1, patterns: Patterns::At(vec![0]), warmup: 0 };
        for algorithm in (0..MOST_ALIVE + 50).chain(0..60) {
            pool.measure(algorithm, &batch, &AtomicBool::new(false));
            assert!(alive.get() <= MOST_ALIVE);
        }
        assert_eq!(alive.get(), MOST_ALIVE);
        pool.end(59);
        assert_eq!(alive.get(), MOST_ALIVE - 1);
    }
}
