//! Children: this program started again to do what may crash, hang or exit.
//!
//! The host starts a child with one of the [`Task`]s and holds it by a [`Guard`]; [`keeper`] tells what
//! stands between the two, and [`each`] lets children work item by item. A child is told nothing by its
//! arguments or environment.

mod affinity;
mod aftermath;
mod descriptors;
mod end;
mod frames;
mod guard;
mod interrupt;
mod items;
pub mod keeper;
mod last_words;
mod launch;
mod memory;
mod requests;
mod stopwatch;
mod tasks;

pub use affinity::keep_on;
pub(crate) use aftermath::uncopied;
pub use aftermath::{OriginalProcess, end_with_parent};
pub use descriptors::room_for;
pub use end::End;
pub use frames::{Assembler, receive, send};
pub use guard::{ENTRY, Guard, no_thread, not_started};
pub use interrupt::Interrupt;
pub use items::{answer, each, patience};
pub use last_words::LastWords;
pub use launch::{LAUNCHED, Launch, SLOWER, connection, this_program};
pub use memory::{memory_file, path_of};
pub(crate) use requests::next_request;
pub use requests::{ChildAnswer, Requests};
pub use stopwatch::{LOOK_EVERY, Stopwatch};
pub use tasks::Task;
