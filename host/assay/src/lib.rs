//! `assay`, a laboratory for exact string-search algorithms: the command line, and the interface for programs
//! that embed it.
//!
//! The host knows no algorithm, metric, statistic, counter backend, merger or corpus by name. A [`Registry`]
//! finds the plugins of libraries, an [`Experiment`] defines what to measure, [`execute`] measures and saves
//! it, and a [`Report`] computes every figure from the saved rows. `examples/measure.rs` is a whole program.
//!
//! Each step is a crate of its own below this one, in this order: `assay-base` and `assay-stats`,
//! `assay-load`, `assay-counting`, `assay-doctor` and `assay-merge`, `assay-experiment`, `assay-store`, `assay-measure`,
//! `assay-conformance`, `assay-report`. Their items may change with every version; the items that this crate
//! exports are meant to stay.

#![warn(unreachable_pub)]

pub mod bibtex;
mod cli;
mod describe;
mod estimate;
mod run;

pub use assay_base::columns::Call;
pub use assay_base::io::console::{Color, Console};
pub use assay_base::{Error, Result};
pub use assay_doctor::{CheckOutcome, CheckRecord};
pub use assay_experiment::definition::{Order, Stats};
pub use assay_experiment::patterns::Patterns;
pub use assay_experiment::{Experiment, Resolved};
pub use assay_load::plugin::{Kind, Listing, Problem, Registry};
pub use assay_merge::{Validation, validate};
pub use assay_report::baseline::Baseline;
pub use assay_report::variance::Variance;
pub use assay_report::{Data, FullData, Quantity, RawData, Report};
pub use assay_stats::{Interval, Summary};
pub use assay_store::{CellResult, ExperimentFacts, Run, Status};
pub use cli::{main, serve_as_child};
pub use run::{FinishedRun, RunStep, execute};
