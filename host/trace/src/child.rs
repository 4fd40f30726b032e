//! The child's side of a trace: the twin searches, and its events go to a file of shared memory.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::rc::Rc;

use assay_abi::trace::RawTraceEvent;
use assay_load::plugin::{Failure, Searcher, TextBuffer};
use assay_load::process;
use assay_plugin_api::Hints;
use serde::{Deserialize, Serialize};

use crate::record::TracedTwin;
use crate::recording::Recorder;

/// A request to a child.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TraceWork {
    /// What searches.
    pub(crate) twin: TracedTwin,
    /// The pattern.
    pub(crate) pattern: Vec<u8>,
    /// The text.
    pub(crate) text: Vec<u8>,
    /// The most events that are recorded.
    pub(crate) most: u64,
}

/// The answer of a child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TraceAnswer {
    /// The search has ended.
    Searched {
        /// Number of occurrences.
        occurrences: u64,
        /// The counts of the twin.
        fields: Vec<Option<u64>>,
        /// Its extra fields.
        extra: Vec<u64>,
        /// Number of events that were not recorded.
        dropped: u64,
        /// Bytes after the text that may be read.
        slack: u64,
    },
    /// The algorithm does not search for this pattern in this text.
    CannotSearch(String),
    /// The algorithm reported an error, or its library can't be used: a sentence.
    Failed(String),
    /// The library can't report events.
    NoTrace,
}

/// Answers the requests of the host until there are no more.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    let file = process::receive_file(host)?;
    process::answer_items(host, |work: TraceWork| -> TraceAnswer {
        match search(&work, &file) {
            Ok(answer) => answer,
            Err(Failure::CannotSearch(reason)) => TraceAnswer::CannotSearch(reason),
            Err(Failure::Error(message) | Failure::Panicked(message)) => TraceAnswer::Failed(message),
        }
    })
}

fn search(work: &TraceWork, file: &File) -> Result<TraceAnswer, Failure> {
    let TraceWork { twin, pattern, text, most } = work;
    let catalogue =
        twin.library.verify_in_sandbox().and_then(|library| library.load()).map_err(Failure::Error)?;
    let id = catalogue.own_id(&twin.id);
    let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == id);
    let entry = entry.ok_or_else(|| Failure::Error(format!("`{}` is gone", twin.id)))?;
    let mut searcher = Searcher::new(entry)?;
    let needs = searcher.needs(pattern.len())?;
    needs.accept(text.len())?;
    let mut buffer = TextBuffer::new(text, &needs).map_err(Failure::Error)?;
    let fitted = buffer.fit(&needs).map_err(Failure::Error)?;
    let file = file.try_clone().map_err(|error| Failure::Error(format!("no memory for events: {error}")))?;
    let recorder = Rc::new(RefCell::new(Recorder::new(file, *most)));
    let record = {
        let recorder = Rc::clone(&recorder);
        move |event: RawTraceEvent| recorder.borrow_mut().add(&event)
    };
    if !searcher.trace(record) {
        return Ok(TraceAnswer::NoTrace);
    }
    let hints = Hints { sample: &text[..needs.raw().sample.min(text.len())], text_length: text.len() };
    let mut prepared = searcher.prepare(pattern, hints)?;
    recorder.borrow_mut().mark();
    // As in a run: a search that is asked for positions may do more.
    let occurrences = prepared.count(&fitted)?;
    let figures = prepared.measurements()?.figures;
    let (fields, extra) = (figures.fields.to_vec(), figures.extra.into_iter().flatten().collect());
    let dropped = recorder.borrow().dropped();
    Ok(TraceAnswer::Searched { occurrences, fields, extra, dropped, slack: needs.raw().slack as u64 })
}
