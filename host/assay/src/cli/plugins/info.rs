//! `assay plugins info`: everything that is known of one library.

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table, pairs};
use assay_load::plugin::{Contents, Library};
use serde_json::json;

use super::super::list::object;
use super::{Outcome, Session, examine};

/// Tell everything about one library: where it is, what it speaks, what it brings with all facts
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
    let library = examine(&args.file)?;
    let contents = match &library.outcome {
        Ok(contents) => contents,
        Err(failure) => {
            session.console.detail(&failure.details);
            return Err(Error::new(failure.to_string()));
        }
    };
    let text = match args.format {
        OutputFormat::Json => {
            let object = json!({
                "path": library.path.display().to_string(),
                "sha256": library.sha256,
                "name": contents.library.name,
                "version": contents.library.version,
                "dialect": contents.library.dialect,
                "abi": contents.library.abi,
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

/// A block for each thing, with a line for each of its facts.
fn page(table: &Table) -> String {
    let cell = |cell: &Datum| match cell {
        Datum::Text(text) | Datum::Strong(text) => text.clone(),
        Datum::Number(..) | Datum::Marked(..) | Datum::Flag(_) | Datum::Missing => String::new(),
    };
    let rows: Vec<[String; 4]> =
        table.rows.iter().map(|row| std::array::from_fn(|column| cell(&row[column]))).collect();
    let of_one_thing = rows.chunk_by(|a, b| a[..2] == b[..2]);
    let block = |rows: &[[String; 4]]| {
        let facts = rows.iter().map(|[_, _, fact, value]| (fact.as_str(), value.as_str()));
        format!("{} {}\n{}", rows[0][0], rows[0][1], pairs(facts))
    };
    of_one_thing.map(block).collect::<Vec<_>>().join("\n")
}

/// A row per fact: first of the library itself, then of each thing that it brings.
fn table(library: &Library, contents: &Contents) -> Table {
    let mut table = Table::new(["kind", "id", "fact", "value"]);
    let mut push = |kind: &str, id: &str, fact: &str, value: &str| {
        if !value.is_empty() {
            table.push([kind, id, fact, value].map(Into::into));
        }
    };
    let of_library = [
        ("path", library.path.display().to_string()),
        ("version", contents.library.version.clone()),
        ("dialect", contents.library.dialect.clone()),
        ("abi", contents.library.abi.clone()),
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
    ];
    for (fact, value) in &of_library {
        push("library", &contents.library.name, fact, value);
    }
    for listing in &contents.listings {
        let (kind, id) = (listing.kind.name(), listing.ids());
        for (fact, value) in &listing.facts {
            push(kind, &id, fact, value);
        }
        push(kind, &id, "instrumented", if listing.instrumented { "yes" } else { "" });
        push(kind, &id, "extra fields", &listing.extra.join(", "));
        push(kind, &id, "needs of the CPU", &listing.cpu.join(" "));
    }
    table
}
