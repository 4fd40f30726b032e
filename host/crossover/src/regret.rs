//! The regret of a choice: how much slower the chosen algorithm is than the best one.

use serde::Serialize;

use crate::standing::PointStandings;

/// How much slower a choice is than the best of the algorithms, over some points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Regret {
    /// Number of points at which the chosen algorithm can be compared with the best.
    pub points: usize,
    /// Number of points at which it has no times, and others have.
    pub missing: usize,
    /// The mean over the points, as a share of the time of the best.
    pub mean: Option<f64>,
    /// The greatest.
    pub greatest: Option<f64>,
}

impl Regret {
    /// The regret over points, each with the chosen algorithm.
    pub(crate) fn new<'a>(chosen: impl Iterator<Item = (&'a PointStandings, usize)>) -> Self {
        let (mut slower, mut missing) = (Vec::new(), 0);
        for (standings, algorithm) in chosen.filter(|(standings, _)| !standings.leaders().is_empty()) {
            match standings.slower_by(algorithm) {
                Some(share) => slower.push(share),
                None => missing += 1,
            }
        }
        let points = slower.len();
        let mean = (points > 0).then(|| slower.iter().sum::<f64>() / points as f64);
        Regret { points, missing, mean, greatest: slower.into_iter().reduce(f64::max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::standings_of;

    #[test]
    fn a_point_without_the_chosen_algorithm_is_counted_and_no_figure() {
        let [first, second, nothing] = [&[0][..], &[1], &[]].map(standings_of);
        let mut without = first.clone();
        without.0[1] = None;
        let points = [(&first, 0), (&second, 0), (&nothing, 0), (&without, 1)];
        let regret = Regret::new(points.into_iter());
        assert_eq!(regret, Regret { points: 2, missing: 1, mean: Some(0.5), greatest: Some(1.0) });
        assert_eq!(Regret::new([(&nothing, 0)].into_iter()), Regret::default());
    }
}
