//! Collecting: the sub-experiments of a plan, each a saved run, and the tables that mergers take.

mod data;
mod events;
mod manifest;
mod planned_run;
mod slow;

pub use data::{WrittenTables, write};
pub use events::{PlannedEvent, alike, find};
pub use manifest::{Manifest, NAME as MANIFEST, RUNS};
pub use planned_run::PlannedRun;
pub use slow::{SlowCell, slow_cells};
