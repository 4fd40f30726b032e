//! Where the timed search is another than the one that is counted: the files of the algorithms say so, and a
//! page lists it.
//!
//! `UPDATE_FAMILIES=1 cargo test -p assay-tests --test house timed` writes the table anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assay_plugin_api::private::{Registration, inventory};
use assay_tests::repository;
use {assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_engines as _};
use {assay_hashing as _, assay_hybrid as _, assay_own as _, assay_packed as _};

/// What begins the paragraph at the head of a file.
const TIMED: &str = "Timed: ";

/// What begins the sentence of a search that shares code with one that is timed otherwise, but not its branch.
const AS_COUNTED: &str = "as counted";

/// The crate whose code all families share.
const SHARED: &str = "assay_shared";

/// Ids of algorithms by the modules that register them.
fn registered() -> BTreeMap<String, BTreeSet<String>> {
    let mut modules = BTreeMap::<String, BTreeSet<String>>::new();
    for registration in inventory::iter::<Registration>() {
        let Some((_, identity)) = registration.algorithm() else { continue };
        modules.entry(registration.module.to_owned()).or_default().insert(identity.id);
    }
    modules
}

/// The source of a module of ours, if there is a file of this name.
fn source(module: &str) -> Option<String> {
    let mut parts = module.split("::");
    let folder = parts.next()?.strip_prefix("assay_")?;
    let path: PathBuf = parts.collect();
    let path = Path::new("plugins").join(folder).join("src").join(path).with_extension("rs");
    fs::read_to_string(repository().join(path)).ok()
}

/// The paths that the `use` lines of a module name, without braces, from the names of crates on.
fn used(module: &str, source: &str) -> Vec<String> {
    let begins = |line: &&str| ["use ", "pub use "].iter().any(|word| line.trim_start().starts_with(word));
    let statements = source.split(";\n").filter_map(|text| {
        let from = text.rmatch_indices('\n').map(|(at, _)| &text[at + 1..]).chain([text]).find(begins)?;
        Some(from.split_once("use ")?.1.split_whitespace().collect::<String>())
    });
    let krate = module.split("::").next().expect("a crate");
    let above = module.rsplit_once("::").map_or(krate, |(above, _)| above);
    let absolute = |path: String| match path.split_once("::") {
        Some(("crate", rest)) => format!("{krate}::{rest}"),
        Some(("super", rest)) => format!("{above}::{rest}"),
        _ => path,
    };
    statements.flat_map(|statement| unfolded(&statement)).map(absolute).collect()
}

/// The paths of a `use` statement, which may have braces in braces.
fn unfolded(statement: &str) -> Vec<String> {
    let Some((prefix, rest)) = statement.split_once('{') else { return vec![statement.to_owned()] };
    let inner = rest.strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => parts.push(&inner[std::mem::replace(&mut from, at + 1)..at]),
            _ => {}
        }
    }
    parts.push(&inner[from..]);
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.flat_map(unfolded).map(|part| format!("{prefix}{part}")).collect()
}

/// A module and those that it uses, directly or through others.
fn reached(module: &str) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![module.to_owned()]);
    while let Some(module) = open.pop() {
        let Some(source) = source(&module) else { continue };
        if reached.insert(module.clone()) {
            open.extend(used(&module, &source).iter().filter_map(|path| module_of(path)));
        }
    }
    reached
}

/// The module in which the item of a path is. Some modules of ours name those of the shared crate.
fn module_of(path: &str) -> Option<String> {
    let mut module = path;
    while let Some((above, _)) = module.rsplit_once("::") {
        if source(module).is_some() {
            return Some(module.to_owned());
        }
        module = above;
    }
    let shared = path.split("::").skip(1).map(|name| format!("{SHARED}::{name}"));
    shared.filter(|_| path.starts_with("assay_")).find(|module| source(module).is_some())
}

/// Whether the code of a module asks if it is counted.
fn branches_on_counting(module: &str) -> bool {
    source(module).is_some_and(|source| source.contains("P::COUNTS"))
}

/// What the head of a file says about the timed search, without the word that begins it.
fn said(module: &str) -> Option<String> {
    let source = source(module)?;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let lines: Vec<&str> = lines.skip_while(|line| !line.starts_with(TIMED)).collect();
    lines.join(" ").strip_prefix(TIMED).map(str::to_owned)
}

