//! `assay bibtex`, read again by a parser of BibTeX.

use std::collections::BTreeMap;

use assay::bibtex::{Cited, entries};
use assay_tests::{assay, run, shared};
use biblatex::{Bibliography, ChunksExt, Entry};
use proptest::prelude::*;

fn parsed(text: &str) -> Bibliography {
    Bibliography::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn field(entry: &Entry, name: &str) -> Option<String> {
    entry.get(name).map(|chunks| chunks.format_verbatim())
}

fn ids(entry: &Entry) -> Vec<String> {
    field(entry, "keywords").expect("every entry has them").split(", ").map(str::to_owned).collect()
}

/// The entries for these arguments.
fn printed(arguments: &[&str]) -> Bibliography {
    let ran = run(assay().arg("bibtex").args(arguments));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    parsed(&ran.stdout)
}

#[test]
fn all_of_ours_are_cited_with_what_is_known_of_them() {
    let bibliography = printed(&[]);
    let cited: BTreeMap<String, &Entry> =
        bibliography.iter().flat_map(|entry| ids(entry).into_iter().map(move |id| (id, entry))).collect();
    let listed = run(assay().args(["list", "algorithms", "--format", "json"])).stdout;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    let ours = listed.iter().filter(|listing| listing["instrumented"] == false);
    let mut known = 0;
    for listing in ours {
        let fact = |name: &str| listing["facts"].get(name).and_then(|fact| fact.as_str());
        let entry = cited[listing["id"].as_str().unwrap()];
        for name in ["doi", "year"] {
            // What is not said of one, others of the publication may say.
            assert!(fact(name).is_none_or(|told| field(entry, name).as_deref() == Some(told)), "{listing}");
        }
        let reference = fact("reference").unwrap();
        let title = field(entry, "title");
        let note = field(entry, "note").unwrap_or_default();
        // The authors' remark stands before it.
        let note = note
            .rsplit_once("; ")
            .filter(|(_, last)| *last == reference)
            .map_or(note.as_str(), |(_, last)| last);
        let titled = title.as_ref().is_some_and(|title| reference.starts_with(&format!("{title}. ")));
        assert!(titled || note == reference, "{title:?}, {note}: {reference}");
        known += 1;
    }
    assert_eq!(cited.len(), known, "each algorithm is in one entry");
}

#[test]
fn those_who_are_asked_for_are_printed_under_the_same_keys() {
    let some = printed(&["horspool", "bndm", "hor"]);
    let keys: Vec<&str> = some.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["bndm", "hor"]);
    let horspool = some.get("hor").unwrap();
    assert_eq!(horspool.entry_type.to_string(), "article");
    assert_eq!(horspool.author().unwrap()[0].name, "Horspool");
    assert_eq!(field(horspool, "pages").as_deref(), Some("501–506"));
    assert_eq!(horspool.doi().unwrap(), "10.1002/spe.4380100608");
}

#[test]
fn unknown_algorithms_and_those_without_a_reference_are_told() {
    let ran = run(assay().args(["bibtex", "hro"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.ends_with("help: did you mean hor?\n"), "{}", ran.stderr);
    let Some(folder) = shared("peers/smart") else { return };
    let bibtex = |names: &[&str]| run(assay().arg("bibtex").args(names).arg("--plugin-dir").arg(&folder));
    let none = bibtex(&["smart:hor", "smart:bm"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""));
    assert!(
        none.stderr.starts_with("error: no reference is known of smart:hor smart:bm\n"),
        "{}",
        none.stderr
    );
    let some = bibtex(&["smart:hor", "hor"]);
    assert_eq!(some.code, Some(0));
    assert_eq!(some.stderr, "warning: no reference is known of smart:hor\n");
    assert!(some.stdout.starts_with("@article{hor,"));
}

/// Whatever a library says, one entry comes of it, with all its fields.
#[test]
fn any_facts_make_an_entry_that_parses() {
    let fact = || proptest::string::string_regex("[A-Za-zÄé0-9 .,;:()#$%&_{}~^\\\\\"@=+-]{1,40}").unwrap();
    proptest!(|(name in fact(), authors in fact(), title in fact(), reference in fact(), doi in fact())| {
        let cited = |reference: String| Cited {
            id: "far:x-1.y_z".to_owned(),
            name: name.clone(),
            authors: authors.clone(),
            year: "1999".to_owned(),
            reference,
            doi: doi.clone(),
            unverified: title.clone(),
        };
        for reference in [reference.clone(), format!("{title}. J. ACM 1(2):3-4, 1999")] {
            let made = entries(&[cited(reference.clone())]);
            let bibliography = parsed(made[0].text());
            prop_assert_eq!(bibliography.len(), 1);
            let entry = bibliography.get("far:x-1.y_z").unwrap();
            // The last field: so none before it has swallowed another.
            prop_assert_eq!(ids(entry), ["far:x-1.y_z"]);
            prop_assert_eq!(field(entry, "year"), Some("1999".to_owned()));
        }
    });
}

/// References as they are in the literature: all are read, but for variants "of" another work, with its authors.
#[test]
fn the_references_of_the_catalogue_are_read() {
    let Some(catalogue) = shared("catalog/algorithms.csv") else { return };
    let mut rows = csv::Reader::from_path(catalogue).unwrap();
    let rows: Vec<BTreeMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    let cited = |row: &BTreeMap<String, String>| Cited {
        id: row["id"].clone(),
        name: row["name"].clone(),
        authors: row["authors"].clone(),
        year: row["year"].clone(),
        reference: row["reference"].clone(),
        ..Cited::default()
    };
    let made = entries(&rows.iter().map(cited).collect::<Vec<_>>());
    let text: String = made.iter().map(|entry| entry.text()).collect();
    let bibliography = parsed(&text);
    assert_eq!(bibliography.len(), made.len());
    assert_eq!(bibliography.iter().flat_map(ids).count(), rows.len());
    for entry in bibliography.iter().filter(|entry| entry.get("title").is_none()) {
        let note = field(entry, "note").unwrap();
        assert!(note.contains("Variant in ") && note.contains(" of: "), "{note}");
    }
}
