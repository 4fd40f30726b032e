//! Measures in this very process: for profiling, and without any protection.

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_store::Ended;
use assay_store::counting::LostBackend;

use super::conditions::BlockStart;
use super::measure::Bench;
use super::protocol::{BackendFault, Halt, Portion, Setup};
use super::shared::Heartbeat;
use super::{Batch, BatchResult, Worker, lost};

/// Measures one algorithm here.
pub struct InProcess {
    setup: Setup,
    bench: Option<Bench>,
    heartbeat: Heartbeat,
}

impl InProcess {
    /// Nothing is loaded yet.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(setup: Setup) -> io::Result<Self> {
        Ok(InProcess { setup, bench: None, heartbeat: Heartbeat::new()? })
    }

    fn attempt(
        &mut self,
        batch: &Batch,
        portion: &mut Portion,
        begun: &mut Option<BlockStart>,
        interrupted: &AtomicBool,
    ) -> Result<(), Halt> {
        let InProcess { setup, bench, heartbeat } = self;
        let bench = match bench {
            Some(bench) => bench,
            empty => empty.insert(Bench::new(setup, heartbeat)?),
        };
        begun.get_or_insert_with(BlockStart::now);
        bench.serves_all(batch.length)?;
        bench.run(batch, heartbeat, |more| {
            portion.extend(more);
            !interrupted.load(Ordering::Relaxed)
        })
    }

    fn lose(&mut self, fault: BackendFault, batch: &Batch) -> (usize, LostBackend) {
        let lost = lost(&self.setup, fault, batch);
        self.leave_out(lost.0);
        lost
    }
}

/// What foreign code may not do here, and would otherwise pass for a success: end the process.
struct Unfinished(Cell<bool>);

thread_local! {
    static UNFINISHED: Unfinished = const { Unfinished(Cell::new(false)) };
}

/// Does something with foreign code, which comes back or unwinds.
fn watched<T>(work: impl FnOnce() -> T) -> T {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            UNFINISHED.with(|unfinished| unfinished.0.set(false));
        }
    }
    UNFINISHED.with(|unfinished| unfinished.0.set(true));
    let _back = Back;
    work()
}

impl Drop for Unfinished {
    /// When its thread ends, also with the whole process.
    fn drop(&mut self) {
        if self.0.get() {
            eprintln!(
                "error: a plugin ended this process in the middle of the run\n  help: leave out --in-process, and the run says which"
            );
            std::process::abort();
        }
    }
}

impl Worker for InProcess {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        watched(|| self.measure_here(batch, interrupted))
    }

    fn leave_out(&mut self, backend: usize) {
        self.setup.counters[backend].used = false;
        if let Some(bench) = &mut self.bench {
            bench.leave_out(backend);
        }
    }
}

impl InProcess {
    fn measure_here(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let (mut portion, mut lost, mut begun) = (Portion::default(), Vec::new(), None);
        let ended = loop {
            match self.attempt(&batch.from(portion.rows.len()), &mut portion, &mut begun, interrupted) {
                Err(Halt::Ended(ended) | Halt::Unusable(ended) | Halt::Orphaned(ended)) => break Some(ended),
                Err(Halt::Backend(fault)) => lost.push(self.lose(fault, batch)),
                Ok(()) if portion.rows.len() < batch.patterns.len() => break Some(Ended::Interrupted),
                Ok(()) => {}
            }
            if portion.rows.len() >= batch.patterns.len() {
                break None;
            }
        };
        let noise = begun
            .zip(self.bench.as_ref())
            .map(|(begun, bench)| begun.end(bench.floor_ns(), bench.torn(), None, None));
        let Portion { rows, faults } = portion;
        BatchResult { rows, ended, noise, faults, lost, ..BatchResult::default() }
    }
}
