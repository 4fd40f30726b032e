//! Plugin libraries, and the child processes in which their code runs.

pub mod plugin;
pub mod process;
