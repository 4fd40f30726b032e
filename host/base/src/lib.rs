//! The base of all crates of the host: errors, the console, tables, CSV, numbers, moments, formulas, and the
//! order of names.

#![warn(unreachable_pub)]

pub mod columns;
pub mod error;
pub mod formula;
pub mod io;
pub mod moment;
mod natural_order;
pub mod work_budget;

pub use error::{Error, Result};
pub use natural_order::natural_order;
