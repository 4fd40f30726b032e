//! How sure it is that an algorithm is the published one: each says so, and lists, BibTeX, tables and saved
//! runs show it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use assay_base::natural_order;
use assay_plugin_api::Status;
use assay_plugin_api::private::{Registration, inventory};
use assay_tests::{assay, repository, run};
use serde_json::Value;
use {assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_engines as _};
use {assay_hashing as _, assay_hybrid as _, assay_own as _, assay_packed as _};

/// A registered algorithm: its id, its module and its facts.
type Registered = (String, &'static str, BTreeMap<&'static str, String>);

fn registered() -> Vec<Registered> {
    let algorithms = inventory::iter::<Registration>().filter_map(|registration| {
        let (_, identity) = registration.algorithm()?;
        Some((identity.id, registration.module, identity.facts.into_iter().collect()))
    });
    algorithms.collect()
}

/// The comment at the head of the file of a module of ours.
fn header(module: &str) -> String {
    let mut parts = module.split("::");
    let family = parts.next().and_then(|krate| krate.strip_prefix("assay_")).expect("our crates begin so");
    let mut path = repository().join("plugins").join(family).join("src");
    path.extend(parts);
    let source = fs::read_to_string(path.with_extension("rs")).unwrap();
    let lines: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
    lines.join(" ")
}

