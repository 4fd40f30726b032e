//! Counter backends of the operating system and the CPU.

mod account;
mod c_library;
pub mod cachegrind;
pub mod clock;
mod cpu_flag;
mod kernel_file;
pub mod papi;
pub mod pcp;
pub mod perf;
pub mod rapl;
mod refusal;
pub mod rusage;
pub mod schedstat;
pub mod tick_rate;
pub mod tsc;
mod work;
