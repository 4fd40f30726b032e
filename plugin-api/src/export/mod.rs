//! Exports the tables of all items that are registered in a library. No panic leaves the library.

pub mod algorithm;
mod answer;
mod corpus;
pub mod counter;
pub(crate) mod guard;
mod library;
mod merger;
mod metric;
mod self_test;
mod statistic;

use assay_abi::root::Item;
use assay_abi::{List, Pair, Str};

pub use corpus::export as export_corpus;
pub use merger::export as export_merger;
pub use metric::export as export_metric;
pub use statistic::export as export_statistic;

/// An item with its table, both of which are never freed.
fn item<T>(id: &str, facts: &[(&str, &str)], table: T) -> Item {
    let pair = |(name, value): &(&str, &str)| Pair { name: Str::leaked(*name), value: Str::leaked(*value) };
    let table = Box::leak(Box::new(table));
    Item {
        id: Str::leaked(id),
        facts: List::leaked(facts.iter().map(pair)),
        table: std::ptr::from_ref(table).cast(),
    }
}

/// A list of names that is never freed.
fn names(names: impl IntoIterator<Item = &'static str>) -> List<Str> {
    List::leaked(names.into_iter().map(Str::new))
}

/// Texts that the host gave for the length of a call.
///
/// # Safety
/// As for [`List::items`].
unsafe fn texts(list: List<Str>) -> Vec<String> {
    // SAFETY: the caller's promise.
    unsafe { list.items().iter().map(|text| text.text().into_owned()).collect() }
}

/// Options that the host gave for the length of a call.
///
/// # Safety
/// As for [`List::items`].
unsafe fn pairs(list: List<Pair>) -> Vec<(String, String)> {
    // SAFETY: the caller's promise.
    unsafe {
        let pair = |pair: &Pair| (pair.name.text().into_owned(), pair.value.text().into_owned());
        list.items().iter().map(pair).collect()
    }
}
