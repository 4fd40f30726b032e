//! The host's side: starts workers, passes them batches, and ends those that take too long.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_base::error::{Error, reason};
use assay_experiment::calls;
use assay_experiment::points::Step;
use assay_load::process::{
    Assembler, End, Guard, LOOK_EVERY, LastWords, Launch, Stopwatch, Task, patience, send,
};
use assay_store::Ended;
use assay_store::counting::LostBackend;
use assay_store::noise::BlockNoise;

use super::protocol::{BackendFault, CounterSetup, Halt, Portion, Setup, ToHost, ToWorker};
use super::shared::{Deed, Heartbeat, Phase};
use super::{Batch, BatchResult, Worker, lost};

/// A worker that says nothing for so long, and between two searches as long as a search may take in addition, while it calls
/// nothing that has a limit of its own, hangs all the same.
const SILENCE_LIMIT: Duration = Duration::from_secs(10);

/// Measures in a process of its own, which is started when there is something to measure, and again after it died.
pub struct ProcessWorker {
    setup: Setup,
    task: Task,
    limits: WorkerLimits,
    running: Option<RunningWorker>,
}

/// File descriptors of the host's that a worker process takes: two connections and its standard error.
pub(crate) const DESCRIPTORS: usize = 3;

/// How long something may take.
#[derive(Clone, Copy, Debug)]
struct WorkerLimits {
    /// A preparation and a search.
    searching: Duration,
    /// Anything else that is called.
    calling: Duration,
    /// Silence.
    silence: Duration,
}

/// A worker process that lives.
struct RunningWorker {
    child: Guard,
    connection: UnixStream,
    heartbeat: Heartbeat,
    messages: Assembler,
    /// The backends that it uses, and may speak of.
    backends: Vec<Option<String>>,
    /// For the message that explains its death.
    last_words: LastWords,
    /// The calls of a repetition.
    steps: Vec<Step>,
    /// What else happened during the last batch.
    noise: Option<BlockNoise>,
}

impl ProcessWorker {
    /// A worker that has not been started, and how it will be. Preparing and searching once may take `time_limit_ms`, and what else is called as
    /// long as anything that is tried.
    ///
    /// # Errors
    /// If the variable that says how long that is says something else.
    pub fn new(setup: Setup, time_limit_ms: u64, launch: Option<&Launch>) -> Result<Self, Error> {
        let task = Task::Measure.launched(launch);
        let searching = Duration::from_millis(time_limit_ms);
        let calling = patience()?.saturating_mul(task.slower());
        let silence = SILENCE_LIMIT.saturating_mul(task.slower());
        Ok(ProcessWorker { setup, task, limits: WorkerLimits { searching, calling, silence }, running: None })
    }