#[test]
fn every_algorithm_has_a_status_and_a_sentence_about_it() {
    let fact = |facts: &BTreeMap<&str, String>, name| facts.get(name).cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    for (id, _, facts) in registered() {
        let note = fact(&facts, "status_note");
        let is_sentence = note.starts_with(char::is_uppercase) && note.ends_with('.') && note.contains(' ');
        if fact(&facts, "status").is_empty() || !is_sentence {
            wrong.push(format!("{id}: `status` has no sentence, but {note:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a file says of a publication that we have not seen.
const UNSEEN: [&str; 6] =
    ["not at hand", "not seen", "not have seen", "have only seen", "seen only", "could be reached"];

#[test]
fn an_algorithm_whose_file_says_that_the_paper_was_not_seen_is_not_from_the_paper() {
    let mut wrong = Vec::new();
    for (id, module, facts) in registered() {
        let header = header(module);
        if let Some(said) = UNSEEN.iter().find(|said| header.contains(**said))
            && Status::AS_PUBLISHED.contains(&facts["status"].as_str())
        {
            wrong.push(format!("{id} is {}, and its file says {said:?}", facts["status"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_paper_that_one_algorithm_is_from_was_seen_for_all_of_its_algorithms() {
    let all = registered();
    let from_paper = Status::FromPaper("").words();
    let seen: BTreeMap<&str, &str> = all
        .iter()
        .filter(|(_, _, facts)| facts["status"] == from_paper && facts.contains_key("title"))
        .map(|(id, _, facts)| (facts["title"].as_str(), id.as_str()))
        .collect();
    let mut wrong = Vec::new();
    for (id, _, facts) in &all {
        let other = facts.get("title").and_then(|title| seen.get(title.as_str()));
        if let Some(other) = other
            && facts["status_note"].contains("paper was not seen")
        {
            wrong.push(format!("{id} says that the paper was not seen which {other} is from"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_improved_algorithm_has_an_id_of_its_own_beside_the_published_one() {
    let improved = Status::ImprovedHere("").words();
    let all = registered();
    let published: BTreeSet<&str> = all
        .iter()
        .filter(|(_, _, facts)| Status::AS_PUBLISHED.contains(&facts["status"].as_str()))
        .map(|(id, _, _)| id.as_str())
        .collect();
    for (id, _, facts) in all.iter().filter(|(_, _, facts)| facts["status"] == improved) {
        let former = facts.get("formerly").into_iter().flat_map(|former| former.split(", "));
        let missing: Vec<&str> = former.filter(|former| !published.contains(former)).collect();
        assert!(missing.is_empty(), "{id} had the ids {missing:?}, which no published algorithm has");
    }
    let ids: Vec<&str> = all
        .iter()
        .filter(|(_, _, facts)| facts["status"] == improved)
        .map(|(id, _, _)| id.as_str())
        .collect();
    assert!(["askip-t", "bxs-t1", "lbndm-t"].iter().all(|id| ids.contains(id)), "{ids:?}");
}

/// What stands before and after the numbers with which the page begins.
const NUMBERS: [&str; 2] = ["<!-- numbers -->\n", "<!-- end of numbers -->\n"];

/// What stands before the sentences, with which the page ends.
const SENTENCES: &str = "<!-- algorithms -->\n";

/// The statuses in the order of the page.
const ORDER: [Status; 6] = [
    Status::FromPaper(""),
    Status::FromAuthorsProgram(""),
    Status::FromAnotherImplementation(""),
    Status::FromAbstract(""),
    Status::Reconstructed(""),
    Status::ImprovedHere(""),
];

/// A table of how many algorithms and source files have each status.
fn numbers() -> String {
    let all = registered();
    let row = |status: &str, is_counted: &dyn Fn(&str) -> bool| {
        let counted = all.iter().filter(|(_, _, facts)| is_counted(&facts["status"]));
        let files: BTreeSet<&str> = counted.clone().map(|(_, module, _)| *module).collect();
        format!("| {status} | {} | {} |\n", counted.count(), files.len())
    };
    let rows = ORDER.map(Status::words).map(|status| row(status, &|other| other == status));
    let head = "\n| status | algorithms | source files |\n| --- | --- | --- |\n";
    format!("{head}{}{}\n", rows.concat(), row("all", &|_| true))
}

/// A table of the sentences of algorithms that are not as published, variants with the same sentence together.
fn sentences() -> String {
    let mut table = "\n| id | status | what was seen, and what is ours |\n| --- | --- | --- |\n".to_owned();
    for status in ORDER.map(Status::words).into_iter().filter(|words| !Status::AS_PUBLISHED.contains(words)) {
        let mut groups = BTreeMap::<(&str, String), Vec<String>>::new();
        for (id, module, facts) in registered().into_iter().filter(|(_, _, facts)| facts["status"] == status)
        {
            groups.entry((module, facts["status_note"].clone())).or_default().push(id);
        }
        let rows = groups.into_iter().map(|((_, note), mut ids)| {
            ids.sort_by(|one, other| natural_order(one, other));
            let quoted: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
            (ids.swap_remove(0), format!("| {} | {status} | {note} |\n", quoted.join(" ")))
        });
        let mut rows: Vec<(String, String)> = rows.collect();
        rows.sort_by(|(one, _), (other, _)| natural_order(one, other));
        table.extend(rows.into_iter().map(|(_, row)| row));
    }
    table
}

/// `UPDATE_FAMILIES=1 cargo test -p assay-tests --test house statuses` writes the tables anew.
#[test]
fn the_page_of_statuses_begins_with_numbers_and_lists_what_the_algorithms_say() {
    let page = repository().join("docs/src/statuses.md");
    let text = fs::read_to_string(&page).unwrap();
    let parts = text.split_once(NUMBERS[0]).and_then(|(head, rest)| {
        let (numbers, rest) = rest.split_once(NUMBERS[1])?;
        let (prose, sentences) = rest.split_once(SENTENCES)?;
        Some((head, numbers, prose, sentences))
    });
    let (head, old_numbers, prose, old_sentences) = parts.expect("the page has all marks");
    assert!(!head.contains("\n## "), "the numbers stand at the beginning");
    let (numbers, sentences) = (numbers(), sentences());
    let is_new = [old_numbers, old_sentences] == [&numbers, &sentences];
    if !is_new && std::env::var_os("UPDATE_FAMILIES").is_some() {
        let marks = [NUMBERS[0], &numbers, NUMBERS[1], prose, SENTENCES, &sentences].concat();
        fs::write(&page, format!("{head}{marks}")).unwrap();
    }
    assert!(is_new, "the tables are old: set UPDATE_FAMILIES=1 for this test");
}

#[test]
fn lists_show_the_status_and_data_its_sentence_too() {
    let list = |format: &str| run(assay().args(["list", "algorithms", "--format", format])).stdout;
    let table = list("table");
    let row = |id: &str| table.lines().find(|line| line.split_whitespace().nth(1) == Some(id)).unwrap();
    assert!(row("lbndm-t").contains("improved here") && row("lbndm").contains("from the paper"), "{table}");
    let json: Vec<Value> = serde_json::from_str(&list("json")).unwrap();
    let akc = json.iter().find(|listing| listing["id"] == "akc").unwrap();
    assert_eq!(akc["status"], "from an abstract");
    assert!(akc["status_note"].as_str().unwrap().starts_with("The abstract was seen"), "{akc}");
    let csv = list("csv");
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    let bxs = rows.iter().find(|row| row["id"] == "bxs-t2").unwrap();
    assert_eq!(bxs["status"], "improved here");
    assert!(bxs["status_note"].contains("a quarter of the bits"), "{bxs:?}");
}

#[test]
fn bibtex_has_statuses_before_the_entry_and_notes_those_that_are_not_as_published() {
    let printed = |ids: &[&str]| run(assay().arg("bibtex").args(ids)).stdout;
    let both = printed(&["askip", "askip-t"]);
    let (comment, entry) = both.split_once("\n@inproceedings{").expect("one entry of both");
    assert!(comment.contains("askip: from the paper. ") || comment.contains("askip, "), "{comment}");
    assert!(comment.contains("askip-t: improved here. "), "{comment}");
    assert!(entry.contains("note         = {askip-t: improved here},"), "{entry}");
    assert!(!printed(&["hor"]).contains("note "), "the paper's own search needs no note");
}

/// A folder with a saved run of these algorithms, and what the run printed.
pub(crate) fn measured(ids: &[&str]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let words = ["--plen", "8", "--runs", "1", "--rounds", "1", "--text-size", "4KiB", "--seed", "1"];
    let ran = run(assay().arg("run").args(ids).args(words).current_dir(folder.path()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (folder, ran.stdout)
}

#[test]
fn tables_mark_what_is_not_as_published_and_explain_the_mark_once() {
    let (folder, printed) = measured(&["hor", "lbndm-t", "akc", "memmem"]);
    let reported = run(assay().args(["report", "last"]).current_dir(folder.path())).stdout;
    let legend = "† neither from the paper nor from the authors' program (from an abstract: akc; improved here: \
                  lbndm-t)";
    for text in [printed, reported] {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words.matches(legend).count(), 1, "{text}");
        let marked: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.split_whitespace().next().filter(|name| name.ends_with('†')))
            .filter(|name| name.len() > '†'.len_utf8())
            .map(str::to_lowercase)
            .collect();
        let marked: Vec<&str> = marked.iter().map(|name| name.trim_end_matches(['*', '†'])).collect();
        assert_eq!(marked, ["akc", "lbndm-t"], "{text}");
    }
    let (_folder, published) = measured(&["hor", "bm"]);
    assert!(!published.contains('†'), "{published}");
}
