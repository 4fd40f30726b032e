//! Whether what a library brings does what the host expects of it.
//!
//! An algorithm and its twin are a [`Subject`]. [`try_plan`] tries one in children, which [`child`] is the
//! inside of: it runs the cases of the kit that authors have, over the tables of the boundary; what fails is
//! made small, and tried again as the user would. [`side_by_side()`] does that for many. [`Passes`] remembers
//! what passed.

#![warn(unreachable_pub)]

pub mod child;
mod examine;
pub mod kinds;
mod loaded;
mod memory;
mod passes;
mod report;
mod side_by_side;
mod subject;

pub use examine::{Repeat, TrialLimits, try_case, try_plan};
pub use passes::{Pass, Passes};
pub use report::{TestReport, TestStatus};
pub use side_by_side::{Progress, side_by_side};
pub use subject::{Subject, TestedVariant};
