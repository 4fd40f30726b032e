//! Algorithms that compare characters of the pattern with characters of the text.

pub mod occurrence;
mod opening;
pub mod prefix;
pub mod skip;
pub mod suffix;

use assay_shared::{borders, grams, shifts};
