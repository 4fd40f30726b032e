//! What a run measures, as the user asks for it: the experiment, its checks, and everything that it names.
//!
//! `definition` is the experiment as flags or a file give it, `validation` checks whether it makes sense, and
//! `keys` puts errors into the words of a file. `text`, `patterns`, `selection` (of algorithms), `counters`
//! and `cpu` find what it names. `range` is what varies, `points` are the range values with all that belongs
//! to them, and `resolved` is the whole experiment, ready to be measured.

#![warn(unreachable_pub)]

mod absent;
mod build;
pub mod by_length;
pub mod calls;
pub mod counters;
pub mod cpu;
pub mod definition;
mod files;
pub mod first_counter;
pub mod former_ids;
mod frequency;
pub mod how_long;
pub mod keys;
mod operations;
pub mod pattern_kind;
pub mod pattern_spec;
pub mod patterns;
pub mod points;
pub mod range;
pub mod recorded;
mod repetitions;
pub(crate) mod resolved;
pub mod rounds;
pub mod selection;
pub mod sets;
pub mod size;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
mod text_bytes;
pub mod text_spec;
pub mod texts;
mod threads;
mod validation;

pub use definition::Experiment;
pub use resolved::Resolved;
