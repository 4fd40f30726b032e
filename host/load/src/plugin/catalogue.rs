//! Everything that a library brings, kind by kind, as the host sees it.

use std::ffi::c_void;

use assay_abi::root::{Item, Kind};
use assay_abi::{FEATURES, List};
use assay_base::io::console::counted;
use assay_base::natural_order;

use super::call::{Facts, algorithm, corpus, counter, merger, metric, statistic};
use super::dialect::Declaration;
use super::library_info::LibraryInfo;
use super::printable;

/// Everything that a library brings, each kind sorted by id.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// What the library says of itself.
    pub library: LibraryInfo,
    /// What every id of its dialect begins with.
    pub prefix: &'static str,
    /// Algorithms, instrumented twins included.
    pub algorithms: Vec<algorithm::AlgorithmEntry>,
    /// Counter backends.
    pub counters: Vec<counter::CounterEntry>,
    /// Metrics.
    pub metrics: Vec<metric::MetricEntry>,
    /// Statistics.
    pub statistics: Vec<statistic::StatisticEntry>,
    /// Mergers.
    pub mergers: Vec<merger::MergerEntry>,
    /// Corpora.
    pub corpora: Vec<corpus::CorpusEntry>,
}

impl Catalogue {
    /// The counter backend of this id.
    ///
    /// # Errors
    /// If the library brings it no more.
    pub fn counter(&self, id: &str) -> Result<&counter::CounterEntry, &'static str> {
        self.counters.iter().find(|entry| entry.facts.id == id).ok_or("it is gone from its library")
    }

    /// An id as the library itself has it: the end of `LIBRARY:ID`. Ids with the prefix of a dialect are
    /// never qualified.
    pub fn own_id<'a>(&self, id: &'a str) -> &'a str {
        own_id(&self.library.name, self.prefix, id)
    }

    /// Asks a library for all that it brings of the kinds that this host knows.
    ///
    /// # Errors
    /// If something that it brings can't be used: what, and why.
    ///
    /// # Safety
    /// The library must keep the contract of the boundary, and never be unloaded.
    pub unsafe fn read(library: Declaration) -> Result<Self, String> {
        let Declaration { info, prefix, timed, items } = library;
        let items = &*items;
        let info = info.printable();
        // SAFETY: the caller's promise.
        let unknown = unsafe { unknown_to_this_host(&info, items) };
        // SAFETY: the caller's promise; each kind has its own type of table.
        let mut catalogue = unsafe {
            Catalogue {
                library: LibraryInfo { unknown, ..info },
                prefix,
                algorithms: of_kind(
                    items,
                    Kind::ALGORITHM,
                    None,
                    "algorithm",
                    algorithm::AlgorithmEntry::read,
                )?,
                counters: of_kind(items, Kind::COUNTER, None, "counter", counter::CounterEntry::read)?,
                metrics: of_kind(items, Kind::METRIC, None, "metric", metric::MetricEntry::read)?,
                statistics: of_kind(
                    items,
                    Kind::STATISTIC,
                    None,
                    "statistic",
                    statistic::StatisticEntry::read,
                )?,
                mergers: of_kind(items, Kind::MERGER, None, "merger", merger::MergerEntry::read)?,
                corpora: of_kind(items, Kind::CORPUS, None, "corpus", corpus::CorpusEntry::read)?,
            }
        };
        if !timed.is_empty() {
            for algorithm in &mut catalogue.algorithms {
                algorithm.timed.clone_from(&timed);
            }
        }
        Ok(catalogue)
    }
}

