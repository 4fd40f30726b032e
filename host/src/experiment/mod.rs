//! What is asked: `definition` is the experiment, as flags or a file give it, `validation` whether it makes sense, `keys` how that is told of a file; `text`, `patterns`, `selection` (of
//! algorithms), `counters` and `cpu` find what it names, `build` refuses to time debug builds; `sets` are those of algorithms that the user keeps, `texts` those
//! on this machine; `files` joins those of a text, `recorded` holds them to what they were; `range` is what varies from point to point, `calls` what a repetition does there and `by_length` what depends on lengths by a formula; `resolved` has all of it at
//! hand.

mod absent;
mod build;
pub mod by_length;
pub mod calls;
pub mod counters;
pub mod cpu;
pub mod definition;
mod files;
mod frequency;
pub mod how_long;
pub mod keys;
pub mod pattern_kind;
pub mod pattern_spec;
pub mod patterns;
pub mod range;
pub mod recorded;
mod repetitions;
pub(crate) mod resolved;
pub mod rounds;
pub mod selection;
pub mod sets;
pub mod size;
#[cfg(test)]
pub mod testing;
pub mod text;
pub mod texts;
mod validation;

pub use definition::Experiment;
pub use resolved::Resolved;
