//! Plugin libraries, and the child processes in which their code runs.

#![warn(unreachable_pub)]

mod elf_segments;
pub mod plugin;
pub mod process;
