//! What algorithms build on: others of the catalogue, which are older, and never themselves.

use std::collections::{BTreeMap, BTreeSet};

use assay_plugin_api::private::{Registration, inventory};
use {assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_engines as _};
use {assay_hashing as _, assay_hybrid as _, assay_own as _, assay_packed as _};

/// An algorithm: the year of its publication, and the names of what it builds on.
struct Node {
    year: Option<u16>,
    after: Vec<String>,
}

/// The algorithms by their ids.
fn catalogue() -> BTreeMap<String, Node> {
    let algorithms = inventory::iter::<Registration>().filter_map(Registration::algorithm);
    let nodes = algorithms.map(|(algorithm, identity)| {
        let year = algorithm.about.reference.year;
        let after = algorithm.about.after.iter().map(|name| (*name).to_owned()).collect();
        (identity.id, Node { year: (year > 0).then_some(year), after })
    });
    nodes.collect()
}

/// The ids that a name stands for: itself, or else the name with a number.
fn named<'a>(name: &str, catalogue: &'a BTreeMap<String, Node>) -> Vec<&'a str> {
    if let Some((id, _)) = catalogue.get_key_value(name) {
        return vec![id];
    }
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let variants = catalogue.keys().filter(|id| id.strip_prefix(name).is_some_and(is_number));
    variants.map(String::as_str).collect()
}

/// Each algorithm with each on which it builds.
fn edges(catalogue: &BTreeMap<String, Node>) -> Vec<(&str, &str)> {
    let edges = catalogue.iter().flat_map(|(id, node)| {
        let parents = node.after.iter().flat_map(|name| named(name, catalogue));
        parents.map(move |parent| (id.as_str(), parent))
    });
    edges.collect()
}

#[test]
fn what_an_algorithm_builds_on_is_another_one_of_the_catalogue() {
    let catalogue = catalogue();
    let mut wrong = Vec::new();
    for (id, node) in &catalogue {
        for name in &node.after {
            match named(name, &catalogue).as_slice() {
                [] => wrong.push(format!("{id} builds on {name}, which is not in the catalogue")),
                ids if ids.contains(&id.as_str()) => wrong.push(format!("{id} builds on itself")),
                _ => {}
            }
        }
        if node.after.iter().collect::<BTreeSet<_>>().len() < node.after.len() {
            wrong.push(format!("{id} names one of {:?} twice", node.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_algorithm_builds_on_itself_by_way_of_others() {
    let catalogue = catalogue();
    let mut open = edges(&catalogue);
    // What builds only on algorithms that are settled is settled itself; a circle never is.
    loop {
        let unsettled: BTreeSet<&str> = open.iter().map(|(child, _)| *child).collect();
        let left: Vec<_> = open.iter().copied().filter(|(_, parent)| unsettled.contains(parent)).collect();
        if left.len() == open.len() {
            break;
        }
        open = left;
    }
    assert!(open.is_empty(), "these build on each other: {open:?}");
}

#[test]
fn no_algorithm_is_older_than_what_it_builds_on() {
    let catalogue = catalogue();
    let year = |id: &str| catalogue[id].year;
    let older: Vec<(&str, &str)> = edges(&catalogue)
        .into_iter()
        .filter(|(child, parent)| year(child).zip(year(parent)).is_some_and(|(child, parent)| child < parent))
        .collect();
    assert!(older.is_empty(), "a year is wrong, or what it builds on: {older:?}");
}

#[test]
fn most_algorithms_say_what_they_build_on_and_the_first_ones_build_on_nothing() {
    let catalogue = catalogue();
    let with_parents = catalogue.values().filter(|node| !node.after.is_empty()).count();
    assert!(with_parents * 4 > catalogue.len() * 3, "{with_parents} of {}", catalogue.len());
    for id in ["bf", "mp", "bm", "kr", "aut", "so"] {
        assert!(catalogue[id].after.is_empty(), "{id}");
    }
}
