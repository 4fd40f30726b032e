//! Rules of the repository that a machine can check.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::{repository, run};

/// The longest source file that we want to read.
const LONGEST: usize = 500;

/// Files under version control whose names end like this, relative to the repository. None, with the reason printed,
/// where there is no git: in an unpacked archive.
fn tracked(ending: &str) -> Option<Vec<PathBuf>> {
    let listed = run(Command::new("git").args(["ls-files", "-z"]).current_dir(repository()));
    if listed.code != Some(0) {
        eprintln!("skipped: git lists no files: {}", listed.stderr);
        return None;
    }
    let files = listed.stdout.split_terminator('\0').filter(|name| name.ends_with(ending)).map(PathBuf::from);
    // A file that was just removed is still listed.
    Some(files.filter(|file| repository().join(file).is_file()).collect())
}

/// The text of a file of the repository; none of one that holds something else.
fn text(file: &Path) -> Option<String> {
    String::from_utf8(fs::read(repository().join(file)).expect("a tracked file can be read")).ok()
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
    let Some(files) = tracked(".rs") else { return };
    hold(&files, "source files have at most 500 lines", |_, text| text.lines().count() <= LONGEST);
}

#[test]
fn every_file_of_a_plugin_begins_with_what_it_is() {
    let Some(mut files) = tracked(".rs") else { return };
    files.retain(|file| {
        let mut parts = file.iter();
        matches!(parts.next(), Some(first) if first == "plugins" || first == "stat-plugins")
            && parts.nth(1).is_some_and(|part| part == "src")
    });
    hold(&files, "files of plugins begin with a line of documentation", |_, text| text.starts_with("//! "));
}

#[test]
fn every_package_has_the_lints_of_the_workspace() {
    let Some(mut files) = tracked("Cargo.toml") else { return };
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
    let Some(files) = tracked("") else { return };
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
    let Some(files) = tracked(".md") else { return };
    hold(&files, "links between documents lead to files", |file, text| {
        let folder = repository().join(file.parent().expect("it lies in the repository"));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        links.filter(|link| !link.is_empty() && !link.contains("://")).all(|link| folder.join(link).exists())
    });
}

#[test]
fn the_map_of_the_house_is_short_and_names_what_is_there() {
    let Some(files) = tracked("") else { return };
    let map = text(Path::new("docs/src/ARCHITECTURE.md")).expect("it is text");
    assert!(map.lines().count() <= 150, "the map has more than 150 lines");
    let there = |name: &str| files.iter().any(|file| file.to_string_lossy().contains(name));
    let names = map.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") || name.ends_with('/'));
    let gone: Vec<&str> = names.filter(|name| !there(name)).collect();
    assert!(gone.is_empty(), "the map names what is not there: {gone:?}");
}

#[test]
fn unsafe_code_is_where_it_may_be() {
    let Some(mut files) = tracked(".rs") else { return };
    let may = |file: &Path| {
        let folders = ["plugin-api/abi/src", "plugin-api/src", "host/src/plugin", "plugins", "tests"];
        ["host/src/measure/worker/shared.rs", "host/src/conformance/smoke_test.rs"]
            .iter()
            .any(|one| file == Path::new(one))
            || folders.iter().any(|folder| file.starts_with(folder))
    };
    files.retain(|file| !may(file));
    hold(&files, "unsafe code stays where the architecture says", |_, text| {
        !text.contains("unsafe {") && !text.contains("unsafe fn") && !text.contains("unsafe impl")
    });
}

#[test]
fn the_host_depends_on_no_plugin_and_no_plugin_on_the_host() {
    let Some(mut files) = tracked("Cargo.toml") else { return };
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
