//! The host's side: starts workers, passes them batches, and ends those that take too long.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::protocol::{CounterSetup, Setup, ToHost, ToWorker};
use super::shared::{Heartbeat, Phase};
use super::{Batch, BatchResult, Worker};
use crate::error::reason;
use crate::process::{Assembler, Guard, LOOK_EVERY, LastWords, Stopwatch, Task, send};
use crate::results::noise::BlockNoise;
use crate::results::{Ended, Row};

/// A worker that has not set itself up by then hangs in a constructor of a library. One that says nothing between two
/// searches for so long, and as long as a search may take, hangs in other code of a plugin.
const SILENCE_LIMIT: Duration = Duration::from_secs(10);

/// Measures in a process of its own, which is started when there is something to measure, and again after it died.
pub struct ProcessWorker {
    setup: Setup,
    time_limit: Duration,
    running: Option<Running>,
}

/// A worker process that lives.
struct Running {
    child: Guard,
    connection: UnixStream,
    heartbeat: Heartbeat,
    messages: Assembler,
    /// What it reads.
    counters: Vec<CounterSetup>,
    /// For the message that explains its death.
    last_words: LastWords,
    /// What else happened during the last batch.
    noise: Option<BlockNoise>,
}

impl ProcessWorker {
    /// A worker that has not been started. Preparing and searching once may take `time_limit_ms`.
    pub fn new(setup: Setup, time_limit_ms: u64) -> Self {
        ProcessWorker { setup, time_limit: Duration::from_millis(time_limit_ms), running: None }
    }

    fn attempt(&mut self, batch: &Batch, rows: &mut Vec<Row>, interrupted: &AtomicBool) -> Result<(), Ended> {
        let broken = |error: io::Error| {
            Ended::Error(format!("no worker process could be started: {}", reason(&error)))
        };
        let running = match &mut self.running {
            Some(running) => running,
            empty => {
                let mut running = Running::start(&self.setup).map_err(broken)?;
                running.converse(rows, interrupted, &mut |_, silent| {
                    (silent > SILENCE_LIMIT).then(|| {
                        Ended::TimedOut(
                            "loading its library took more than 10 s: a constructor hangs".to_owned(),
                        )
                    })
                })?;
                empty.insert(running)
            }
        };
        // A connection that breaks here shows in the conversation.
        let _ = send(&running.connection, &ToWorker::Batch(batch.clone()));
        let (limit, setup) = (self.time_limit, &self.setup);
        let (mut searching, mut begun) = (Stopwatch::start(), None);
        running.converse(rows, interrupted, &mut |heartbeat, silent| {
            let (phase, repetition, since) = heartbeat.look();
            if begun != Some(since) {
                (searching, begun) = (Stopwatch::start(), Some(since));
            }
            let (took, limit) = match phase {
                Phase::Idle => (silent, limit.saturating_add(SILENCE_LIMIT)),
                _ => (searching.look(), limit),
            };
            (took > limit).then(|| {
                let limit = limit.as_millis();
                Ended::TimedOut(format!(
                    "{} took more than {limit} ms",
                    place(&setup.counters, phase, repetition)
                ))
            })
        })
    }
}

impl Worker for ProcessWorker {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let mut rows = Vec::new();
        let mut result = self.attempt(batch, &mut rows, interrupted);
        // A batch that ends early without a reason wants a fresh process for what is left of it.
        while result.is_ok() && rows.len() < batch.patterns.len() {
            self.running = None;
            let (measured, rest) = (rows.len(), batch.from(rows.len()));
            result = self.attempt(&rest, &mut rows, interrupted);
            if result.is_ok() && rows.len() == measured {
                result = Err(Ended::Error("it measured nothing in a fresh process".to_owned()));
            }
        }
        let noise = self.running.as_mut().and_then(|running| running.noise.take());
        let mut ended_in = None;
        if let Err(ended) = &result
            && !matches!(ended, Ended::CannotSearch(_) | Ended::Error(_))
        {
            // What it would do next is anybody's guess.
            ended_in = self.running.take().and_then(|running| running.repetition());
        }
        BatchResult { rows, ended: result.err(), ended_in, noise }
    }

    fn end(&mut self) {
        self.running = None;
    }
}

