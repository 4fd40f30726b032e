//! Child processes: this program, started again to do what may crash, hang or exit.
//!
//! The host starts a child with one of the [`Task`]s and holds it by a [`ChildGuard`]. [`keeper`] describes
//! the processes between the two, and [`run_items`] lets children work item by item. A child gets everything
//! that it needs over a connection, nothing by arguments or environment.

mod child_end;
mod child_guard;
mod cpu_binding;
mod descriptors;
mod forks_and_orphans;
mod frames;
mod interrupt;
mod items;
pub mod keeper;
mod last_words;
mod launch;
mod memory;
mod passed_files;
mod requests;
mod requests_to_end;
pub mod sandbox;
mod stopwatch;
mod tasks;

pub use child_end::ChildEnd;
pub use child_guard::{ChildGuard, ENTRY, no_thread, not_started};
pub use cpu_binding::bind_to_cpu;
pub use descriptors::room_for;
pub(crate) use forks_and_orphans::call_without_copies;
pub use forks_and_orphans::{OriginalProcess, end_with_parent};
pub use frames::{Assembler, receive, send};
pub use interrupt::Interrupt;
pub use items::{PATIENCE_VARIABLE, answer_items, patience, run_items};
pub use last_words::LastWords;
pub use launch::{LAUNCHED, Launch, SIMULATOR_SLOWDOWN, connection, this_program};
pub(crate) use memory::opened_again;
pub use memory::{SharedBytes, memory_file};
pub use passed_files::{receive_file, send_files};
pub(crate) use requests::next_request;
pub use requests::{ChildAnswer, Requests};
pub use sandbox::Permissions;
pub use stopwatch::{LOOK_EVERY, Stopwatch};
pub use tasks::{Task, receive_task};
