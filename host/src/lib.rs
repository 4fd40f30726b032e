//! `assay`, a laboratory for exact string-search algorithms: the host, as a library.
//!
//! The host knows no algorithm, metric, statistic, counter backend, merger or corpus by name. It finds libraries
//! ([`plugin`]), measures with what they bring ([`run`]), and computes from what was measured ([`report`]).

pub mod child;
pub mod cli;
pub mod console;
pub mod counters;
pub mod describe;
pub mod error;
pub mod merge;
pub mod numbers;
pub mod output;
pub mod plugin;
pub mod report;
pub mod run;
pub mod sheet;
pub mod statistics;

pub use error::{Error, Result};
