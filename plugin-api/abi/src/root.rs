//! The exports of a library: the number of its ABI, and a root module that lists its items.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;

use crate::{List, Pair, Str};

/// The number of an ABI. A host refuses libraries with another major number.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbiNumber {
    /// Changes if libraries that are already built no longer work.
    pub major: u32,
    /// Changes if something is added.
    pub minor: u32,
}

impl fmt::Display for AbiNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The ABI of this crate.
pub const ABI: AbiNumber = AbiNumber { major: 1, minor: 1 };

/// Features that this version has in addition to the first version of the ABI.
pub const FEATURES: &[&str] = &[];

/// The symbol of the library's [`AbiNumber`].
pub const ABI_SYMBOL: &str = "assay_abi";

/// The symbol of a Rust library's root module.
pub const ENTRY_SYMBOL: &str = "assay_rust_plugin";

/// The kind of an item, a plain number. A host asks for the kinds that it knows.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub u32);

impl Kind {
    /// Algorithms, each with an [`AlgorithmTable`](crate::algorithm::AlgorithmTable).
    pub const ALGORITHM: Kind = Kind(1);
    /// Counter backends, each with a [`CounterTable`](crate::counter::CounterTable).
    pub const COUNTER: Kind = Kind(2);
    /// Metrics, each with a [`MetricTable`](crate::metric::MetricTable).
    pub const METRIC: Kind = Kind(3);
    /// Statistics, each with a [`StatisticTable`](crate::statistic::StatisticTable).
    pub const STATISTIC: Kind = Kind(4);
    /// Mergers, each with a [`MergerTable`](crate::merger::MergerTable).
    pub const MERGER: Kind = Kind(5);
    /// Corpora, each with a [`CorpusTable`](crate::corpus::CorpusTable).
    pub const CORPUS: Kind = Kind(6);
}

/// How a library was built, a plain number; 0 if unknown.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Build(pub u64);

impl Build {
    /// Without debug assertions.
    pub const RELEASE: Build = Build(1);
    /// With debug assertions, so its times say little.
    pub const DEBUG: Build = Build(2);
}

/// An item of a library. It lasts for ever, as do all texts and tables to which it leads.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct Item {
    /// Short id, unique within its kind.
    pub id: Str,
    /// Facts about it for readers, in the order in which they should be shown.
    pub facts: List<Pair>,
    /// Its table. The kind decides the type.
    pub table: *const c_void,
}

/// Lists the items of a kind. The list is empty if the library does not know the kind.
pub type Items = unsafe extern "C" fn(kind: Kind) -> List<Item>;

/// The facts about a library, with its list of items.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Name of the crate.
    pub name: Str,
    /// Version of the crate.
    pub version: Str,
    /// Features that it has in addition to the first version of its ABI.
    pub features: List<Str>,
    /// Lists its items of a kind.
    pub items: Items,
    /// How it was built.
    pub build: Build,
}
