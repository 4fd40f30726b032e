//! Planning: assigns events to sub-experiments, so that few of them measure all wanted pairs of events
//! together.

mod chunks;
pub(crate) mod covering;
mod file;
mod problem;
mod request;
mod survey;

pub use file::{FinishedRounds, Method, Plan, PlannedBlock};
pub use request::{PlanAnswer, PlanRequest, ROUND};
pub use survey::Survey;

/// Prefix of the events that the instrumented variant of an algorithm counts: `stats:branches` is the column
/// `branches` of a run with `--stats algo`.
pub const OF_TWINS: &str = "stats:";
