//! Algorithms that compare characters of the pattern with characters of the text.

pub mod occurrence;
pub mod prefix;
pub mod skip;
pub mod suffix;

use assay_shared::{borders, grams, letters, opening, shifts};
