//! How each algorithm of a run does over all pattern lengths.

use assay_stats::RoundValues;
use assay_stats::rounds::log_ratios;
use assay_stats::significance::{Overall, Ratio, overall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::journal::Journal;
use super::null::{Null, floor};
use super::ranking::{RANKED, times};
use super::{Cell, CellResult};
use crate::columns::Call;
use crate::error::Result;

/// How an algorithm does over all pattern lengths at which the best one could be told.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct OverallResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// By the time of the preparation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prepare_ns: Option<Place>,
    /// By the time of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_ns: Option<Place>,
    /// By both together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ns: Option<Place>,
}

/// A place among algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Place {
    /// How many pattern lengths it did, of those that could be compared.
    pub lengths: usize,
    /// The geometric mean of its ratios to the best of each length, with an interval of 95 %.
    pub to_best: Ratio,
    /// How many rounds all of them have: of these is the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// 1 for the best, and for all that can't be told from it; `null` of one that failed at some length.
    pub rank: Option<usize>,
}

impl OverallResult {
    /// By the time of a call, or of all together.
    pub fn of(&self, call: Option<Call>) -> Option<Place> {
        match call {
            Some(Call::Prepare) => self.prepare_ns,
            Some(Call::Search) => self.search_ns,
            None => self.total_ns,
        }
    }
}

/// All algorithms over all pattern lengths, from ranked results, those of a length together, each with the cell that it is of.
///
/// # Errors
/// If the journal can't be read again.
pub fn overall_results(
    results: &[(CellResult, &Cell<'_>)],
    journal: &Journal,
    null: Option<&Null>,
) -> Result<Vec<OverallResult>> {
    let mut found: Vec<OverallResult> = Vec::new();
    for (result, _) in results {
        if !found.iter().any(|known| known.algorithm == result.algorithm) {
            found.push(OverallResult { algorithm: result.algorithm.clone(), ..OverallResult::default() });
        }
    }
    for call in RANKED {
        // [algorithm][length]
        let mut to_best: Vec<Vec<Option<RoundValues>>> = vec![Vec::new(); found.len()];
        for of_length in results.chunk_by(|(a, _), (b, _)| a.value() == b.value()) {
            let is_best = |(result, _): &&(CellResult, &Cell<'_>)| result.ranks.of(call).is_compared_with();
            let Some((_, best)) = of_length.iter().find(is_best) else { continue };
            let best = times(best, call, journal)?;
            for (known, cells) in found.iter().zip(&mut to_best) {
                let cell = of_length.iter().find(|(result, _)| result.algorithm == known.algorithm);
                let done = cell.filter(|(result, _)| result.time(call).is_some());
                let times = done.map(|(_, cell)| times(cell, call, journal)).transpose()?;
                let ratios = times.map(|times| log_ratios(&times, &best));
                cells.push(ratios.filter(|ratios| !ratios.is_empty()));
            }
        }
        for (known, overall) in found.iter_mut().zip(overall(&to_best, floor(null, call))) {
            let place = place(overall);
            match call {
                Some(Call::Prepare) => known.prepare_ns = place,
                Some(Call::Search) => known.search_ns = place,
                None => known.total_ns = place,
            }
        }
    }
    Ok(found)
}

fn place(overall: Overall) -> Option<Place> {
    let Overall { cells, common, to_best, standing } = overall;
    let (rounds, rank) = (Some(common.rounds), standing.map(|standing| standing.rank));
    Some(Place { lengths: cells, to_best: to_best?, rounds, rank })
}
