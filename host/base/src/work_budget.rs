//! How much a search without an end of its own may do.

use std::time::Duration;

/// How much may be done. A step is what the search counts: a search of a text, or a point that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkBudget {
    /// A number of steps. The result is the same everywhere if the steps are.
    Steps(usize),
    /// A time. A fast machine gets farther on the same way. A step that has begun is finished.
    Time(Duration),
}