    fn attempt(
        &mut self,
        batch: &Batch,
        portion: &mut Portion,
        interrupted: &AtomicBool,
    ) -> Result<(), Halt> {
        let WorkerLimits { searching: limit, calling, silence } = self.limits;
        let mut calling = Calling::new(calling);
        let running = match &mut self.running {
            Some(running) => running,
            empty => {
                let broken = |error: io::Error| {
                    Halt::Ended(Ended::Error(format!(
                        "no worker process could be started: {}",
                        reason(&error)
                    )))
                };
                let mut running = RunningWorker::start(&self.setup, &self.task).map_err(broken)?;
                running.converse(portion, interrupted, &mut |heartbeat, silent| {
                    let idle = heartbeat.look().0 == Phase::Idle;
                    calling.hung(heartbeat).or((idle && silent > silence).then(|| {
                        let limit = silence.as_secs();
                        Halt::Ended(Ended::TimedOut(format!("its worker was not ready within {limit} s")))
                    }))
                })?;
                running.heartbeat.is_shared();
                empty.insert(running)
            }
        };
        running.steps.clone_from(&batch.steps);
        // A connection that breaks here shows in the conversation.
        let _ = send(&running.connection, &ToWorker::Batch(batch.clone()));
        let (mut searching, mut begun) = (Stopwatch::start(), None);
        running.converse(portion, interrupted, &mut |heartbeat, silent| {
            let (phase, repetition, since) = heartbeat.look();
            if begun != Some(since) {
                (searching, begun) = (Stopwatch::start(), Some(since));
            }
            let (took, limit) = match phase {
                Phase::Idle => (silent, limit.saturating_add(silence)),
                Phase::Prepare(_) | Phase::Search(_) => (searching.look(), limit),
                Phase::Load | Phase::Create | Phase::Needs | Phase::Counters(..) => {
                    return calling.hung(heartbeat);
                }
            };
            (took > limit).then(|| {
                let limit = limit.as_millis();
                // The limit is that of all calls together.
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

    fn lose(&mut self, fault: BackendFault, batch: &Batch) -> (usize, LostBackend) {
        let lost = lost(&self.setup, fault, batch);
        self.leave_out(lost.0);
        lost
    }
}

/// What is found out about who ended the parent of a worker: the counter backends that it used are left out, and if that
/// helps, it was one of them.
impl ProcessWorker {
    fn suspects(&mut self) -> Vec<BackendFault> {
        let used = self.setup.counters.iter().enumerate().filter(|(_, counter)| counter.used);
        let numbers: Vec<usize> = used.map(|(number, _)| number).collect();
        let others = if numbers.len() > 1 { ", or another backend does" } else { "" };
        let fault = format!("it {}{others}", End::KilledItsParent);
        let suspects = numbers.into_iter().map(|number| {
            self.leave_out(number);
            BackendFault { number, deed: Deed::Read, fault: fault.clone() }
        });
        suspects.collect()
    }
}

/// Watches for how long something is called that is neither preparation nor search.
struct Calling {
    patience: Duration,
    call: Option<(Phase, u64, u64)>,
    waited: Stopwatch,
}

impl Calling {
    fn new(patience: Duration) -> Self {
        Calling { patience, call: None, waited: Stopwatch::start() }
    }

    /// What is called for too long.
    fn hung(&mut self, heartbeat: &Heartbeat) -> Option<Halt> {
        let call = heartbeat.look();
        if self.call.replace(call) != Some(call) {
            self.waited = Stopwatch::start();
        }
        let hangs = self.waited.look() > self.patience;
        let end = End::Hung(self.patience);
        match call.0 {
            Phase::Counters(number, deed) if hangs => {
                Some(Halt::Backend(BackendFault { number, deed, fault: format!("it {end}") }))
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
        while ended.is_none() && portion.rows.len() < batch.patterns.len() {
            let (measured, fresh) = (portion.rows.len(), self.running.is_none());
            let attempt = self.attempt(&batch.from(measured), &mut portion, interrupted);
            // Nobody ends the parent of a worker without them.
            if attempt.is_ok() {
                lost.extend(suspects.drain(..).map(|suspect| super::lost(&self.setup, suspect, batch)));
            }
            match attempt {
                Ok(()) if fresh && portion.rows.len() == measured => {
                    ended = Some(Ended::Error("it measured nothing in a fresh process".to_owned()));
                }
                // A batch that ends early without a reason wants a fresh process for what is left of it.
                Ok(()) if portion.rows.len() < batch.patterns.len() => self.running = None,
                Ok(()) => {}
                Err(Halt::Backend(fault)) => {
                    // Without the backend that started it there is nothing to measure.
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
        suspects.iter().for_each(|innocent| self.setup.counters[innocent.number].used = true);
        let noise = self.running.as_mut().and_then(|running| running.noise.take());
        let mut ended_in = None;
        if let Some(ended) = &ended
            && !matches!(ended, Ended::CannotSearch(_) | Ended::Error(_))
        {
            // What it would do next is anybody's guess.
            ended_in = self.running.take().and_then(|running| running.repetition());
        }
        let Portion { rows, faults } = portion;
        BatchResult { rows, ended, unusable, ended_in, noise, faults, lost }
    }

    fn leave_out(&mut self, backend: usize) {
        self.setup.counters[backend].used = false;
        self.end();
    }

    fn end(&mut self) {
        self.running = None;
    }
}

impl RunningWorker {
    fn start(setup: &Setup, task: &Task) -> io::Result<Self> {
        let last_words = LastWords::new()?;
        let (child, connection) = Guard::start(task, last_words.stderr()?)?;
        connection.set_read_timeout(Some(LOOK_EVERY))?;
        let heartbeat = Heartbeat::new()?;
        send(&connection, &ToWorker::Setup(Box::new(setup.clone()), heartbeat.path()))?;
        let messages = Assembler::default();
        let backend = |counter: &CounterSetup| counter.used.then(|| counter.part.backend.clone());
        let backends = setup.counters.iter().map(backend).collect();
        Ok(RunningWorker {
            child,
            connection,
            heartbeat,
            messages,
            backends,
            last_words,
            steps: Vec::new(),
            noise: None,
        })
    }

    /// Reads until a closing record. `overdue` is asked whenever something was read or awaited in vain, with the time since
    /// the last message; pauses of this process do not count.
    fn converse(
        &mut self,
        portion: &mut Portion,
        interrupted: &AtomicBool,
        overdue: &mut dyn FnMut(&Heartbeat, Duration) -> Option<Halt>,
    ) -> Result<(), Halt> {
        let mut piece = [0; 1 << 16];
        let (mut silence, mut gone) = (Stopwatch::start(), false);
        loop {
            while let Some(message) = self.messages.take().map_err(|_| self.end_of_nonsense())? {
                silence = Stopwatch::start();
                match message {
                    ToHost::Rows(more) => portion.extend(more),
                    ToHost::Noise(noise) => self.noise = Some(noise),
                    ToHost::Ready | ToHost::Done => return Ok(()),
                    ToHost::Halted(halt) => return Err(self.possible(halt)),
                }
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(Halt::Ended(Ended::Interrupted));
            }
            match self.connection.read(&mut piece) {
                Ok(0) => return Err(self.death()),
                Ok(length) => self.messages.push(&piece[..length]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if gone {
                        // It ended, but left a child that keeps the connection open.
                        return Err(self.death());
                    }
                    // What it wrote at last is still to be read.
                    gone = self.child.end_within(Duration::ZERO).is_some();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(self.death()),
            }
            if let Some(halt) = overdue(&self.heartbeat, silence.look()) {
                return Err(self.possible(halt));
            }
        }
    }

    /// The repetition that it is in.
    fn repetition(&self) -> Option<usize> {
        let (phase, repetition, _) = self.heartbeat.look();
        usize::try_from(repetition).ok().filter(|_| phase != Phase::Idle)
    }

    /// A worker whose memory is damaged may speak of a backend that it has not.
    fn possible(&self, halt: Halt) -> Halt {
        match &halt {
            Halt::Backend(fault) if !matches!(self.backends.get(fault.number), Some(Some(_))) => {
                self.end_of_nonsense()
            }
            _ => halt,
        }
    }

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

    /// Says how the process ended, and what it was doing.
    fn death(&mut self) -> Halt {
        let (phase, repetition, _) = self.heartbeat.look();
        // It has closed the connection, and so is about to end; one that doesn't is ended.
        let end = self.child.end_within(Duration::from_millis(200));
        let how = end.map_or_else(|| "closes the connection to the host".to_owned(), |end| end.to_string());
        let words = self.last_words.line().map(|words| format!(" ({words})")).unwrap_or_default();
        self.possible(match phase {
            Phase::Counters(number, deed) => {
                Halt::Backend(BackendFault { number, deed, fault: format!("it {how}{words}") })
            }
            phase => {
                let ended = Ended::Crashed(format!("{} {how}{words}", place(phase, repetition, &self.steps)));
                match phase {
                    Phase::Load | Phase::Create | Phase::Needs => Halt::Unusable(ended),
                    _ if end == Some(End::KilledItsParent) => Halt::Orphaned(ended),
                    _ => Halt::Ended(ended),
                }
            }
        })
    }
}

/// Where an algorithm is at fault.
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
