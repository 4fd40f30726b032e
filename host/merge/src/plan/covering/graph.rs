//! The pairs of points that a covering design must have in some block, and those that no block may have.

/// The demand on a pair of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairDemand {
    /// Some block must hold both.
    Wanted,
    /// A block may hold both.
    Free,
    /// No block may hold both.
    Apart,
}

/// The demands on all pairs of the points `0..points`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    points: usize,
    pairs: Vec<PairDemand>,
}

impl Graph {
    /// The same demand on all pairs.
    pub(crate) fn new(points: usize, pair: PairDemand) -> Self {
        Graph { points, pairs: vec![pair; points * points] }
    }

    /// All pairs are wanted.
    pub(crate) fn complete(points: usize) -> Self {
        Graph::new(points, PairDemand::Wanted)
    }

    /// Number of points.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// The demand on a pair.
    pub(crate) fn pair(&self, a: usize, b: usize) -> PairDemand {
        self.pairs[a * self.points + b]
    }

    /// Changes the demand on a pair.
    pub(crate) fn set(&mut self, a: usize, b: usize, pair: PairDemand) {
        self.pairs[a * self.points + b] = pair;
        self.pairs[b * self.points + a] = pair;
    }

    /// All pairs, the lesser point first.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.points).flat_map(|a| (a + 1..self.points).map(move |b| (a, b)))
    }

    /// The pairs with this demand.
    pub(crate) fn asked(&self, asked: PairDemand) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.pairs().filter(move |(a, b)| self.pair(*a, *b) == asked)
    }

    /// Number of other points that a point must meet.
    pub(crate) fn degree(&self, point: usize) -> usize {
        (0..self.points)
            .filter(|other| *other != point && self.pair(point, *other) == PairDemand::Wanted)
            .count()
    }

    /// Whether all pairs are wanted.
    pub(crate) fn is_complete(&self) -> bool {
        self.asked(PairDemand::Wanted).count() == self.points * self.points.saturating_sub(1) / 2
    }

    /// Whether a point may join others.
    pub(crate) fn may_join(&self, point: usize, others: &[usize]) -> bool {
        others.iter().all(|other| self.pair(point, *other) != PairDemand::Apart)
    }
}
