//! What is asked: `definition` is the experiment, as flags or a file give it; `text` (`texts` are those on this machine), `patterns`, `selection` (of
//! algorithms), `counters` and `cpu` find what it names; `resolved` has all of it at hand.

pub mod counters;
pub mod cpu;
pub mod definition;
pub mod pattern_spec;
pub mod patterns;
pub(crate) mod resolved;
pub mod rounds;
pub mod selection;
pub mod text;
pub mod texts;

pub use definition::Experiment;
pub use resolved::Resolved;
