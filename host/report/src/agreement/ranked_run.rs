//! The ranks that one run gives at a value of the range, and how significantly it orders two algorithms.

use std::collections::BTreeMap;

use assay_base::error::Result;
use assay_experiment::selection::original;
use assay_stats::kendall::PairOrder;
use assay_stats::rounds::{RoundValues, log_ratios};
use assay_stats::significance::{Difference, NullRange};
use assay_store::null::floor;
use assay_store::rank::Rank;

use crate::{Call, Report};

/// The ranks of a run.
pub(super) struct RankedRun<'a> {
    report: &'a Report,
    call: Option<Call>,
    /// `[range][algorithm]`.
    ranks: Vec<Vec<Rank>>,
    /// Differences up to this share are ties.
    floor: f64,
}

/// The ranks of a run at one value.
pub(super) struct RunRanks<'a> {
    /// The algorithms with a rank. Of copies of an algorithm, only the first takes part: two would be one
    /// algorithm compared with itself.
    pub algorithms: Vec<(&'a str, Rank)>,
    /// The logarithms of their ratios to the algorithm that all are compared with, by round.
    log_ratios: Vec<RoundValues>,
    floor: f64,
}

impl<'a> RankedRun<'a> {
    pub(super) fn new(report: &'a Report, call: Option<Call>) -> Result<Self> {
        let floor = floor(report.null(call)?.as_ref(), call);
        Ok(RankedRun { report, call, ranks: report.ranks(call)?, floor })
    }

    /// The ranks at a value; `None` if there are none.
    pub(super) fn at(&self, value: u64) -> Result<Option<RunRanks<'a>>> {
        let Ok(place) = self.report.range().binary_search(&value) else { return Ok(None) };
        let ids = self.report.algorithms().zip(&self.ranks[place]);
        let ranked = ids.filter(|(id, rank)| rank.standing.is_some() && original(id) == *id);
        let algorithms: Vec<(&str, Rank)> = ranked.map(|(id, rank)| (id, *rank)).collect();
        let times = |id| self.report.times(id, value, self.call);
        let best = self.report.algorithms().zip(&self.ranks[place]).find(|(_, rank)| rank.is_compared_with());
        let Some((best, _)) = best else { return Ok(None) };
        let best = times(best)?;
        let ratios = algorithms.iter().map(|(id, _)| Ok(log_ratios(&times(id)?, &best)));
        let ratios = ratios.collect::<Result<_>>()?;
        Ok((!algorithms.is_empty()).then_some(RunRanks { algorithms, log_ratios: ratios, floor: self.floor }))
    }
}

impl RunRanks<'_> {
    /// The place of an algorithm among those with a rank.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.algorithms.iter().position(|(other, _)| *other == id)
    }

    /// The rank of an algorithm; none if it has none.
    pub(super) fn rank(&self, id: &str) -> Rank {
        self.place(id).map(|place| self.algorithms[place].1).unwrap_or_default()
    }

    /// The difference of two algorithms by the rounds that both have, from the ratios that the ranks rest on.
    fn difference(&self, one: usize, other: usize) -> Option<Difference> {
        let mut others = self.log_ratios[other].iter().peekable();
        let mut differences = Vec::new();
        for (round, value) in &self.log_ratios[one] {
            while others.next_if(|(number, _)| number < round).is_some() {}
            differences.extend(others.next_if(|(number, _)| number == round).map(|(_, other)| value - other));
        }
        Difference::paired(&differences)
    }

    /// How this run orders two algorithms, and how significant that is beyond its noise floor. Reversed pairs
    /// and the ends of tau follow this.
    pub(super) fn order(&self, one: usize, other: usize) -> Option<PairOrder> {
        Some(PairOrder::new(&self.difference(one, other)?, NullRange::within(self.floor)))
    }

    /// How many times as long the slower of two algorithms takes.
    pub(super) fn ratio(&self, one: usize, other: usize) -> f64 {
        self.difference(one, other).map_or(1.0, |difference| 1.0 + difference.distance())
    }
}

/// Whether several runs have ranks, and any two of them rank at least two algorithms in common.
pub(super) fn have_common(at: &[Option<RunRanks<'_>>]) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, _) in at.iter().flatten().flat_map(|run| &run.algorithms) {
        *counts.entry(id).or_default() += 1;
    }
    counts.values().filter(|runs| **runs > 1).count() > 1
}