impl Running {
    fn start(setup: &Setup) -> io::Result<Self> {
        let last_words = LastWords::new()?;
        let (child, connection) = Guard::start(&Task::Measure, last_words.stderr()?)?;
        connection.set_read_timeout(Some(LOOK_EVERY))?;
        let heartbeat = Heartbeat::new()?;
        send(&connection, &ToWorker::Setup(Box::new(setup.clone()), heartbeat.path()))?;
        let (messages, counters) = (Assembler::default(), setup.counters.clone());
        Ok(Running { child, connection, heartbeat, messages, counters, last_words, noise: None })
    }

    /// Reads until a closing record. `overdue` is asked whenever something was read or awaited in vain, with the time since
    /// the last message; pauses of this process do not count.
    fn converse(
        &mut self,
        rows: &mut Vec<Row>,
        interrupted: &AtomicBool,
        overdue: &mut dyn FnMut(&Heartbeat, Duration) -> Option<Ended>,
    ) -> Result<(), Ended> {
        let mut piece = [0; 1 << 16];
        let (mut silence, mut gone) = (Stopwatch::start(), false);
        loop {
            while let Some(message) = self.messages.take().map_err(|_| self.end_of_nonsense())? {
                silence = Stopwatch::start();
                match message {
                    ToHost::Rows(more) => rows.extend(more),
                    ToHost::Noise(noise) => self.noise = Some(noise),
                    ToHost::Ready | ToHost::Done => return Ok(()),
                    ToHost::Ended(ended) => return Err(ended),
                }
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(Ended::Interrupted);
            }
            match self.connection.read(&mut piece) {
                Ok(0) => return Err(Ended::Crashed(self.cause_of_death())),
                Ok(length) => self.messages.push(&piece[..length]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if gone {
                        // It ended, but left a child that keeps the connection open.
                        return Err(Ended::Crashed(self.cause_of_death()));
                    }
                    // What it wrote at last is still to be read.
                    gone = self.child.end_within(Duration::ZERO).is_some();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(Ended::Crashed(self.cause_of_death())),
            }
            if let Some(ended) = overdue(&self.heartbeat, silence.look()) {
                return Err(ended);
            }
        }
    }

    /// The repetition that it is in.
    fn repetition(&self) -> Option<usize> {
        let (phase, repetition, _) = self.heartbeat.look();
        usize::try_from(repetition).ok().filter(|_| phase != Phase::Idle)
    }

    fn end_of_nonsense(&self) -> Ended {
        Ended::Crashed("its worker sent something that makes no sense: its memory may be damaged".to_owned())
    }

    /// Says how the process ended, and what it was doing.
    fn cause_of_death(&mut self) -> String {
        let (phase, repetition, _) = self.heartbeat.look();
        let place = place(&self.counters, phase, repetition);
        // It has closed the connection, and so is about to end; one that doesn't is ended.
        let how = match self.child.end_within(Duration::from_millis(200)) {
            Some(end) => end.to_string(),
            None => "closes the connection to the host".to_owned(),
        };
        match self.last_words.line() {
            Some(words) => format!("{place} {how} ({words})"),
            None => format!("{place} {how}"),
        }
    }
}

fn place(counters: &[CounterSetup], phase: Phase, repetition: u64) -> String {
    match phase {
        Phase::Idle => "between two searches, it".to_owned(),
        Phase::Prepare => format!("the preparation of repetition {repetition}"),
        Phase::Search => format!("the search of repetition {repetition}"),
        Phase::Counters(number) => {
            let backend = counters.get(number).map_or("?", |counter| &counter.backend);
            format!("counter backend `{backend}`, called in repetition {repetition},")
        }
    }
}
