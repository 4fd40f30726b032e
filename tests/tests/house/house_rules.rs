//! Rules of the repository that a machine can check.

use std::fs;
use std::path::{Path, PathBuf};

use assay_tests::repository;

/// The longest source file that we want to read.
const LONGEST: usize = 500;

/// Folders that are no part of the repository: what is built, measured and kept there. Cargo may have named others.
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

/// The room of a file of the host: a folder of `host/src`, or a file beside them.
fn room(file: &Path) -> Option<String> {
    let inside = file.strip_prefix("host/src").ok()?;
    let room = inside.iter().next()?.to_str()?.trim_end_matches(".rs");
    (!["lib", "main"].contains(&room)).then(|| room.to_owned())
}

/// The rooms that a source names by their paths, `crate::room`.
fn named_rooms(text: &str) -> impl Iterator<Item = &str> {
    let paths = text.split("crate::").skip(1);
    let end = |path: &str| path.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(path.len());
    // `crate::{` names rooms that are not seen here, and so is no room; `crate::Error` is that of `error`.
    paths.map(move |path| {
        if path.starts_with("Error") || path.starts_with("Result") { "error" } else { &path[..end(path)] }
    })
}

#[test]
fn no_arrow_between_the_rooms_of_the_host_runs_back() {
    let map = text(Path::new("docs/src/ARCHITECTURE.md")).expect("it is text");
    let order = map.lines().filter(|line| line.starts_with("    ") && line.contains(" < "));
    let order: Vec<&str> =
        order.flat_map(|line| line.split([' ', '<'])).filter(|room| !room.is_empty()).collect();
    let place = |room: &str| order.iter().position(|other| *other == room);
    let mut sources = files(".rs");
    sources.retain(|file| room(file).is_some());
    let rooms: std::collections::BTreeSet<String> = sources.iter().filter_map(|file| room(file)).collect();
    let mapped: std::collections::BTreeSet<String> = order.iter().map(|room| (*room).to_owned()).collect();
    assert_eq!(rooms, mapped, "the map orders the rooms that there are");
    hold(
        &sources,
        "a room uses only those that stand before it in docs/src/ARCHITECTURE.md",
        |file, text| {
            let own = room(file).and_then(|room| place(&room));
            named_rooms(text).all(|used| place(used).is_some_and(|used| Some(used) <= own))
        },
    );
}

#[test]
fn files_that_a_source_includes_lie_in_its_room() {
    let mut sources = files(".rs");
    sources.retain(|file| room(file).is_some());
    hold(&sources, "files are included from the room itself, or from the book", |_, text| {
        let included =
            ["include_str!(\"", "include_bytes!(\""].into_iter().flat_map(|call| text.split(call).skip(1));
        included
            .filter_map(|rest| rest.split('"').next())
            .all(|path| !path.starts_with("../") || path.contains("../docs/"))
    });
}

#[test]
fn an_arrow_that_runs_back_is_seen() {
    let named = |text| named_rooms(text).collect::<Vec<_>>();
    assert_eq!(
        named("use crate::results::{Run, Status};\nfn f() -> crate::Result<crate::io::x>"),
        ["results", "error", "io"]
    );
    assert_eq!(named("use crate::{cli, run};"), [""]);
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    let mut files = files(".rs");
    let may = |file: &Path| {
        let folders = ["plugin-api/abi/src", "plugin-api/src", "host/src/plugin", "plugins", "tests"];
        let files = [
            "measure/worker/shared.rs",
            "measure/worker/eviction.rs",
            "conformance/memory.rs",
            "process/keeper.rs",
            "counters/clocks/chain.rs",
            "counters/clocks/offset.rs",
        ];
        files.iter().any(|one| file == Path::new("host/src").join(one))
            || folders.iter().any(|folder| file.starts_with(folder))
    };
    files.retain(|file| !may(file));
    hold(&files, "unsafe code stays where the architecture says", |_, text| {
        !text.contains("unsafe {") && !text.contains("unsafe fn") && !text.contains("unsafe impl")
    });
}

#[test]
fn nothing_behind_the_loader_knows_what_a_library_speaks() {
    let mut files = files(".rs");
    // The command line has SMART's options, which are another matter.
    let may = ["host/src/plugin/dialect", "host/src/cli"];
    files.retain(|file| file.starts_with("host/src") && !may.iter().any(|may| file.starts_with(may)));
    let signs = ["smart", "internal_search", "dialect ==", "dialect !=", "match listing.dialect"];
    hold(&files, "dialects are the affair of the loader", |_, text| {
        !signs.iter().any(|sign| text.contains(sign))
    });
}

#[test]
fn the_host_depends_on_no_plugin_and_no_plugin_on_the_host() {
    let mut files = files("Cargo.toml");
    files.retain(|file| {
        file.starts_with("host") || file.starts_with("plugins") || file.starts_with("stat-plugins")
    });
    hold(&files, "host and plugins meet at run time only", |file, text| {
        let manifest: toml::Table = toml::from_str(text).expect("cargo has read it");
        let names: Vec<&String> = ["dependencies", "dev-dependencies", "build-dependencies"]
            .iter()
            .filter_map(|section| manifest.get(*section)?.as_table())
            .flat_map(toml::Table::keys)
            .collect();
        let ours = |name: &str| name == "assay" || name.starts_with("assay-");
        let allowed = |name: &str| {
            ["assay-abi", "assay-plugin-api"].contains(&name)
                // Pure functions of numbers.
                || name == "assay-stats" && file.starts_with("host")
                // It registers nothing, so it is no plugin.
                || name == "assay-shared" && file.starts_with("plugins")
                || file.starts_with("stat-plugins") && name != "assay"
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