#[test]
fn files_say_where_the_timed_search_is_another_than_the_counted_one() {
    let mut wrong = Vec::new();
    for module in registered().into_keys() {
        let differs: Vec<String> =
            reached(&module).into_iter().filter(|module| branches_on_counting(module)).collect();
        match said(&module) {
            None if !differs.is_empty() => {
                wrong.push(format!("{module} uses {differs:?}, where `P::COUNTS` is asked: say `{TIMED}..`"));
            }
            Some(_) if differs.is_empty() => {
                wrong.push(format!("{module} is timed as it is counted: leave out `{TIMED}..`"));
            }
            Some(said) if !said.ends_with('.') => wrong.push(format!("{module}: {said:?} is no sentence")),
            Some(said) if said.starts_with(AS_COUNTED) && branches_on_counting(&module) => {
                wrong.push(format!("{module} asks `P::COUNTS` itself, and is not timed {AS_COUNTED}"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_asks_whether_it_is_counted_without_an_algorithm_that_says_so() {
    let reached: BTreeSet<String> = registered()
        .into_keys()
        .filter(|module| said(module).is_some_and(|said| !said.starts_with(AS_COUNTED)))
        .flat_map(|module| reached(&module))
        .collect();
    let files = super::house_rules::files(".rs");
    let asking = files.iter().filter(|file| {
        let text = super::house_rules::text(file).expect("a source is text");
        file.starts_with("plugins") && text.contains("P::COUNTS")
    });
    let module = |file: &Path| {
        let parts: Vec<String> = file
            .with_extension("")
            .iter()
            .skip(1)
            .filter(|part| *part != "src")
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        format!("assay_{}", parts.join("::"))
    };
    let lost: Vec<String> = asking.map(|file| module(file)).filter(|one| !reached.contains(one)).collect();
    assert!(lost.is_empty(), "no algorithm that says `{TIMED}..` uses {lost:?}");
}

#[test]
fn the_paths_of_a_use_line_are_found() {
    let source = "//! Text.\n\nuse super::a::{B, c::{D, E}};\nuse crate::f;\n\nfn g() {\n    use assay_shared::h::I;\n}\n";
    let paths = used("assay_x::y::z", source);
    assert_eq!(
        paths,
        [
            "assay_x::y::a::B",
            "assay_x::y::a::c::D",
            "assay_x::y::a::c::E",
            "assay_x::f",
            "assay_shared::h::I"
        ]
    );
    assert!(reached("assay_hybrid::meta_tw").contains("assay_shared::alignments"));
    assert!(reached("assay_comparison::occurrence::jom").contains("assay_shared::opening"));
    assert!(!reached("assay_comparison::prefix::kmp").iter().any(|module| branches_on_counting(module)));
}

/// What stands before the table of the page; nothing stands after it.
const PLACE: &str = "<!-- algorithms -->\n";

/// The table of the page: a row for each sentence of a file.
fn table() -> String {
    let rows = registered().into_iter().filter_map(|(module, ids)| {
        let said = said(&module).filter(|said| !said.starts_with(AS_COUNTED))?;
        let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
        let mut letters = said.chars();
        let first = letters.next()?.to_uppercase();
        Some(format!("| {} | {first}{} |\n", ids.join(" "), letters.as_str()))
    });
    let rows: BTreeSet<String> = rows.collect();
    rows.into_iter()
        .fold("\n| id | what is timed, and why |\n| --- | --- |\n".to_owned(), |table, row| table + &row)
}

#[test]
fn the_page_lists_what_is_timed_otherwise_than_counted() {
    let page = repository().join("docs/src/timed.md");
    let text = fs::read_to_string(&page).unwrap();
    let (prose, listed) = text.split_once(PLACE).expect("a mark before the table");
    let table = table();
    if listed != table && std::env::var_os("UPDATE_FAMILIES").is_some() {
        fs::write(&page, format!("{prose}{PLACE}{table}")).unwrap();
    }
    assert!(listed == table, "the table is old: set UPDATE_FAMILIES=1 for this test");
}
