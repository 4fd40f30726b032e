//! What is kept of a run, and where.
//!
//! `schema` describes `report.json`, with a `cell` for each algorithm and value of the range; `range`
//! describes what varied, `values` and `repetitions` what holds at each value. `row` is one repetition,
//! `start` what happens once in a worker; `journal` writes a line for each, and `row_reader` reads them
//! again. `blocks` makes a block of rows count, and `verification` compares the rows with its checksums, and
//! `checked_rows` reads them so. `folder` makes the files of a run, `lock` keeps others from writing to them,
//! `find` finds them again, and `index` lists them. `provenance` says on which machine it was, `parts` when,
//! `time_split` what its time went to, `null` by how much copies of one algorithm differ there,
//! and `status` whether the algorithms are the published ones. `join` makes one run of the runs of a
//! campaign's tasks, and `gathered` says what it knows of them.

#![warn(unreachable_pub)]

pub mod blocks;
pub mod caches;
pub mod cell;
mod checked_rows;
mod counter_facts;
pub mod counting;
mod figures;
mod find;
pub mod folder;
pub mod gathered;
mod index;
pub mod join;
pub mod journal;
mod lock;
pub mod noise;
pub mod null;
mod outcome;
pub mod overall;
pub mod parts;
mod pattern_rows;
pub mod provenance;
pub mod range;
pub mod rank;
pub mod repetitions;
mod row;
pub mod row_reader;
pub mod schema;
mod seal;
mod start;
mod status;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod time_split;
mod values;
mod verification;

pub use cell::CellResult;
pub use counter_facts::{CounterFacts, CountingCost};
pub use figures::Figures;
pub use find::{
    Saved, USUAL, WITH_OUT, all, find, find_incomplete, is_like_id, is_run, listing, newer_incomplete,
    resume_command, rows_of_run,
};
pub use index::{RunIndex, RunSummary};
pub use lock::{FileLock, is_measuring};
pub use null::Null;
pub use outcome::{Cell, Ended, Status};
pub use overall::OverallResult;
pub use row::{Clock, Cost, Measured, Row};
pub use schema::{ExperimentFacts, Run, SCHEMA};
pub use start::{Start, StartResult, StartTimes};
pub use status::AlgorithmStatus;
pub use time_split::{Activity, TimeSpent, TimeSplit};
pub use verification::Verifier;

/// The file of a saved run that has a row for each repetition.
pub const MEASUREMENTS: &str = "measurements.csv";
/// The file of a saved run that repeats it.
pub const EXPERIMENT: &str = "experiment.toml";
/// The file of a saved run that has a row for each block of repetitions.
pub const BLOCKS: &str = "blocks.csv";
/// The file of a saved run that has a row for each pattern.
pub const PATTERNS: &str = "patterns.csv";
/// The file of a saved run that has the experiment and the results as one JSON object.
pub const RESULTS: &str = "report.json";
