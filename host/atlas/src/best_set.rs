//! The best algorithms at one text and pattern length, among all or among those of an era.

use std::collections::HashMap;

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_experiment::selection::original;
use assay_plugin_api::Status;
use assay_report::Subset;
use assay_store::rank::Rank;
use maud::{Markup, html};

use crate::frame::PagePlace;
use crate::rank_table::link;
use crate::{AtlasEntry, AtlasRun};

/// The best, and the first that is not among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BestSet {
    /// The ids of the best and of all that are tied with it; empty if the best is not known.
    pub best: Vec<(String, Rank)>,
    /// The nearest of the others.
    pub next: Option<(String, Rank)>,
    /// How many may be among the best, and have too few rounds to show it.
    pub uncertain: usize,
}

impl BestSet {
    /// The best among algorithms with standings, nearest to the best first.
    pub(crate) fn new(standings: &[(&str, Rank)]) -> Self {
        let owned = |(id, rank): &(&str, Rank)| ((*id).to_owned(), *rank);
        let best: Vec<(String, Rank)> =
            standings.iter().filter(|(_, rank)| rank.is_best()).map(owned).collect();
        let others = standings.iter().filter(|(_, rank)| !rank.is_best() && !rank.is_uncertain());
        let next = others.map(owned).next().filter(|_| !best.is_empty());
        let uncertain = standings.iter().filter(|(_, rank)| rank.is_uncertain()).count();
        BestSet { best, next, uncertain }
    }

    /// The names of the best, of which `most` are shown at once, with links from a main page.
    pub(crate) fn names(&self, known: &HashMap<&str, &AtlasEntry>, most: usize) -> Markup {
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
            @if self.uncertain > 0 { small { (self.uncertain) " more may be: too few rounds" } }
            @if !more.is_empty() { details { summary { "and " (more.len()) " tied with them" } (list(more)) } }
        }
    }
}

/// The best of the algorithms that were published until a year, without those that were improved since: the best at each pattern length by the
/// search time. `None` where none of them was measured.
///
/// # Errors
/// If the measurements can't be read again.
pub(crate) fn until(
    run: &AtlasRun,
    year: u32,
    known: &HashMap<&str, &AtlasEntry>,
) -> Result<Option<Vec<(u64, BestSet)>>> {
    let was_there = |id: &&str| {
        let entry = known.get(original(id));
        entry
            .is_some_and(|entry| entry.year.is_some_and(|published| published <= year) && !is_improved(entry))
    };
    let ids: Vec<String> = run.report.algorithms().filter(was_there).map(str::to_owned).collect();
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

/// Whether an algorithm was improved by its library, so that its year is that of what it improves.
fn is_improved(entry: &AtlasEntry) -> bool {
    entry.fact("status").starts_with(Status::ImprovedHere("").words())
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
        assert!(!is_improved(&atlas.entries[0]));
        let improved = ("status".to_owned(), "improved here: faster".to_owned());
        assert!(is_improved(&AtlasEntry { facts: vec![improved], ..AtlasEntry::default() }));
        let best = |year| sets(year).unwrap()[0].1.best.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        assert_eq!((best(1970), best(1980)), (vec!["bf".to_owned()], vec!["hor".to_owned()]));
        assert_eq!(sets(1980).unwrap()[0].1.next.as_ref().unwrap().0, "bf");
    }

    #[test]
    fn a_long_set_is_folded_and_an_empty_one_is_not_known() {
        let atlas = atlas();
        let known = atlas.by_id();
        let set = BestSet {
            best: ["a", "hor", "c"].map(|id| (id.to_owned(), Rank::default())).into(),
            ..BestSet::default()
        };
        let names = set.names(&known, 2).into_string();
        assert!(names.starts_with("a, <a href=\"algorithm/hor.html\">hor</a><details>"), "{names}");
        assert!(names.contains("and 1 tied with them</summary>c"), "{names}");
        assert!(BestSet::default().names(&known, 2).into_string().contains("not known"));
    }
}
