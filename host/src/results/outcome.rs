//! What becomes of searches.

use assay_plugin_api::Field;
use serde::{Deserialize, Serialize};

use crate::measure::worker::{Measured, Row};
use crate::results::noise::Noise;

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

/// What became of a search. Only what is `Ok` enters a statistic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        let untouched = |cell: &Cell| cell.rows.is_empty() && cell.status == Status::Ok;
        self.cells.iter().flatten().all(untouched)
    }
}

/// Names of what is computed from measured fields.
pub const DERIVED: [&str; 2] = ["text_read_percent", "average_jump"];

impl Measured {
    /// The figures of [`DERIVED`], for a text of `n` bytes.
    pub fn derived(&self, n: usize) -> [Option<f64>; DERIVED.len()] {
        [self.text_read_percent(n), self.average_jump(n)]
    }

    /// Share of a text of `n` bytes that was read, in percent; more than 100 where bytes are read more than once.
    fn text_read_percent(&self, n: usize) -> Option<f64> {
        let read = self.fields[Field::TextBytesRead as usize]?;
        Some(100.0 * read as f64 / n as f64)
    }

    /// Length of a text of `n` bytes over the number of jumps; `None` without jumps.
    fn average_jump(&self, n: usize) -> Option<f64> {
        let jumps = self.fields[Field::Jumps as usize].filter(|jumps| *jumps > 0)?;
        Some(n as f64 / jumps as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_jumps_have_no_average() {
        let mut measured = Measured::default();
        assert_eq!((measured.text_read_percent(10), measured.average_jump(10)), (None, None));
        measured.fields[Field::Jumps as usize] = Some(0);
        measured.fields[Field::TextBytesRead as usize] = Some(5);
        assert_eq!((measured.text_read_percent(10), measured.average_jump(10)), (Some(50.0), None));
    }
}
