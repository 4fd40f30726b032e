//! Metrics, statistics, mergers and corpora, called in a child process: what they do there may crash, hang or
//! exit, and costs what was asked of them and nothing else. There is one child for each library; it is kept
//! until something goes wrong in it.

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
    self, ChildAnswer, ChildEnd, ChildGuard, LastWords, Requests, Stopwatch, Task, memory_file, not_started,
    path_of, patience,
};

/// For so many bytes of work a child gets as much time again as for an answer that is no work.
const BYTES_OF_PATIENCE: usize = 5 << 20;

/// A library in a child process.
#[derive(Debug)]
pub(crate) struct Service {
    library: InspectedLibrary,
    running: RefCell<Option<LiveChild>>,
    /// What has ended a child before is not called again: its message.
    faults: RefCell<HashMap<(Kind, String), String>>,
    #[cfg(any(test, feature = "testing"))]
    here: Option<super::catalogue::Catalogue>,
}

/// A child that lives.
#[derive(Debug)]
struct LiveChild {
    child: ChildGuard,
    requests: Requests,
    last_words: LastWords,
}

/// The two files of a call.
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
}

impl Service {
    /// No child is started yet.
    pub(super) fn new(library: InspectedLibrary) -> Self {
        Service {
            library,
            running: RefCell::default(),
            faults: RefCell::default(),
            #[cfg(any(test, feature = "testing"))]
            here: None,
        }
    }

    /// Answers in this very process.
    #[cfg(any(test, feature = "testing"))]
    pub(super) fn here(catalogue: super::catalogue::Catalogue) -> std::rc::Rc<Self> {
        let library = InspectedLibrary { path: "here.so".into(), sha256: String::new(), identity: None };
        std::rc::Rc::new(Service { here: Some(catalogue), ..Service::new(library) })
    }

    /// Calls something. `bytes` is what goes in or comes out, and says how long it may take.
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
        let (input, output) = (path_of(&memory.input), path_of(&memory.output));
        let request = Request { input, output, id: id.to_owned(), call };
        #[cfg(any(test, feature = "testing"))]
        if let Some(catalogue) = &self.here {
            return serve::answer(catalogue, &request, progress).map_err(|message| at_fault(&message));
        }
        match self.ask(&request, bytes, progress)? {
            Ok(Ok(answer)) => Ok(answer),
            // It may have panicked halfway: the next request gets another child.
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

    /// Names what is called, with its library.
    fn at_fault(&self, (kind, id): (Kind, &str), message: &str) -> Error {
        let file = self.library.path.file_name().unwrap_or_default();
        Error::new(format!("the {kind} `{id}` of {}: {message}", file.display()))
    }

    /// What came out of a call is not what its answer says.
    fn garbled(&self, called: (Kind, &str), error: &io::Error) -> Error {
        self.at_fault(called, &format!("what its child process computed can't be read: {error}"))
    }

    /// Sends a request and awaits its answer: the outer error is ours, the next one the end of the child.
    fn ask(
        &self,
        request: &Request,
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
        // If the child has ended already, waiting for its answer shows it.
        let _ = running.requests.send(request);
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
        let (child, connection) = ChildGuard::start(&Task::Serve, last_words.stderr()?)?;
        process::send(&connection, &self.library)?;
        Ok(LiveChild { child, requests: Requests::new(connection), last_words })
    }
}

fn no_child(error: &io::Error) -> Error {
    Error::new(format!("can't work in a child process: {error}"))
}
