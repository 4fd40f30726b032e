//! `assay select`: the selection of algorithms, and named sets.

use std::collections::BTreeMap;

use assay_base::error::{Error, Result, excerpt, near};
use assay_base::io::console::abridged;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_base::natural_order;
use assay_experiment::selection;
use assay_experiment::sets::{SETS_FILE, Sets};
use assay_load::plugin::Registry;
use clap::Subcommand;

use super::sets::{SET, all_or_named};
use super::{Outcome, Session};

/// Select algorithms, and keep named sets of them
///
/// `assay run --selected` measures the selection, `assay run --use SET` measures a set.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay select add hor bm 'bndm.*'
  assay select remove bm
  assay select save mine            keeps the selection as the set `mine`
  assay select none
  assay run --use mine so           measures the set and the algorithm so

A set holds ids: a regular expression is resolved when you add it. Sets are in sets.toml, in ASSAY_CONFIG_DIR or else in \
~/.config/assay. A change rewrites this file without its comments.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: SelectCommand,
}

#[derive(Subcommand, Debug)]
pub(super) enum SelectCommand {
    /// Add algorithms to the selection
    #[command(after_help = "\
Examples:
  assay select add hor bm
  assay select add 'bndm.*' Horspool
  assay select add --all")]
    Add(AddArgs),
    /// Remove algorithms from the selection
    #[command(after_help = "\
Examples:
  assay select remove bm
  assay select remove 'b.*'         those of the selection that match")]
    Remove {
        /// Ids, regular expressions for whole ids, or names, in any case
        #[arg(value_name = "ALGO|REGEX", required = true)]
        algorithms: Vec<String>,
    },
    /// Clear the selection
    #[command(after_help = "\
Examples:
  assay select none")]
    None,
    /// List the algorithms of the selection, or of a set
    #[command(after_help = "\
Examples:
  assay select show
  assay select show mine
  assay select show --all           all algorithms, with the selected ones
  assay select show --format csv

If the library of an algorithm is not found, only its id is shown.")]
    Show(ShowArgs),
    /// List the sets
    #[command(after_help = "\
Examples:
  assay select list
  assay select list --format json")]
    List {
        /// Output format
        #[arg(long, default_value = "table", value_parser = table_formats())]
        format: OutputFormat,
    },
    /// Keep the selection as a set, and replace a set of this name
    #[command(after_help = "\
Examples:
  assay select save mine

A name begins with a lower case letter or digit, and has only these, `-`, `_` and `.`, at most 64 bytes.")]
    Save {
        /// The name of the set
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Replace the selection by a set
    #[command(after_help = "\
Examples:
  assay select use mine")]
    Use {
        /// The name of the set
        #[arg(value_name = SET)]
        name: String,
    },
    /// Delete a set
    #[command(after_help = "\
Examples:
  assay select delete mine")]
    Delete {
        /// The name of the set
        #[arg(value_name = SET)]
        name: String,
    },
}

#[derive(clap::Args, Debug)]
pub(super) struct AddArgs {
    /// Ids, regular expressions for whole ids, or names, in any case
    #[arg(value_name = "ALGO|REGEX", required_unless_present = "all")]
    algorithms: Vec<String>,
    /// All algorithms
    #[arg(long)]
    all: bool,
}

#[derive(clap::Args, Debug)]
pub(super) struct ShowArgs {
    /// The name of a set to list instead of the selection
    #[arg(value_name = SET, conflicts_with = "all")]
    name: Option<String>,
    /// All algorithms, and which of them are selected
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let mut sets = Sets::open()?;
    let before = sets.selected().to_vec();
    let known = (!sets.all_ids().is_empty()).then(|| session.registry_in_silence()).flatten();
    if let Some(registry) = &known {
        let note = sets.note_of_changed_ids(SETS_FILE, &sets.all_ids(), registry);
        note.iter().for_each(|note| session.console.note(note));
    }
    let note = match args.command {
        SelectCommand::Show(args) => return show(&args, &sets, session),
        SelectCommand::List { format } => return list(format, &sets, session),
        SelectCommand::Add(args) => {
            let added = add(&args, &mut sets, &session.registry()?)?;
            let known = if added.is_empty() { "nothing".to_owned() } else { abridged(&added) };
            format!("added {known}; {}", selected(&sets))
        }
        SelectCommand::Remove { algorithms } => {
            let removed = remove(&algorithms, &mut sets, &session.registry()?)?;
            format!("removed {}; {}", abridged(&removed), selected(&sets))
        }
        SelectCommand::None => {
            sets.select(Vec::new());
            selected(&sets) + &instead_of(&before, sets.selected())
        }
        SelectCommand::Save { name } => {
            let replaced = sets.keep(&name)?.unwrap_or_default();
            let saved = format!("saved as {name}: {}", abridged(sets.selected()));
            saved + &instead_of(&replaced, sets.selected())
        }
        SelectCommand::Use { name } => {
            sets.select(sets.find(&name)?.to_vec());
            selected(&sets) + &instead_of(&before, sets.selected())
        }
        SelectCommand::Delete { name } => format!("deleted {name}: {}", sets.delete(&name)?.join(" ")),
    };
    if let Some(registry) = known.or_else(|| session.registry_in_silence()) {
        sets.record_changed_ids(&registry);
    }
    sets.save()?;
    session.console.note(&note);
    Ok(Outcome::Done)
}

/// The selection in words.
fn selected(sets: &Sets) -> String {
    match sets.selected() {
        [] => "no algorithm is selected".to_owned(),
        ids => format!("selected: {}", abridged(ids)),
    }
}

/// The ids that were replaced, all of them, so that the user can restore them.
fn instead_of(before: &[String], now: &[String]) -> String {
    if before.is_empty() || before == now { String::new() } else { format!("; before: {}", before.join(" ")) }
}

/// Adds algorithms to the selection, and returns those that are new.
///
/// # Errors
/// If a name matches no algorithm.
fn add(args: &AddArgs, sets: &mut Sets, registry: &Registry) -> Result<Vec<String>> {
    let all = [".*".to_owned()];
    let names = if all_or_named(args.all, &args.algorithms)? { &all } else { args.algorithms.as_slice() };
    let mut added = selection::named_ids(names, registry)?;
    added.retain(|id| !sets.selected().contains(id));
    sets.select([sets.selected(), &added].concat());
    Ok(added)
}

/// Removes algorithms from the selection, and returns them. They need not be in any library that is found.
///
/// # Errors
/// If a name matches no selected algorithm.
fn remove(names: &[String], sets: &mut Sets, registry: &Registry) -> Result<Vec<String>> {
    let titles = selection::ids(registry);
    let selected = sets.selected().iter().map(String::as_str);
    let known: BTreeMap<&str, &str> =
        selected.map(|id| (id, titles.get(id).copied().unwrap_or_default())).collect();
    let mut removed = Vec::new();
    for name in names {
        match selection::among(name, &known)?.as_slice() {
            [] => return Err(not_selected(name, sets.selected())),
            ids => removed.extend(ids.iter().map(|id| (*id).to_owned())),
        }
    }
    let (removed, others) = sets.selected().iter().cloned().partition(|id| removed.contains(id));
    sets.select(others);
    Ok(removed)
}

/// The error that an algorithm is not selected.
fn not_selected(name: &str, selected: &[String]) -> Error {
    let error = Error::new(format!("`{}` is not selected", excerpt(name)));
    let close = near(name, selected.iter().map(String::as_str));
    match (close.as_slice(), selected) {
        (_, []) => error.remedy("nothing is selected: `assay select add ALGO..` selects some"),
        ([], _) => error.remedy(format!("the selection is {}", abridged(selected))),
        (close, _) => error.remedy(format!("did you mean {}?", close.join(", "))),
    }
}

fn show(args: &ShowArgs, sets: &Sets, session: &Session) -> Result<Outcome> {
    let members = match &args.name {
        Some(name) => sets.find(name)?,
        None => sets.selected(),
    };
    let registry = session.registry()?;
    let mut columns = vec!["id", "name", "library", "version"];
    let mut ids: Vec<String> = members.to_vec();
    if args.all {
        columns.insert(1, "selected");
        let others =
            selection::ids(&registry).into_keys().filter(|id| !members.iter().any(|other| other == id));
        ids.extend(others.map(str::to_owned));
        ids.sort_unstable_by(|one, other| natural_order(one, other));
    }
    let mut table = Table::new(columns);
    for id in &ids {
        let found = selection::listing(id, &registry);
        let mut row = vec![
            id.as_str().into(),
            found.and_then(|found| found.title()).into(),
            found.map(|found| found.library.info.name.as_str()).into(),
            found
                .map(|found| found.library.info.version.as_str())
                .filter(|version| !version.is_empty())
                .into(),
        ];
        if args.all {
            row.insert(1, Datum::Flag(members.contains(id)));
        }
        table.push(row);
    }
    if let Some(warning) = selection::missing_message(&selection::split_known(members, &registry).1) {
        session.console.warn(&warning);
    }
    if ids.is_empty() {
        session.console.note("no algorithm is selected: `assay select add ALGO..` selects some");
    }
    print(&table, args.format, session)
}

fn list(format: OutputFormat, sets: &Sets, session: &Session) -> Result<Outcome> {
    let mut table = Table::new(["set", "count", "algorithms"]);
    for (name, ids) in sets.named() {
        let shown = if format == OutputFormat::Table { abridged(ids) } else { ids.join(" ") };
        table.push([name.into(), Datum::Number(ids.len() as f64, 0), shown.into()]);
    }
    if table.rows.is_empty() {
        session.console.note("there is no set: `assay select save NAME` keeps the selection as one");
    }
    print(&table, format, session)
}

/// Prints a table. One without rows is printed only for programs.
fn print(table: &Table, format: OutputFormat, session: &Session) -> Result<Outcome> {
    if !table.rows.is_empty() || format != OutputFormat::Table {
        session.console.print(&table.render(format))?;
    }
    Ok(Outcome::Done)
}
