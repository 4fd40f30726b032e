//! `assay plugins info`: everything that is known about one library.

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table, pairs};
use assay_load::plugin::{Contents, Kind, Library};
use serde_json::json;

use super::super::list::object;
use super::{Outcome, Session, inspect, trust};

/// Show everything about one library: its path, dialect, trust, items and their facts
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay plugins info target/release/libmine.so
  assay plugins info target/release/libmine.so --format json")]
pub(super) struct Args {
    /// The library file
    file: PathBuf,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let library = inspect(&args.file, session)?;
    let contents = match &library.outcome {
        Ok(contents) => contents,
        Err(failure) => {
            session.console.detail(&failure.details);
            let found = format!("can't use `{}`: {}", failure.file.display(), failure.found);
            let message = format!("{found}; expected {}", failure.expected).replace('\n', " ");
            return Err(Error::new(message).remedy(failure.remedy.replace('\n', " ")));
        }
    };
    let text = match args.format {
        OutputFormat::Json => {
            let object = json!({
                "path": library.path.display().to_string(),
                "sha256": library.sha256,
                "trust": library.trust.word(),
                "name": contents.library.name,
                "version": contents.library.version,
                "dialect": contents.library.dialect,
                "abi": contents.library.abi,
                "newer_abi": contents.library.newer_abi,
                "unknown": contents.library.unknown,
                "features": contents.library.features,
                "debug": contents.library.debug,
                "brings": contents.listings.iter().map(object).collect::<Vec<_>>(),
            });
            serde_json::to_string_pretty(&object).expect("values that came from here") + "\n"
        }
        OutputFormat::Table => page(&table(&library, contents)),
        format => table(&library, contents).render(format),
    };
    session.console.print(&text)?;
    Ok(Outcome::Done)
}

/// A block for the library and each plugin, with a line for each fact.
fn page(table: &Table) -> String {
    let rows: Vec<[String; 4]> =
        table.rows.iter().map(|row| std::array::from_fn(|column| text(&row[column]))).collect();
    // The first two cells are the kind and the id.
    let mut blocks = Vec::new();
    for rows in rows.chunk_by(|a, b| a[..2] == b[..2]) {
        let facts = rows.iter().map(|[_, _, fact, value]| (fact.as_str(), value.as_str()));
        blocks.push(format!("{} {}\n{}", rows[0][0], rows[0][1], pairs(facts)));
    }
    blocks.join("\n")
}

/// The text of a cell; all cells of this table are texts.
fn text(cell: &Datum) -> String {
    match cell {
        Datum::Text(text) | Datum::Strong(text) => text.clone(),
        Datum::Number(..) | Datum::Marked(..) | Datum::Within { .. } | Datum::Flag(_) | Datum::Missing => {
            String::new()
        }
    }
}

/// A row for each fact: first those of the library itself, then those of each plugin.
fn table(library: &Library, contents: &Contents) -> Table {
    let mut table = Table::new(["kind", "id", "fact", "value"]);
    let library_facts = [
        ("path", library.path.display().to_string()),
        ("version", contents.library.version.clone()),
        ("dialect", contents.library.dialect.clone()),
        ("abi", contents.library.abi.clone()),
        ("newer", contents.library.remark_on_newer_abi().unwrap_or_default()),
        ("features", contents.library.features.join(" ")),
        (
            "build",
            match contents.library.debug {
                Some(true) => "debug".to_owned(),
                Some(false) => "release".to_owned(),
                None => String::new(),
            },
        ),
        ("brings", contents.summary()),
        ("sha256", library.sha256.clone()),
        ("trust", trust::remark(library).unwrap_or_else(|| library.trust.word().to_owned())),
    ];
    for (fact, value) in &library_facts {
        push_fact(&mut table, "library", &contents.library.name, fact, value);
    }
    for listing in &contents.listings {
        let (kind, id) = (listing.kind.name(), listing.ids());
        for (fact, value) in &listing.facts {
            push_fact(&mut table, kind, &id, fact, value);
        }
        push_fact(&mut table, kind, &id, "instrumented", if listing.instrumented { "yes" } else { "" });
        push_fact(&mut table, kind, &id, "extra fields", &listing.extra.join(", "));
        if listing.kind == Kind::Counter {
            push_fact(&mut table, kind, &id, "may", &listing.access.to_string());
        }
        push_fact(&mut table, kind, &id, "needs of the CPU", &listing.cpu.join(" "));
    }
    table
}

/// Adds the row of a fact, unless its value is empty.
fn push_fact(table: &mut Table, kind: &str, id: &str, fact: &str, value: &str) {
    if !value.is_empty() {
        table.push([kind, id, fact, value].map(Into::into));
    }
}
