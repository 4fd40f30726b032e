//! Planning: which events are counted together, so that few sub-experiments tell as much as can be told.

mod chunks;
pub mod covering;
mod file;
mod problem;
mod request;
mod survey;

pub use file::{Block, Method, Plan};
pub use request::{Answer, Request, STEPS_PER_SECOND};
pub use survey::Survey;

/// How an event is called that an algorithm's `stat_` twin counts: `stats:branches` is the column `branches` of a run with
/// `--stats algo`.
pub const OF_TWINS: &str = "stats:";
