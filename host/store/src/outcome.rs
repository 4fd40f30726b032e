//! What becomes of searches.

use assay_experiment::points::Point;
use assay_experiment::selection::Chosen;
use assay_load::plugin::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Start;
use super::row::{Clock, Row};
use super::row_reader::{Lines, Rows};

/// One algorithm at one point of the range: a cell of the grid that a run fills.
#[derive(Clone, Debug)]
pub struct Cell<'a> {
    /// The algorithm.
    pub algorithm: &'a Chosen,
    /// What is searched there.
    pub point: &'a Point,
    /// The repetitions that were measured and found right: where the journal has them.
    pub rows: Rows,
    /// Occurrences that they found, in all.
    pub occurrences: u64,
    /// Whose clock their times are from; `None` while there are none.
    pub clock: Option<Clock>,
    /// The counters of which some counts can't be.
    pub impossible: Vec<String>,
    /// What the starts of the workers took that began with it, with the numbers of their rounds.
    pub starts: Vec<(u32, Start)>,
    /// Why it was measured no further.
    pub ended: Option<Ended>,
}

impl<'a> Cell<'a> {
    /// A cell in which nothing was measured yet.
    pub fn new(algorithm: &'a Chosen, point: &'a Point) -> Self {
        Cell {
            algorithm,
            point,
            rows: Rows::default(),
            occurrences: 0,
            clock: None,
            impossible: Vec::new(),
            starts: Vec::new(),
            ended: None,
        }
    }

    /// Length of the patterns in bytes.
    pub fn pattern_length(&self) -> usize {
        self.point.set.length
    }

    /// Takes in rows that the journal has in these lines.
    pub fn add(&mut self, lines: Lines, rows: &[Row]) {
        self.rows.push(lines);
        self.occurrences += rows.iter().map(|row| row.occurrences).sum::<u64>();
        self.clock = self.clock.or_else(|| rows.first().map(Row::clock));
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

    #[test]
    fn a_cell_is_begun_when_something_was_measured_or_found_out() {
        let resolved = example(1, 1);
        let cell = || Cell::new(&resolved.algorithms[0], &resolved.points[0]);
        assert!(!cell().was_begun());
        assert!(!Cell { ended: Some(Ended::Interrupted), ..cell() }.was_begun());
        assert!(Cell { ended: Some(Ended::CannotSearch("short".into())), ..cell() }.was_begun());
        let mut measured = cell();
        let lines = |first| Lines { offset: 0, bytes: 9, first, count: 2 };
        let row = |occurrences| Row { occurrences, ..Row::default() };
        measured.add(lines(0), &[row(3), row(4)]);
        measured.add(lines(2), &[row(5), row(0)]);
        assert!(measured.was_begun());
        assert_eq!((measured.occurrences, measured.rows.len(), measured.clock), (12, 4, Some(Clock::Host)));
    }

    #[test]
    fn an_algorithm_that_refuses_has_not_failed() {
        use Status::{CannotSearch, Crashed, Error, Ok, TimedOut, Wrong};
        let all = [Ok, CannotSearch, TimedOut, Crashed, Wrong, Error];
        assert_eq!(all.map(Status::is_failure), [false, false, true, true, true, true]);
    }
}
