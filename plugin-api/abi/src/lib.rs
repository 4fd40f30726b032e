//! What crosses the boundary between assay and its plugin libraries, and nothing else: no code of a host,
//! none of a plugin. Its version is the number of the ABI.
//!
//! * A library exports two symbols: its [`AbiNumber`], and a [root module](root) of `abi_stable` that lists
//!   what it brings.
//! * All that is called lies in a *table* of the item's kind: [`AlgorithmTable`](algorithm::AlgorithmTable)
//!   and its like, plain C, so that a library in any language can have the same.
//! * Structs that cross by address are [`Growing`]: they begin with their size, and are read and filled as
//!   far as both sides know them.
//! * Whatever has no fixed length is passed through functions of the caller during the call, a *sink*: no
//!   memory changes sides.
//! * Strings and lists are an address and a length ([`Str`], [`List`]). Numbers that stand for something stay
//!   numbers: either side may be newer and know more of them.
//!
//! Addresses are promises: what is after them lasts for the call, or for ever where a table or a listing
//! holds it. Calls that are not made for several threads at once say so.
#![deny(missing_docs)]

pub mod algorithm;
pub mod corpus;
pub mod counter;
mod entry;
mod growth;
pub mod merger;
pub mod metric;
pub mod root;
pub mod statistic;
mod status;
mod text;

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
