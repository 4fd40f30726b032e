//! Covering designs: few blocks of a few points each, such that each wanted pair of points is in some block.

pub(crate) mod anneal;
mod base_blocks;
mod best_known;
pub(crate) mod bound;
pub(crate) mod cover;
pub(crate) mod designs;
mod field;
pub(crate) mod graph;
pub(crate) mod greedy;
mod groups;
mod orbits;
mod plane;
mod recipe;
pub(crate) mod search;
mod symmetry;
mod transversal;
mod triples;

/// Blocks of points, each sorted.
pub(crate) type Blocks = Vec<Vec<usize>>;

#[cfg(test)]
mod tests;
