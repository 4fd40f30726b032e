//! `assay bibtex`: where algorithms come from.

use super::sets::SetOptions;
use super::{Outcome, Session};
use crate::bibtex::{self, Cited};
use crate::error::{Error, Result};
use crate::experiment::selection;
use crate::io::console::abridged;

/// Print the references of algorithms as BibTeX
///
/// Each publication is one entry, however many algorithms come from it. Its key is the id of one of them; `keywords` has all.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay bibtex >references.bib      those of all algorithms
  assay bibtex hor 'bndm.*'
  assay bibtex --use mine

The output is UTF-8, with the characters escaped that LaTeX would take for commands. With biber, `ids` lets every \
algorithm be cited by its own id. What the form of a reference does not tell stands in `note`, in its own words.")]
pub struct Args {
    /// Algorithms: ids, regular expressions for whole ids, or names, in any case [default: all]
    #[arg(value_name = "ALGO|REGEX", conflicts_with = "all")]
    algorithms: Vec<String>,
    /// All algorithms
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sets: SetOptions,
}

pub fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    let known = selection::ids(&registry).into_keys();
    let cited: Vec<Cited> =
        known.filter_map(|id| Some(Cited::new(id, selection::listing(id, &registry)?))).collect();
    let wanted = match args.algorithms.as_slice() {
        [] if !args.sets.any() => cited.iter().map(|cited| cited.id.clone()).collect(),
        names => selection::named_ids(&args.sets.with(names, &registry, session)?, &registry)?,
    };
    // The key of an entry does not depend on who is asked for.
    let mut entries = bibtex::entries(&cited);
    entries.retain(|entry| entry.ids.iter().any(|id| wanted.contains(id)));
    let covered = |id: &&String| entries.iter().any(|entry| entry.ids.contains(id));
    let unknown: Vec<String> = wanted.iter().filter(|id| !covered(id)).cloned().collect();
    if !unknown.is_empty() {
        let told = format!("no reference is known of {}", abridged(&unknown));
        if entries.is_empty() {
            return Err(
                Error::new(told).remedy("`assay list algorithms --format json` has all that is known")
            );
        }
        session.console.warn(&told);
    }
    let texts: Vec<&str> = entries.iter().map(|entry| entry.text()).collect();
    session.console.print(&texts.join("\n"))?;
    Ok(Outcome::Done)
}
