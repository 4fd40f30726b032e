//! `assay plugins`: the files of plugin libraries.

mod check;
mod info;
mod trust;

use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_load::plugin::{Library, LibraryState};
use clap::Subcommand;

use super::{Outcome, Session, not_in_order};

/// List plugin libraries, inspect one, or say which you trust
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay plugins list
  assay plugins info ~/.local/share/assay/plugins/libmine.so
  assay plugins check target/release/libmine.so
  assay plugins trust target/release/libmine.so

A library is any file that ends in .so in a folder of --plugin-dir, of ASSAY_PLUGIN_PATH, in the user's folder \
(~/.local/share/assay/plugins) or beside the program, searched in this order. It is first loaded in a child \
process, and the result is remembered (~/.cache/assay, or ASSAY_CACHE_DIR) until the file changes. A library that gives \
no answer in 5 seconds counts as hanging; ASSAY_PATIENCE_MS sets another time, in milliseconds.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: PluginsCommand,
}

#[derive(Subcommand, Debug)]
enum PluginsCommand {
    List(PluginsListArgs),
    Info(info::Args),
    Check(check::Args),
    Trust(trust::TrustArgs),
    Distrust(trust::DistrustArgs),
}

/// List the libraries that are found, in search order
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Status:
  used      all of its items are used
  copy      the same content was found before, in another folder
  conflict  another library has some of the same ids; a warning says what they mean, its other items are used
  refused   it can't be used; a warning says why, and -v prints details

Trust:
  shipped   it came with assay
  yes       you have accepted it
  changed   you have accepted another content of this file
  no        you have not accepted it
  exposed   others may write to it, so it is refused

Examples:
  assay plugins list
  assay plugins list --plugin-dir target/release --format json")]
struct PluginsListArgs {
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

/// Runs the command.
pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    match args.command {
        PluginsCommand::List(args) => list(&args, session),
        PluginsCommand::Info(args) => info::run(&args, session),
        PluginsCommand::Check(args) => check::run(&args, session),
        PluginsCommand::Trust(args) => trust::trust(&args, session),
        PluginsCommand::Distrust(args) => trust::distrust(&args, session),
    }
}

fn list(args: &PluginsListArgs, session: &Session) -> Result<Outcome> {
    // The list shows what is trusted, so it asks nothing.
    let registry = session.registry_by(session.judge()?)?;
    let conflicts = registry.conflicts();
    if session.common.strict && !conflicts.is_empty() {
        return Err(not_in_order(&conflicts));
    }
    conflicts.iter().for_each(|line| session.console.warn(line));
    let mut table = Table::new(["status", "library", "version", "abi", "brings", "trust", "path"]);
    for library in registry.libraries() {
        let status = match registry.status(library) {
            LibraryState::Used => "used",
            LibraryState::Copy => "copy",
            LibraryState::Conflict => "conflict",
            LibraryState::Refused => "refused",
        };
        let contents = library.outcome.as_ref().ok();
        table.push([
            status.into(),
            contents.map(|contents| contents.library.name.as_str()).into(),
            contents.map(|contents| contents.library.version.as_str()).into(),
            contents.map(|contents| contents.library.abi.as_str()).into(),
            contents.map(|contents| contents.summary()).into(),
            library.trust.word().into(),
            Datum::from(library.path.display().to_string()),
        ]);
    }
    session.console.print(&table.render(args.format))?;
    Ok(Outcome::Done)
}

/// Inspects the library that the user names again, even if the result of an earlier inspection is known.
fn inspect(file: &Path, session: &Session) -> Result<Library> {
    let path: PathBuf = std::path::absolute(file).map_err(|error| unreadable(file, &error))?;
    if path.is_dir() {
        return Err(
            Error::new(format!("`{}` is a folder", file.display())).remedy("name a library file in it")
        );
    }
    std::fs::metadata(&path).map_err(|error| unreadable(file, &error))?;
    Library::inspect_named(&path, &mut session.judge()?)
}

fn unreadable(file: &Path, error: &std::io::Error) -> Error {
    Error::io("read plugin library", file, error)
        .remedy("name a library's file, as `assay plugins list` shows them")
}
