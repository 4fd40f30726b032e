//! Mergers of sub-experiments.

pub mod auto;
pub mod diagnosis;
pub mod drift;
pub mod exact;
pub mod gaussian;
pub mod hrm;
pub mod kolmogorov;
pub mod much;
pub mod nearest;
pub mod pairs;
pub mod parallel;
pub mod ranks;
#[cfg(test)]
mod reference;
pub mod scatter;
mod settings;
pub mod tagged;
pub mod uncertainty;
pub mod unit;
