//! Counter backends of the operating system and the CPU.

pub mod cachegrind;
pub mod clock;
pub mod perf;
pub mod rusage;
pub mod tick_rate;
pub mod tsc;
