//! How a report leaves the program: tables, pictures, and the page of a saved run.

pub mod caption;
pub mod chart;
pub mod dataset;
pub mod figures;
pub mod marks;
pub mod overview;
pub mod page;
pub mod paper;
pub mod picture;
mod starts;
pub(crate) mod stat_table;
mod statuses;
