//! The types that cross the boundary (ABI) between assay and its plugin libraries. The crate holds no code of
//! the host and none of plugins. Its version is the number of the ABI.
//!
//! * A library exports two symbols: its [`AbiNumber`], and a [root module](root) of `abi_stable` that lists its
//!   items.
//! * The host calls an item through the *table* of its kind, such as
//!   [`AlgorithmTable`](algorithm::AlgorithmTable). Tables are plain C, so that libraries in any language can
//!   provide them.
//! * Structs that cross by address are [`Growing`]: they begin with their size, and each side reads and fills
//!   only the fields that both know.
//! * Data without a fixed length goes through a *sink*: functions of the caller that are valid during the call.
//!   So no memory changes its owner.
//! * Strings and lists are an address and a length ([`Str`], [`List`]). Enumerations are plain numbers, because
//!   either side may be newer and know more values.
//!
//! What an address leads to lasts for the call; what a table or a listing holds lasts for ever. Functions
//! that several threads may call at once say so.
#![deny(missing_docs)]

pub mod algorithm;
pub mod corpus;
pub mod counter;
mod entry;
mod growth;
pub mod merger;
pub mod metric;
pub mod root;
pub mod self_test;
pub mod statistic;
mod status;
mod text;
pub mod ticks;
pub mod trace;

pub use entry::{Refusal, open};
pub use growth::{Growing, Unreadable, fill, read};
pub use root::{ABI, ABI_SYMBOL, AbiNumber, ENTRY_SYMBOL, FEATURES};
pub use status::Status;
pub use text::{List, Pair, Str, TextSink};

/// What [`export_library!`] expands to; not for use by hand.
#[doc(hidden)]
pub mod private {
    pub use crate::entry::{RootRef, leak};
    pub use abi_stable::library::{CheckTypeLayout, LibHeader, RootModuleResult};
}
