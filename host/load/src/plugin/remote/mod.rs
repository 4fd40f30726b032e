//! Metrics, statistics, mergers and corpora, called in a child process, because they may crash, hang or exit.
//! Only the call that fails is lost then. There is one child for each library, which lives until something
//! goes wrong in it.

mod call;
mod corpus;
mod guarded_text;
mod merger;
mod metric;
mod numbers;
mod serve;
mod statistic;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::time::Duration;

pub use corpus::Corpus;
pub use guarded_text::InitialContent;
pub use merger::Merger;
pub use metric::Metric;
pub use numbers::ResultMemory;
pub use serve::serve;
pub use statistic::Statistic;

use assay_base::error::{Error, Result};

use call::{CallAnswer, RemoteCall, Reply, Request};

use super::contents::Kind;
use super::verified_library::InspectedLibrary;
use crate::process::{
    self, ChildAnswer, ChildEnd, ChildGuard, LastWords, Permissions, Requests, Stopwatch, Task, memory_file,
    not_started, opened_again, patience,
};

/// For each of these portions of bytes, a child gets its patience once more, because a call with much data
/// takes longer. With the usual patience of five seconds, that is one second for each MiB.
const BYTES_OF_PATIENCE: usize = 5 << 20;

/// A library in a child process.
#[derive(Debug)]
pub(crate) struct Service {
    library: InspectedLibrary,
    running: RefCell<Option<LiveChild>>,
    /// The messages of items that have ended a child. They are not called again.
    faults: RefCell<HashMap<(Kind, String), String>>,
    #[cfg(any(test, feature = "testing"))]
    here: Option<super::catalogue::Catalogue>,
}

/// A child process that is running.
#[derive(Debug)]
struct LiveChild {
    child: ChildGuard,
    requests: Requests,
    last_words: LastWords,
}

/// The two files in memory through which the data of a call goes.
#[derive(Debug)]
struct CallMemory {
    input: File,
    output: File,
}

impl CallMemory {
    fn new() -> Result<Self> {
        let file = || memory_file("assay-numbers").map_err(|error| no_child(&error));
        Ok(CallMemory { input: file()?, output: file()? })
    }

    /// The same files, with positions of their own.
    fn opened_again(&self) -> Result<Self> {
        let again = |file| opened_again(file).map_err(|error| no_child(&error));
        Ok(CallMemory { input: again(&self.input)?, output: again(&self.output)? })
    }
}

impl Service {
    /// A library without a child yet.
    pub(super) fn new(library: InspectedLibrary) -> Self {
        Service {
            library,
            running: RefCell::default(),
            faults: RefCell::default(),
            #[cfg(any(test, feature = "testing"))]
            here: None,
        }
    }

    /// A catalogue that is called in this process, for tests.
    #[cfg(any(test, feature = "testing"))]
    pub(super) fn here(catalogue: super::catalogue::Catalogue) -> std::rc::Rc<Self> {
        let library = InspectedLibrary { path: "here.so".into(), sha256: String::new(), identity: None };
        std::rc::Rc::new(Service { here: Some(catalogue), ..Service::new(library) })
    }

    /// Calls an item. `bytes` is the size of the data that goes in or comes out, on which the patience
    /// depends.
    fn call(
        &self,
        (kind, id): (Kind, &str),
        memory: &CallMemory,
        (call, bytes): (RemoteCall, usize),
        progress: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<CallAnswer> {
        let at_fault = |message: &str| self.at_fault((kind, id), message);
        let key = (kind, id.to_owned());
        if let Some(message) = self.faults.borrow().get(&key) {
            return Err(at_fault(message));
        }
        let request = Request { id: id.to_owned(), call };
        let memory = memory.opened_again()?;
        #[cfg(any(test, feature = "testing"))]
        if let Some(catalogue) = &self.here {
            return serve::answer(catalogue, &request, &memory, progress)
                .map_err(|message| at_fault(&message));
        }
        match self.ask(&request, &memory, bytes, progress)? {
            Ok(Ok(answer)) => Ok(answer),
            // The item may have panicked halfway, so the next request gets another child.
            Ok(Err(message)) => {
                *self.running.borrow_mut() = None;
                Err(at_fault(&message))
            }
            Err(fault) => {
                *self.running.borrow_mut() = None;
                let error = at_fault(&fault);
                self.faults.borrow_mut().insert(key, fault);
                Err(error)
            }
        }
    }

    /// An error that names the item and its library.
    fn at_fault(&self, (kind, id): (Kind, &str), message: &str) -> Error {
        let file = self.library.path.file_name().unwrap_or_default();
        Error::new(format!("the {kind} `{id}` of {}: {message}", file.display()))
    }

    /// The error of a call whose output can't be read.
    fn garbled(&self, called: (Kind, &str), error: &io::Error) -> Error {
        self.at_fault(called, &format!("what its child process computed can't be read: {error}"))
    }

    /// Sends a request and waits for its answer. The outer error is one of this process, the next one
    /// describes the end of the child, and the innermost one is the answer of the item. Progress restarts the
    /// patience.
    fn ask(
        &self,
        request: &Request,
        memory: &CallMemory,
        bytes: usize,
        progress: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<Result<Result<CallAnswer, String>, String>> {
        let patience = patience()?.mul_f64(1.0 + bytes as f64 / BYTES_OF_PATIENCE as f64);
        let patience = Duration::from_millis(u64::try_from(patience.as_millis()).unwrap_or(u64::MAX));
        let mut running = self.running.borrow_mut();
        let running = match &mut *running {
            Some(running) => running,
            empty => empty.insert(self.start().map_err(|error| not_started(&error))?),
        };
        // If the child has ended, sending fails, and waiting for the answer shows why.
        let _ = running.requests.send_with(request, [&memory.input, &memory.output]);
        let (mut waited, mut done) = (Stopwatch::start(), 0.0);
        loop {
            match running.requests.hear(&mut waited, patience, || Ok(()))? {
                ChildAnswer::Record(Reply::Done(answer)) => return Ok(Ok(answer)),
                ChildAnswer::Record(Reply::Progress(now)) => {
                    progress(now);
                    if now > done {
                        (waited, done) = (Stopwatch::start(), now);
                    }
                }
                ChildAnswer::Nonsense => return Ok(Err(format!("it {}", ChildEnd::Garbled))),
                ChildAnswer::None { left } => {
                    let end = running.child.end_within(left).unwrap_or(ChildEnd::Hung(patience));
                    let words = running.last_words.line().map(|words| format!(" ({words})"));
                    return Ok(Err(format!("it {end}{}", words.unwrap_or_default())));
                }
            }
        }
    }

    fn start(&self) -> io::Result<LiveChild> {
        let last_words = LastWords::new()?;
        let permissions = Permissions::to_load([self.library.path.clone()]);
        let (child, connection) = ChildGuard::start(&Task::Serve, &permissions, last_words.stderr()?)?;
        process::send(&connection, &self.library)?;
        Ok(LiveChild { child, requests: Requests::new(connection), last_words })
    }
}

fn no_child(error: &io::Error) -> Error {
    Error::new(format!("can't work in a child process: {error}"))
}
