//! `assay list`: everything that the libraries bring, and the texts.

pub(super) mod latest_pass;
pub(super) mod lineage;
mod list_row;
mod tree;

use std::collections::BTreeSet;

use assay_base::error::{Error, Result, unknown};
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::{Datum, Table};
use assay_conformance::Passes;
use assay_experiment::texts;
use assay_load::plugin::{Kind, Listing};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use latest_pass::LatestPass;
use lineage::Lineage;
use list_row::ListRow;
use serde_json::json;

use super::{Outcome, Session};

/// List what the plugins bring, or the texts that are found
///
/// Each row has the id, name, library, version and dialect of a thing. An algorithm also has `tested`, whether
/// it has passed `assay test`, and `status`, how sure it is that it is the published algorithm. JSON and CSV
/// explain the status in a sentence. A text has its name, files, bytes and path. Numbers in names are sorted
/// by value.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay list                          everything
  assay list algorithms               only algorithms (the singular works too)
  assay list algorithms --all         each variant in a row of its own
  assay list --family packed          those of a family
  assay list --tree                   which algorithm builds on which
  assay list metrics --format json
  assay list texts                    what --text finds by name
  assay list --plugin-dir ./target/release --quiet

The table shows variants of an algorithm that differ only by a number in one row: hash3..8 stands for hash3 to \
hash8, and its `tested` is `some` if only some of them have passed. --all, --family and -v give each variant a row \
of its own, and so do the other formats. \
The tree is drawn by year, and an algorithm that builds on two others stands under the first. \
A corpus that takes a number is listed with the least and the greatest: rand2..rand256 means --corpus rand4, too. \
JSON has all facts about each thing, and whether it is an instrumented algorithm. `assay plugins list` lists libraries. \
Texts are looked up in the folders of ASSAY_DATA_PATH, then in ./data.")]
pub(super) struct Args {
    /// List only this kind
    #[arg(value_parser = listed(), ignore_case = true)]
    kind: Option<ListKind>,
    /// List only the algorithms of this family; JSON and CSV have the family of each
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// List each variant of an algorithm in a row of its own
    #[arg(long)]
    all: bool,
    /// Draw which algorithm builds on which, as their publications say; JSON has this as `after`
    #[arg(long)]
    tree: bool,
    /// Output format
    #[arg(long, default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

/// A kind of entries that can be listed alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    Plugins(Kind),
    Texts,
}

fn listed() -> impl TypedValueParser<Value = ListKind> {
    let kinds = Kind::value_variants().iter().filter_map(Kind::to_possible_value);
    let texts = PossibleValue::new("texts").alias("text").help("A text that --text finds by name");
    PossibleValuesParser::new(kinds.chain([texts])).map(|name| match Kind::from_str(&name, true) {
        Ok(kind) => ListKind::Plugins(kind),
        Err(_) => ListKind::Texts,
    })
}

/// Runs the command.
pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    check_options(&args)?;
    if args.kind == Some(ListKind::Texts) {
        return list_texts(args.format, session);
    }
    let registry = session.registry()?;
    if let Some(name) = &args.family {
        check_family(name, registry.listings())?;
    }
    let listings = registry
        .listings()
        .iter()
        .filter(|listing| args.kind.is_none_or(|kind| kind == ListKind::Plugins(listing.kind)))
        .filter(|listing| args.family.as_deref().is_none_or(|name| family(listing) == Some(name)));
    let each = args.all || session.common.verbose;
    if args.tree {
        session.console.print(&tree::draw(&Lineage::new(listings, !each)))?;
        return Ok(Outcome::Done);
    }
    let passes = Passes::open();
    let listings: Vec<(&Listing, LatestPass)> =
        listings.map(|listing| (listing, LatestPass::new(listing, &registry, &passes))).collect();
    let text = match args.format {
        OutputFormat::Table => table(&listings, !each && args.family.is_none()),
        OutputFormat::Json => {
            let objects: Vec<_> =
                listings.iter().map(|(listing, tested)| tested.added_to(object(listing))).collect();
            serde_json::to_string_pretty(&objects).expect("values that came from here") + "\n"
        }
        format => all_columns(&listings).render(format),
    };
    session.console.print(&text)?;
    Ok(Outcome::Done)
}

/// Refuses options that exclude each other.
fn check_options(args: &Args) -> Result<()> {
    let of_algorithms = [("--family", args.family.is_some()), ("--tree", args.tree)];
    if let Some((option, _)) = of_algorithms.iter().find(|(_, is_given)| *is_given)
        && args.kind.is_some_and(|kind| kind != ListKind::Plugins(Kind::Algorithm))
    {
        return Err(Error::new(format!("{option} is of algorithms, and another kind is to be listed"))
            .remedy("leave out one of the two"));
    }
    if args.tree && args.format != OutputFormat::Table {
        return Err(Error::new("--tree draws a picture for people, and --format names a form for programs")
            .remedy("leave out one of the two; JSON has what each algorithm builds on, as `after`"));
    }
    Ok(())
}

/// The family of an algorithm that names one.
pub(super) fn family(listing: &Listing) -> Option<&str> {
    listing.fact("family").filter(|_| listing.kind == Kind::Algorithm)
}

/// How sure it is that an algorithm is the published one: the status in words, or the sentence about it.
fn status<'a>(listing: &'a Listing, fact: &str) -> Option<&'a str> {
    listing.fact(fact).filter(|_| listing.kind == Kind::Algorithm)
}

/// Refuses a name that no family has.
fn check_family(name: &str, listings: &[Listing]) -> Result<()> {
    let families: BTreeSet<&str> = listings.iter().filter_map(family).collect();
    if families.contains(name) { Ok(()) } else { Err(unknown("family", name, families)) }
}

