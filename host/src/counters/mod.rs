//! Counters: what can be counted here, and what counting costs.

mod cost;
mod list;

pub use cost::{COMMAND, Cost, TITLES, csv, in_fresh_process, serve};
pub use list::{KnownEvent, choose, known, list, table};
