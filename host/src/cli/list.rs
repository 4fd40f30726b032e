//! `assay list`: everything that the plugins bring.

use serde_json::json;

use super::{Outcome, Session};
use crate::error::Result;
use crate::io::table::{Format, Table};
use crate::plugin::{Kind, Listing};

/// List everything that the plugins bring: id, name, library, version, dialect
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay list                      everything
  assay list algorithms           algorithms alone (the singular works too)
  assay list metrics --format json
  assay list --plugin-dir ./target/release --quiet

A corpus that takes a number is listed with the least and the greatest: rand2..rand256 means --corpus rand4, too.
JSON has all facts about each thing, and whether it is an instrumented algorithm. `assay plugins list` lists libraries.")]
pub struct Args {
    /// List this kind alone
    #[arg(value_enum, ignore_case = true)]
    kind: Option<Kind>,
    /// Print as
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    let listings =
        registry.listings().iter().filter(|listing| args.kind.is_none_or(|kind| listing.kind == kind));
    let text = match args.format {
        Format::Table => table(listings),
        Format::Json => {
            let objects: Vec<_> = listings.map(object).collect();
            serde_json::to_string_pretty(&objects).expect("values that came from here") + "\n"
        }
        Format::Csv => csv(listings),
    };
    session.console.print(&text)?;
    Ok(Outcome::Done)
}

fn table<'a>(listings: impl Iterator<Item = &'a Listing>) -> String {
    let mut table = Table::new(["kind", "id", "name", "library", "version", "dialect"]);
    for listing in listings {
        table.push([
            listing.kind.name().into(),
            listing.ids().into(),
            listing.title().into(),
            listing.library_name.as_str().into(),
            listing.version.as_str().into(),
            listing.dialect.as_str().into(),
        ]);
    }
    table.render(Format::Table)
}

fn csv<'a>(listings: impl Iterator<Item = &'a Listing>) -> String {
    let columns = [
        "kind",
        "id",
        "name",
        "library",
        "library_name",
        "version",
        "dialect",
        "tested",
        "instrumented",
        "extra",
    ];
    let mut table = Table::new(columns);
    for listing in listings {
        table.push([
            listing.kind.name().into(),
            listing.id.as_str().into(),
            listing.title().into(),
            listing.library.display().to_string().into(),
            listing.library_name.as_str().into(),
            listing.version.as_str().into(),
            listing.dialect.as_str().into(),
            false.to_string().into(),
            listing.instrumented.to_string().into(),
            listing.extra.join(" ").into(),
        ]);
    }
    table.render(Format::Csv)
}

/// A thing as JSON: `tested` is false as long as nothing has tested it.
pub(super) fn object(listing: &Listing) -> serde_json::Value {
    let facts: serde_json::Map<_, _> =
        listing.facts.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    json!({
        "kind": listing.kind,
        "id": listing.id,
        "ids": listing.ids(),
        "name": listing.title(),
        "library": listing.library.display().to_string(),
        "library_name": listing.library_name,
        "version": listing.version,
        "dialect": listing.dialect,
        "sha256": listing.sha256,
        "tested": false,
        "instrumented": listing.instrumented,
        "extra": listing.extra,
        "cpu": listing.cpu,
        "facts": facts,
    })
}
