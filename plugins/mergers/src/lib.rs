//! Mergers of sub-experiments.

pub mod hrm;
pub mod nearest;
