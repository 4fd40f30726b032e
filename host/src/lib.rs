//! `assay`, a laboratory for exact string-search algorithms: the host, as a library.
//!
//! The host knows no algorithm, metric, statistic, counter backend, merger or corpus by name. It finds libraries
//! ([`plugin`]), measures with what they bring ([`measure`]), and computes from what was measured ([`report`]).

pub mod bibtex;
pub mod cli;
pub mod collect;
pub mod columns;
pub mod conformance;
pub mod counters;
pub mod describe;
pub mod error;
pub mod experiment;
pub mod formula;
pub mod io;
pub mod measure;
pub mod merge;
pub mod plan;
pub mod plugin;
pub mod process;
pub mod report;
pub mod results;
pub mod run;

pub use error::{Error, Result};
