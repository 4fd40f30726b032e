//! Rules of the repository that a machine can check.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::repository;

/// The longest source file that we want to read.
const LONGEST: usize = 500;

/// Folders that are no part of the repository: what is built, measured and kept there. Cargo may have named
/// others.
const NOT_OURS: [&str; 4] = [".git", "results", "docs/book", "mutants.out"];

/// The files of the repository whose names end like this, relative to it.
pub fn files(ending: &str) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository().join(&folder)).expect("a folder of the repository can be read")
        {
            let entry = entry.expect("a folder of the repository can be read");
            let path = folder.join(entry.file_name());
            let kind = entry.file_type().expect("it was listed");
            // Cargo marks each of its target folders.
            let built = entry.path().join("CACHEDIR.TAG").exists() || entry.file_name() == "target";
            if kind.is_dir() && !built && !NOT_OURS.iter().any(|other| path == Path::new(other)) {
                folders.push(path);
            } else if kind.is_file() && path != Path::new(".git") && path.to_string_lossy().ends_with(ending)
            {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "there is no file `{ending}`");
    files.sort();
    files
}

/// The text of a file of the repository; none of one that holds something else.
pub fn text(file: &Path) -> Option<String> {
    String::from_utf8(fs::read(repository().join(file)).expect("a file of the repository can be read")).ok()
}

/// Fails with the files for which a rule does not hold.
fn hold(files: &[PathBuf], rule: &str, holds: impl Fn(&Path, &str) -> bool) {
    assert!(!files.is_empty(), "there is nothing to check");
    let holds = |file: &&PathBuf| text(file).is_none_or(|text| holds(file, &text));
    let broken: Vec<&PathBuf> = files.iter().filter(|file| !holds(file)).collect();
    assert!(broken.is_empty(), "{rule}: not so {broken:?}");
}

#[test]
fn no_source_file_is_too_long() {
    let files = files(".rs");
    hold(&files, "source files have at most 500 lines", |_, text| text.lines().count() <= LONGEST);
}

#[test]
fn every_source_file_begins_with_what_it_holds() {
    hold(&files(".rs"), "source files begin with a line of documentation", |_, text| {
        text.starts_with("//! ") && text.lines().next().is_some_and(|line| line.len() > "//! a".len())
    });
}

#[test]
fn every_package_has_the_lints_of_the_workspace() {
    let mut files = files("Cargo.toml");
    // Fixtures are workspaces of their own.
    files.retain(|file| file != Path::new("Cargo.toml") && !file.starts_with("tests/fixtures"));
    hold(&files, "packages take the workspace's lints", |_, text| {
        let manifest: toml::Table = toml::from_str(text).expect("cargo has read it");
        manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool)
            == Some(true)
    });
}

#[test]
fn nothing_names_a_machine() {
    let files = files("");
    // Put together here, so that this file does not hold them.
    let folders = ["work", "root", "home", "Users"].map(|name| format!("/{name}/"));
    let named = |text: &str, folder: &str| {
        text.match_indices(folder)
            .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "./~-_}".contains(c)))
    };
    hold(&files, "files hold no path of a machine", |_, text| {
        !folders.iter().any(|folder| named(text, folder))
    });
}

#[test]
fn links_lead_somewhere() {
    let files = files(".md");
    hold(&files, "links between documents lead to files", |file, text| {
        let folder = repository().join(file.parent().expect("it lies in the repository"));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        links.filter(|link| !link.is_empty() && !link.contains("://")).all(|link| folder.join(link).exists())
    });
}

#[test]
fn the_map_of_the_house_is_short_and_names_what_is_there() {
    let files = files("");
    let map = text(Path::new("docs/src/ARCHITECTURE.md")).expect("it is text");
    assert!(map.lines().count() <= 150, "the map has more than 150 lines");
    let there = |name: &str| files.iter().any(|file| file.to_string_lossy().contains(name));
    let names = map.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") || name.ends_with('/'));
    let gone: Vec<&str> = names.filter(|name| !there(name)).collect();
    assert!(gone.is_empty(), "the map names what is not there: {gone:?}");
}

