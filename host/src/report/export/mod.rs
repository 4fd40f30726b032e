//! How a report leaves the program: tables, and the page of a saved run.

pub mod marks;
pub mod page;
pub mod run_table;
mod starts;
pub mod stat_table;
