//! Calls of items of a library: the safe side of their tables of plain C functions, with one file for each
//! kind.

pub mod algorithm;
pub(super) mod corpus;
pub mod counter;
mod counter_set;
mod idle;
mod merge_description;
pub(super) mod merger;
pub(super) mod metric;
mod searcher;
mod self_test;
pub(super) mod statistic;
mod text;

use std::ffi::c_void;

use assay_abi::{Growing, Pair, Status, Str, TextSink};

use super::printable;
use crate::process::call_without_copies;

pub use counter_set::CounterSet;
pub use idle::idle;
pub(super) use merge_description::{Cells, MergeDescription, NumberPlace};
pub use searcher::{Needs, Prepared, Searcher};
pub use text::{FittedText, TextBuffer, TextMemory};

/// The id of an item and the facts about it, in the order in which they should be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Short id, unique within its kind.
    pub id: String,
    /// The facts: names with values.
    pub facts: Vec<(String, String)>,
}

impl Facts {
    /// A fact by name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| value.as_str())
    }
}

/// The failure of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The algorithm is not made for this pattern or text. This is an answer, not a mistake.
    CannotSearch(String),
    /// The algorithm reported an error.
    Error(String),
    /// The algorithm panicked. Its searcher must not be used any more, because its state may be broken.
    Panicked(String),
}

impl Failure {
    /// The failure of a status and its message. A status that this host does not know is an error.
    fn new(status: Status, message: String) -> Self {
        match status {
            Status::CANNOT_SEARCH => Failure::CannotSearch(message),
            Status::PANICKED => Failure::Panicked(message),
            _ => Failure::Error(message),
        }
    }

    /// Adds the call in which it happened, if the repetition has several: "`search2` of repetition 1: no
    /// message".
    #[must_use]
    pub fn within(self, place: Option<String>) -> Self {
        let Some(place) = place else { return self };
        self.map_message(|message| format!("{place}: {message}"))
    }

    /// The same failure with another message.
    fn map_message(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Failure::CannotSearch(message) => Failure::CannotSearch(change(message)),
            Failure::Error(message) => Failure::Error(change(message)),
            Failure::Panicked(message) => Failure::Panicked(change(message)),
        }
    }

    /// The failure of an algorithm that takes its own times, in a repetition that has several calls.
    pub fn of_both_in_one_call() -> Self {
        Failure::CannotSearch(
            "it prepares and searches in one call, and takes the times of both itself: a repetition of several calls has none of \
             each"
                .to_owned(),
        )
    }

    /// The failure of an algorithm that has changed the text.
    pub fn wrote_to_text() -> Self {
        Failure::Error(
            "it writes to the text: only what lies around it is for algorithms to change".to_owned(),
        )
    }

    /// The failure of an algorithm that has written around the text without having declared it.
    pub fn wrote_around_text() -> Self {
        Failure::Error("it writes to bytes around the text that it may only read".to_owned())
    }

    /// The message.
    pub fn message(self) -> String {
        match self {
            Failure::CannotSearch(message) | Failure::Error(message) | Failure::Panicked(message) => message,
        }
    }
}

/// Reads a table of functions.
///
/// # Safety
/// As for [`assay_abi::read`]: of the table's type, in a library that is never unloaded.
unsafe fn table<T: Growing>(address: *const c_void) -> Result<T, String> {
    // SAFETY: the caller's promise.
    unsafe { assay_abi::read(address.cast::<T>()) }.map_err(|error| format!("its table {error}"))
}

/// Returns a function that a table must have.
fn required<F>(name: &str, function: Option<F>) -> Result<F, String> {
    function.ok_or_else(|| format!("its table has no function `{name}`"))
}

/// Makes a call that returns a status, and passes its message to a sink during the call. If the library
/// forks, only the original process returns.
fn call_for_status(call: impl FnOnce(*const TextSink) -> Status) -> Result<(), Failure> {
    let mut status = Status::OK;
    let message = receive_text(|sink| status = call_without_copies(|| call(sink)));
    if status == Status::OK { Ok(()) } else { Err(Failure::new(status, message)) }
}

/// Makes a call that passes a text to a sink, and returns the text.
fn receive_text(call: impl FnOnce(*const TextSink)) -> String {
    unsafe extern "C" fn take(context: *mut c_void, text: Str) {
        // SAFETY: the context is the string below, and the text lasts during the call.
        unsafe { *context.cast::<String>() = printable::message(&text.text()) }
    }
    let mut text = String::new();
    call(&TextSink { context: (&raw mut text).cast(), take: Some(take), ..TextSink::empty() });
    if text.is_empty() { "no message".to_owned() } else { text }
}

/// Names in the form of the ABI. They borrow the texts, so they are valid for the duration of a call.
fn strs(names: &[&str]) -> Vec<Str> {
    names.iter().map(|name| Str::new(name)).collect()
}

/// Options in the form of the ABI, valid for the duration of a call.
fn pairs(options: &[(&str, &str)]) -> Vec<Pair> {
    options.iter().map(|(name, value)| Pair { name: Str::new(name), value: Str::new(value) }).collect()
}

/// Copies the texts of a table, as printable lines.
///
/// # Safety
/// As for [`assay_abi::List::items`].
pub(super) unsafe fn texts(list: assay_abi::List<Str>) -> Vec<String> {
    // SAFETY: the caller's promise.
    unsafe { list.items().iter().map(|text| printable::line(&text.text())).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_status_is_an_error_with_its_message() {
        let failure = |status| {
            call_for_status(|sink| {
                // SAFETY: the sink is that of this call.
                unsafe { TextSink::send(sink, "why") };
                Status(status)
            })
        };
        assert_eq!(failure(0), Ok(()));
        assert_eq!(failure(1), Err(Failure::CannotSearch("why".to_owned())));
        assert_eq!(failure(3), Err(Failure::Panicked("why".to_owned())));
        for unknown in [2, 4, -1, i32::MAX] {
            assert_eq!(failure(unknown), Err(Failure::Error("why".to_owned())));
        }
        assert_eq!(call_for_status(|_| Status::FAILED), Err(Failure::Error("no message".to_owned())));
    }
}
