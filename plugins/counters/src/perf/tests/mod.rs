//! Machines that do not exist, and the one that runs.

mod groups;
mod mapped_page;
mod names;
mod real;
mod refusals;