#[test]
fn files_that_a_source_includes_lie_in_its_crate() {
    let mut sources = files(".rs");
    sources.retain(|file| file.starts_with("host"));
    hold(&sources, "files are included from the folder of the source, or from the book", |_, text| {
        let included =
            ["include_str!(\"", "include_bytes!(\""].into_iter().flat_map(|call| text.split(call).skip(1));
        included
            .filter_map(|rest| rest.split('"').next())
            .all(|path| !path.starts_with("../") || path.contains("../docs/"))
    });
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    let mut files = files(".rs");
    let may = |file: &Path| {
        let folders = [
            "plugin-api/abi/src",
            "plugin-api/src/export",
            "plugin-api/src/finder",
            "plugin-api/src/testing",
            "plugin-api/src/view",
            "host/load/src/plugin",
            // Hot loops of algorithms, backends that read registers or call C, and engines that call C.
            "plugins/automata",
            "plugins/bitparallel",
            "plugins/comparison",
            "plugins/counters",
            "plugins/engines",
            "plugins/finder",
            "plugins/own",
            "host/load/src/process/sandbox",
            "plugins/hashing",
            "plugins/hybrid",
            "plugins/packed",
            "plugins/shared",
            "tests",
        ];
        let files = [
            "plugin-api/src/table.rs",
            "plugin-api/src/trace.rs",
            "plugin-api/src/view.rs",
            "host/measure/src/worker/heartbeat.rs",
            "host/measure/src/worker/shared_text.rs",
            "host/measure/src/worker/eviction.rs",
            "host/conformance/src/memory.rs",
            "host/load/src/process/keeper.rs",
            "host/load/src/process/requests_to_end.rs",
            "host/load/src/process/memory.rs",
            "host/counting/src/clocks/chain.rs",
            "host/counting/src/clocks/offset.rs",
        ];
        files.iter().any(|one| file == Path::new(one))
            || folders.iter().any(|folder| file.starts_with(folder))
    };
    files.retain(|file| !may(file));
    hold(&files, "unsafe code stays where the architecture says", |_, text| {
        !text.contains("unsafe {") && !text.contains("unsafe fn") && !text.contains("unsafe impl")
    });
}

#[test]
fn no_name_of_abi_stable_leaves_the_crate_of_the_abi() {
    let mut files = files(".rs");
    let sides = ["host", "plugin-api/src", "plugins", "stat-plugins"];
    files.retain(|file| sides.iter().any(|side| file.starts_with(side)));
    hold(&files, "abi_stable is named in plugin-api/abi only", |_, text| !text.contains("abi_stable::"));
}

#[test]
fn only_the_loader_knows_the_dialect_of_a_library() {
    let mut files = files(".rs");
    // The command line has SMART's options, which are another matter.
    let may = ["host/load/src/plugin/dialect", "host/assay/src/cli"];
    files.retain(|file| file.starts_with("host") && !may.iter().any(|may| file.starts_with(may)));
    let signs = ["smart", "internal_search", "dialect ==", "dialect !=", "match listing.dialect"];
    hold(&files, "dialects are the affair of the loader", |_, text| {
        !signs.iter().any(|sign| text.contains(sign))
    });
}

#[test]
fn the_host_depends_on_no_plugin_and_no_plugin_on_the_host() {
    let manifests = files("Cargo.toml");
    let name =
        |manifest: &toml::Table| manifest["package"]["name"].as_str().expect("a name is text").to_owned();
    let read = |file: &Path| -> toml::Table {
        toml::from_str(&text(file).expect("it is text")).expect("cargo has read it")
    };
    let of_host = manifests.iter().filter(|file| file.starts_with("host")).map(|file| name(&read(file)));
    let of_host: std::collections::BTreeSet<String> = of_host.collect();
    let sides = ["host", "plugins", "stat-plugins"];
    let manifests: Vec<PathBuf> =
        manifests.into_iter().filter(|file| sides.iter().any(|side| file.starts_with(side))).collect();
    hold(&manifests, "host and plugins meet at run time only", |file, text| {
        let manifest: toml::Table = toml::from_str(text).expect("cargo has read it");
        let names: Vec<&String> = ["dependencies", "dev-dependencies", "build-dependencies"]
            .iter()
            .filter_map(|section| manifest.get(*section)?.as_table())
            .flat_map(toml::Table::keys)
            .collect();
        let ours = |name: &str| name == "assay" || name.starts_with("assay-");
        let allowed = |name: &str| {
            ["assay-abi", "assay-plugin-api"].contains(&name)
                || of_host.contains(name) && file.starts_with("host")
                // They register nothing, so they are no plugins.
                || ["assay-finder", "assay-shared"].contains(&name) && file.starts_with("plugins")
                || file.starts_with("stat-plugins") && !of_host.contains(name)
        };
        names.iter().all(|name| !ours(name) || allowed(name))
    });
}

#[test]
fn ci_runs_the_commands_of_the_readme() {
    let [readme, ci] = ["README.md", ".ci/run"].map(|file| text(Path::new(file)).expect("it is text"));
    let blocks = readme.split("```sh\n").skip(1);
    let commands: Vec<&str> =
        blocks.filter_map(|block| block.split_once("\n```")).map(|(command, _)| command).collect();
    assert_eq!(
        commands.len(),
        2,
        "the README has one command to build and run, and one to test: {commands:?}"
    );
    for command in commands {
        assert!(ci.lines().any(|line| line == command), ".ci/run does not run `{command}`");
    }
}
