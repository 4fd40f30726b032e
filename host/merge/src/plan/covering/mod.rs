//! Covering designs: few blocks of a few points each, such that each wanted pair of points is in some block.

pub mod anneal;
pub mod bound;
pub mod cover;
mod cyclic;
pub mod designs;
mod field;
pub mod graph;
pub mod greedy;
mod plane;
pub mod search;
mod transversal;

/// Blocks of points, each sorted.
pub type Blocks = Vec<Vec<usize>>;

#[cfg(test)]
mod tests;
