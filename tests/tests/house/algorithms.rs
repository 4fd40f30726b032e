//! What all algorithms say of themselves, and that none of them is forgotten. That they find what a naive
//! search finds is tested where they are registered.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::natural_order;
use assay_plugin_api::Needs;
use assay_plugin_api::private::{Identity, Registration, inventory};
use assay_tests::{repository, shared};
use {
    assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_hashing as _, assay_hybrid as _,
};
use {assay_own as _, assay_packed as _};

/// An algorithm that one of the families registers.
struct Registered {
    identity: Identity,
    needs: &'static Needs,
    krate: &'static str,
    module: &'static str,
}

impl Registered {
    fn fact(&self, name: &str) -> &str {
        self.identity.facts.iter().find(|(fact, _)| *fact == name).map_or("", |(_, value)| value)
    }

    /// Its source file, by the path of its module.
    fn file(&self) -> PathBuf {
        let mut parts = self.module.split("::");
        let family =
            parts.next().and_then(|krate| krate.strip_prefix("assay_")).expect("our crates begin like this");
        let mut path = Path::new("plugins").join(family).join("src");
        path.extend(parts);
        path.with_extension("rs")
    }
}

/// The algorithms of all families, by id. Engines are other people's programs, and have tests of their own.
fn registered() -> BTreeMap<String, Registered> {
    let ours = inventory::iter::<Registration>().filter(|one| one.krate != "assay-engines");
    let algorithms = ours.filter_map(|registration| {
        let (algorithm, identity) = registration.algorithm()?;
        let (needs, krate, module) = (algorithm.needs, registration.krate, registration.module);
        Some((identity.id.clone(), Registered { identity, needs, krate, module }))
    });
    algorithms.collect()
}

/// Calls `report` with all that is wrong, of all algorithms at once.
fn none_wrong(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_family_has_twins_and_is_linked_here() {
    let linked: BTreeSet<&str> = registered().values().map(|algorithm| algorithm.krate).collect();
    let folders = fs::read_dir(repository().join("plugins")).unwrap();
    let mut families = 0;
    for folder in folders
        .map(|folder| folder.unwrap().path())
        // Nobody can instrument engines, and they have tests of their own.
        .filter(|folder| registers_algorithms(&folder.join("src")) && !folder.ends_with("engines"))
    {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let twins = repository().join("stat-plugins").join(name).join("src/lib.rs");
        let twins = fs::read_to_string(&twins).unwrap_or_else(|error| panic!("{}: {error}", twins.display()));
        assert!(
            twins.contains(&format!("use assay_{name} as _;")),
            "stat-plugins/{name} does not name its family"
        );
        assert!(
            linked.contains(format!("assay-{name}").as_str()),
            "write `use assay_{name} as _;` in this file"
        );
        families += 1;
    }
    assert_eq!(families, linked.len());
}

fn registers_algorithms(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            registers_algorithms(&path)
        } else {
            fs::read_to_string(&path).unwrap().contains("register!(algorithm ")
        }
    })
}

/// How the first line of a file names its algorithms: by up to three ids, or by the first and the last one.
fn named(ids: &[&str]) -> String {
    match ids {
        [first, _, .., last] if ids.len() > 3 => format!("`{first}` to `{last}`"),
        _ => ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "),
    }
}

#[test]
fn files_are_named_by_id_and_begin_with_the_full_name_and_the_ids() {
    let (all, mut wrong) = (registered(), Vec::new());
    let mut ids = BTreeMap::<PathBuf, Vec<&str>>::new();
    for (id, algorithm) in &all {
        ids.entry(algorithm.file()).or_default().push(id);
    }
    for ids in ids.values_mut() {
        ids.sort_by(|one, other| natural_order(one, other));
    }
    let mut first_lines = BTreeMap::<String, PathBuf>::new();
    for (id, algorithm) in &all {
        let file = algorithm.file();
        let source = fs::read_to_string(repository().join(&file)).unwrap_or_default();
        let stem = file.file_stem().unwrap().to_string_lossy().replace('_', "-");
        // No module's name begins with a digit.
        let stem = stem.replace("two-block", "2block");
        // Variants share a file, and may have names of their own, such as "with 2 sliding windows". Then the
        // first line is the name that they have without a number.
        let name = algorithm.fact("name");
        let line = source.lines().next().unwrap_or_default().trim_start_matches("//! ");
        let end = format!(" ({}).", named(&ids[&file]));
        let Some(first) = line.strip_suffix(&end) else {
            wrong.push(format!("{id}: {} begins with {line:?}, which does not end {end:?}", file.display()));
            continue;
        };
        let names_it = name.starts_with(first) || source.contains(&format!("name: \"{first}\","));
        if !id.starts_with(&stem) || first.is_empty() || !names_it {
            wrong.push(format!("{id}: {} begins with {first:?}, and the name is {name:?}", file.display()));
        }
        // A name of two files would be that of another algorithm in one of them.
        let other = first_lines.insert(first.to_owned(), file.clone()).filter(|other| *other != file);
        wrong.extend(other.map(|other| format!("{} and {} begin alike", file.display(), other.display())));
    }
    none_wrong(wrong);
}

