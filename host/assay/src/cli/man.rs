//! `assay man`: a manual page for each command.

use std::io::{self, Write};
use std::path::PathBuf;

use assay_base::error::Result;
use assay_base::io::atomic::Output;
use assay_base::io::console::counted;
use clap::{Command, CommandFactory, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::{Cli, Outcome, Session};

/// Write a manual page for each command, for `man`
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay man --out ~/.local/share/man/man1; man assay-run
  assay man --out pages; man ./pages/assay-report.1

A page is named by the words that call its command: assay-select-add.1 is that of `assay select add`.")]
pub(super) struct Args {
    /// The folder of the pages, which is made if it does not exist
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let pages = pages();
    for page in &pages {
        Output::in_folder(&args.out, &page.file)?.write(|file| file.write_all(&page.text))?;
    }
    session.console.note(&format!("{} in {}", counted(pages.len(), "page"), args.out.display()));
    Ok(Outcome::Done)
}

/// A manual page.
struct ManualPage {
    /// Name of its file.
    file: String,
    /// In the language of `man`.
    text: Vec<u8>,
}

/// The pages of all commands that users see.
fn pages() -> Vec<ManualPage> {
    // The subcommand `help` has no page: it prints others.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, "assay", &mut pages);
    pages
}

/// Adds the page of a command, which is called by the words of `name`, joined by dashes, and those of its
/// subcommands.
fn add_pages(command: &Command, name: &str, pages: &mut Vec<ManualPage>) {
    let mut text = Vec::new();
    write_page(command, name, &mut text).expect("memory can be written to");
    pages.push(ManualPage { file: format!("{name}.1"), text });
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        add_pages(command, &format!("{name}-{}", command.get_name()), pages);
    }
}

/// Writes the page of a command. A section that would be empty is left out.
fn write_page(command: &Command, name: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone().display_name(name.to_owned())).title(name.to_uppercase());
    let man = man.source(concat!("assay ", env!("CARGO_PKG_VERSION"))).manual("assay");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = notes_and_examples(&help);
    if !notes.is_empty() {
        write_section("NOTES", &notes, out)?;
    }
    if !examples.is_empty() {
        write_section("EXAMPLES", &examples, out)?;
    }
    Ok(())
}

/// The paragraphs of the text after the options: those with notes, and the examples without their heading.
fn notes_and_examples(help: &str) -> (Vec<&str>, Vec<&str>) {
    let paragraphs = help.split("\n\n").filter(|paragraph| !paragraph.is_empty());
    let (examples, notes): (Vec<&str>, Vec<&str>) =
        paragraphs.partition(|paragraph| paragraph.starts_with(EXAMPLES));
    (notes, examples.iter().map(|paragraph| &paragraph[EXAMPLES.len()..]).collect())
}

/// The heading of examples in help texts.
const EXAMPLES: &str = "Examples:\n";

/// Writes a section. The lines of a paragraph that is indented stay lines, and others are filled.
fn write_section(title: &str, paragraphs: &[&str], out: &mut impl Write) -> io::Result<()> {
    let mut section = Roff::new();
    section.control("SH", [title]);
    for paragraph in paragraphs {
        section.control("PP", []);
        let has_columns = paragraph.lines().any(|line| line.starts_with("  "));
        if has_columns {
            section.control("nf", []);
        }
        section.text([roman(*paragraph)]);
        if has_columns {
            section.control("fi", []);
        }
    }
    section.to_writer(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn text(page: &ManualPage) -> &str {
        std::str::from_utf8(&page.text).expect("it is made of texts")
    }

    /// The sections of a page: titles, and whether they have any text.
    fn sections(page: &ManualPage) -> Vec<(&str, bool)> {
        let parts = text(page).split("\n.SH ").skip(1);
        parts
            .map(|part| {
                let (title, body) = part.split_once('\n').unwrap_or((part, ""));
                let mut lines = body.lines().filter(|line| !line.starts_with('.') || line.starts_with(".IP"));
                (title.trim_matches('"'), lines.any(|line| !line.trim().is_empty()))
            })
            .collect()
    }

    #[test]
    fn each_command_has_a_page_with_its_sections_and_none_is_empty() {
        let pages = pages();
        let files: BTreeSet<&str> = pages.iter().map(|page| page.file.as_str()).collect();
        assert_eq!(files.len(), pages.len(), "two pages have one name");
        for file in ["assay.1", "assay-run.1", "assay-select-add.1", "assay-man.1"] {
            assert!(files.contains(file), "{file} is missing: {files:?}");
        }
        assert!(!files.iter().any(|file| file.contains("help") || file.contains("__")), "{files:?}");
        for page in &pages {
            let sections = sections(page);
            let titles: Vec<&str> = sections.iter().map(|(title, _)| *title).collect();
            for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
                assert!(titles.contains(&title), "{} has no {title}: {titles:?}", page.file);
            }
            let empty: Vec<_> = sections.iter().filter(|(_, has_text)| !has_text).collect();
            assert!(empty.is_empty(), "{}: {empty:?}\n{}", page.file, text(page));
        }
    }

    #[test]
    fn a_page_has_the_options_and_examples_of_its_command() {
        let pages = pages();
        let run = pages.iter().find(|page| page.file == "assay-run.1").expect("run is a command");
        for part in ["assay\\-run", "\\-\\-plen", "exit status", "assay run bf bm hor"] {
            assert!(text(run).contains(part), "{part} is missing:\n{}", text(run));
        }
    }

    #[test]
    fn examples_are_apart_from_notes() {
        let help = "First note.\n\nExamples:\n  a\n  b\n\nSecond note.";
        assert_eq!(notes_and_examples(help), (vec!["First note.", "Second note."], vec!["  a\n  b"]));
        assert_eq!(notes_and_examples(""), (vec![], vec![]));
    }
}
