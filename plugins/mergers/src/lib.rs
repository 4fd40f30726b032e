//! Mergers of sub-experiments.

pub mod diagnosis;
pub mod hrm;
pub mod kolmogorov;
pub mod pairs;
pub mod ranks;
pub mod scatter;
