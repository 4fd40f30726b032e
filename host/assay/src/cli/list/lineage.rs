//! Which algorithm builds on which, by the fact `after`: ids of algorithms, or what the ids of variants by a
//! number have in common.

use assay_base::natural_order;
use assay_load::plugin::{Kind, Listing};

use super::list_row::{ListRow, split_number};

/// The names of what an algorithm builds on, as its library writes them; other kinds have none.
pub(in crate::cli) fn after(listing: &Listing) -> impl Iterator<Item = &str> {
    let names = listing.fact("after").filter(|_| listing.kind == Kind::Algorithm);
    names.into_iter().flat_map(|names| names.split(", "))
}

/// Algorithms in rows, and which of them builds on which. The rows are in the order of their years, then of
/// their ids; those without a year are the last.
pub(in crate::cli) struct Lineage<'a> {
    rows: Vec<ListRow<'a>>,
}

impl<'a> Lineage<'a> {
    /// The algorithms among these. Twins are left out, because they build on what their algorithms build on.
    /// With `fold`, the variants of an algorithm share a row.
    pub(in crate::cli) fn new(listings: impl IntoIterator<Item = &'a Listing>, fold: bool) -> Self {
        let algorithms = listings
            .into_iter()
            .filter(|listing| listing.kind == Kind::Algorithm && listing.twin_of.is_none())
            .map(|listing| (listing, None));
        let mut rows = ListRow::rows(&algorithms.collect::<Vec<_>>(), fold);
        rows.sort_by(|one, other| {
            let [one, other] = [one, other].map(ListRow::first);
            let [year, other_year] = [one, other].map(|listing| year(listing).unwrap_or(u32::MAX));
            year.cmp(&other_year).then_with(|| natural_order(&one.id, &other.id))
        });
        Lineage { rows }
    }

    /// The rows.
    pub(super) fn rows(&self) -> &[ListRow<'a>] {
        &self.rows
    }

    /// What a row builds on: each name as its library writes it, with the place of the other row that it
    /// stands for, if there is one.
    pub(super) fn parents(&self, row: usize) -> impl Iterator<Item = (&'a str, Option<usize>)> {
        let names = after(self.rows[row].first());
        names.map(move |name| (name, self.named(name).filter(|place| *place != row)))
    }

    /// What a reader should call the parents of a row: the ids of their rows, or the name that the library
    /// writes if no such algorithm is there.
    pub(super) fn label(&self, (name, place): (&str, Option<usize>)) -> String {
        place.map_or_else(|| name.to_owned(), |place| self.rows[place].ids())
    }

    /// What an algorithm or its twin builds on, as [`label`](Self::label) calls it.
    pub(in crate::cli) fn builds_on(&self, listing: &Listing) -> Vec<String> {
        self.parents_of(listing).into_iter().map(|(label, _)| label).collect()
    }

    /// As [`builds_on`](Self::builds_on), each with the first id of its row, if such an algorithm is there.
    pub(in crate::cli) fn parents_of(&self, listing: &Listing) -> Vec<(String, Option<&'a str>)> {
        let named = after(listing).map(|name| (name, self.named(name)));
        let id = |place: usize| self.rows[place].first().id.as_str();
        named.map(|(name, place)| (self.label((name, place)), place.map(id))).collect()
    }

    /// The rows that build on an algorithm or its twin: for each, what a reader should call it, and all its
    /// ids.
    pub(in crate::cli) fn built_upon_by(&self, listing: &Listing) -> Vec<(String, Vec<&'a str>)> {
        let id = listing.twin_of.as_ref().unwrap_or(&listing.id);
        let Some(place) = self.place(|other| other == id).filter(|_| listing.kind == Kind::Algorithm) else {
            return Vec::new();
        };
        let builds_on_it = |row: &usize| self.parents(*row).any(|(_, parent)| parent == Some(place));
        let rows = (0..self.rows.len()).filter(builds_on_it).map(|row| &self.rows[row]);
        rows.map(|row| (row.ids(), row.listings().map(|listing| listing.id.as_str()).collect())).collect()
    }

