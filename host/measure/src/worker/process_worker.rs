//! The side of the host: starts worker processes, sends them batches, and ends those that take too long.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_base::error::{Error, reason};
use assay_experiment::calls;
use assay_experiment::points::Step;
use assay_load::process::{
    ChildEnd, ChildGuard, LOOK_EVERY, LastWords, Launch, Stopwatch, Task, patience, send, send_files,
};
use assay_store::Ended;
use assay_store::counting::LostBackend;

use super::heartbeat::{BackendStep, Heartbeat, Phase};
use super::inbox::Inbox;
use super::protocol::{BackendFault, BatchEnd, Halt, Portion, Setup, ToWorker};
use super::shared_text::TextPlace;
use super::{BLOCK_NS, Batch, BatchResult, Worker, lost_backend};

/// A worker that sends no message for this time hangs, although it calls nothing that has a time limit of its
/// own. Between two searches, the time limit of a search is added, because the last message may be that old.
/// Starting a worker takes milliseconds; ten seconds are for machines that are very busy.
const SILENCE_LIMIT: Duration = Duration::from_secs(10);

/// A worker with a process of its own. The process is started for the first batch, and again after it has
/// died.
pub struct ProcessWorker {
    setup: Setup,
    task: Task,
    limits: TimeLimits,
    running: Option<LiveWorker>,
    /// Time that it took to start processes for the current batch.
    starting: Duration,
}

/// Number of file descriptors that the host needs for each worker process: two connections and its standard
/// error.
pub(crate) const DESCRIPTORS: usize = 3;

/// A process that has closed its connection gets this time to end, so that its signal or exit status is
/// known. The system needs a few milliseconds to end a process; one that lives on is ended.
const DYING_TIME: Duration = Duration::from_millis(200);

/// Whoever ends all processes of a run, as a batch system does, reaches this one a few milliseconds after the
/// worker. A machine under load takes longer; this is far below what a user waits for.
const SAME_MOMENT: Duration = Duration::from_millis(100);

/// The time limits of a worker.
#[derive(Clone, Copy, Debug)]
struct TimeLimits {
    /// For a repetition (`--time-limit`).
    searching: Duration,
    /// For any other call of an algorithm or a counter backend.
    calling: Duration,
    /// For the time without a message.
    silence: Duration,
}

/// A worker process that is running.
struct LiveWorker {
    child: ChildGuard,
    connection: UnixStream,
    heartbeat: Heartbeat,
    inbox: Inbox,
    /// The names of the backends that it uses; `None` for those that are out of use. A failure of one of the
    /// latter is nonsense.
    backends: Vec<Option<String>>,
    /// What it writes to standard error, for the message that explains its death.
    last_words: LastWords,
    /// The calls of a repetition in the current batch.
    steps: Vec<Step>,
}

impl ProcessWorker {
    /// A worker without a process, with the way to start one. A repetition may take `time_limit_ms`, and any
    /// other call as long as [`patience`] says.
    ///
    /// # Errors
    /// If the environment variable of the patience is no number.
    pub fn new(setup: Setup, time_limit_ms: u64, launch: Option<&Launch>) -> Result<Self, Error> {
        let task = Task::Measure.launched(launch);
        let searching = Duration::from_millis(time_limit_ms);
        let calling = patience()?.saturating_mul(task.patience_factor());
        let silence = SILENCE_LIMIT.saturating_mul(task.patience_factor());
        let limits = TimeLimits { searching, calling, silence };
        Ok(ProcessWorker { setup, task, limits, running: None, starting: Duration::ZERO })
    }

