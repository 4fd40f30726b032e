//! The search for the text and the pattern on which an algorithm works most, by the counts of its twin.
//!
//! [`search`] begins with the words by which the literature shows worst cases, and changes and crosses them,
//! because a search by chance alone would hardly meet a periodic text. [`TwinInChild`] counts, in a child
//! process, and [`child`] is its side. [`judge`] compares the growth of the work with what an algorithm's
//! [`WorstCaseClaim`] allows. Counts depend on no clock, so a seed gives the same result everywhere.

#![warn(unreachable_pub)]

pub mod child;
mod claim;
mod evolution;
mod input;
mod lengths;
mod letters;
mod saved;
mod search;
mod seeds;
mod stretching;
mod twin_in_child;
mod variation;
mod verdict;
mod words;
mod work;

pub use child::{CountOutcome, TwinCounts};
pub use claim::{Growth, WorstCaseClaim};
pub use input::{InputSize, SearchInput};
pub use lengths::default_lengths;
pub use saved::{InputFolder, words_of};
pub use search::{AdversaryPlan, AdversaryResult, SearchEnd, WorstInput, search};
pub use twin_in_child::TwinInChild;
pub use verdict::{GrowthVerdict, judge};
pub use work::WorkMeasure;