    /// The row that a name stands for: the one with this id or else the first one with this id and a number.
    fn named(&self, name: &str) -> Option<usize> {
        let is_variant = |id: &str| split_number(id).is_some_and(|(stem, _)| stem == name);
        self.place(|id| id == name).or_else(|| self.place(is_variant))
    }

    /// The first row with an id that is meant.
    fn place(&self, is_meant: impl Fn(&str) -> bool) -> Option<usize> {
        self.rows.iter().position(|row| row.listings().any(|listing| is_meant(&listing.id)))
    }
}

/// The year of an algorithm's publication.
pub(in crate::cli) fn year(listing: &Listing) -> Option<u32> {
    listing.fact("year")?.parse().ok()
}

#[cfg(test)]
pub(super) mod tests {
    use assay_load::plugin::testing::listing;

    use super::*;

    /// An algorithm with the year of its publication and the names of what it builds on.
    pub(in super::super) fn algorithm(id: &str, year: &str, after: &str) -> Listing {
        let facts = [("name", "Search"), ("idea", "It searches."), ("year", year), ("after", after)];
        let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
        let facts = facts.map(|(fact, value)| (fact.to_owned(), value.to_owned())).collect();
        Listing { facts, ..listing(Kind::Algorithm, id, "a.so", "1") }
    }

    /// What the lineage says of one of the algorithms.
    fn shown(algorithms: &[Listing], id: &str) -> (Vec<String>, Vec<String>) {
        let lineage = Lineage::new(algorithms, true);
        let listing = algorithms.iter().find(|listing| listing.id == id).unwrap();
        let children = lineage.built_upon_by(listing);
        (lineage.builds_on(listing), children.into_iter().map(|(label, _)| label).collect())
    }

    #[test]
    fn a_name_stands_for_an_id_or_for_the_variants_by_a_number() {
        let algorithms = [
            algorithm("hash3", "2007", "hor"),
            algorithm("hash5", "2007", "hor"),
            algorithm("hash", "2001", ""),
            algorithm("bndmq2", "2009", "bndm"),
            algorithm("bndmq4", "2009", "bndm"),
            algorithm("distq1", "2020", "hash, bndmq"),
        ];
        let expected = |parents: &[&str], children: &[&str]| {
            [parents, children].map(|labels| labels.iter().map(|label| (*label).to_owned()).collect()).into()
        };
        assert_eq!(shown(&algorithms, "distq1"), expected(&["hash", "bndmq2..4"], &[]));
        assert_eq!(shown(&algorithms, "hash"), expected(&[], &["distq1"]));
        assert_eq!(shown(&algorithms, "hash3"), expected(&["hor"], &[]), "`hor` is not there");
        assert_eq!(shown(&algorithms, "bndmq4"), expected(&["bndm"], &["distq1"]));
    }

    #[test]
    fn a_twin_builds_on_what_its_algorithm_builds_on_and_is_no_algorithm_of_its_own() {
        let twin = Listing { twin_of: Some("qs".to_owned()), ..algorithm("stat_qs", "1990", "bm") };
        let of_its_own = algorithm("qs", "1990", "bm");
        let algorithms = [algorithm("bm", "1977", ""), twin, of_its_own, algorithm("smith", "1991", "qs")];
        assert_eq!(shown(&algorithms, "stat_qs"), (vec!["bm".to_owned()], vec!["smith".to_owned()]));
        assert_eq!(shown(&algorithms, "bm").1, ["qs"]);
        let metric = Listing { kind: Kind::Metric, ..algorithm("qs", "", "bm") };
        assert_eq!((after(&metric).count(), Lineage::new([&metric], true).rows().len()), (0, 0));
    }
}
