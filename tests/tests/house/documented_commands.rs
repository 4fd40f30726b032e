//! Every command that README and book show is run, and must do what they say.
//!
//! In a block marked `console`, a line that begins with `$ ` is a command, and the lines below it are what it
//! prints, to standard output and standard error. `...` stands for any lines, and at the end of a line for
//! its rest. Blanks count as one, and so do the dashes of a rule, because columns are as wide as the times in
//! them. A command ends with status 0, or with N where it says `# exit status N`. `cat` of a file that is not
//! there yet makes it. What calls DuckDB is skipped where it is not installed. The blocks of a page are run
//! in order, in one folder, in which `target/release` is that of the build.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tests::engines::duckdb;
use assay_tests::{assay, is_noise, isolate, repository, run};

/// A command and what a page says of it.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    command: String,
    status: i32,
    output: Vec<String>,
}

/// The commands of a page, in order.
fn shown(page: &str) -> Vec<Shown> {
    let mut commands = Vec::<Shown>::new();
    let mut block = None;
    for line in page.lines() {
        if let Some(mark) = line.strip_prefix("```") {
            block = if block.is_none() { Some(mark) } else { None };
            continue;
        }
        match (block, line.strip_prefix("$ ")) {
            (None, _) => {}
            (Some("console"), Some(line)) => {
                let (command, status) = match line.split_once("# exit status ") {
                    Some((command, status)) => {
                        (command.trim_end(), status.parse().expect("a status is a number"))
                    }
                    None => (line, 0),
                };
                commands.push(Shown { command: command.to_owned(), status, output: Vec::new() });
            }
            (Some("console"), None) => {
                let last = commands.last_mut().expect("a console block begins with a command");
                last.output.push(line.to_owned());
            }
            (Some(_), command) => {
                assert!(
                    !command.unwrap_or(line).starts_with("assay "),
                    "nobody runs `{line}`: mark it console"
                );
            }
        }
    }
    commands
}

/// A line without its layout: one blank or one dash for a row of them, and none at the end.
fn without_layout(line: &str) -> String {
    let mut short = String::new();
    for character in line.trim_end().chars() {
        if !(matches!(character, ' ' | '-' | '─') && short.ends_with(character)) {
            short.push(character);
        }
    }
    short
}

/// Whether a command printed what a page shows.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..])),
        Some((line, rest)) => printed.split_first().is_some_and(|(first, others)| {
            let same = match line.strip_suffix("...") {
                Some(start) => without_layout(first).starts_with(&without_layout(start)),
                None => without_layout(first) == without_layout(line),
            };
            same && fits(rest, others)
        }),
    }
}

/// Does what a page shows in a folder of its own, and says what is not as shown.
fn follow(page: &str) -> Vec<String> {
    let binary = PathBuf::from(assay().get_program());
    let built = binary.parent().expect("the binary lies in a folder");
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::create_dir(folder.path().join("target")).expect("the folder is new");
    symlink(built, folder.path().join("target/release")).expect("the folder is new");
    shown(page).iter().filter_map(|shown| check(shown, folder.path(), built)).collect()
}

/// What is wrong with a command, if anything is.
fn check(shown: &Shown, folder: &Path, built: &Path) -> Option<String> {
    if let Some(file) = shown.command.strip_prefix("cat ").map(|name| folder.join(name))
        && !file.exists()
    {
        fs::create_dir_all(file.parent().expect("it lies in the folder")).expect("the folder is ours");
        fs::write(&file, shown.output.join("\n") + "\n").expect("the folder is ours");
        return None;
    }
    let engine = if shown.command.contains("--engine duckdb") { Some(duckdb()?) } else { None };
    let path = env::var_os("PATH").unwrap_or_default();
    let before = std::iter::once(built).chain(engine).map(Path::to_owned);
    let folders = before.chain(env::split_paths(&path));
    let mut shell = Command::new("sh");
    isolate(&mut shell);
    // The book shows what readers see.
    shell.env_remove("ASSAY_TRUST");
    // What one page has tested is not tested on another.
    shell.env("ASSAY_CACHE_DIR", folder.join(".cache"));
    shell.env("ASSAY_CONFIG_DIR", folder.join(".config"));
    shell.args(["-c", &format!("exec 2>&1\n{}", shown.command)]).current_dir(folder);
    shell.env("PATH", env::join_paths(folders).expect("they were joined before")).env_remove("NO_COLOR");
    let ran = run(&mut shell);
    let expected: Vec<&str> = shown.output.iter().map(String::as_str).collect();
    let printed: Vec<&str> = ran.stdout.lines().filter(|line| !is_noise(line)).collect();
    let right = ran.code == Some(shown.status) && fits(&expected, &printed);
    (!right).then(|| format!("$ {}\n{}ended with {:?}", shown.command, ran.stdout, ran.code))
}

#[test]
fn every_documented_command_does_what_is_shown() {
    let book = fs::read_dir(repository().join("docs/src")).expect("the book is there");
    let mut pages: Vec<PathBuf> = book.map(|entry| entry.expect("a folder can be read").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.push(repository().join("README.md"));
    pages.sort();
    let wrong: Vec<String> = pages
        .iter()
        .flat_map(|page| {
            let faults = follow(&fs::read_to_string(page).expect("a page is text"));
            faults.into_iter().map(|fault| format!("{}:\n{fault}\n", page.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "not as shown\n\n{}", wrong.join("\n"));
}

#[test]
fn commands_are_read_with_status_and_output() {
    let page =
        "text\n```sh\n$ not this\n```\n```console\n$ a b\nx\ny\n$ c   # exit status 2\n```\n$ nor this\n";
    let command = |command: &str, status, output: &[&str]| Shown {
        command: command.to_owned(),
        status,
        output: output.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(shown(page), [command("a b", 0, &["x", "y"]), command("c", 2, &[])]);
}

#[test]
fn an_ellipsis_stands_for_lines_or_the_rest_of_one() {
    let printed = ["one  ", "two", "three 3"];
    for shown in
        [&["one", "two", "three..."][..], &["...", "three 3"], &["one", "...", "two", "..."], &["..."]]
    {
        assert!(fits(shown, &printed), "{shown:?}");
    }
    assert!(fits(&["a  b", "--- --"], &["a b ", "- -----"]), "columns may be wider");
    for shown in [&["one", "two"][..], &["two", "..."], &["...", "two"], &["one", "...", "three"], &[]] {
        assert!(!fits(shown, &printed), "{shown:?}");
    }
}
