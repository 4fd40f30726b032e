//! Tells the host the names of the libraries that are built with it, so that it knows which of the libraries
//! beside the program were shipped with it. Their hashes can't be known here, because a library is built
//! after or beside the host.

use std::fs;
use std::path::Path;

/// The folders of the workspace whose crates are plugin libraries.
const FOLDERS: [&str; 2] = ["../../plugins", "../../stat-plugins"];

fn main() {
    let mut names: Vec<String> = FOLDERS.iter().flat_map(|folder| crates(Path::new(folder))).collect();
    names.sort();
    println!("cargo::rustc-env=ASSAY_SHIPPED_LIBRARIES={}", names.join(" "));
    println!("cargo::rerun-if-changed=build.rs");
    // A new crate of the workspace gets an entry there. The folders themselves are not watched, because each
    // change of a plugin would build the host again.
    println!("cargo::rerun-if-changed=../../Cargo.lock");
}

/// The names of the crates in a folder.
fn crates(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| name(&entry.path().join("Cargo.toml"))).collect()
}

/// The name in the manifest of a crate, as the name of its library has it.
fn name(manifest: &Path) -> Option<String> {
    let text = fs::read_to_string(manifest).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(value.trim().trim_matches('"').replace('-', "_"))
}
