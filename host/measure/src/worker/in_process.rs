//! A worker that measures in the process of the host (`--in-process`): for profilers, and without any
//! protection.

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_store::Ended;
use assay_store::counting::LostBackend;

use super::bench::Bench;
use super::conditions::BlockStart;
use super::heartbeat::Heartbeat;
use super::protocol::{BackendFault, BatchEnd, Halt, Portion, Setup};
use super::{Batch, BatchResult, Worker, lost_backend};

/// Measures one algorithm in this process.
pub struct InProcessWorker {
    setup: Setup,
    bench: Option<Bench>,
    heartbeat: Heartbeat,
    /// Time that it took to load libraries and to make all that needs no pattern.
    starting: Duration,
}

impl InProcessWorker {
    /// A worker that loads its libraries with the first batch.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(setup: Setup) -> io::Result<Self> {
        let heartbeat = Heartbeat::new()?;
        Ok(InProcessWorker { setup, bench: None, heartbeat, starting: Duration::ZERO })
    }

    /// Measures what it can of a batch, up to its end or the first failure.
    fn attempt(
        &mut self,
        batch: &Batch,
        portion: &mut Portion,
        begun: &mut Option<BlockStart>,
        interrupted: &AtomicBool,
    ) -> Result<BatchEnd, Halt> {
        let InProcessWorker { setup, bench, heartbeat, starting } = self;
        let bench = match bench {
            Some(bench) => bench,
            empty => {
                let begun = Instant::now();
                let made = Bench::new(setup, heartbeat);
                *starting += begun.elapsed();
                empty.insert(made?)
            }
        };
        begun.get_or_insert_with(BlockStart::now);
        bench.serves_all(batch.length)?;
        let (last, end) = bench.run(batch, heartbeat, |more| {
            portion.extend(more);
            !interrupted.load(Ordering::Relaxed)
        })?;
        portion.extend(last);
        Ok(end)
    }

    /// Takes a counter backend that has failed out of use.
    fn lose(&mut self, fault: BackendFault, batch: &Batch) -> (usize, LostBackend) {
        let lost = lost_backend(&self.setup, fault, batch);
        self.leave_out(lost.0);
        lost
    }
}

/// Whether code of a plugin is running in this thread. If the thread ends while it is, the plugin has ended
/// the process, which would otherwise pass for a successful run.
struct PluginRuns(Cell<bool>);

thread_local! {
    static PLUGIN_RUNS: PluginRuns = const { PluginRuns(Cell::new(false)) };
}

/// Calls `work`, which runs code of a plugin and must return or unwind.
fn guard_against_exit<T>(work: impl FnOnce() -> T) -> T {
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            PLUGIN_RUNS.with(|runs| runs.0.set(false));
        }
    }
    PLUGIN_RUNS.with(|runs| runs.0.set(true));
    let _reset = Reset;
    work()
}

impl Drop for PluginRuns {
    /// Runs when the thread ends, also if it ends together with the process.
    fn drop(&mut self) {
        if self.0.get() {
            eprintln!(
                "error: a plugin ended this process in the middle of the run\n  help: leave out --in-process, and the run says which"
            );
            std::process::abort();
        }
    }
}

impl Worker for InProcessWorker {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        guard_against_exit(|| self.measure_here(batch, interrupted))
    }

    fn leave_out(&mut self, backend: usize) {
        self.setup.counters[backend].used = false;
        if let Some(bench) = &mut self.bench {
            bench.leave_out(backend);
        }
    }
}

impl InProcessWorker {
    /// Measures a batch, again and again without the counter backends that fail.
    fn measure_here(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let (mut portion, mut lost, mut begun) = (Portion::default(), Vec::new(), None);
        let (mut time_up, mut warmup) = (false, Duration::ZERO);
        self.starting = Duration::ZERO;
        let ended = loop {
            let attempt =
                self.attempt(&batch.after(portion.rows.len()), &mut portion, &mut begun, interrupted);
            warmup += Duration::from_nanos(self.bench.as_mut().map_or(0, Bench::take_warmup_ns));
            match attempt {
                Err(Halt::Ended(ended) | Halt::Unusable(ended) | Halt::Orphaned(ended)) => break Some(ended),
                Err(Halt::Backend(fault)) => lost.push(self.lose(fault, batch)),
                Ok(BatchEnd::TimeUp) => {
                    time_up = true;
                    break None;
                }
                Ok(BatchEnd::Done) if portion.rows.len() < batch.patterns.len() => {
                    break Some(Ended::Interrupted);
                }
                Ok(BatchEnd::Done) => {}
            }
            if portion.rows.len() >= batch.patterns.len() {
                break None;
            }
        };
        let noise = begun
            .zip(self.bench.as_ref())
            .map(|(begun, bench)| begun.end(bench.floor_ns(), bench.pauses(), None, None));
        let Portion { rows, faults } = portion;
        let starting = self.starting;
        BatchResult { rows, ended, time_up, noise, starting, warmup, faults, lost, ..BatchResult::default() }
    }
}