    /// Measures what it can of a batch with the current process, or with a new one if there is none.
    fn attempt(
        &mut self,
        batch: &Batch,
        portion: &mut Portion,
        interrupted: &AtomicBool,
    ) -> Result<BatchEnd, Halt> {
        let TimeLimits { searching: limit, calling, silence } = self.limits;
        let mut call_watch = CallWatch::new(calling);
        let running = match &mut self.running {
            Some(running) => running,
            empty => {
                let begun = Instant::now();
                let started = LiveWorker::start(&self.setup, &self.task).map_err(|error| {
                    let message = format!("no worker process could be started: {}", reason(&error));
                    Halt::Ended(Ended::Error(message))
                });
                let ready = started.and_then(|mut running| {
                    running.converse(
                        portion,
                        portion.rows.len(),
                        interrupted,
                        &mut |heartbeat, silent| {
                            let idle = heartbeat.look().0 == Phase::Idle;
                            call_watch.hung(heartbeat).or((idle && silent > silence).then(|| {
                                let limit = silence.as_secs();
                                Halt::Ended(Ended::TimedOut(format!(
                                    "its worker was not ready within {limit} s"
                                )))
                            }))
                        },
                    )?;
                    Ok(running)
                });
                self.starting += begun.elapsed();
                let running = empty.insert(ready?);
                running.heartbeat.is_shared();
                running
            }
        };
        running.steps.clone_from(&batch.steps);
        // If the connection is broken, the conversation shows it, with the reason.
        let _ = send(&running.connection, &ToWorker::Batch(batch.clone()));
        let (mut searching, mut begun) = (Stopwatch::start(), None);
        let most = portion.rows.len() + batch.patterns.len();
        running.converse(portion, most, interrupted, &mut |heartbeat, silent| {
            let (phase, repetition, since) = heartbeat.look();
            // The stopwatch is restarted for each repetition. It is ours, because the worker's clock also
            // counts pauses.
            if begun != Some(since) {
                (searching, begun) = (Stopwatch::start(), Some(since));
            }
            let (took, limit) = match phase {
                Phase::Idle => (silent, limit.saturating_add(silence)),
                Phase::Prepare(_) | Phase::Search(_) => (searching.look(), limit),
                Phase::Load | Phase::Create | Phase::Needs | Phase::Counters(..) => {
                    return call_watch.hung(heartbeat);
                }
            };
            (took > limit).then(|| {
                let limit = limit.as_millis();
                // A repetition with several calls has one limit for all of them, so the message names the
                // call.
                let name = phase.call().and_then(|call| calls::quoted(&batch.steps, call));
                let message = match name {
                    Some(name) => {
                        format!("repetition {repetition} took more than {limit} ms, and was in {name}")
                    }
                    None => format!("{} took more than {limit} ms", place(phase, repetition, &batch.steps)),
                };
                Halt::Ended(Ended::TimedOut(message))
            })
        })
    }

    /// Takes a counter backend that has failed out of use.
    fn lose(&mut self, fault: BackendFault, batch: &Batch) -> (usize, LostBackend) {
        let lost = lost_backend(&self.setup, fault, batch);
        self.leave_out(lost.0);
        lost
    }
}

impl ProcessWorker {
    /// Takes all counter backends out of use after a worker's parent was killed, and returns them as
    /// suspects. If the batch can be measured without them, one of them has done it; otherwise it was the
    /// algorithm.
    fn suspects(&mut self) -> Vec<BackendFault> {
        let used = self.setup.counters.iter().enumerate().filter(|(_, counter)| counter.used);
        let numbers: Vec<usize> = used.map(|(number, _)| number).collect();
        let others = if numbers.len() > 1 { ", or another backend does" } else { "" };
        let fault = format!("it {}{others}", ChildEnd::KilledItsParent);
        let suspects = numbers.into_iter().map(|number| {
            self.leave_out(number);
            BackendFault { number, step: BackendStep::Read, fault: fault.clone() }
        });
        suspects.collect()
    }
}

/// Watches how long a call takes that is neither a preparation nor a search.
struct CallWatch {
    patience: Duration,
    call: Option<(Phase, u64, u64)>,
    waited: Stopwatch,
}

impl CallWatch {
    fn new(patience: Duration) -> Self {
        CallWatch { patience, call: None, waited: Stopwatch::start() }
    }

    /// The failure of the current call, if it has taken too long.
    fn hung(&mut self, heartbeat: &Heartbeat) -> Option<Halt> {
        let call = heartbeat.look();
        if self.call.replace(call) != Some(call) {
            self.waited = Stopwatch::start();
        }
        let hangs = self.waited.look() > self.patience;
        let end = ChildEnd::Hung(self.patience);
        match call.0 {
            Phase::Counters(number, step) if hangs => {
                Some(Halt::Backend(BackendFault { number, step, fault: format!("it {end}") }))
            }
            phase @ (Phase::Load | Phase::Create | Phase::Needs) if hangs => {
                Some(Halt::Unusable(Ended::TimedOut(format!("{} {end}", place(phase, 0, &[])))))
            }
            _ => None,
        }
    }
}

