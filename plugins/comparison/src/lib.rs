//! Algorithms that compare characters of the pattern with characters of the text.

pub mod boyer_moore;
pub mod brute_force;
pub mod horspool;
pub mod knuth_morris_pratt;
pub mod morris_pratt;
mod occurrence;
pub mod quick_search;
pub mod raita;
pub mod tuned_boyer_moore;
pub mod two_way;
