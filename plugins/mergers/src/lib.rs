//! Mergers of sub-experiments.

pub mod hrm;
