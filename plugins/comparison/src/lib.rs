//! Algorithms that compare characters of the pattern with characters of the text.

pub mod brute_force;
pub mod horspool;
