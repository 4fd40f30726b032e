//! `assay bibtex`: the publications that algorithms come from, and the sources of corpora.

use assay_base::error::{Error, Result};
use assay_base::io::console::abridged;
use assay_experiment::selection;
use assay_load::plugin::{Kind, Registry};

use super::sets::SetOptions;
use super::{Outcome, Session};
use crate::bibtex::{self, BibEntry, Citation};

/// Print the references of algorithms and corpora as BibTeX
///
/// Each publication is one entry, however many algorithms come from it. Its key is the id of one of them;
/// `keywords` lists all of them.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay bibtex >references.bib      the references of all algorithms
  assay bibtex hor 'bndm.*'
  assay bibtex --use mine
  assay bibtex hor english          the corpus english, too

The output is UTF-8; characters that LaTeX would take for commands are escaped. With biber, every algorithm can be \
cited by its own id, because `ids` holds them. A library that has a reference only as a text gets an entry with that \
text in `note`. A corpus has the source of its text there.")]
pub(super) struct Args {
    /// Algorithms: ids, regular expressions for whole ids, or names, in any case [default: all]; or
    /// ids of corpora
    #[arg(value_name = "ALGO|REGEX", conflicts_with = "all")]
    algorithms: Vec<String>,
    /// All algorithms
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sets: SetOptions,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    let citations: Vec<Citation> = selection::ids(&registry)
        .into_keys()
        .filter_map(|id| Some(Citation::new(id, selection::listing(id, &registry)?)))
        .collect();
    let (corpora, algorithms) = split_corpora(&args.algorithms, &registry);
    let mut wanted = match algorithms.as_slice() {
        [] if !corpora.is_empty() && !args.sets.any() => Vec::new(),
        [] if !args.sets.any() => citations.iter().map(|citation| citation.id.clone()).collect(),
        names => selection::named_ids(&args.sets.with(names, &registry, session)?, &registry)?,
    };
    // All algorithms are grouped before the wanted ones are chosen, because the key of an entry must not
    // depend on the choice.
    let mut entries = bibtex::entries(&citations);
    entries.retain(|entry| entry.ids.iter().any(|id| wanted.contains(id)));
    entries.extend(bibtex::entries(&corpora));
    wanted.extend(corpora.into_iter().map(|corpus| corpus.id));
    let mut without = wanted;
    without.retain(|id| !entries.iter().any(|entry| entry.ids.contains(id)));
    if !without.is_empty() {
        let message = format!("no reference is known of {}", abridged(&without));
        if entries.is_empty() {
            return Err(Error::new(message).remedy("`assay list --format json` shows all that is known"));
        }
        session.console.warn(&message);
    }
    let texts: Vec<&str> = entries.iter().map(BibEntry::text).collect();
    session.console.print(&texts.join("\n"))?;
    Ok(Outcome::Done)
}

/// The corpora that are named by their ids, and the other names, which are those of algorithms.
fn split_corpora(names: &[String], registry: &Registry) -> (Vec<Citation>, Vec<String>) {
    let algorithms = selection::ids(registry);
    let (mut corpora, mut others) = (Vec::new(), Vec::new());
    for name in names {
        let corpus = registry.of_kind(Kind::Corpus).find(|listing| listing.id == *name);
        match corpus.filter(|_| !algorithms.contains_key(name.as_str())) {
            Some(listing) => corpora.push(Citation::of_corpus(listing)),
            None => others.push(name.clone()),
        }
    }
    (corpora, others)
}
