//! Algorithms that compare characters of the pattern with characters of the text.

mod borders;
pub mod occurrence;
pub mod prefix;
mod shifts;
pub mod skip;
pub mod suffix;