impl Worker for ProcessWorker {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let (mut portion, mut lost, mut ended) = (Portion::default(), Vec::new(), None);
        let (mut unusable, mut suspects) = (false, Vec::new());
        let (begun, mut time_up) = (Instant::now(), false);
        let mut warmup = Duration::ZERO;
        self.starting = Duration::ZERO;
        while ended.is_none() && portion.rows.len() < batch.patterns.len() {
            let (measured, fresh) = (portion.rows.len(), self.running.is_none());
            let attempt = self.attempt(&batch.after(measured), &mut portion, interrupted);
            if let Some(running) = &mut self.running {
                warmup += Duration::from_nanos(std::mem::take(&mut running.inbox.warmup_ns));
            }
            // Without the suspects, the parent was not killed again: one of them has done it.
            if attempt.is_ok() {
                lost.extend(suspects.drain(..).map(|suspect| lost_backend(&self.setup, suspect, batch)));
            }
            match attempt {
                Ok(BatchEnd::TimeUp) if portion.rows.len() > measured => {
                    time_up = true;
                    break;
                }
                Ok(_) if fresh && portion.rows.len() == measured => {
                    ended = Some(Ended::Error("it measured nothing in a fresh process".to_owned()));
                }
                // The batch ended early without a failure: the algorithm needs a new process for the next
                // pattern.
                Ok(_) if portion.rows.len() < batch.patterns.len() => {
                    if portion.rows.len() > measured && begun.elapsed() > Duration::from_nanos(BLOCK_NS) {
                        time_up = true;
                        break;
                    }
                    self.running = None;
                }
                Ok(_) => {}
                Err(Halt::Backend(fault)) => {
                    // The backend is the simulator in which the worker runs, so nothing can be measured
                    // without it.
                    if matches!(self.task, Task::Launched(..)) {
                        let backend = &self.setup.counters[fault.number].part.backend;
                        ended = Some(Ended::Error(format!("counter backend `{backend}`: {}", fault.fault)));
                        self.running = None;
                    } else {
                        lost.push(self.lose(fault, batch));
                    }
                }
                Err(Halt::Orphaned(_)) if suspects.is_empty() && self.setup.counts() => {
                    suspects = self.suspects();
                }
                Err(Halt::Ended(why) | Halt::Orphaned(why)) => ended = Some(why),
                Err(Halt::Unusable(why)) => (ended, unusable) = (Some(why), true),
            }
        }
        // They were not cleared away by a success, so it was the algorithm, and they are back in use.
        suspects.iter().for_each(|innocent| self.setup.counters[innocent.number].used = true);
        let noise = self.running.as_mut().and_then(|running| running.inbox.noise.take());
        let mut ended_in = None;
        if let Some(ended) = &ended
            && !matches!(ended, Ended::CannotSearch(_) | Ended::Error(_))
        {
            // After a crash or a timeout, the state of the process is unknown, so it is ended.
            ended_in = self.running.take().and_then(|running| running.repetition());
        }
        let Portion { rows, faults } = portion;
        let starting = self.starting;
        BatchResult { rows, ended, time_up, unusable, ended_in, noise, starting, warmup, faults, lost }
    }

    fn leave_out(&mut self, backend: usize) {
        self.setup.counters[backend].used = false;
        self.end();
    }

    fn end(&mut self) {
        self.running = None;
    }
}

impl LiveWorker {
    /// Starts a process and sends it the setup.
    fn start(setup: &Setup, task: &Task) -> io::Result<Self> {
        let last_words = LastWords::new()?;
        let (child, connection) = ChildGuard::start(task, &setup.permissions(), last_words.stderr()?)?;
        connection.set_read_timeout(Some(LOOK_EVERY))?;
        let heartbeat = Heartbeat::new()?;
        send(&connection, &ToWorker::Setup(Box::new(setup.clone())))?;
        let texts = setup.texts.iter().filter_map(TextPlace::file);
        send_files(&connection, heartbeat.file().into_iter().chain(texts))?;
        let backends =
            setup.counters.iter().map(|counter| counter.used.then(|| counter.part.backend.clone())).collect();
        Ok(LiveWorker {
            child,
            connection,
            heartbeat,
            inbox: Inbox::default(),
            backends,
            last_words,
            steps: Vec::new(),
        })
    }

