//! What is asked: the experiment, and what it names: its text, patterns, algorithms and counters.

pub mod counters;
pub mod definition;
pub mod patterns;
pub mod selection;
pub mod text;
pub mod texts;
