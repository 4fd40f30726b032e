//! The base of all crates of the host: errors, the console, tables, CSV, numbers, moments and formulas.

#![warn(unreachable_pub)]

pub mod columns;
pub mod error;
pub mod formula;
pub mod io;
pub mod moment;

pub use error::{Error, Result};