    /// Reads messages up to a closing record, with which `portion` has at most `most` repetitions. After each
    /// attempt to read, `overdue` decides whether the worker is overdue; it gets the time since the last
    /// message, in which pauses of this process do not count.
    fn converse(
        &mut self,
        portion: &mut Portion,
        most: usize,
        interrupted: &AtomicBool,
        overdue: &mut dyn FnMut(&Heartbeat, Duration) -> Option<Halt>,
    ) -> Result<BatchEnd, Halt> {
        let mut piece = [0; 1 << 16];
        let (mut silence, mut gone) = (Stopwatch::start(), false);
        loop {
            let (count, closing) = self.inbox.take(portion, most).map_err(|_| self.end_of_nonsense())?;
            if let Some(closing) = closing {
                return closing.map_err(|halt| self.possible(halt));
            }
            if count > 0 {
                silence = Stopwatch::start();
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(Halt::Ended(Ended::Interrupted));
            }
            match self.connection.read(&mut piece) {
                Ok(0) => return Err(self.death(interrupted)),
                Ok(length) => self.inbox.push(&piece[..length]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if gone {
                        // The worker ended, but a child that it has left keeps the connection open.
                        return Err(self.death(interrupted));
                    }
                    // If it has ended, the loop runs once more, to read what it wrote last.
                    gone = self.child.end_within(Duration::ZERO).is_some();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(self.death(interrupted)),
            }
            if let Some(halt) = overdue(&self.heartbeat, silence.look()) {
                return Err(self.possible(halt));
            }
        }
    }

    /// The repetition that the worker is in.
    fn repetition(&self) -> Option<usize> {
        let (phase, repetition, _) = self.heartbeat.look();
        usize::try_from(repetition).ok().filter(|_| phase != Phase::Idle)
    }

    /// Returns the reason why a worker stopped, if it is possible. A worker with damaged memory may name a
    /// backend that it does not use.
    fn possible(&self, halt: Halt) -> Halt {
        match &halt {
            Halt::Backend(fault) if !matches!(self.backends.get(fault.number), Some(Some(_))) => {
                self.end_of_nonsense()
            }
            _ => halt,
        }
    }

    /// The end of a worker that sent nonsense. If counter backends share its process, any of them may have
    /// damaged its memory.
    fn end_of_nonsense(&self) -> Halt {
        let counting: Vec<&str> = self.backends.iter().flatten().map(String::as_str).collect();
        let others = match counting.as_slice() {
            [] => String::new(),
            names => format!(
                ", by the algorithm or by what counts there ({}): count without it to tell them apart",
                names.join(", ")
            ),
        };
        let message =
            format!("its worker sent something that makes no sense: its memory may be damaged{others}");
        Halt::Ended(Ended::Crashed(message))
    }

    /// Explains how the process ended, and what it was doing.
    fn death(&mut self, interrupted: &AtomicBool) -> Halt {
        let (phase, repetition, _) = self.heartbeat.look();
        // The connection is closed, so the process is about to end.
        let end = self.child.end_within(DYING_TIME);
        if end.is_some_and(ChildEnd::may_come_from_outside) && is_set_within(interrupted, SAME_MOMENT) {
            return Halt::Ended(Ended::Interrupted);
        }
        let manner =
            end.map_or_else(|| "closes the connection to the host".to_owned(), |end| end.to_string());
        let words = self.last_words.line().map(|words| format!(" ({words})")).unwrap_or_default();
        self.possible(match phase {
            Phase::Counters(number, step) => {
                Halt::Backend(BackendFault { number, step, fault: format!("it {manner}{words}") })
            }
            phase => {
                let ended =
                    Ended::Crashed(format!("{} {manner}{words}", place(phase, repetition, &self.steps)));
                match phase {
                    Phase::Load | Phase::Create | Phase::Needs => Halt::Unusable(ended),
                    _ if end == Some(ChildEnd::KilledItsParent) => Halt::Orphaned(ended),
                    _ => Halt::Ended(ended),
                }
            }
        })
    }
}

/// Whether a flag is set, or will be within this time.
fn is_set_within(flag: &AtomicBool, time: Duration) -> bool {
    let mut waited = Stopwatch::start();
    while !flag.load(Ordering::Relaxed) {
        if waited.look() > time {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Names what an algorithm was doing, as the beginning of a sentence.
fn place(phase: Phase, repetition: u64, steps: &[Step]) -> String {
    if let Some(place) = phase.call().and_then(|call| calls::place(steps, call, repetition)) {
        return place;
    }
    match phase {
        Phase::Load => "loading its library".to_owned(),
        Phase::Create => "its function `create`".to_owned(),
        Phase::Needs => "its function `needs`".to_owned(),
        Phase::Prepare(_) => format!("the preparation of repetition {repetition}"),
        Phase::Search(_) => format!("the search of repetition {repetition}"),
        Phase::Idle | Phase::Counters(..) => "between two searches, it".to_owned(),
    }
}
