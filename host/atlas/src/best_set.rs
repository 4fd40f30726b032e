//! The best algorithms at one text and pattern length, among all or among those of an era.

use std::collections::HashMap;

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_report::Subset;
use assay_store::rank::Rank;
use maud::{Markup, html};

use crate::frame::PagePlace;
use crate::rank_table::link;
use crate::{AlgorithmEntry, AtlasRun};

/// The best, and the first that is not among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BestSet {
    /// The ids of the best and of all that are tied with it; empty if the best is not known.
    pub best: Vec<(String, Rank)>,
    /// The nearest of the others.
    pub next: Option<(String, Rank)>,
}

impl BestSet {
    /// The best among algorithms with standings, nearest to the best first.
    pub(crate) fn new(standings: &[(&str, Rank)]) -> Self {
        let owned = |(id, rank): &(&str, Rank)| ((*id).to_owned(), *rank);
        let best: Vec<(String, Rank)> =
            standings.iter().filter(|(_, rank)| rank.is_best()).map(owned).collect();
        let others = standings.iter().filter(|(_, rank)| !rank.is_best() && !rank.is_uncertain());
        let next = others.map(owned).next().filter(|_| !best.is_empty());
        BestSet { best, next }
    }

    /// The names of the best, of which `most` are shown at once, with links from a main page.
    pub(crate) fn names(&self, known: &HashMap<&str, &AlgorithmEntry>, most: usize) -> Markup {
        let (first, more) = self.best.split_at(self.best.len().min(most));
        let list = |ids: &[(String, Rank)]| {
            html! {
                @for (place, (id, _)) in ids.iter().enumerate() {
                    @if place > 0 { ", " }
                    (link(id, known, PagePlace::Main))
                }
            }
        };
        html! {
            @if self.best.is_empty() { span.faint { "not known" } }
            (list(first))
            @if !more.is_empty() { details { summary { "and " (more.len()) " tied with them" } (list(more)) } }
        }
    }
}

/// The algorithms that were published until a year, in the order of the run: the best at each pattern length by the
/// search time. `None` where none of them was measured.
///
/// # Errors
/// If the measurements can't be read again.
pub(crate) fn until(
    run: &AtlasRun,
    year: u32,
    known: &HashMap<&str, &AlgorithmEntry>,
) -> Result<Option<Vec<(u64, BestSet)>>> {
    let year_of =
        |id: &str| known.get(assay_experiment::selection::original(id)).and_then(|entry| entry.year);
    let ids = run.report.algorithms().filter(|id| year_of(id).is_some_and(|published| published <= year));
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    if ids.is_empty() {
        return Ok(None);
    }
    let options = format!("published until {year}");
    let part = run.report.subset(&Subset { algorithms: Some(ids), values: None, options })?;
    let mut sets = Vec::new();
    for (length, ranks) in part.range().into_iter().zip(part.ranks(Some(Call::Search))?) {
        let mut standings: Vec<(&str, Rank)> =
            part.algorithms().zip(ranks).filter(|(_, rank)| rank.standing.is_some()).collect();
        standings.sort_by(|(_, a), (_, b)| ratio(*a).total_cmp(&ratio(*b)));
        sets.push((length, BestSet::new(&standings)));
    }
    Ok(Some(sets))
}

/// The ratio to the best; infinite if it is not known. One below 1 comes from the interval of the best.
pub(crate) fn ratio(rank: Rank) -> f64 {
    rank.standing.map_or(f64::INFINITY, |standing| standing.to_best.ratio.max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    #[test]
    fn the_best_of_an_era_is_among_what_was_published_until_then() {
        let mut atlas = atlas();
        atlas.entries[0].year = Some(1970);
        let known = atlas.by_id();
        let sets = |year| until(&atlas.timed[0], year, &known).unwrap();
        assert_eq!(sets(1969), None);
        let best = |year| sets(year).unwrap()[0].1.best.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        assert_eq!((best(1970), best(1980)), (vec!["bf".to_owned()], vec!["hor".to_owned()]));
        assert_eq!(sets(1980).unwrap()[0].1.next.as_ref().unwrap().0, "bf");
    }

    #[test]
    fn a_long_set_is_folded_and_an_empty_one_is_not_known() {
        let atlas = atlas();
        let known = atlas.by_id();
        let set =
            BestSet { best: ["a", "hor", "c"].map(|id| (id.to_owned(), Rank::default())).into(), next: None };
        let names = set.names(&known, 2).into_string();
        assert!(names.starts_with("a, <a href=\"algorithm/hor.html\">hor</a><details>"), "{names}");
        assert!(names.contains("and 1 tied with them</summary>c"), "{names}");
        assert!(BestSet::default().names(&known, 2).into_string().contains("not known"));
    }
}
