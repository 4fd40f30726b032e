//! `assay list --tree`, on the project's own libraries.

use std::collections::BTreeSet;

use assay_tests::{assay, run};
use serde_json::Value;

/// What `assay list` prints with these words.
#[track_caller]
fn listed(words: &[&str]) -> String {
    let ran = run(assay().arg("list").args(words));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

/// A line as its depth in the tree, its ids, and what follows them.
fn parsed(line: &str) -> (usize, &str, &str) {
    let text = line.trim_start_matches(['│', '├', '└', '─', ' ']);
    let depth = (line.chars().count() - text.chars().count()) / 3;
    let text = match text.split_once(' ') {
        Some((year, rest)) if year.len() == 4 && year.parse::<u16>().is_ok() => rest,
        _ => text,
    };
    let (ids, rest) = text.split_once(' ').unwrap_or((text, ""));
    (depth, ids.trim_end_matches(','), rest)
}

/// The ids of a line and of those under which it stands, from itself to its root.
fn path<'a>(tree: &'a str, id: &str) -> Vec<&'a str> {
    let lines: Vec<_> = tree.lines().map(parsed).collect();
    let place = lines.iter().position(|(_, ids, _)| *ids == id).unwrap_or_else(|| panic!("no {id}: {tree}"));
    let mut path = vec![lines[place].1];
    let mut depth = lines[place].0;
    for (outer, ids, _) in lines[..place].iter().rev() {
        if *outer + 1 == depth {
            (depth, path) = (*outer, [path, vec![*ids]].concat());
        }
    }
    path
}

#[test]
fn the_tree_has_each_algorithm_once_within_80_columns() {
    let tree = listed(&["--tree", "--all"]);
    let ids: Vec<&str> = tree.lines().map(|line| parsed(line).1).collect();
    let algorithms: Vec<Value> = serde_json::from_str(&listed(&["algorithms", "--format", "json"])).unwrap();
    let algorithms = algorithms.iter().filter(|listing| listing["instrumented"] == false);
    let expected: BTreeSet<&str> = algorithms.map(|listing| listing["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), ids.into_iter().collect::<BTreeSet<_>>()), (expected.len(), expected));
    let folded = listed(&["algorithms", "--tree"]);
    for line in tree.lines().chain(folded.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(folded.lines().count() < tree.lines().count());
}

#[test]
fn algorithms_stand_under_what_they_build_on_and_variants_are_one_line() {
    let tree = listed(&["--tree"]);
    let expected = ["sbndmq2..8", "sbndm", "bndm", "rf", "bm"];
    assert_eq!(path(&tree, "sbndmq2..8"), expected);
    let line = tree.lines().find(|line| parsed(line).1 == "br").unwrap();
    assert!(line.contains("1999 br  Berry-Ravindran") && line.ends_with(", also after zt"), "{line}");
    let roots: Vec<&str> = tree.lines().map(parsed).filter(|line| line.0 == 0).map(|line| line.1).collect();
    let place = |id: &str| roots.iter().position(|root| *root == id).unwrap();
    assert!(place("mp") < place("bm") && place("bm") < place("kr"), "by year: {roots:?}");
    assert!(!roots.contains(&"hor"), "{roots:?}");
}

#[test]
fn a_family_is_drawn_alone_and_names_what_it_builds_on_elsewhere() {
    let tree = listed(&["--tree", "--family", "packed"]);
    assert_eq!(path(&tree, "pair"), ["pair", "mula-fl"]);
    let line = tree.lines().find(|line| parsed(line).1 == "ssecp").unwrap();
    assert!(line.starts_with("2011 ssecp  ") && line.ends_with(", after tw"), "{line}");
    assert!(!tree.contains("bndm"), "{tree}");
}

#[test]
fn json_has_what_each_algorithm_builds_on_and_other_kinds_build_on_nothing() {
    let listings: Vec<Value> = serde_json::from_str(&listed(&["--format", "json"])).unwrap();
    let after = |id: &str| &listings.iter().find(|listing| listing["id"] == id).unwrap()["after"];
    assert_eq!(*after("bndm"), serde_json::json!(["rf", "so"]));
    assert_eq!(*after("stat_bndm"), *after("bndm"));
    assert_eq!(*after("bm"), serde_json::json!([]));
    assert!(after("gbps").is_null());
}

#[test]
fn a_tree_is_of_algorithms_and_for_people() {
    for (words, message) in [
        (&["metrics", "--tree"][..], "error: --tree is of algorithms, and another kind is to be listed"),
        (&["--tree", "--format", "csv"], "error: --tree draws a picture for people"),
    ] {
        let ran = run(assay().arg("list").args(words));
        assert!(ran.code == Some(2) && ran.stderr.starts_with(message), "{}", ran.stderr);
    }
}
