//! The root module: the one thing that a Rust library exports, and how the host reads it.

use std::ffi::c_void;

use abi_stable::StableAbi;
use abi_stable::library::{AbiHeaderRef, CheckTypeLayout, LibHeader, RootModule, RootModuleResult};
use abi_stable::prefix_type::{PrefixRefTrait, PrefixTypeTrait};
use abi_stable::sabi_types::VersionStrings;
use abi_stable::std_types::{RResult, RSlice, RStr, RVec};

use super::facts::{Facts, names, owned};
use super::{ABI, AbiNumber, FEATURES, algorithm, corpus, counter, merger, metric, statistic};
use crate::registry::{Item, Registration, Twins};

#[unsafe(export_name = "assay_abi")]
static ASSAY_ABI: AbiNumber = ABI;

// SAFETY: the constructor leaks a `Root` into its prefix reference, which is what the header is declared for.
#[unsafe(export_name = "assay_rust_plugin")]
static ASSAY_RUST_PLUGIN: LibHeader =
    unsafe { LibHeader::from_constructor::<RootRef>(construct, CheckTypeLayout::Yes) };

/// What a library brings, kind by kind.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = RootRef, prefix_fields = RootPrefix)))]
pub struct Root {
    features: RSlice<'static, RStr<'static>>,
    name: RStr<'static>,
    version: RStr<'static>,
    algorithms: extern "C" fn() -> RVec<algorithm::AlgorithmAbiRef>,
    counters: extern "C" fn() -> RVec<counter::CounterAbiRef>,
    metrics: extern "C" fn() -> RVec<metric::MetricAbiRef>,
    statistics: extern "C" fn() -> RVec<statistic::StatisticAbiRef>,
    mergers: extern "C" fn() -> RVec<merger::MergerAbiRef>,
    #[sabi(last_prefix_field)]
    corpora: extern "C" fn() -> RVec<corpus::CorpusAbiRef>,
}

impl RootModule for RootRef {
    abi_stable::declare_root_module_statics! {RootRef}
    const BASE_NAME: &'static str = "assay_plugin";
    const NAME: &'static str = "assay plugin";
    // abi_stable refuses libraries of an older minor version than the host's: exactly those that must go on working. Its
    // number therefore stands still, and ours decides.
    const VERSION_STRINGS: VersionStrings = VersionStrings::new("1.0.0");
}

extern "C" fn construct() -> RootModuleResult {
    let (name, version) = origin();
    let root = Root {
        features: names(FEATURES),
        name: name.into(),
        version: version.into(),
        algorithms: export_algorithms,
        counters: export_counters,
        metrics: export_metrics,
        statistics: export_statistics,
        mergers: export_mergers,
        corpora: export_corpora,
    };
    // SAFETY: the header that calls this was declared for `RootRef`, and casts back to it.
    RResult::ROk(unsafe { root.leak_into_prefix().to_prefix_ref().cast() })
}

fn registered() -> impl Iterator<Item = &'static Registration> {
    inventory::iter::<Registration>.into_iter()
}

fn twins() -> Option<&'static Registration> {
    registered().find(|registration| matches!(registration.item, Item::Twins(_)))
}

/// A library of twins alone exports nothing else of the library that it names.
fn twins_only() -> bool {
    matches!(twins().map(|registration| &registration.item), Some(Item::Twins(Twins::Only)))
}

/// Name and version of the crate that is exported. A library of twins links the crate whose twins it exports: there its
/// own marker decides.
fn origin() -> (&'static str, &'static str) {
    let first = twins().or_else(|| registered().next());
    first.map_or(("", ""), |registration| (registration.krate, registration.version))
}

extern "C" fn export_algorithms() -> RVec<algorithm::AlgorithmAbiRef> {
    let (plain, counting) = (!twins_only(), twins().is_some());
    registered()
        .filter_map(Registration::algorithm)
        .flat_map(|(algorithm, identity)| {
            let export = |counting| (algorithm.export)(counting, &identity);
            [plain.then(|| export(false)), counting.then(|| export(true))]
        })
        .flatten()
        .collect()
}

extern "C" fn export_counters() -> RVec<counter::CounterAbiRef> {
    export(|item| match item {
        Item::Backend(export) => Some(export()),
        _ => None,
    })
}

