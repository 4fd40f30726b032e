//! Machines that do not exist, and the one that runs.

mod groups;
mod names;
mod real;
mod refusals;
