//! The rank of an algorithm at a pattern length, as `report.json` has it.

use assay_base::columns::PerCall;
use assay_stats::significance::Standing;
use schemars::JsonSchema;
use serde::Serialize;

/// Where the times of a cell stand among those for the same patterns.
pub type Ranks = PerCall<Rank>;

/// The rank of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Rank {
    /// Whether the median is less than ten empty calls, which is too short to compare.
    pub below_floor: bool,
    /// The rank; `null` if the times can't be compared, for example because the interval of the ratio has no
    /// finite end.
    pub standing: Option<Standing>,
    /// Whether its rounds are too few to compare it with the best, although others can be compared.
    #[serde(skip)]
    pub has_too_few_rounds: bool,
}

/// An algorithm is in the best set only if the interval of its ratio to the best ends below this. If it may
/// take twice the time of the best or more, the run has not shown that it is among the best, only that its
/// times were too noisy.
pub const WIDEST_TIE: f64 = 2.0;

impl Rank {
    /// Whether no algorithm is known to be better, and this one is known to take less than twice the time of
    /// the best.
    pub fn is_best(&self) -> bool {
        self.standing.is_some_and(|standing| standing.rank == 1 && standing.to_best.high < WIDEST_TIE)
    }

    /// Whether its rounds are too few or too noisy to compare it with the best, although others can be
    /// compared.
    pub fn is_uncertain(&self) -> bool {
        self.has_too_few_rounds || self.standing.is_some_and(|standing| standing.rank == 1 && !self.is_best())
    }

    /// Whether this is the one that the others are compared with: its ratio is that of a time to itself.
    pub fn is_compared_with(&self) -> bool {
        self.is_best()
            && self
                .standing
                .is_some_and(|standing| standing.to_best.low == 1.0 && standing.to_best.high == 1.0)
    }
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::Ratio;

    use super::*;

    #[test]
    fn a_tie_that_may_be_twice_as_slow_is_uncertain() {
        let rank = |rank, high| {
            let to_best = Ratio { ratio: 1.0, low: 0.5, high };
            Rank { standing: Some(Standing { rank, to_best }), ..Rank::default() }
        };
        let found =
            [rank(1, 1.9), rank(1, 2.0), rank(2, 2.0)].map(|rank| (rank.is_best(), rank.is_uncertain()));
        assert_eq!(found, [(true, false), (false, true), (false, false)]);
    }
}
