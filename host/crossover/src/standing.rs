//! How algorithms stand at a point of the grid.

use std::collections::BTreeSet;

use assay_stats::significance::{Ratio, Standing};

/// The standing of each algorithm at a point, in their order; `None` if it has no times there, or times that
/// can't be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct PointStandings(pub Vec<Option<Standing>>);

impl PointStandings {
    /// The algorithms that lead: the fastest, and those that are statistically tied with it.
    pub fn leaders(&self) -> BTreeSet<usize> {
        let leads = |standing: &Option<Standing>| standing.is_some_and(|standing| standing.rank == 1);
        (0..).zip(&self.0).filter(|(_, standing)| leads(standing)).map(|(algorithm, _)| algorithm).collect()
    }

    /// Whether an algorithm can be compared here.
    pub fn has(&self, algorithm: usize) -> bool {
        self.0[algorithm].is_some()
    }

    /// By how much an algorithm is known to be slower than the fastest, as a share of the time of the fastest: 0 if it
    /// leads, alone or tied.
    pub fn slower_by(&self, algorithm: usize) -> Option<f64> {
        let is_tied = self.leaders().contains(&algorithm);
        if is_tied { Some(0.0) } else { self.estimated_slower_by(algorithm) }
    }

    /// The same as an estimate, which is noise where several are tied.
    pub(crate) fn estimated_slower_by(&self, algorithm: usize) -> Option<f64> {
        let least = self.0.iter().flatten().map(|standing| standing.to_best.ratio).reduce(f64::min)?;
        Some(self.0[algorithm]?.to_best.ratio / least - 1.0)
    }

    /// If one algorithm alone leads: how many times as long the next one takes. `None` if several lead, or if
    /// there is no other.
    pub fn lead(&self) -> Option<Ratio> {
        let others = self.0.iter().flatten().filter(|standing| standing.rank > 1);
        let nearest = others.min_by(|one, other| one.to_best.ratio.total_cmp(&other.to_best.ratio))?;
        (self.leaders().len() == 1).then_some(nearest.to_best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(ratios: &[Option<(usize, f64)>]) -> PointStandings {
        let standing = |(rank, ratio): (usize, f64)| Standing {
            rank,
            to_best: Ratio { ratio, low: ratio * 0.99, high: ratio * 1.01 },
        };
        PointStandings(ratios.iter().map(|ratio| ratio.map(standing)).collect())
    }

    #[test]
    fn the_lead_is_that_to_the_next_and_a_tie_has_none() {
        let alone = standings(&[Some((3, 2.5)), Some((1, 1.0)), None, Some((2, 1.5))]);
        assert_eq!(alone.leaders(), BTreeSet::from([1]));
        assert_eq!(alone.lead().unwrap().ratio, 1.5);
        let tied = standings(&[Some((1, 0.99)), Some((1, 1.0)), Some((3, 1.5))]);
        assert_eq!((tied.leaders(), tied.lead()), (BTreeSet::from([0, 1]), None));
        assert_eq!(standings(&[Some((1, 1.0)), None]).lead(), None, "there is no other");
    }

    #[test]
    fn nothing_is_faster_than_the_fastest() {
        let tied = standings(&[Some((1, 0.8)), Some((1, 1.0)), None]);
        let estimates = [0, 1, 2].map(|algorithm| tied.estimated_slower_by(algorithm));
        assert_eq!(estimates, [Some(0.0), Some(0.25), None]);
        assert_eq!([0, 1, 2].map(|algorithm| tied.slower_by(algorithm)), [Some(0.0), Some(0.0), None]);
    }
}
