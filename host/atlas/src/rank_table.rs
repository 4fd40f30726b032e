//! The place of an algorithm among all, for each text and pattern length, with its neighbours in speed.

use std::collections::HashMap;

use assay_base::columns::Call;
use assay_base::io::numbers::grouped;
use assay_store::rank::Rank;
use assay_store::{CellResult, Status};
use maud::{Markup, html};

use crate::frame::PagePlace;
use crate::{Atlas, AtlasEntry, AtlasRun};

/// The times that are ranked, with their titles.
pub(crate) const TIMES: [(Option<Call>, &str); 2] =
    [(Some(Call::Search), "Search, the pattern prepared before"), (None, "Preparation and search together")];

/// Neighbours on either side.
const NEIGHBOURS: usize = 2;

/// A table for each of the times.
pub(crate) fn tables(atlas: &Atlas, entry: &AtlasEntry, known: &HashMap<&str, &AtlasEntry>) -> Markup {
    let measured: Vec<&AtlasRun> =
        atlas.timed.iter().filter(|run| run.report.algorithms().any(|id| id == entry.id)).collect();
    html! {
        @if measured.is_empty() { p { "It was not measured in these runs." } } @else {
            p.legend {
                "Rank 1 have the best and all that are statistically tied with it. The ratio to the best is the mean "
                "over the rounds of the median ratio for the same pattern, with its 95 % interval."
            }
            @for (call, title) in TIMES {
                h3 { (title) }
                div.scroll { table {
                    thead { tr {
                        th scope="col" { "text" } th scope="col" { "pattern length" } th scope="col" { "rank" }
                        th scope="col" { "times the best" } th scope="col" { "median in µs" }
                        th scope="col" { "next faster" } th scope="col" { "next slower" }
                    } }
                    tbody { @for run in &measured { @for length in run.lengths() {
                        (row(run, length, call, entry, known))
                    } } }
                } }
            }
        }
    }
}

/// The row of a text and a pattern length.
fn row(
    run: &AtlasRun,
    length: u64,
    call: Option<Call>,
    entry: &AtlasEntry,
    known: &HashMap<&str, &AtlasEntry>,
) -> Markup {
    let cell = run.cell(&entry.id, length);
    let rank = cell.map(|cell| *cell.ranks.get(call)).unwrap_or_default();
    let standings = run.standings(length, call);
    let place = standings.iter().position(|(id, _)| *id == entry.id);
    let faster = place.map(|place| &standings[place.saturating_sub(NEIGHBOURS)..place]).unwrap_or_default();
    let slower = place.map(|place| &standings[place + 1..standings.len().min(place + 1 + NEIGHBOURS)]);
    html! {
        tr {
            th scope="row" { (run.text()) }
            td { (length) }
            td.best[rank.is_best()] { (rank_in_words(rank, &standings)) }
            @match rank.standing {
                Some(standing) => td {
                    (format!("{:.2}", standing.to_best.ratio.max(1.0)))
                    small { (format!("{:.2} to {:.2}", standing.to_best.low, standing.to_best.high)) }
                },
                None => td { "-" },
            }
            (time(cell, call))
            td { (names(faster, known)) }
            td { (names(slower.unwrap_or_default(), known)) }
        }
    }
}

/// The rank, and how many share it or why there is none.
fn rank_in_words(rank: Rank, standings: &[(&str, Rank)]) -> String {
    let Some(standing) = rank.standing else {
        return match rank {
            Rank { below_floor: true, .. } => "too short to compare".to_owned(),
            Rank { has_too_few_rounds: true, .. } => "too few rounds".to_owned(),
            _ => "-".to_owned(),
        };
    };
    if rank.is_best() {
        return match standings.iter().filter(|(_, other)| other.is_best()).count() {
            1 => "1, alone".to_owned(),
            all => format!("1, tied with {}", all - 1),
        };
    }
    if rank.is_uncertain() {
        "too few rounds".to_owned()
    } else {
        format!("{} of {}", standing.rank, standings.len())
    }
}

/// The median time with its interval, or why there is none.
fn time(cell: Option<&CellResult>, call: Option<Call>) -> Markup {
    let Some(cell) = cell else { return html! { td { "-" } } };
    html! {
        @match (cell.status, cell.time(call)) {
            (Status::Ok, Some(time)) => td {
                (grouped(time.med / 1e3, 2))
                @if let Some(ci95) = time.ci95 {
                    small { (grouped(ci95.low / 1e3, 2)) " to " (grouped(ci95.high / 1e3, 2)) }
                }
            },
            (Status::Ok | Status::CannotSearch, _) => td { (cell.message.as_deref().unwrap_or("-")) },
            (status, _) => td.status { (status.words()) @if let Some(message) = &cell.message { ": " (message) } },
        }
    }
}

/// Algorithms with links to their pages, nearest to the best first.
fn names(standings: &[(&str, Rank)], known: &HashMap<&str, &AtlasEntry>) -> Markup {
    html! {
        @for (place, (id, _)) in standings.iter().enumerate() {
            @if place > 0 { ", " }
            (link(id, known, PagePlace::Algorithm))
        }
        @if standings.is_empty() { "-" }
    }
}

/// An algorithm of a run, with a link if it has a page. A copy (`hor@2`) has the page of its original.
pub(crate) fn link(id: &str, known: &HashMap<&str, &AtlasEntry>, from: PagePlace) -> Markup {
    html! {
        @match known.get(assay_experiment::selection::original(id)) {
            Some(entry) => a href=(from.to_algorithm(&entry.file())) { (id) },
            None => (id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::atlas;

    /// The tables of an algorithm, by its place among the entries.
    fn shown(entry: usize) -> String {
        let atlas = atlas();
        tables(&atlas, &atlas.entries[entry], &atlas.by_id()).into_string()
    }

    #[test]
    fn ranks_ratios_and_neighbours_are_those_of_the_run() {
        let hor = shown(1);
        assert!(hor.contains("<td class=\"best\">1, alone</td>"), "{hor}");
        assert!(hor.contains("<a href=\"bf.html\">bf</a>"), "bf is the next slower: {hor}");
        let bf = shown(0);
        assert!(bf.contains(">2 of 2</td>") && bf.contains("<td>1.50<small>"), "{bf}");
        assert!(bf.contains("timed out"), "{bf}");
    }

    #[test]
    fn an_algorithm_that_was_not_measured_has_no_rank() {
        let new = shown(2);
        assert!(new.contains("not measured") && !new.contains("<table"), "{new}");
    }
}
