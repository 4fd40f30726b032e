//! References as BibTeX: one entry for each publication, however many algorithms come from it.
//!
//! An algorithm holds its reference as fields (`Reference` in `assay-plugin-api`), and its library hands them
//! over as facts. Nothing is guessed from a text: a library that has only a text gets an entry with that text
//! as its note.

mod entry;

use std::collections::BTreeMap;

pub use entry::BibEntry;
pub(crate) use entry::FIELDS;

use assay_base::natural_order;
use assay_load::plugin::Listing;

/// The facts of an algorithm that an entry uses, besides [`FIELDS`].
const FACTS: [&str; 10] =
    ["name", "authors", "year", "reference", "doi", "status", "status_note", "entry_type", "title", "note"];

/// An algorithm, with the facts about its publication that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citation {
    /// Id of the algorithm.
    pub id: String,
    /// Facts by their names; none is empty.
    pub facts: BTreeMap<String, String>,
}

impl Citation {
    /// The citation of the algorithm with this id.
    pub fn new(id: &str, listing: &Listing) -> Self {
        let names = FACTS.into_iter().chain(FIELDS);
        let facts = names.filter_map(|name| {
            let value = listing.fact(name)?.trim();
            (!value.is_empty()).then(|| (name.to_owned(), value.to_owned()))
        });
        Citation { id: id.to_owned(), facts: facts.collect() }
    }

    /// The citation of a corpus: what its text is like, and the source of that.
    pub fn of_corpus(listing: &Listing) -> Self {
        let fact = |name: &str| listing.fact(name).unwrap_or_default().trim();
        let mut facts = BTreeMap::from([("name".to_owned(), format!("The corpus {}", listing.id))]);
        if !fact("reference").is_empty() {
            let note = format!("{} Source: {}", fact("summary"), fact("reference"));
            facts.insert("reference".to_owned(), note.trim().to_owned());
        }
        Citation { id: listing.id.clone(), facts }
    }

    /// A fact, or an empty text if it is not known.
    fn fact(&self, name: &str) -> &str {
        self.facts.get(name).map_or("", String::as_str)
    }

    fn has_source(&self) -> bool {
        !self.fact("reference").is_empty() || !self.fact("doi").is_empty()
    }

    /// Whether both come from one publication: by its identifier, or else by its authors and its text.
    fn shares_source(&self, other: &Citation) -> bool {
        let same_doi = !self.fact("doi").is_empty() && self.shares_fact(other, "doi");
        let same_text = self.shares_fact(other, "authors") && self.shares_fact(other, "reference");
        same_doi || (!self.fact("reference").is_empty() && same_text)
    }

    /// Whether both have the same fact, in upper or lower case.
    fn shares_fact(&self, other: &Citation, name: &str) -> bool {
        self.fact(name).to_lowercase() == other.fact(name).to_lowercase()
    }
}

/// The entries of all publications, in the order of their keys. A key is the id of one of the algorithms: the
/// shortest, and one without a library's prefix if there is any.
pub fn entries(algorithms: &[Citation]) -> Vec<BibEntry> {
    let mut sources = Vec::<Vec<&Citation>>::new();
    for citation in algorithms.iter().filter(|citation| citation.has_source()) {
        match sources.iter_mut().find(|source| source.iter().any(|other| other.shares_source(citation))) {
            Some(source) => source.push(citation),
            None => sources.push(vec![citation]),
        }
    }
    for source in &mut sources {
        source.sort_by_key(|citation| (citation.id.contains(':'), citation.id.len(), &citation.id));
    }
    sources.sort_by(|one, other| natural_order(&one[0].id, &other[0].id));
    sources.iter().map(|source| BibEntry::new(source)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn citation(id: &str, reference: &str, doi: &str) -> Citation {
        let facts = [("reference", reference), ("doi", doi), ("authors", "D. M. Sunday")];
        let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Citation { id: id.to_owned(), facts }
    }

    #[test]
    fn one_publication_is_one_entry_under_the_shortest_id() {
        let entries = entries(&[
            citation("far:q", "A fast one. J 1:2-3, 1990", ""),
            citation("qs2", "A Fast One. J 1:2-3, 1990", "10.1/X"),
            citation("qs", "The same otherwise", "10.1/x"),
            citation("bm", "Another. J 1:2-3, 1990", ""),
            citation("none", "", ""),
        ]);
        let ids: Vec<(&str, String)> =
            entries.iter().map(|entry| (entry.key(), entry.ids.join(" "))).collect();
        assert_eq!(ids, [("bm", "bm".to_owned()), ("qs", "qs qs2 far:q".to_owned())]);
    }
}
