//! `assay info`: every fact about an item of a library.

use std::collections::BTreeMap;

use assay_atlas::IN_RUST;
use assay_base::error::{Error, Result, near};
use assay_base::io::fold;
use assay_conformance::Passes;
use assay_experiment::selection::named;
use assay_load::plugin::{Kind, Listing, Registry, twin_id};
use clap::ValueEnum;

use super::list::latest_pass::LatestPass;
use super::list::lineage::Lineage;
use super::list::object;
use super::{Outcome, Session};
use crate::bibtex::FIELDS;

/// Columns of the names of facts.
const NAMES: usize = 18;

/// Whether a fact is a part of the reference, which `assay bibtex` writes by itself. The line of a reference has no
/// address, so that stays.
fn is_in_reference(fact: &str) -> bool {
    matches!(fact, "entry_type" | "title")
        || FIELDS.contains(&fact) && !matches!(fact, "howpublished" | "url")
}

/// Show every fact about an algorithm or another item
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay info hor                  an algorithm
  assay info horspool             by its name
  assay info gbps                 a metric
  assay info hrm --format json

It takes the id of a metric, statistic, counter, merger or corpus as well. If several kinds have the id, all are shown. \
`assay list` shows all ids, and `assay bibtex` writes \
references for LaTeX.")]
pub(super) struct Args {
    /// Its id, or the name of an algorithm
    id: String,
    /// Output format
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    format: InfoFormat,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum InfoFormat {
    /// Lines for people
    Text,
    /// A list of objects, one for each kind
    Json,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    let things = find(&args.id, &registry)?;
    let passes = Passes::open();
    let lineage = Lineage::new(registry.listings(), true);
    let text = match args.format {
        InfoFormat::Text => {
            let texts = things.iter().map(|listing| text(listing, &lineage, &registry, &passes));
            texts.collect::<Vec<_>>().join("\n")
        }
        InfoFormat::Json => {
            let objects = things.iter().map(|listing| {
                let mut object = LatestPass::new(listing, &registry, &passes).added_to(object(listing));
                object["twin"] = twin(listing, &registry).map(|twin| twin.id.clone()).into();
                if listing.kind == Kind::Algorithm {
                    let ids = lineage.built_upon_by(listing).into_iter().flat_map(|(_, ids)| ids);
                    object["built_upon_by"] = ids.collect::<Vec<_>>().into();
                }
                object
            });
            serde_json::to_string_pretty(&objects.collect::<Vec<_>>()).expect("values that came from here")
                + "\n"
        }
    };
    session.console.print(&text)?;
    Ok(Outcome::Done)
}

/// The things with this id, or the algorithm with this name.
fn find<'a>(id: &str, registry: &'a Registry) -> Result<Vec<&'a Listing>> {
    let with_id =
        |id: &str| registry.listings().iter().filter(|listing| listing.id == id).collect::<Vec<_>>();
    let things = with_id(id);
    if !things.is_empty() {
        return Ok(things);
    }
    match named(id, registry).as_deref() {
        Ok([id]) => return Ok(with_id(id)),
        Ok(ids) => {
            return Err(Error::new(format!("`{id}` stands for {} algorithms", ids.len()))
                .remedy(format!("name one of them: {}", first(ids))));
        }
        Err(_) => {}
    }
    if let Ok((corpus, _)) = registry.corpus_listing(id) {
        return Ok(vec![corpus]);
    }
    let ids: BTreeMap<&str, &str> = registry
        .listings()
        .iter()
        .flat_map(|listing| {
            [(listing.title().unwrap_or_default(), &*listing.id), (&*listing.id, &*listing.id)]
        })
        .collect();
    let mut close: Vec<&str> = near(id, ids.keys().copied()).into_iter().map(|name| ids[name]).collect();
    close.dedup();
    let remedy = match close.as_slice() {
        [] => "`assay list` shows everything that the libraries bring".to_owned(),
        close => format!("did you mean {}?", close.join(", ")),
    };
    Err(Error::new(format!("there is nothing with the id `{id}`")).remedy(remedy))
}

