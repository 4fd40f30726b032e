//! Plugin libraries: where they are found, how they are loaded, what they bring.
//!
//! A library passes through these files in order: `discovery` finds it, `cache` knows it from an earlier time or
//! `inspect` loads it in a child process ([`crate::child`]), which checks it with `elf` before `load` opens it and with
//! `rules` what it says; what it brings (`contents`) goes to the `registry`, which loads into this process what a command
//! really uses.

mod cache;
mod contents;
mod counter_set;
mod discovery;
mod elf;
mod failure;
mod inspect;
mod library;
mod load;
mod registry;
mod rules;
mod searcher;
mod trial;

#[cfg(test)]
pub(crate) use contents::tests::listing;
pub use contents::{Contents, Kind, Listing};
pub use counter_set::CounterSet;
pub use failure::{LoadFailure, Stage};
pub use inspect::serve as serve_inspection;
pub use library::Library;
pub use load::load;
pub use registry::{Problem, Registry, Status};
pub use searcher::{Failure, Searcher, TextMemory};
pub use trial::{serve as serve_trials, try_out};
