//! Tests whether the items of a library do what the host expects of them.
//!
//! An algorithm and its twin are a [`Subject`]. [`try_plan`] tries one in child processes, and [`child`] is
//! their side: it runs the cases of the kit that authors have, through the ABI. A failing case is made
//! smaller and tried again as the user would repeat it. [`side_by_side()`] does this for many subjects, and
//! [`Passes`] remembers which have passed. [`kinds`] tries metrics, statistics, mergers, corpora and counter
//! backends.

#![warn(unreachable_pub)]

pub mod child;
pub mod kinds;
mod loaded;
mod memory;
mod passes;
mod report;
mod side_by_side;
mod subject;
mod trial;

pub use passes::{Pass, Passes};
pub use report::{Repeat, TestReport, TestStatus};
pub use side_by_side::{Progress, side_by_side};
pub use subject::{Subject, TestedVariant};
pub use trial::{TrialLimits, try_case, try_plan};
