//! The statistics of assay: how well a figure is known, and whether one time really differs from another.
//!
//! Everything here is a function of numbers: nothing reads a file, prints, or knows what an algorithm is.
//! Times come as lists of [`Sample`]s, in any unit, and ratios are dimensionless.
//!
//! The unit of evidence is the *round*. All repetitions of a round share its moment, its worker processes and
//! where these lie in memory, so they err together; what varies independently are the rounds. Every interval
//! and every significance is therefore computed from one number per round ([`rounds`]).
//!
//! | module | answers |
//! | --- | --- |
//! | [`summary`] | minimum, median, mean, standard deviation, maximum |
//! | [`interval`] | how well is a median known? |
//! | [`rounds`] | what does each round say about a time, or about a ratio of two? |
//! | [`serial`] | how much less do rounds show if each resembles the one before? |
//! | [`significance`] | is one faster than another, who is best, and how do they rank overall? |
//! | [`components`] | where does the variance come from: patterns, repetitions, rounds, processes? |
//! | [`kendall`] | do two machines order the same algorithms alike? |
//! | [`prediction`] | is one figure like others of the same kind? |
//! | [`disturbance`], [`course`] | do the rounds drift, fall into two groups, or begin slowly? |

#![warn(unreachable_pub)]

pub mod components;
pub mod course;
pub mod disturbance;
pub mod draws;
pub mod interval;
pub mod kendall;
pub mod prediction;
pub mod rounds;
pub(crate) mod serial;
pub mod significance;
#[cfg(any(test, feature = "testing"))]
pub mod simulated;
pub mod summary;

pub use components::{Companion, Components};
pub use interval::{CONFIDENCE, Interval, median};
pub use rounds::{RoundValues, Sample};
pub use summary::Summary;
