//! The ranking over several runs, as a section of their page.

use assay_stats::significance::Overall;
use assay_store::rank::WIDEST_TIE;
use maud::{Markup, html};

use super::grid::Grid;
use crate::across::{AcrossAlgorithm, AcrossRuns};

/// Up to this many runs are named in the title; of more, only their number is given.
const FEW: usize = 4;

/// The title of the page.
pub(super) fn title(across: &AcrossRuns) -> String {
    let AcrossRuns { by, names, algorithms, .. } = across;
    let subject = if names.len() > FEW {
        format!("{} {}", names.len(), by.plural())
    } else {
        format!("{} {}: {}", names.len(), by.plural(), names.join(", "))
    };
    format!("{} algorithms on {subject}", algorithms.len())
}

/// What the page shows, in a line.
pub(super) fn summary(across: &AcrossRuns) -> String {
    let kind = across.by;
    format!(
        "The figures are of one {} at a time; the ranking below them is over all {}.",
        kind.singular(),
        kind.plural()
    )
}

/// The ranking, with a column for each run.
pub(super) fn section(across: &AcrossRuns, grid: &Grid<'_>) -> Markup {
    let (kind, values) = (across.by.plural(), grid.axis.over.plural());
    html! {
        section aria-labelledby="across" {
            h2 id="across" { "Ranking across the " (kind) }
            p.faint {
                "By the time; mean: the geometric mean, over the " (across.cells) " cells (each of the " (values)
                " on each of the " (kind) "), of the ratio to the best algorithm there, with an interval of 95 % that is about these "
                (kind) " and no others. Tied algorithms share a rank; those without times in some cells have none. The columns of the "
                (kind) " have the rank and the mean there alone."
            }
            div.scroll tabindex="0" role="region" aria-label=(format!("Ranking across the {kind}")) {
                table.sorts {
                    thead { tr {
                        th scope="col" { "algorithm" } th scope="col" { "rank" } th scope="col" { "mean" }
                        @for name in &across.names { th scope="col" { (name) } }
                    } }
                    tbody { @for AcrossAlgorithm { algorithm, overall, of_runs } in &across.algorithms { tr {
                        th scope="row" { (algorithm) }
                        td.best[is_best(overall)] { (rank(overall).map_or("-".to_owned(), |rank| rank.to_string())) }
                        td { (mean(overall)) }
                        @for of_run in of_runs { (of_one_run(of_run.as_ref())) }
                    } } }
                }
            }
        }
    }
}

fn rank(overall: &Overall) -> Option<usize> {
    overall.standing.map(|standing| standing.rank)
}

/// Whether it shares the first rank, and is known to take less than twice the time of the best.
fn is_best(overall: &Overall) -> bool {
    rank(overall) == Some(1) && overall.to_best.is_some_and(|mean| mean.high < WIDEST_TIE)
}

/// The mean ratio to the best, with its interval.
fn mean(overall: &Overall) -> Markup {
    html! {
        @match overall.to_best {
            None => "-",
            Some(mean) => {
                (format!("{:.2}", mean.ratio)) small { (format!("{:.2} to {:.2}", mean.low, mean.high)) }
            }
        }
    }
}

/// The cell of a run: the rank there, and the mean ratio to the best.
fn of_one_run(overall: Option<&Overall>) -> Markup {
    let known = overall.and_then(|overall| Some((overall, overall.to_best?.ratio)));
    html! {
        @match known {
            None => td.faint { "-" },
            Some((overall, mean)) => {
                td.best[is_best(overall)] {
                    (rank(overall).map_or("-".to_owned(), |rank| rank.to_string())) small { "× " (format!("{mean:.2}")) }
                }
            }
        }
    }
}
