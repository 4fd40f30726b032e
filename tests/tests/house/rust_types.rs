//! Programs can name the type of each algorithm, as `assay info` prints it.

use std::fs;

use assay_plugin_api::private::{Registration, inventory};
use assay_tests::repository;
use {assay_automata as _, assay_bitparallel as _, assay_comparison as _, assay_engines as _};
use {assay_hashing as _, assay_hybrid as _, assay_own as _, assay_packed as _};

/// The first part of a path that is not public, if there is one, by the sources of its crate. A program that names
/// all types would prove the same, but it would have to be written and compiled.
fn private_part(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split("::").collect();
    let [krate, modules @ .., name] = &parts[..] else { panic!("{path} has no crate") };
    let library = krate.strip_prefix("assay_").expect("a crate of this project");
    let mut folder = repository().join("plugins").join(library).join("src");
    let mut text = fs::read_to_string(folder.join("lib.rs")).expect("each crate has a lib.rs");
    for module in modules {
        if !text.lines().any(|line| line == format!("pub mod {module};")) {
            return Some(format!("{path}: module {module}"));
        }
        let file = [folder.join(format!("{module}.rs")), folder.join(module).join("mod.rs")];
        text = file.iter().find_map(|file| fs::read_to_string(file).ok()).expect("a module has a file");
        folder.push(module);
    }
    let declared = format!("pub struct {name}");
    let mut rests = text.lines().filter_map(|line| line.strip_prefix(&declared));
    let is_public = rests.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()));
    (!is_public).then(|| format!("{path}: the type"))
}

#[test]
fn the_type_of_each_algorithm_is_public() {
    let algorithms = inventory::iter::<Registration>().filter_map(Registration::algorithm);
    let types: Vec<String> = algorithms
        .filter_map(|(_, identity)| identity.facts.into_iter().find(|(fact, _)| *fact == "rust_type"))
        .map(|(_, path)| path)
        .collect();
    assert!(types.len() > 300, "{} types", types.len());
    let private: Vec<String> =
        types.iter().filter_map(|path| private_part(&path[..path.find('<').unwrap_or(path.len())])).collect();
    assert!(private.is_empty(), "write `pub` at\n{}", private.join("\n"));
}

#[test]
fn a_private_part_is_found() {
    assert_eq!(private_part("assay_comparison::occurrence::hor::Horspool"), None);
    let hidden = "assay_comparison::occurrence::sampled::Nothing";
    assert_eq!(private_part(hidden), Some(format!("{hidden}: module sampled")));
    let missing = "assay_comparison::occurrence::hor::Horspoo";
    assert_eq!(private_part(missing), Some(format!("{missing}: the type")));
}
