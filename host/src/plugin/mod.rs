//! Plugin libraries: where they are found, how they are loaded, what they bring.

mod counter_set;
mod searcher;

pub use counter_set::CounterSet;
pub use searcher::{Failure, Searcher, TextMemory};
