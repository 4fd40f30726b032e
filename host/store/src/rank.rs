//! The rank of an algorithm at a pattern length, as `report.json` has it.

use assay_base::columns::PerCall;
use assay_stats::significance::Standing;
use schemars::JsonSchema;
use serde::Serialize;

/// Where the times of a cell stand among those for the same patterns.
pub type Ranks = PerCall<Rank>;

/// Where a time stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Rank {
    /// Whether its median is less than ten times what an empty call takes: too little to be compared.
    pub below_floor: bool,
    /// `None` where the times can't be compared.
    pub standing: Option<Standing>,
    /// Whether its rounds are too few to compare it with the best, although others can be compared.
    #[serde(skip)]
    pub has_too_few_rounds: bool,
}

impl Rank {
    /// Whether nobody is known to be better.
    pub fn is_best(&self) -> bool {
        self.standing.is_some_and(|standing| standing.rank == 1)
    }

    /// Whether this is the one that the others are compared with: its ratio is that of a time to itself.
    pub fn is_compared_with(&self) -> bool {
        self.is_best()
            && self
                .standing
                .is_some_and(|standing| standing.to_best.low == 1.0 && standing.to_best.high == 1.0)
    }
}
