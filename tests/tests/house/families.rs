//! The pages of the families list their algorithms as the libraries do, and no family is without a page.
//!
//! `UPDATE_FAMILIES=1 cargo test -p assay-tests --test house families` writes the tables anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use assay_base::natural_order;
use assay_plugin_api::Needs;
use assay_plugin_api::private::{Identity, Registered, Registration, inventory};
use assay_tests::repository;
use {assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_engines as _};
use {assay_hashing as _, assay_hybrid as _, assay_own as _, assay_packed as _};

/// What stands before the table of a page; nothing stands behind it.
const MARK: &str = "<!-- algorithms -->\n";

/// The variants of one source.
type Variants = Vec<(&'static Registered, Identity)>;

fn fact<'a>(identity: &'a Identity, name: &str) -> &'a str {
    identity.facts.iter().find(|(fact, _)| *fact == name).map_or("", |(_, value)| value)
}

/// What variants of one source have in common: module, name and status.
type Source = (&'static str, String, String);

/// The algorithms of each family, those of a source file together that have a name in common, unless their
/// statuses differ.
fn families() -> BTreeMap<String, BTreeMap<Source, Variants>> {
    let mut families = BTreeMap::<String, BTreeMap<_, Variants>>::new();
    for registration in inventory::iter::<Registration>() {
        let Some((algorithm, identity)) = registration.algorithm() else { continue };
        let family = families.entry(fact(&identity, "family").to_owned()).or_default();
        let status = fact(&identity, "status").to_owned();
        let source = (registration.module, common_name(algorithm, &identity).to_owned(), status);
        family.entry(source).or_default().push((algorithm, identity));
    }
    families
}

/// The name that variants have in common: theirs without the parameters in brackets, or that of their type if
/// a number stands within theirs, as in "with 2 sliding windows".
fn common_name<'a>(algorithm: &Registered, identity: &'a Identity) -> &'a str {
    let name = fact(identity, "name");
    match name.split_once(" (") {
        Some((base, _)) => base,
        None if identity.id.ends_with(|last: char| last.is_ascii_digit()) => algorithm.about.name,
        None => name,
    }
}

/// A row for each entry, in the order of the first ids.
fn table(sources: BTreeMap<Source, Variants>) -> String {
    let mut rows: Vec<(String, String)> = sources.into_values().map(row).collect();
    rows.sort_by(|(one, _), (other, _)| natural_order(one, other));
    let heading = "Patterns of m bytes, texts of n, alphabets of s letters; of variants, lengths of patterns are those of each in turn. The [status](../statuses.md) says how sure it is that an algorithm is the published one.\n\n| id | algorithm | year | status | pattern | worst case | on average |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    rows.into_iter().fold(heading.to_owned(), |table, (_, row)| table + &row)
}

/// The first id of variants, and their row.
fn row(mut variants: Variants) -> (String, String) {
    variants.sort_by(|(_, one), (_, other)| natural_order(&one.id, &other.id));
    let ids: Vec<String> = variants.iter().map(|(_, identity)| format!("`{}`", identity.id)).collect();
    let (algorithm, first) = &variants[0];
    let own = |name| fact(first, name).replace('|', "\\|");
    let name = if variants.len() == 1 { own("name") } else { common_name(algorithm, first).to_owned() };
    let least: BTreeSet<usize> = variants.iter().map(|(algorithm, _)| algorithm.needs.min_pattern).collect();
    let most = variants.iter().map(|(algorithm, _)| algorithm.needs.max_pattern).min().unwrap_or(0);
    let range = least.iter().map(usize::to_string).collect::<Vec<_>>().join("/");
    let is_one = |needs: &Needs| needs.min_pattern == needs.max_pattern;
    let lengths = if variants.iter().all(|(algorithm, _)| is_one(algorithm.needs)) {
        range
    } else if most < 1 << 20 {
        format!("{range} to {most}")
    } else {
        // Limits of 4 GiB and the like concern nobody.
        format!("from {range}")
    };
    let cells = [
        ids.join(" "),
        format!("**{name}**. {}", own("idea")),
        own("year"),
        own("status"),
        lengths,
        own("worst_case"),
        own("average_case"),
    ];
    (first.id.clone(), format!("| {} |\n", cells.join(" | ")))
}

#[test]
fn each_family_has_a_page_with_its_algorithms() {
    let folder = repository().join("docs/src/families");
    let mut old = Vec::new();
    for (family, sources) in families() {
        let page = folder.join(&family).with_extension("md");
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        let (prose, listed) = text.split_once(MARK).expect("a mark before the table");
        let table = format!("\n{}", table(sources));
        if listed != table {
            old.push(family);
            if std::env::var_os("UPDATE_FAMILIES").is_some() {
                fs::write(&page, format!("{prose}{MARK}{table}")).unwrap();
            }
        }
    }
    assert!(old.is_empty(), "the tables of {old:?} are old: set UPDATE_FAMILIES=1 for this test");
}

#[test]
fn each_page_is_in_the_book_and_of_a_family() {
    let summary = fs::read_to_string(repository().join("docs/src/SUMMARY.md")).unwrap();
    let families = families();
    for page in fs::read_dir(repository().join("docs/src/families")).unwrap() {
        let name = page.unwrap().file_name().into_string().unwrap();
        let family = name.strip_suffix(".md").expect("a page");
        assert!(families.contains_key(family), "no algorithm is of the family {family}");
        assert!(summary.contains(&format!("(families/{name})")), "SUMMARY.md lacks {name}");
    }
}
