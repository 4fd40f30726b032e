//! Covering designs: few blocks of a few points each, such that each wanted pair of points is in some block.

pub(crate) mod anneal;
pub(crate) mod bound;
pub(crate) mod cover;
mod cyclic;
pub(crate) mod designs;
mod field;
pub(crate) mod graph;
pub(crate) mod greedy;
mod plane;
pub(crate) mod search;
mod transversal;

/// Blocks of points, each sorted.
pub(crate) type Blocks = Vec<Vec<usize>>;

#[cfg(test)]
mod tests;
