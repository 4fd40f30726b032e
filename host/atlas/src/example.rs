//! The standard example, and what the twin of each algorithm does with it.

use assay_base::error::Result;
use assay_trace::{Ending, NamedTrace, Trace, TracedTwin, record, render, traces_json};

/// The text of the examples in the handbook of Charras and Lecroq.
const TEXT: &[u8] = b"GCATCGCAGAGAGTATACAGTACG";
/// Their pattern.
const PATTERN: &[u8] = b"GCAGAGAG";
/// Where the pattern occurs in the text.
const PLACE: usize = 5;
/// The most events of a trace. All searches of the example need fewer; only an endless loop goes on.
const MOST_EVENTS: u64 = 10_000;
/// Columns of a trace as text.
const WIDTH: usize = 80;

/// What the twin of an algorithm did with the example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TracedExample {
    /// The pattern.
    pub pattern: String,
    /// The text.
    pub text: String,
    /// The trace as text; empty if there is none.
    pub rendered: String,
    /// The trace as the player reads it; `None` if there is none.
    pub data: Option<String>,
    /// What is special about it, as a sentence without its end: why there is no trace, or where it ends.
    pub problem: Option<String>,
    /// Whether this should not have happened: the twin crashed or hung, or its events contradict its counts.
    pub is_failure: bool,
}

/// The example for an algorithm that takes patterns of these lengths, as pattern and text: that of the handbook if
/// it can be, or else one of the nearest length in the same text, repeated.
pub(crate) fn example(shortest: usize, longest: usize) -> (Vec<u8>, Vec<u8>) {
    let length = PATTERN.len().min(longest).max(shortest);
    // A longer pattern needs a text of several times its length, so that the window moves.
    let times = if length <= PATTERN.len() { 1 } else { (PLACE + 3 * length).div_ceil(TEXT.len()) };
    let text = TEXT.repeat(times);
    (text[PLACE..PLACE + length].to_vec(), text)
}

impl TracedExample {
    /// Lets the twin of an algorithm, with its id and name, search. `extra` names its extra fields, and `look` is called every now and
    /// then; its error ends the search.
    ///
    /// # Errors
    /// If `look` returns an error that is an interruption. Everything else is a problem of this algorithm.
    pub fn new(
        (id, name): (&str, &str),
        twin: &TracedTwin,
        extra: &[String],
        (shortest, longest): (usize, usize),
        look: &dyn Fn() -> Result<()>,
    ) -> Result<Self> {
        let (pattern, text) = example(shortest, longest);
        let in_words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let example =
            TracedExample { pattern: in_words(&pattern), text: in_words(&text), ..Default::default() };
        let trace = match record(twin, &pattern, &text, MOST_EVENTS, look) {
            Ok(trace) => trace,
            Err(error) if error.is_interruption() => return Err(error),
            Err(error) => {
                return Ok(TracedExample { problem: Some(error.message().to_owned()), ..example });
            }
        };
        let (problem, is_failure) = problem(&trace);
        Ok(TracedExample {
            rendered: render(&trace, &pattern, &text, extra, WIDTH),
            data: Some(traces_json(&[NamedTrace { id, name, trace: &trace }], &pattern, &text)),
            problem,
            is_failure,
            ..example
        })
    }
}

/// What is wrong with a trace, and whether that is a failure.
fn problem(trace: &Trace) -> (Option<String>, bool) {
    match &trace.ending {
        Ending::CannotSearch(reason) => (Some(format!("It can't search here: {reason}")), false),
        Ending::Failed(message) => (Some(format!("Its twin {message}; the trace ends there")), true),
        Ending::Complete { .. } => {
            let wrong = trace.contradiction.as_ref().map(|wrong| format!("This trace is wrong: {wrong}"));
            (wrong, trace.contradiction.is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::testing::naive;

    use super::*;

    #[test]
    fn the_example_is_that_of_the_handbook_unless_the_pattern_must_be_longer_or_shorter() {
        assert_eq!(example(1, usize::MAX), (PATTERN.to_vec(), TEXT.to_vec()));
        for (shortest, longest, length) in [(40, usize::MAX, 40), (1, 2, 2), (9, 256, 9)] {
            let (pattern, text) = example(shortest, longest);
            assert_eq!(pattern.len(), length);
            assert!(!naive(&pattern, &text).is_empty() && text.len() > 2 * length, "{length}");
        }
    }

    #[test]
    fn a_twin_that_crashes_is_a_failure_and_one_that_refuses_is_none() {
        let trace = |ending| Trace {
            preparation: Vec::new(),
            search: Vec::new(),
            ending,
            unknown: 0,
            contradiction: None,
        };
        let crashed = problem(&trace(Ending::Failed("crashed".to_owned())));
        assert_eq!(crashed, (Some("Its twin crashed; the trace ends there".to_owned()), true));
        let (refused, is_failure) = problem(&trace(Ending::CannotSearch("too short".to_owned())));
        assert!(refused.unwrap().ends_with("too short") && !is_failure);
    }
}
