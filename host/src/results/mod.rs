//! What is kept of a run, and where: `schema` describes `report.json`, `journal` writes a row for each repetition, `folder`
//! makes the files, `find` finds them again; `provenance` says on which machine it was.

pub mod blocks;
mod counter_facts;
pub mod facts;
pub mod figures;
pub mod find;
pub mod folder;
pub mod journal;
pub mod noise;
pub mod outcome;
pub mod provenance;
pub mod schema;
pub mod summary;

pub use counter_facts::CounterFacts;
pub use facts::{Facts, Text};
pub use find::find;

/// The file of a saved run that has a row for each repetition.
pub const MEASUREMENTS: &str = "measurements.csv";
/// The file of a saved run that has a row for each block of repetitions.
pub const BLOCKS: &str = "blocks.csv";
/// The file of a saved run that has the experiment and the results as one JSON object.
pub const RESULTS: &str = "report.json";
