//! What becomes of searches.

use assay_experiment::points::Point;
use assay_experiment::selection::Chosen;
use assay_load::plugin::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row_reader::Rows;

/// One algorithm at one point of the range: a cell of the grid that a run fills.
#[derive(Clone, Debug)]
pub struct Cell<'a> {
    /// The algorithm.
    pub algorithm: &'a Chosen,
    /// What is searched there.
    pub point: &'a Point,
    /// The repetitions that were measured and found right: where the journal has them.
    pub rows: Rows,
    /// The counters of which some counts can't be.
    pub impossible: Vec<String>,
    /// Why it was measured no further.
    pub ended: Option<Ended>,
}

impl<'a> Cell<'a> {
    /// A cell in which nothing was measured yet.
    pub fn new(algorithm: &'a Chosen, point: &'a Point) -> Self {
        Cell { algorithm, point, rows: Rows::default(), impossible: Vec::new(), ended: None }
    }

    /// Length of the patterns in bytes.
    pub fn pattern_length(&self) -> usize {
        self.point.set.length
    }

    /// The outcome. Only results with `ok` can be compared.
    pub fn status(&self) -> Status {
        self.ended.as_ref().map_or(Status::Ok, Ended::status)
    }

    /// Whether anything was measured, or found out.
    pub fn was_begun(&self) -> bool {
        !self.rows.is_empty() || self.status() != Status::Ok
    }
}

/// Why an algorithm is not measured further: from the worker that notices it to the results, the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// The algorithm is not made for this pattern, text or CPU.
    CannotSearch(String),
    /// The algorithm reported an error or panicked.
    Error(String),
    /// It took longer than the time limit.
    TimedOut(String),
    /// The worker died.
    Crashed(String),
    /// The search found a wrong number of occurrences.
    Wrong(String),
    /// The user interrupted the run: what was measured until then counts.
    Interrupted,
}

impl Ended {
    /// The end with this status and message; `None` if the cell goes on.
    pub fn new(status: Status, message: &str) -> Option<Self> {
        let ended = match status {
            Status::Ok => return None,
            Status::CannotSearch => Ended::CannotSearch,
            Status::Error => Ended::Error,
            Status::TimedOut => Ended::TimedOut,
            Status::Crashed => Ended::Crashed,
            Status::Wrong => Ended::Wrong,
        };
        Some(ended(message.to_owned()))
    }

    /// What this makes of the cell.
    pub fn status(&self) -> Status {
        match self {
            Ended::CannotSearch(_) => Status::CannotSearch,
            Ended::Error(_) => Status::Error,
            Ended::TimedOut(_) => Status::TimedOut,
            Ended::Crashed(_) => Status::Crashed,
            Ended::Wrong(_) => Status::Wrong,
            Ended::Interrupted => Status::Ok,
        }
    }

    /// The reason in words.
    pub fn message(&self) -> Option<&str> {
        match self {
            Ended::CannotSearch(message)
            | Ended::Error(message)
            | Ended::TimedOut(message)
            | Ended::Crashed(message)
            | Ended::Wrong(message) => Some(message),
            Ended::Interrupted => None,
        }
    }
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::CannotSearch(message) => Ended::CannotSearch(message),
            Failure::Error(message) | Failure::Panicked(message) => Ended::Error(message),
        }
    }
}

/// The outcome of a search. Only results with `ok` enter a statistic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The search was measured and its result was right.
    #[default]
    Ok,
    /// The algorithm is not made for this pattern, text or CPU.
    CannotSearch,
    /// The search took longer than the time limit and was ended.
    TimedOut,
    /// The search ended its process.
    Crashed,
    /// The search found a wrong number of occurrences.
    Wrong,
    /// The algorithm reported an error or panicked.
    Error,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 6] =
        [Status::Ok, Status::CannotSearch, Status::TimedOut, Status::Crashed, Status::Wrong, Status::Error];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::CannotSearch => "cannot_search",
            Status::TimedOut => "timed_out",
            Status::Crashed => "crashed",
            Status::Wrong => "wrong",
            Status::Error => "error",
        }
    }

    /// The outcome of this name in results; `None` if there is none.
    pub fn of_name(name: &str) -> Option<Self> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The name in sentences.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Whether something went wrong that should not have.
    pub fn is_failure(self) -> bool {
        !matches!(self, Status::Ok | Status::CannotSearch)
    }
}

#[cfg(test)]
mod tests {
    use assay_experiment::testing::example;

    use super::*;
    use crate::row_reader::Lines;

    #[test]
    fn an_end_is_made_of_its_status_and_its_message() {
        for status in Status::ALL {
            let ended = Ended::new(status, "why");
            assert_eq!(ended.as_ref().map_or(Status::Ok, Ended::status), status);
            assert_eq!(ended.as_ref().and_then(Ended::message), (status != Status::Ok).then_some("why"));
        }
    }

    #[test]
    fn a_cell_is_begun_when_something_was_measured_or_found_out() {
        let resolved = example(1, 1);
        let cell = || Cell::new(&resolved.algorithms[0], &resolved.points[0]);
        assert!(!cell().was_begun());
        assert!(!Cell { ended: Some(Ended::Interrupted), ..cell() }.was_begun());
        assert!(Cell { ended: Some(Ended::CannotSearch("short".into())), ..cell() }.was_begun());
        let mut measured = cell();
        measured.rows.push(Lines { offset: 0, bytes: 9, first: 0, count: 2 });
        assert!(measured.was_begun());
    }

    #[test]
    fn an_algorithm_that_refuses_has_not_failed() {
        use Status::{CannotSearch, Crashed, Error, Ok, TimedOut, Wrong};
        let all = [Ok, CannotSearch, TimedOut, Crashed, Wrong, Error];
        assert_eq!(all.map(Status::is_failure), [false, false, true, true, true, true]);
    }
}
