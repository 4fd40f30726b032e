//! All that an author of an assay plugin needs.
#![deny(missing_docs)]

pub mod abi;
mod algorithm;
mod corpus;
mod counter;
mod found;
mod measurements;
mod merger;
mod metric;
pub mod probe;
mod registry;
mod statistic;
mod table;
pub mod testing;
mod view;

pub use algorithm::{About, Algorithm, CannotSearch, Hints, Needs};
pub use corpus::{Corpus, Request};
pub use counter::{Availability, Backend, Count as EventCount, Event, Scope, Semantics};
pub use found::{Count, Found, Positions};
pub use measurements::{Counters, EXTRA_FIELDS, EXTRA_NAME_LENGTH, FIELDS, Field, Measurements};
pub use merger::{Block, Column, Merged, Merger, Options};
pub use metric::{Metric, inputs};
pub use probe::{Checked, Counting, Off, Probe};
pub use statistic::Statistic;
pub use table::{ByteTable, ByteTableView, Entries, Table, TableView};
pub use view::{Pattern, Text};

/// What [`register!`] expands to; not for use by hand.
#[doc(hidden)]
pub mod private {
    pub use crate::registry::{Item, Registration, Twins};
    pub use inventory;
}
