//! How each algorithm of a run does over all pattern lengths.

use assay_base::columns::PerCall;
use assay_stats::significance::{Overall, Ratio};
use schemars::JsonSchema;
use serde::Serialize;

/// The comparison of an algorithm over all pattern lengths at which the best one is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct OverallResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Its place by the time of each kind of call; `null` where it has none.
    #[serde(flatten)]
    pub places: PerCall<Option<Place>>,
}

/// The place of an algorithm among the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Place {
    /// Number of pattern lengths at which it has times, of those that can be compared.
    pub lengths: usize,
    /// The geometric mean of its ratios to the best of each length, with an interval of 95 %.
    pub to_best: Ratio,
    /// Number of rounds that all lengths have, from which the mean is computed.
    pub rounds: Option<usize>,
    /// The rank: 1 for the best and for all that are tied with it; `null` if the algorithm failed at some
    /// length.
    pub rank: Option<usize>,
}

impl Place {
    /// The place of an algorithm; `None` if its mean is not finite.
    pub fn new(overall: &Overall) -> Option<Self> {
        let to_best = overall.to_best?;
        let rank = overall.standing.map(|standing| standing.rank);
        Some(Place { lengths: overall.cells, to_best, rounds: Some(overall.common.rounds), rank })
    }
}
