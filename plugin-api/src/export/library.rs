//! Exports the library as a whole: its two symbols, and the lists of its items by kind.

use assay_abi::root::{Build, Item as Exported, Kind, Library};
use assay_abi::{FEATURES, List, Str};

use super::{corpus, merger, metric, names, statistic};
use crate::registry::{Item, Registration, Twins};

assay_abi::export_library!(library);

fn library() -> Library {
    let (name, version) = origin();
    let features = names(FEATURES.iter().copied());
    Library { name: Str::leaked(name), version: Str::leaked(version), features, items: list, build: build() }
}

/// A library is a debug build if anything that it registers was compiled as one.
fn build() -> Build {
    if registered().any(|registration| registration.debug) { Build::DEBUG } else { Build::RELEASE }
}

fn registered() -> impl Iterator<Item = &'static Registration> {
    inventory::iter::<Registration>.into_iter()
}

fn twins() -> Option<&'static Registration> {
    registered().find(|registration| matches!(registration.item, Item::Twins(_)))
}

/// Name and version of the crate that is exported. A library of twins links the crate whose twins it exports,
/// so its own marker decides there. If several crates have registered something, all of them are named, and
/// every host refuses the library.
fn origin() -> (String, &'static str) {
    if let Some(Registration { krate, version, item: Item::Twins(Twins::Only), .. }) = twins() {
        return ((*krate).to_owned(), version);
    }
    let mut crates: Vec<(&str, &str)> =
        registered().map(|registration| (registration.krate, registration.version)).collect();
    crates.sort_unstable();
    crates.dedup();
    let names: Vec<&str> = crates.iter().map(|(krate, _)| *krate).collect();
    (names.join(" and "), crates.first().map_or("", |(_, version)| *version))
}

unsafe extern "C" fn list(kind: Kind) -> List<Exported> {
    // If listing panics, the list is empty. The host then refuses the library, because it brings nothing.
    super::guard::guard(|| List::leaked(items(kind))).unwrap_or(List::EMPTY)
}

/// The registered items of a kind, exported. The list is empty if this version does not know the kind.
fn items(kind: Kind) -> Vec<Exported> {
    // A library that exports only twins exports nothing else of the library whose twins they are.
    let plain = !matches!(twins().map(|registration| &registration.item), Some(Item::Twins(Twins::Only)));
    let counting = twins().is_some();
    let mut items = Vec::new();
    for registration in registered() {
        // Only then, because an identity takes longer than anything else here.
        if kind == Kind::ALGORITHM
            && let Some((algorithm, identity)) = registration.algorithm()
        {
            items.extend(plain.then(|| (algorithm.export)(false, &identity)));
            items.extend((counting && algorithm.instrumented).then(|| (algorithm.export)(true, &identity)));
        }
        if !plain {
            continue;
        }
        match (kind, &registration.item) {
            (Kind::COUNTER, Item::Backend(export)) => items.push(export()),
            (Kind::METRIC, Item::Metric(metric)) => items.push(metric::export(metric)),
            (Kind::STATISTIC, Item::Statistic(statistic)) => items.push(statistic::export(statistic)),
            (Kind::MERGER, Item::Merger(merger)) => items.push(merger::export(merger)),
            (Kind::CORPUS, Item::Corpus(corpus)) => items.push(corpus::export(corpus)),
            _ => {}
        }
    }
    items
}
