//! The host's side: starts workers, passes them batches, and ends those that take too long.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};

use super::clock::now_ns;
use super::protocol::{Assembler, Setup, ToHost, ToWorker, send};
use super::shared::{Heartbeat, Phase};
use super::{Batch, BatchResult, Worker};
use crate::process::{Guard, this_program};
use crate::results::{Ended, Row};

/// The name of the hidden command that a worker runs.
pub const COMMAND: &str = "__worker";

/// How often the host looks at a silent worker.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// A worker that has not set itself up by then hangs in a constructor of a library. One that says nothing between two
/// searches for so long, and as long as a search may take, hangs in other code of a plugin.
const SILENCE_LIMIT_NS: u64 = 10_000_000_000;

/// Measures in a process of its own, which is started when there is something to measure, and again after it died.
pub struct ProcessWorker {
    setup: Setup,
    time_limit_ns: u64,
    running: Option<Running>,
}

/// A worker process that lives.
struct Running {
    child: Guard,
    connection: UnixStream,
    watch: Heartbeat,
    messages: Assembler,
    /// What the process writes to standard error, kept in memory for the message that explains its death.
    stderr: File,
}

impl ProcessWorker {
    /// A worker that has not been started. Preparing and searching once may take `time_limit_ms`.
    pub fn new(setup: Setup, time_limit_ms: u64) -> Self {
        ProcessWorker { setup, time_limit_ns: time_limit_ms.saturating_mul(1_000_000), running: None }
    }

    fn attempt(&mut self, batch: &Batch, rows: &mut Vec<Row>, interrupted: &AtomicBool) -> Result<(), Ended> {
        let broken = |error: io::Error| Ended::Error(format!("no worker process could be started: {error}"));
        let running = match &mut self.running {
            Some(running) => running,
            empty => {
                let mut running = Running::start(&self.setup).map_err(broken)?;
                running.converse(rows, interrupted, &mut |_, silent| {
                    (silent > SILENCE_LIMIT_NS).then(|| {
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
        let limit = self.time_limit_ns;
        running.converse(rows, interrupted, &mut |watch, silent| {
            let (phase, repetition, since) = watch.look();
            let (took, limit) = match phase {
                Phase::Idle => (silent, limit.saturating_add(SILENCE_LIMIT_NS)),
                Phase::Prepare | Phase::Search => (now_ns().saturating_sub(since), limit),
            };
            (took > limit).then(|| {
                let limit = limit / 1_000_000;
                Ended::TimedOut(format!("{} took more than {limit} ms", place(phase, repetition)))
            })
        })
    }
}

impl Worker for ProcessWorker {
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult {
        let mut rows = Vec::new();
        let result = self.attempt(batch, &mut rows, interrupted);
        if let Err(ended) = &result
            && !matches!(ended, Ended::CannotSearch(_) | Ended::Error(_))
        {
            // What it would do next is anybody's guess.
            self.running = None;
        }
        BatchResult { rows, ended: result.err() }
    }

    fn end(&mut self) {
        self.running = None;
    }
}

impl Running {
    fn start(setup: &Setup) -> io::Result<Self> {
        let (connection, theirs) = UnixStream::pair()?;
        let stderr: File = memfd_create("assay-stderr", MemfdFlags::CLOEXEC)?.into();
        let mut command = this_program();
        command.arg(COMMAND).stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(stderr.try_clone()?);
        let child = Guard::spawn(&mut command)?;
        connection.set_read_timeout(Some(LOOK_EVERY))?;
        let watch = Heartbeat::new()?;
        send(&connection, &ToWorker::Setup(Box::new(setup.clone()), watch.path()))?;
        Ok(Running { child, connection, watch, messages: Assembler::default(), stderr })
    }

    /// Reads until a closing record. `overdue` is asked whenever something was read or awaited in vain, with the time since
    /// the last message in nanoseconds.
    fn converse(
        &mut self,
        rows: &mut Vec<Row>,
        interrupted: &AtomicBool,
        overdue: &mut dyn FnMut(&Heartbeat, u64) -> Option<Ended>,
    ) -> Result<(), Ended> {
        let mut piece = [0; 1 << 16];
        let (mut heard, mut gone) = (now_ns(), false);
        loop {
            while let Some(message) = self.messages.next().map_err(|_| self.end_of_nonsense())? {
                heard = now_ns();
                match message {
                    ToHost::Rows(more) => rows.extend(more),
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
                    gone = self.child.ended().is_some();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(Ended::Crashed(self.cause_of_death())),
            }
            if let Some(ended) = overdue(&self.watch, now_ns() - heard) {
                return Err(ended);
            }
        }
    }

    fn end_of_nonsense(&self) -> Ended {
        Ended::Crashed("its worker sent something that makes no sense: its memory may be damaged".to_owned())
    }

    /// Says how the process ended, and what it was doing.
    fn cause_of_death(&mut self) -> String {
        let (phase, repetition, _) = self.watch.look();
        let place = place(phase, repetition);
        // It has closed the connection, and so is about to end; one that doesn't is ended.
        let how = match self.child.end(Instant::now() + Duration::from_millis(200)) {
            Some(end) => end.to_string(),
            None => "closes the connection to the host".to_owned(),
        };
        match self.last_words() {
            Some(words) => format!("{place} {how} ({words})"),
            None => format!("{place} {how}"),
        }
    }

    /// The last line that the process wrote to standard error.
    fn last_words(&mut self) -> Option<String> {
        let mut text = Vec::new();
        let length = self.stderr.seek(SeekFrom::End(0)).ok()?;
        self.stderr.seek(SeekFrom::Start(length.saturating_sub(4096))).ok()?;
        self.stderr.read_to_end(&mut text).ok()?;
        let text = String::from_utf8_lossy(&text);
        let line =
            text.lines().map(str::trim).rfind(|line| !line.is_empty() && !line.starts_with("note:"))?;
        Some(line.chars().filter(|letter| !letter.is_control()).take(200).collect())
    }
}

fn place(phase: Phase, repetition: u64) -> String {
    match phase {
        Phase::Idle => "between two searches, it".to_owned(),
        Phase::Prepare => format!("the preparation of repetition {repetition}"),
        Phase::Search => format!("the search of repetition {repetition}"),
    }
}
