//! Records what the twin of an algorithm does.

use std::process::Stdio;
use std::time::Duration;

use assay_base::error::{Error, Result};
use assay_load::plugin::{InspectedLibrary, Kind, Registry, twin_id};
use assay_load::process::{
    ChildAnswer, ChildEnd, ChildGuard, Permissions, Requests, Stopwatch, Task, memory_file, not_started,
    patience, send_files,
};
use serde::{Deserialize, Serialize};

use crate::child::{TraceAnswer, TraceWork};
use crate::event::TraceEvent;
use crate::recording;
use crate::totals::{SearchResult, contradiction};

/// The twin of an algorithm, as a library brings it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedTwin {
    /// Its id in the list of items.
    pub id: String,
    /// Its library as it was when it was inspected.
    pub library: InspectedLibrary,
}

impl TracedTwin {
    /// The twin of the algorithm with this id.
    ///
    /// # Errors
    /// If it has none, so that what it does can't be seen.
    pub fn new(id: &str, registry: &Registry) -> Result<Self> {
        let listing = registry.find(Kind::Algorithm, &twin_id(id)).map_err(|_| {
            Error::new(format!("`{id}` has no twin, and only a twin reports what it does"))
                .remedy("`assay info ID` names the twin of an algorithm that has one")
        })?;
        Ok(TracedTwin { id: listing.id.clone(), library: registry.inspected(listing) })
    }
}

/// How a traced search ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It ended as it should.
    Complete {
        /// Number of occurrences.
        occurrences: u64,
        /// The counts of the twin, in the order of [`Field`](assay_plugin_api::Field).
        counts: Vec<Option<u64>>,
        /// Its extra fields, as many as it has.
        extra: Vec<u64>,
        /// Number of events that were not recorded.
        dropped: u64,
        /// Bytes after the text that may be read.
        slack: u64,
    },
    /// The algorithm does not search for this pattern in this text, because of this.
    CannotSearch(String),
    /// Something went wrong: a sentence without its subject, such as "crashed".
    Failed(String),
}

/// What the twin of an algorithm did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The events of the preparation.
    pub preparation: Vec<TraceEvent>,
    /// The events of the search, as far as they were recorded.
    pub search: Vec<TraceEvent>,
    /// How the search ended.
    pub ending: Ending,
    /// Number of events that were recorded, and that this version does not know.
    pub unknown: usize,
    /// How the events and the result contradict each other, the text or the pattern: a sentence about the twin.
    pub contradiction: Option<String>,
}

impl Trace {
    /// All events, in order.
    pub fn events(&self) -> Vec<TraceEvent> {
        [self.preparation.as_slice(), &self.search].concat()
    }

    /// What is wrong with a search that ended.
    fn check(&self, pattern: &[u8], text: &[u8]) -> Option<String> {
        let Ending::Complete { occurrences, counts, extra, dropped, slack } = &self.ending else {
            return None;
        };
        let extra: Vec<Option<u64>> = extra.iter().copied().map(Some).collect();
        let result =
            SearchResult { occurrences: *occurrences, counts, extra: &extra, slack: *slack as usize };
        let events = (*dropped == 0).then(|| self.events());
        contradiction(events.as_deref(), result, pattern, text)
    }

    /// How many events this version does not know, as a sentence without its end.
    pub(crate) fn unknown_in_words(&self) -> Option<String> {
        let (events, are) = if self.unknown == 1 { ("event", "is") } else { ("events", "are") };
        (self.unknown > 0).then(|| format!("{} {events} of a newer kind {are} not shown", self.unknown))
    }

    /// Whether the search ended as it should, and nothing contradicts it.
    pub fn is_right(&self) -> bool {
        matches!(self.ending, Ending::Complete { .. }) && self.contradiction.is_none()
    }

    /// The number of events that were not recorded, if it is known.
    pub fn missing(&self) -> u64 {
        match self.ending {
            Ending::Complete { dropped, .. } => dropped,
            Ending::CannotSearch(_) | Ending::Failed(_) => 0,
        }
    }
}

/// Lets the twin of an algorithm search for a pattern in a text, and records `most` of its events at most. It runs in a
/// child process, so a crash or an endless loop is an [`Ending`] like any other, with the events until then. `look` is
/// called every now and then; its error ends the search.
///
/// # Errors
/// If no child can be started, if the library is too old to report events, or if `look` returns an error.
pub fn record(
    twin: &TracedTwin,
    pattern: &[u8],
    text: &[u8],
    most: u64,
    look: &dyn Fn() -> Result<()>,
) -> Result<Trace> {
    let failed = |error| not_started(&error);
    let mut file = memory_file("assay-trace").map_err(failed)?;
    let permissions = Permissions::to_load([twin.library.path.clone()]);
    let (mut guard, connection) =
        ChildGuard::start(&Task::Trace, &permissions, Stdio::null()).map_err(failed)?;
    send_files(&connection, [&file]).map_err(failed)?;
    let work = TraceWork { twin: twin.clone(), pattern: pattern.to_vec(), text: text.to_vec(), most };
    let item = postcard::to_stdvec(&work).map_err(|error| Error::new(error.to_string()))?;
    let mut requests = Requests::new(connection);
    // If the child has ended already, waiting for its answer shows it.
    let _ = requests.send(&item);
    let patience: Duration = patience()?;
    let mut size = 0;
    let answer = loop {
        let answer = requests.hear_last::<TraceAnswer>(&mut Stopwatch::start(), patience, look)?;
        let ChildAnswer::None { left: Duration::ZERO } = answer else { break answer };
        // Recording takes its time. As long as the file grows, the child does not hang; the limit bounds the file.
        let before = std::mem::replace(&mut size, recording::size(&file, most));
        if size <= before {
            break answer;
        }
    };
    let ending = match answer {
        ChildAnswer::Record(TraceAnswer::Searched { occurrences, fields, extra, dropped, slack }) => {
            Ending::Complete { occurrences, counts: fields, extra, dropped, slack }
        }
        ChildAnswer::Record(TraceAnswer::CannotSearch(reason)) => Ending::CannotSearch(reason),
        ChildAnswer::Record(TraceAnswer::Failed(message)) => Ending::Failed(format!("failed: {message}")),
        ChildAnswer::Record(TraceAnswer::NoTrace) => {
            return Err(Error::new(format!("the library of `{}` does not report events", twin.id))
                .remedy("build it again with this version of assay-plugin-api"));
        }
        ChildAnswer::Nonsense => Ending::Failed(ChildEnd::Garbled.to_string()),
        ChildAnswer::None { left } => {
            Ending::Failed(guard.end_within(left).unwrap_or(ChildEnd::Hung(patience)).to_string())
        }
    };
    // Nothing of the library may write to the file while it is read.
    drop(guard);
    let raw = recording::read(&mut file, most)
        .map_err(|error| Error::new(format!("the recorded events can't be read: {error}")))?;
    let recorded: usize = raw.iter().map(Vec::len).sum();
    let mut kinds = Vec::new();
    let [preparation, search] = raw.map(|events| -> Vec<TraceEvent> {
        events.iter().filter_map(|event| TraceEvent::read(event, &mut kinds)).collect()
    });
    let unknown = recorded - preparation.len() - search.len();
    let mut trace = Trace { preparation, search, ending, unknown, contradiction: None };
    trace.contradiction = trace.check(pattern, text);
    Ok(trace)
}