extern "C" fn export_metrics() -> RVec<metric::MetricAbiRef> {
    export(|item| match item {
        Item::Metric(metric) => Some(metric::export(metric)),
        _ => None,
    })
}

extern "C" fn export_statistics() -> RVec<statistic::StatisticAbiRef> {
    export(|item| match item {
        Item::Statistic(statistic) => Some(statistic::export(statistic)),
        _ => None,
    })
}

extern "C" fn export_mergers() -> RVec<merger::MergerAbiRef> {
    export(|item| match item {
        Item::Merger(merger) => Some(merger::export(merger)),
        _ => None,
    })
}

extern "C" fn export_corpora() -> RVec<corpus::CorpusAbiRef> {
    export(|item| match item {
        Item::Corpus(corpus) => Some(corpus::export(corpus)),
        _ => None,
    })
}

fn export<T>(select: impl Fn(&'static Item) -> Option<T>) -> RVec<T> {
    if twins_only() {
        return RVec::new();
    }
    registered().filter_map(|registration| select(&registration.item)).collect()
}

/// Everything that a library brings, as the host sees it: each kind sorted by id.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Name of the crate.
    pub name: String,
    /// Version of the crate.
    pub version: String,
    /// What the library can do beyond the first version of its ABI.
    pub features: Vec<String>,
    /// Algorithms, instrumented twins included.
    pub algorithms: Vec<algorithm::Entry>,
    /// Counter backends.
    pub counters: Vec<counter::Entry>,
    /// Metrics.
    pub metrics: Vec<metric::Entry>,
    /// Statistics.
    pub statistics: Vec<statistic::Entry>,
    /// Mergers.
    pub mergers: Vec<merger::Entry>,
    /// Corpora.
    pub corpora: Vec<corpus::Entry>,
}

impl Catalogue {
    /// Whether the library brings nothing at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of things that the library brings.
    pub fn len(&self) -> usize {
        self.algorithms.len()
            + self.counters.len()
            + self.metrics.len()
            + self.statistics.len()
            + self.mergers.len()
            + self.corpora.len()
    }
}

/// Why a root module can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, in a few words.
    pub summary: String,
    /// The whole story, often hundreds of lines.
    pub details: String,
}

/// Reads what a Rust library brings.
///
/// # Errors
/// If the library was built with another version of `abi_stable`, or its types don't have the layout of ours.
///
/// # Safety
/// `entry` must be the address of the symbol [`ENTRY_SYMBOL`](super::ENTRY_SYMBOL) in a library that is never unloaded,
/// whose [`AbiNumber`] has our major number.
pub unsafe fn read(entry: *const c_void) -> Result<Catalogue, Refusal> {
    let refusal = |summary: &str, error: &dyn std::fmt::Display| Refusal {
        summary: summary.to_owned(),
        details: error.to_string(),
    };
    // SAFETY: the symbol is a `LibHeader`, which begins with the header that this points to; it is checked before the
    // rest is touched.
    let header = unsafe { std::mem::transmute::<*const c_void, AbiHeaderRef>(entry) };
    let root = header
        .upgrade()
        .map_err(|error| refusal("built with an incompatible release of abi_stable", &error))?
        .init_root_module::<RootRef>()
        .map_err(|error| refusal("its types have another layout than the host's", &error))?;
    Ok(Catalogue {
        name: root.name().to_string(),
        version: root.version().to_string(),
        features: owned(root.features()),
        algorithms: sorted(root.algorithms()(), |entry: &algorithm::Entry| &entry.facts),
        counters: sorted(root.counters()(), |entry: &counter::Entry| &entry.facts),
        metrics: sorted(root.metrics()(), |entry: &metric::Entry| &entry.facts),
        statistics: sorted(root.statistics()(), |entry: &statistic::Entry| &entry.facts),
        mergers: sorted(root.mergers()(), |entry: &merger::Entry| &entry.facts),
        corpora: sorted(root.corpora()(), |entry: &corpus::Entry| &entry.facts),
    })
}

/// `inventory` lists things in any order.
fn sorted<A, E: From<A>>(exported: RVec<A>, facts: fn(&E) -> &Facts) -> Vec<E> {
    let mut entries: Vec<E> = exported.into_iter().map(E::from).collect();
    entries.sort_by(|a, b| facts(a).id.cmp(&facts(b).id));
    entries
}
