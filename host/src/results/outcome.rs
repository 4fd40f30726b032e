//! What becomes of searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::noise::Noise;
use super::row::Row;

/// What became of one algorithm with patterns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Whether it can be compared.
    pub status: Status,
    /// Why not.
    pub message: Option<String>,
    /// The repetitions that were measured and found right, with their number.
    pub rows: Vec<(usize, Row)>,
}

impl Cell {
    /// Whether anything was measured, or found out.
    pub fn was_begun(&self) -> bool {
        !self.rows.is_empty() || self.status != Status::Ok
    }
}

/// What became of a search. Only what is `Ok` enters a statistic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Measured, and right.
    #[default]
    Ok,
    /// The algorithm is not made for this pattern, text or CPU.
    CannotSearch,
    /// It took longer than the time limit, and was ended.
    TimedOut,
    /// It took its process with it.
    Crashed,
    /// It found another number of occurrences than there are.
    Wrong,
    /// It reported an error, or panicked.
    Error,
}

impl Status {
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

    /// The name in sentences.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Whether something went wrong that should not have.
    pub fn is_failure(self) -> bool {
        !matches!(self, Status::Ok | Status::CannotSearch)
    }
}

/// All that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// The cells of each algorithm: one for each pattern set.
    pub cells: Vec<Vec<Cell>>,
    /// Whether it ended early: by the user, or because its journal could not be written.
    pub interrupted: bool,
    /// What else happened meanwhile.
    pub noise: Noise,
}

impl Outcomes {
    /// Whether nothing was measured, nor found out.
    pub fn is_empty(&self) -> bool {
        !self.cells.iter().flatten().any(Cell::was_begun)
    }
}