/// Asks a library for one of its algorithms, by the id that the host knows. The catalogue has no others, and
/// is empty if the library has no such algorithm. To read all items of a large library takes several
/// milliseconds, and this about one.
///
/// # Errors
/// If the algorithm can't be used: why.
///
/// # Safety
/// As for [`Catalogue::read`].
pub(super) unsafe fn read_algorithm(library: Declaration, id: &str) -> Result<Catalogue, String> {
    let Declaration { info, prefix, timed, items } = library;
    let info = info.printable();
    let id = own_id(&info.name, prefix, id);
    // SAFETY: the caller's promise; algorithms have this type of table.
    let mut algorithms =
        unsafe { of_kind(&*items, Kind::ALGORITHM, Some(id), "algorithm", algorithm::AlgorithmEntry::read)? };
    if !timed.is_empty() {
        algorithms.iter_mut().for_each(|algorithm| algorithm.timed.clone_from(&timed));
    }
    Ok(Catalogue { library: info, prefix, algorithms, ..Catalogue::default() })
}

/// An id as the library of this name has it.
fn own_id<'a>(library: &str, prefix: &str, id: &'a str) -> &'a str {
    if !prefix.is_empty() {
        return id;
    }
    id.strip_prefix(library).and_then(|rest| rest.strip_prefix(':')).unwrap_or(id)
}

/// Greatest number of items of a kind in a library: a hundred times as many as ours have. A longer list has a
/// damaged length, and room for it must not be reserved.
const MOST_ITEMS: usize = 1 << 16;

/// Greatest number of a kind that is looked for. The ABI has six kinds, and each new one needs a new host.
const LAST_LOOKED_FOR: u32 = 16;

/// What a library has that this host does not know: features, and items of unknown kinds.
///
/// # Safety
/// As for [`Catalogue::read`].
unsafe fn unknown_to_this_host(info: &LibraryInfo, items: &dyn Fn(Kind) -> List<Item>) -> Vec<String> {
    if !info.newer_abi {
        return Vec::new();
    }
    let features = info.features.iter().filter(|feature| !FEATURES.contains(&feature.as_str()));
    let features = features.map(|feature| format!("the feature `{feature}`"));
    let kinds = (Kind::CORPUS.0 + 1..=LAST_LOOKED_FOR).filter_map(|kind| {
        // SAFETY: the caller's promise; items of all kinds have the same form.
        let count = unsafe { items(Kind(kind)).items() }.len();
        (count > 0).then(|| format!("{} of the kind {kind}", counted(count, "item")))
    });
    features.chain(kinds).collect()
}

/// The items of a kind, or the one of them that has this id.
///
/// # Safety
/// As for [`Catalogue::read`]; `read` must be the kind's own.
unsafe fn of_kind<E>(
    items: &dyn Fn(Kind) -> List<Item>,
    kind: Kind,
    only: Option<&str>,
    name: &str,
    read: unsafe fn(Facts, *const c_void) -> Result<E, String>,
) -> Result<Vec<E>, String> {
    // SAFETY: the caller's promise.
    let items = unsafe { items(kind).items() };
    if items.len() > MOST_ITEMS {
        return Err(format!(
            "its list of the kind {name} has {} items; at most {MOST_ITEMS} are read",
            items.len()
        ));
    }
    let mut entries = Vec::new();
    for item in items {
        // SAFETY: the caller's promise.
        if only.is_some_and(|only| unsafe { item.id.text() } != only) {
            continue;
        }
        // SAFETY: as above.
        let (facts, id) = unsafe { (facts(item), item.id.text().into_owned()) };
        // SAFETY: as above.
        let entry = unsafe { read(facts, item.table) };
        entries
            .push((id.clone(), entry.map_err(|error| format!("it brings the {name} `{id}`, and {error}"))?));
    }
    // Things are registered in any order.
    entries.sort_by(|(a, _), (b, _)| natural_order(a, b));
    Ok(entries.into_iter().map(|(_, entry)| entry).collect())
}

/// What a library says of an item.
///
/// # Safety
/// The item's texts must be what they seem to be.
pub(super) unsafe fn facts(item: &Item) -> Facts {
    // SAFETY: the caller's promise.
    unsafe {
        let facts = item.facts.items().iter();
        let facts =
            facts.map(|fact| (printable::line(&fact.name.text()), printable::line(&fact.value.text())));
        Facts { id: item.id.text().into_owned(), facts: facts.collect() }
    }
}