fn list_texts(format: OutputFormat, session: &Session) -> Result<Outcome> {
    let folders = texts::folders();
    let known = texts::known(&folders);
    let mut table = Table::new(["name", "files", "bytes", "path"]);
    for text in &known {
        table.push([
            text.name.as_str().into(),
            Datum::Number(text.files as f64, 0),
            Datum::Number(text.bytes as f64, 0),
            text.path.display().to_string().into(),
        ]);
    }
    if !known.is_empty() || format != OutputFormat::Table {
        session.console.print(&table.render(format))?;
    }
    if known.is_empty() {
        let searched: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        session.console.note(&format!(
            "no text in {}: set ASSAY_DATA_PATH to the folder that holds your texts; `--text` takes files, too",
            searched.join(", ")
        ));
    }
    Ok(Outcome::Done)
}

/// The table for people, with the variants of an algorithm in one row if they are to be folded.
fn table(listings: &[(&Listing, LatestPass)], fold: bool) -> String {
    let mut table = Table::new(["kind", "id", "name", "library", "version", "dialect", "tested", "status"]);
    let items: Vec<(&Listing, Option<&str>)> =
        listings.iter().map(|(listing, tested)| (*listing, tested.word())).collect();
    for row in ListRow::rows(&items, fold) {
        let first = row.first();
        table.push([
            first.kind.name().into(),
            row.ids().into(),
            row.title().into(),
            first.library.info.name.as_str().into(),
            first.library.info.version.as_str().into(),
            first.library.info.dialect.as_str().into(),
            row.tested().into(),
            status(first, "status").into(),
        ]);
    }
    table.render(OutputFormat::Table)
}

/// All that is known about each plugin, for programs and documents.
fn all_columns(listings: &[(&Listing, LatestPass)]) -> Table {
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
        "family",
        "status",
        "status_note",
    ];
    let mut table = Table::new(columns);
    for (listing, tested) in listings {
        table.push([
            listing.kind.name().into(),
            listing.id.as_str().into(),
            listing.title().into(),
            listing.library.path.display().to_string().into(),
            listing.library.info.name.as_str().into(),
            listing.library.info.version.as_str().into(),
            listing.library.info.dialect.as_str().into(),
            tested.is_full().map(|tested| tested.to_string()).into(),
            listing.instrumented.to_string().into(),
            listing.extra.join(",").into(),
            family(listing).into(),
            status(listing, "status").into(),
            status(listing, "status_note").into(),
        ]);
    }
    table
}

/// A plugin as JSON.
pub(super) fn object(listing: &Listing) -> serde_json::Value {
    let facts: serde_json::Map<_, _> =
        listing.facts.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    json!({
        "kind": listing.kind,
        "id": listing.id,
        "ids": listing.ids(),
        "name": listing.title(),
        "library": listing.library.path.display().to_string(),
        "library_name": listing.library.info.name,
        "version": listing.library.info.version,
        "dialect": listing.library.info.dialect,
        "sha256": listing.library.sha256,
        "instrumented": listing.instrumented,
        "extra": listing.extra,
        "cpu": listing.cpu,
        "access": (listing.kind == Kind::Counter).then_some(&listing.access),
        "status": status(listing, "status"),
        "status_note": status(listing, "status_note"),
        "after": (listing.kind == Kind::Algorithm).then(|| lineage::after(listing).collect::<Vec<_>>()),
        "facts": facts,
    })
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::Kind;
    use assay_load::plugin::testing::listing;

    use super::*;

    #[test]
    fn extra_fields_with_blanks_are_distinct_in_csv() {
        for (names, end) in [(&["a b"][..], ",a b,,,\n"), (&["a", "b"], ",\"a,b\",,,\n")] {
            let extra = names.iter().map(|name| (*name).to_owned()).collect();
            let listing = Listing { extra, ..listing(Kind::Algorithm, "hor", "lib.so", "") };
            let csv = all_columns(&[(&listing, LatestPass(None))]).render(OutputFormat::Csv);
            assert!(csv.ends_with(end), "{csv}");
        }
    }

    #[test]
    fn an_algorithm_is_listed_with_its_status_and_other_kinds_have_none() {
        let facts = [("status", "reconstructed"), ("status_note", "The shift is ours.")];
        let facts: Vec<_> = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let of_kind = |kind| Listing { facts: facts.clone(), ..listing(kind, "it", "lib.so", "") };
        let algorithm = of_kind(Kind::Algorithm);
        let object = object(&algorithm);
        assert_eq!([&object["status"], &object["status_note"]], ["reconstructed", "The shift is ours."]);
        assert!(table(&[(&algorithm, LatestPass(None))], true).contains("reconstructed"));
        assert!(super::object(&of_kind(Kind::Metric))["status"].is_null());
    }

    #[test]
    fn a_family_belongs_to_an_algorithm_and_an_unknown_one_is_refused_with_the_others() {
        let families = [(Kind::Algorithm, "packed"), (Kind::Algorithm, "hybrid"), (Kind::Metric, "m")];
        let listings = families.map(|(kind, name)| Listing {
            facts: vec![("family".to_owned(), name.to_owned())],
            ..listing(kind, "it", "lib.so", "")
        });
        assert_eq!(listings.each_ref().map(family), [Some("packed"), Some("hybrid"), None]);
        assert_eq!(check_family("packed", &listings), Ok(()));
        let refusal = |name| check_family(name, &listings).unwrap_err().to_string();
        assert_eq!(refusal("pakced"), "unknown family `pakced`\n  help: did you mean packed?");
        assert_eq!(refusal("m"), "unknown family `m`\n  help: there are: hybrid, packed");
    }
}
