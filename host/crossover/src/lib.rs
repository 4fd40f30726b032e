//! Where one algorithm overtakes another, over pattern length, alphabet and text size.
//!
//! [`search`] measures a coarse [`CrossoverGrid`] and then bisects between neighbours at which other
//! algorithms lead. The measuring itself is a function that the caller passes, so that tests use a simulated
//! clock. [`findings`] says what that shows along each line of the grid: [`Overtaking`]s with their
//! intervals. A [`Dispatcher`] says which algorithm to take where, with its regret, and is written as Rust or
//! C.

#![warn(unreachable_pub)]

mod dispatcher;
mod findings;
mod grid;
mod identifier;
mod regret;
mod search;
mod source;
mod standing;
#[cfg(test)]
mod testing;
mod words;

pub use dispatcher::{Dispatcher, DispatcherCell, NoDispatcher};
pub use findings::{LeaderRegion, LineFindings, Overtaking, findings};
pub use grid::{CrossoverGrid, GridAxis, GridPoint};
pub use regret::Regret;
pub use search::{Crossover, CrossoverEnd, search};
pub use source::SourceLanguage;
pub use standing::PointStandings;
pub use words::{in_words, one_of};