#[test]
fn every_file_says_when_the_algorithm_pays_and_where_it_departs_from_the_paper() {
    let mut wrong = Vec::new();
    for (id, algorithm) in registered() {
        let source = fs::read_to_string(repository().join(algorithm.file())).unwrap();
        let header: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
        let says = |words: &[&str]| {
            header.iter().any(|line| words.iter().any(|word| line.trim_start().starts_with(word)))
        };
        if !says(&["Pays "]) || !says(&["Departure: ", "Departures: "]) {
            wrong.push(format!("{id}: the header lacks a line `Pays ..` or `Departures: ..` (`none`)"));
        }
    }
    none_wrong(wrong);
}

#[test]
fn every_algorithm_says_who_made_it_when_and_what_it_costs() {
    let list = fs::read_to_string(repository().join("tests/fixtures/without_doi.txt")).unwrap();
    let mut without_doi: BTreeSet<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for (id, algorithm) in registered() {
        let is_folklore = algorithm.fact("authors") == "folklore";
        let mut facts = vec!["name", "authors", "reference", "family", "idea"];
        facts.extend(["preparation_time", "space", "worst_case", "average_case"]);
        // A variant that exists only in somebody's program was never published.
        let is_variant = algorithm.fact("note").starts_with("variant of: ");
        let published = !is_folklore && !is_variant;
        facts.extend(published.then_some("year"));
        let base = algorithm.file().file_stem().unwrap().to_string_lossy().into_owned();
        let has_none = algorithm.fact("doi").is_empty() && list.lines().any(|line| line == base);
        facts.extend((!has_none).then_some("doi"));
        if has_none {
            without_doi.remove(base.as_str());
        }
        let missing: Vec<_> = facts.into_iter().filter(|fact| algorithm.fact(fact).is_empty()).collect();
        if !missing.is_empty() {
            wrong.push(format!("{id} lacks {missing:?}"));
        }
        let year = algorithm.fact("year");
        if published && !(1970..2100).contains(&year.parse().unwrap_or(0)) {
            wrong.push(format!("{id}: the year {year:?}"));
        }
        if !algorithm.fact("doi").is_empty() && !algorithm.fact("doi").starts_with("10.") {
            wrong.push(format!("{id}: {} is no doi", algorithm.fact("doi")));
        }
    }
    wrong.extend(without_doi.iter().map(|base| format!("{base} needs not stand in without_doi.txt")));
    none_wrong(wrong);
}

/// Longest pattern that every algorithm must take where the catalogue knows no limit. Memory is one, because
/// the tables of some automata have a KiB and more for each character.
const LONGEST_PATTERN: usize = (1 << 23) - 1;

/// The catalogue lists the algorithms of SMART and HashChain. What our files say about themselves is the
/// authority, so only the ids are compared, and the lengths of patterns: a narrower limit than theirs would
/// be a step back.
#[test]
fn no_algorithm_of_the_catalogue_is_lost() {
    let Some(catalogue) = shared("catalog/algorithms.csv") else { return };
    let (algorithms, mut wrong) = (registered(), Vec::new());
    for row in csv::Reader::from_path(catalogue).unwrap().deserialize() {
        let row: BTreeMap<String, String> = row.unwrap();
        let Some(algorithm) = algorithms.get(&row["id"]) else {
            wrong.push(format!("{} is missing", row["id"]));
            continue;
        };
        let limit = |name: &str, or| if row[name].is_empty() { or } else { row[name].parse().unwrap() };
        let Needs { min_pattern, max_pattern, .. } = *algorithm.needs;
        if min_pattern > limit("min_pattern", 1) || max_pattern < limit("max_pattern", LONGEST_PATTERN) {
            wrong.push(format!("{}: patterns of {min_pattern} to {max_pattern} bytes", row["id"]));
        }
    }
    none_wrong(wrong);
}