/// The first of many ids.
fn first(ids: &[&str]) -> String {
    const MOST: usize = 10;
    let more = if ids.len() > MOST { " .." } else { "" };
    ids.iter().take(MOST).copied().collect::<Vec<_>>().join(", ") + more
}

/// The instrumented twin of an algorithm.
fn twin<'a>(listing: &Listing, registry: &'a Registry) -> Option<&'a Listing> {
    let id = twin_id(&listing.id);
    registry.of_kind(Kind::Algorithm).find(|twin| listing.kind == Kind::Algorithm && twin.id == id)
}

/// The facts about an item as people read them: the name and the value of each, without its library.
pub(super) fn facts(
    listing: &Listing,
    lineage: &Lineage,
    registry: &Registry,
    passes: &Passes,
) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| {
        if !value.is_empty() {
            rows.push((name.replace('_', " "), value));
        }
    };
    add("kind", listing.kind.name().to_owned());
    for (name, value) in &listing.facts {
        match name.as_str() {
            // Shown with others: in the title, in the reference, with the status, with the least length, with
            // what builds on it, in the lines of a program. The version until which an id was another's is for
            // programs.
            "name" | "status_note" | "max_pattern" | "after" | "formerly_until" | "rust_type" => {}
            // Added below, from the listing.
            "inputs" | "options" => {}
            // Nothing is said twice.
            "note" if listing.fact("reference").is_some_and(|reference| reference.contains(value)) => {}
            "reference" if listing.fact("authors") == Some(value) => {}
            "formerly" => add("earlier id", value.clone()),
            name if is_in_reference(name) && listing.fact("reference").is_some() => {}
            "min_pattern" => {
                let most =
                    listing.fact("max_pattern").map_or(" or more".to_owned(), |most| format!(" to {most}"));
                add("pattern bytes", format!("{value}{most}"));
            }
            "status" => {
                let note = listing.fact("status_note").map(|note| format!(": {note}"));
                add(name, format!("{value}{}", note.unwrap_or_default()));
            }
            _ => add(name, value.clone()),
        }
    }
    add("builds on", lineage.builds_on(listing).join(", "));
    let children = lineage.built_upon_by(listing).into_iter().map(|(label, _)| label);
    add("built upon by", children.collect::<Vec<_>>().join(", "));
    add("CPU features", listing.cpu.join(", "));
    add("inputs", listing.inputs.join(", "));
    add("options", listing.options.join(", "));
    let twin = twin(listing, registry);
    add("twin", twin.map(|twin| twin.id.clone()).unwrap_or_default());
    add("extra fields", twin.unwrap_or(listing).extra.join(", "));
    if let Some(tested) = LatestPass::new(listing, registry, passes).word() {
        add("tested", tested.to_owned());
    }
    rows
}

/// The lines of a Rust program that searches with an algorithm; `None` if the library does not name its type.
pub(super) fn in_rust(listing: &Listing) -> Option<String> {
    let rust_type = listing.fact("rust_type")?;
    let (path, parameters) = rust_type.split_at(rust_type.find('<').unwrap_or(rust_type.len()));
    let name = path.rsplit("::").next()?;
    Some(format!(
        "use {path};\nlet finder = assay_plugin_api::Finder::<{name}{parameters}>::new(pattern)?;\n\
         let count = finder.count(text);"
    ))
}

/// What people read.
fn text(listing: &Listing, lineage: &Lineage, registry: &Registry, passes: &Passes) -> String {
    let mut rows = facts(listing, lineage, registry, passes);
    let info = &listing.library.info;
    let place = listing.library.path.display();
    let library = format!("{} {} ({}), {place}", info.name, info.version, info.dialect);
    rows.push(("library".to_owned(), library));
    let program = in_rust(listing).unwrap_or_default();
    let heads = [IN_RUST].into_iter().chain(std::iter::repeat(""));
    rows.extend(heads.zip(program.lines()).map(|(name, line)| (name.to_owned(), line.to_owned())));
    let title =
        listing.fact("name").map_or_else(|| listing.ids(), |name| format!("{}: {name}", listing.ids()));
    let lines =
        rows.iter().map(|(name, value)| fold::for_output(&format!("  {name:<NAMES$}{value}"), NAMES + 2));
    format!("{title}\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}
