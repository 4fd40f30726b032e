//! What is kept of a run, and where: `schema` describes `report.json`, both ways, with a `cell` for each algorithm and
//! pattern length; `row` is one repetition, `start` what happens once in a worker; `journal` writes a line for each, `rows` finds and reads them again, `folder` makes the files, `find` finds them
//! again; `range` is what varied, `repetitions` how often each value was to be measured, `caches` are those of the CPU; `provenance` says on which machine it was, `null` by how much equal things differ there.

#![warn(unreachable_pub)]

pub mod blocks;
pub mod caches;
pub mod cell;
mod conditions;
mod counter_facts;
pub mod counting;
mod figures;
mod find;
pub mod folder;
mod how_long;
pub mod journal;
pub mod noise;
pub mod null;
mod outcome;
pub mod overall;
pub mod provenance;
pub mod range;
pub mod ranking;
pub mod repetitions;
mod row;
pub mod rows;
pub mod schema;
mod start;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use cell::CellResult;
pub use counter_facts::{CounterFacts, CountingCost};
pub use figures::Figures;
pub use find::{Saved, USUAL, all, find, is_like_id, is_run, listing, rows_of_run};
pub use null::Null;
pub use outcome::{Cell, Ended, Status};
pub use overall::OverallResult;
pub use range::RangeAxis;
pub use row::{Clock, Cost, Measured, Row};
pub use schema::{ExperimentFacts, Run, SCHEMA};
pub use start::{Start, StartResult};

/// The file of a saved run that has a row for each repetition.
pub const MEASUREMENTS: &str = "measurements.csv";
/// The file of a saved run that repeats it.
pub const EXPERIMENT: &str = "experiment.toml";
/// The file of a saved run that has a row for each block of repetitions.
pub const BLOCKS: &str = "blocks.csv";
/// The file of a saved run that has the experiment and the results as one JSON object.
pub const RESULTS: &str = "report.json";
