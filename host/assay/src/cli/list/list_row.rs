//! A row of `assay list`: one item, or the variants of one algorithm that differ by a number.

use std::collections::HashMap;
use std::path::Path;

use assay_load::plugin::{Kind, Listing};

/// An item, or variants of one algorithm in natural order: at least one.
pub(super) struct ListRow<'a> {
    items: Vec<(&'a Listing, Option<&'static str>)>,
}

/// What the variants of one algorithm have in common, and no other algorithm has.
#[derive(PartialEq, Eq, Hash)]
struct VariantKey<'a> {
    library: &'a Path,
    /// The id without the number at its end.
    stem: &'a str,
    idea: &'a str,
    instrumented: bool,
    status: Option<&'a str>,
}

impl<'a> VariantKey<'a> {
    /// The key of an algorithm that may be one of several variants by number; `None` for everything else. An
    /// algorithm that says nothing of its idea is no variant, because numbered ids alone, such as `mine1` and
    /// `mine2`, may be of different algorithms.
    fn new(listing: &'a Listing) -> Option<Self> {
        let (stem, _) = split_number(&listing.id)?;
        (listing.kind == Kind::Algorithm).then_some(())?;
        Some(VariantKey {
            library: &listing.library.path,
            stem,
            idea: listing.fact("idea")?,
            instrumented: listing.instrumented,
            status: listing.fact("status"),
        })
    }
}

/// An id as a stem and the number at its end; `None` if it does not consist of both.
fn split_number(id: &str) -> Option<(&str, &str)> {
    let stem = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (!stem.is_empty() && stem.len() < id.len()).then(|| id.split_at(stem.len()))
}

/// The name of variants, from that of the first and the last: without the parameters that end it in brackets,
/// and with both numbers if they stand within it, as in "with 2..8 windows".
fn common_name(first: &str, last: &str) -> String {
    let [first, last] = [first, last].map(|name| match name.rsplit_once(" (") {
        Some((base, _)) if name.ends_with(')') => base,
        _ => name,
    });
    let [words, others] = [first, last].map(|name| name.split(' ').collect::<Vec<_>>());
    if words.len() != others.len() {
        return first.to_owned();
    }
    let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let joined = words.into_iter().zip(others).map(|(word, other)| match (word == other, is_number(word)) {
        (false, true) => format!("{word}..{other}"),
        // One window, and several windows.
        _ => other.to_owned(),
    });
    joined.collect::<Vec<_>>().join(" ")
}

impl<'a> ListRow<'a> {
    /// The rows of items, each with its test status in a word. With `fold`, the variants of an algorithm share
    /// the row of the first.
    pub(super) fn rows(items: &[(&'a Listing, Option<&'static str>)], fold: bool) -> Vec<Self> {
        let mut rows = Vec::<ListRow<'a>>::new();
        let mut places = HashMap::new();
        for &(listing, tested) in items {
            let place = match VariantKey::new(listing).filter(|_| fold) {
                Some(key) => *places.entry(key).or_insert(rows.len()),
                None => rows.len(),
            };
            if place == rows.len() {
                rows.push(ListRow { items: Vec::new() });
            }
            rows[place].items.push((listing, tested));
        }
        rows
    }

