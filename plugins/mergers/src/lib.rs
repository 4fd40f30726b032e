//! Mergers of sub-experiments.

pub mod auto;
pub mod diagnosis;
pub mod exact;
pub mod hrm;
pub mod kolmogorov;
pub mod nearest;
pub mod pairs;
pub mod ranks;
pub mod scatter;
