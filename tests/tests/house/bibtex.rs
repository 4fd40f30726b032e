//! `assay bibtex`, whose output is parsed with `biblatex`.

use std::collections::BTreeMap;

use assay::bibtex::{Citation, entries};
use assay_tests::{assay, run, shared};
use biblatex::{Bibliography, ChunksExt, Entry, EntryType, Person};
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

/// Fields that an entry holds as the facts of its algorithms say, but for the dash between pages.
const FIELDS: [&str; 15] = [
    "title",
    "journal",
    "booktitle",
    "series",
    "volume",
    "number",
    "eid",
    "publisher",
    "institution",
    "school",
    "eprint",
    "howpublished",
    "url",
    "year",
    "doi",
];

#[test]
fn each_of_our_algorithms_is_in_one_entry_that_holds_its_facts() {
    let bibliography = printed(&["--all"]);
    let cited: BTreeMap<String, &Entry> =
        bibliography.iter().flat_map(|entry| ids(entry).into_iter().map(move |id| (id, entry))).collect();
    let listed = run(assay().args(["list", "algorithms", "--format", "json"])).stdout;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    let mut ours = 0;
    for listing in listed.iter().filter(|listing| listing["instrumented"] == false) {
        let fact = |name: &str| listing["facts"].get(name).and_then(|fact| fact.as_str());
        let entry = cited[listing["id"].as_str().unwrap()];
        for name in FIELDS {
            let value = field(entry, name);
            assert!(
                fact(name).is_none_or(|fact| value.as_deref() == Some(fact)),
                "{name}: {value:?}, {listing}"
            );
        }
        let authors: Vec<String> = fact("authors").unwrap().split(", ").map(str::to_owned).collect();
        let printed: Vec<String> = entry.author().unwrap_or_default().iter().map(full_name).collect();
        assert!(authors == printed || authors == ["folklore"], "{printed:?}, {listing}");
        ours += 1;
    }
    assert_eq!(cited.len(), ours, "an entry names an algorithm that is not listed");
    assert_eq!(ours, bibliography.iter().map(|entry| ids(entry).len()).sum::<usize>(), "one entry each");
}

/// A name as the facts have it: given names, then the family name.
fn full_name(person: &Person) -> String {
    let parts = [&person.given_name, &person.prefix, &person.name, &person.suffix];
    parts.into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ")
}

/// Programs and pages without a year are the only entries that may lack what BibLaTeX requires of their type.
#[test]
fn every_entry_of_ours_is_complete_and_well_formed() {
    for entry in printed(&["--all"]).iter() {
        let report = entry.verify();
        let is_program = entry.entry_type == EntryType::Misc;
        let missing: Vec<_> = report
            .missing
            .into_iter()
            .filter(|field| !(is_program && ["year", "author"].contains(field)))
            .collect();
        assert!(
            missing.is_empty() && report.malformed.is_empty(),
            "{missing:?} {:?} {entry:?}",
            report.malformed
        );
    }
}

#[test]
fn the_choice_of_algorithms_does_not_change_keys() {
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
fn unknown_algorithms_and_those_without_a_reference_are_named() {
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
    assert!(some.stdout.starts_with("hor: from the paper. ") && some.stdout.contains("\n@article{hor,"));
}

#[test]
fn a_corpus_is_cited_by_its_id_with_the_source_of_its_text() {
    let corpora = printed(&["english", "hor"]);
    let keys: Vec<&str> = corpora.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(keys, ["hor", "english"]);
    let english = corpora.get("english").unwrap();
    assert_eq!(field(english, "title").as_deref(), Some("The corpus english"));
    assert!(field(english, "note").unwrap().contains("Source: P. Norvig, English Letter Frequency Counts"));
    let without = run(assay().args(["bibtex", "rand"]));
    assert_eq!(without.code, Some(2));
    assert!(without.stderr.starts_with("error: no reference is known of rand\n"), "{}", without.stderr);
}

/// A library that was built with the first `assay-plugin-api` has its references as texts.
#[test]
fn a_reference_that_is_a_text_becomes_a_note() {
    let facts =
        [("name", "Old"), ("authors", "A. One, B. Two"), ("reference", "A title. J. ACM 1(2):3-4, 1999")];
    let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
    let made = entries(&[Citation { id: "old".to_owned(), facts }]);
    let bibliography = parsed(made[0].text());
    let entry = bibliography.get("old").unwrap();
    assert_eq!(entry.entry_type, EntryType::Misc);
    assert_eq!(field(entry, "note").as_deref(), Some("A title. J. ACM 1(2):3-4, 1999"));
    assert_eq!(field(entry, "journal"), None, "nothing is guessed from the text");
}

/// Facts of any library make one entry, with all its fields.
#[test]
fn any_facts_make_an_entry_that_parses() {
    let fact = || proptest::string::string_regex("[A-Za-zÄé0-9 .,;:()#$%&_{}~^\\\\\"@=+-]{1,40}").unwrap();
    proptest!(|(name in fact(), authors in fact(), text in fact(), doi in fact(), doubt in fact())| {
        for entry_type in ["article", "book", "nonsense", ""] {
            let facts = [
                ("name", &*name), ("authors", &authors), ("year", "1999"), ("reference", &text), ("doi", &doi),
                ("status", &doubt), ("status_note", &text), ("entry_type", entry_type), ("title", &text), ("journal", &name),
                ("pages", &text), ("url", &doi), ("note", &text),
            ];
            let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let citation = Citation { id: "far:x-1.y_z".to_owned(), facts: facts.into_iter().collect() };
            let made = entries(&[citation]);
            let bibliography = parsed(made[0].text());
            prop_assert_eq!(bibliography.len(), 1);
            let entry = bibliography.get("far:x-1.y_z").unwrap();
            // The last field of the entry: a field before it would have swallowed it, had that one not ended.
            prop_assert_eq!(ids(entry), ["far:x-1.y_z"]);
            prop_assert_eq!(field(entry, "year"), Some("1999".to_owned()));
        }
    });
}
