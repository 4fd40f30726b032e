//! What a library exports: the number of its ABI, and a root module that lists what it brings.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;

use crate::{List, Pair, Str};

/// The number of the ABI: libraries of another major number are refused.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbiNumber {
    /// Changes when built libraries no longer work.
    pub major: u32,
    /// Changes when something is added.
    pub minor: u32,
}

impl fmt::Display for AbiNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// A kind of things that libraries bring: a plain number. A host asks for the kinds that it knows.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub u32);

impl Kind {
    /// Algorithms: an [`AlgorithmTable`](crate::algorithm::AlgorithmTable) each.
    pub const ALGORITHM: Kind = Kind(1);
    /// Counter backends: a [`CounterTable`](crate::counter::CounterTable) each.
    pub const COUNTER: Kind = Kind(2);
    /// Metrics: a [`MetricTable`](crate::metric::MetricTable) each.
    pub const METRIC: Kind = Kind(3);
    /// Statistics: a [`StatisticTable`](crate::statistic::StatisticTable) each.
    pub const STATISTIC: Kind = Kind(4);
    /// Mergers: a [`MergerTable`](crate::merger::MergerTable) each.
    pub const MERGER: Kind = Kind(5);
    /// Corpora: a [`CorpusTable`](crate::corpus::CorpusTable) each.
    pub const CORPUS: Kind = Kind(6);
}

/// How a library was built: a plain number, 0 where it does not say.
#[repr(transparent)]
#[derive(StableAbi, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Build(pub u64);

impl Build {
    /// Without debug assertions: what is timed.
    pub const RELEASE: Build = Build(1);
    /// With debug assertions: its times say little.
    pub const DEBUG: Build = Build(2);
}

/// One thing that a library brings. It lasts for ever, as do all texts and tables that it leads to.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct Item {
    /// Short id, unique within its kind.
    pub id: Str,
    /// What is said of it, for readers, in the order in which it should be shown.
    pub facts: List<Pair>,
    /// Its table, of the type that the kind has.
    pub table: *const c_void,
}

/// Lists what a library brings of a kind: nothing, if it does not know the kind.
pub type Items = unsafe extern "C" fn(kind: Kind) -> List<Item>;

/// What a library says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Name of the crate.
    pub name: Str,
    /// Version of the crate.
    pub version: Str,
    /// What it can do beyond the first version of its ABI.
    pub features: List<Str>,
    /// Lists what it brings.
    pub items: Items,
    /// How it was built.
    pub build: Build,
}
