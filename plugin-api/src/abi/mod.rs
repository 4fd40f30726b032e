//! What crosses the boundary between the host and a plugin library, both sides of it, kind by kind: what the library
//! exports, and what the host sees of it.
//!
//! The boundary is made with `abi_stable`, and no name of that crate is seen outside this folder. A Rust library has two
//! symbols: [`ABI_SYMBOL`], a plain pair of numbers that is read before anything else, and [`ENTRY_SYMBOL`], the root
//! module. Both are defined here, once, and every library that links this crate exports them: an author registers things
//! and writes no entry point.
//!
//! * The ABI has a number of its own. A host loads every library of its major number. What a library exports of each kind
//!   is a prefix type: a later minor number adds fields at its end, and older libraries simply lack them. Plain C structs
//!   that are passed by address (`foreign`) begin with their size, and are read and filled as far as both sides know
//!   them. What is only told to readers crosses as names with values ([`Facts`]).
//! * What is optional has a name in [`FEATURES`] and is used only if both sides have it.
//! * What runs in a hot loop is a plain C function, fetched before the loop ([`algorithm::Calls`], [`counter::Calls`]), so
//!   that libraries of other dialects end in the same types.
//! * No panic crosses: each entry catches it and answers with an error and the message.
//! * Who allocates frees. A library is never unloaded, so names and descriptions are `'static`.

#![expect(missing_docs, reason = "prefix types must be public, and only the boundary uses them")]

pub mod algorithm;
pub mod corpus;
pub mod counter;
mod facts;
mod foreign;
pub(crate) mod guard;
pub mod merger;
pub mod metric;
mod root;
pub mod statistic;

use abi_stable::StableAbi;

pub use facts::Facts;
pub use foreign::Address;
pub use root::{Catalogue, Refusal, read};

/// The number of the ABI: libraries of another major number are refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbiNumber {
    /// Changes when built libraries no longer work.
    pub major: u32,
    /// Changes when something is added.
    pub minor: u32,
}

impl std::fmt::Display for AbiNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The ABI of this crate.
pub const ABI: AbiNumber = AbiNumber { major: 1, minor: 0 };

/// What this side of the boundary can do beyond the first version of its ABI.
pub const FEATURES: &[&str] = &[];

/// The symbol of the library's [`AbiNumber`].
pub const ABI_SYMBOL: &str = "assay_abi";

/// The symbol of a Rust library's root module.
pub const ENTRY_SYMBOL: &str = "assay_rust_plugin";

/// The answer of a call across the boundary: a plain number, so that a library of any dialect can give it.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(i32);

impl Status {
    /// Done.
    pub const OK: Status = Status(0);
    /// The algorithm is not made for this pattern or text; the message says why.
    pub const CANNOT_SEARCH: Status = Status(1);
    /// Something went wrong; the message says what.
    pub const FAILED: Status = Status(2);
    /// The library panicked; the message is the panic's.
    pub const PANICKED: Status = Status(3);
}