    /// The first item. All others have its kind, library and status.
    pub(super) fn first(&self) -> &'a Listing {
        self.items[0].0
    }

    /// The id, or of variants the first id and the last number: `hash3..8`.
    pub(super) fn ids(&self) -> String {
        let number = self.items.last().filter(|_| self.items.len() > 1);
        let number = number.and_then(|(last, _)| split_number(&last.id));
        number.map_or_else(|| self.first().ids(), |(_, number)| format!("{}..{number}", self.first().id))
    }

    /// The name or the summary; of variants what their names have in common, and how many there are.
    pub(super) fn title(&self) -> Option<String> {
        let [first, last] = [self.items.first(), self.items.last()].map(|item| item?.0.title());
        match (self.items.len(), first, last) {
            (count @ 2.., Some(first), Some(last)) => {
                Some(format!("{} ({count} variants)", common_name(first, last)))
            }
            _ => first.map(str::to_owned),
        }
    }

    /// The test status; `some` if it is not that of all variants.
    pub(super) fn tested(&self) -> Option<&'static str> {
        let (_, first) = self.items[0];
        if self.items.iter().all(|(_, tested)| *tested == first) { first } else { Some("some") }
    }
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::testing::listing;

    use super::*;

    /// An algorithm with this name and status.
    fn algorithm(id: &str, name: &str, status: &str) -> Listing {
        let facts = [("name", name), ("status", status), ("idea", "It hashes.")];
        let facts = facts.map(|(fact, value)| (fact.to_owned(), value.to_owned())).into();
        Listing { facts, ..listing(Kind::Algorithm, id, "a.so", "1") }
    }

    /// Ids, titles and test statuses of the rows.
    fn shown(items: &[(Listing, Option<&'static str>)], fold: bool) -> Vec<String> {
        let items: Vec<_> = items.iter().map(|(listing, tested)| (listing, *tested)).collect();
        let rows = ListRow::rows(&items, fold);
        let shown = rows.iter().map(|row| {
            let [title, tested] =
                [row.title(), row.tested().map(str::to_owned)].map(Option::unwrap_or_default);
            [row.ids(), title, tested].join("|")
        });
        shown.collect()
    }

    #[test]
    fn variants_by_number_share_a_row_that_says_how_many_they_are() {
        let hash = |q: &str| algorithm(&format!("hash{q}"), &format!("Hash (Wu) (q={q})"), "");
        let items = [
            (hash("3"), Some("yes")),
            (hash("5"), Some("yes")),
            (algorithm("hashes6", "Another (q=6)", ""), Some("no")),
            (hash("10"), Some("yes")),
            (hash("12"), Some("yes")),
        ];
        assert_eq!(shown(&items, true), ["hash3..12|Hash (Wu) (4 variants)|yes", "hashes6|Another (q=6)|no"]);
        let each = shown(&items, false);
        assert_eq!((each.len(), each[0].as_str()), (5, "hash3|Hash (Wu) (q=3)|yes"));
    }

    #[test]
    fn variants_that_are_tested_in_part_say_so() {
        let items = [("2", "yes"), ("4", "no")];
        let items = items.map(|(q, tested)| (algorithm(&format!("a{q}"), "A (q)", ""), Some(tested)));
        assert_eq!(shown(&items, true), ["a2..4|A (2 variants)|some"]);
    }

    #[test]
    fn numbers_within_names_are_joined() {
        let name = common_name("Fast-Search with 1 sliding window", "Fast-Search with 8 sliding windows");
        assert_eq!(name, "Fast-Search with 1..8 sliding windows");
        assert_eq!(common_name("Improved 1", "Improved 2"), "Improved 1..2");
        assert_eq!(common_name("A", "A longer name"), "A");
    }

    #[test]
    fn only_algorithms_of_one_library_idea_and_status_are_variants() {
        let twin = Listing { instrumented: true, ..algorithm("a4", "A (q=4)", "improved here") };
        let elsewhere = Listing {
            facts: algorithm("", "A (q=5)", "improved here").facts,
            ..listing(Kind::Algorithm, "a5", "b.so", "1")
        };
        let metric = Listing { kind: Kind::Metric, ..algorithm("a6", "A (q=6)", "improved here") };
        let others = [
            algorithm("a", "A (q=1)", "improved here"),
            algorithm("a2", "A (q=2)", "improved here"),
            algorithm("a3", "A (q=3)", "reconstructed"),
            twin,
            elsewhere,
            metric,
            listing(Kind::Algorithm, "mine1", "a.so", "1"),
            listing(Kind::Algorithm, "mine2", "a.so", "1"),
        ];
        let items = others.map(|listing| (listing, None));
        assert_eq!(shown(&items, true), shown(&items, false));
    }
}
