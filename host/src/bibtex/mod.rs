//! References as BibTeX: an entry for each publication, however many algorithms come from it.

mod authors;
mod entry;
mod reference;

pub use entry::Entry;

use crate::plugin::Listing;

/// An algorithm and what is said of its publication. What is not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cited {
    /// Id of the algorithm.
    pub id: String,
    /// Full name of the algorithm.
    pub name: String,
    /// Who published it: "A. Apostolico, M. Crochemore".
    pub authors: String,
    /// Year of the publication.
    pub year: String,
    /// The publication: "Title. Journal 10(6):501-506, 1980", "Title. SEA 2010, LNCS 6049, pp. 129-140".
    pub reference: String,
    /// Its digital object identifier.
    pub doi: String,
    /// What of the publication could not be verified.
    pub unverified: String,
}

impl Cited {
    /// An algorithm by this id.
    pub fn new(id: &str, listing: &Listing) -> Self {
        let fact = |name| listing.fact(name).unwrap_or_default().trim().to_owned();
        Cited {
            id: id.to_owned(),
            name: fact("name"),
            authors: fact("authors"),
            year: fact("year"),
            reference: fact("reference"),
            doi: fact("doi"),
            unverified: fact("unverified"),
        }
    }

    fn has_source(&self) -> bool {
        !self.reference.is_empty() || !self.doi.is_empty()
    }

    /// Whether both are from one publication.
    fn shares_source(&self, other: &Cited) -> bool {
        let same_doi = !self.doi.is_empty() && self.doi.eq_ignore_ascii_case(&other.doi);
        let text = |cited: &Cited| [&cited.authors, &cited.reference].map(|text| text.to_lowercase());
        same_doi || (!self.reference.is_empty() && text(self) == text(other))
    }
}

/// The entries of all publications that are named, in the order of their keys. A key is the id of one of the algorithms: the
/// shortest, and one without a prefix if there is any.
pub fn entries(algorithms: &[Cited]) -> Vec<Entry> {
    let mut sources = Vec::<Vec<&Cited>>::new();
    for cited in algorithms.iter().filter(|cited| cited.has_source()) {
        match sources.iter_mut().find(|source| source.iter().any(|other| other.shares_source(cited))) {
            Some(source) => source.push(cited),
            None => sources.push(vec![cited]),
        }
    }
    for source in &mut sources {
        source.sort_by_key(|cited| (cited.id.contains(':'), cited.id.len(), &cited.id));
    }
    sources.sort_by_key(|source| &source[0].id);
    sources.iter().map(|source| Entry::of(source)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(id: &str, reference: &str, doi: &str) -> Cited {
        let [id, reference, doi] = [id, reference, doi].map(str::to_owned);
        Cited { id, reference, doi, authors: "D. M. Sunday".to_owned(), ..Cited::default() }
    }

    #[test]
    fn one_publication_is_one_entry_under_the_shortest_id() {
        let entries = entries(&[
            cited("far:q", "A fast one. J 1:2-3, 1990", ""),
            cited("qs2", "A Fast One. J 1:2-3, 1990", "10.1/X"),
            cited("qs", "The same otherwise", "10.1/x"),
            cited("bm", "Another. J 1:2-3, 1990", ""),
            cited("none", "", ""),
        ]);
        let ids: Vec<(&str, String)> =
            entries.iter().map(|entry| (entry.key(), entry.ids.join(" "))).collect();
        assert_eq!(ids, [("bm", "bm".to_owned()), ("qs", "qs qs2 far:q".to_owned())]);
    }
}
