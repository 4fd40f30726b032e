//! Plugin libraries, and the child processes in which their code runs.

#![warn(unreachable_pub)]

pub mod plugin;
pub mod process;
