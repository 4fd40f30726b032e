//! Coverings by triples, each with as few blocks as Schönheim's bound: that this is always possible was
//! proved by M. K. Fort and G. A. Hedlund (*Minimal coverings of pairs by triples*, Pacific J. Math. 8,
//! 1958).

use super::Blocks;
use assay_stats::draws::Draws;

/// Steps for each block after which the search gives up. It needs about six.
const PATIENCE: usize = 1000;

/// A covering with the least number of triples, by the hill climbing of D. R. Stinson (*Hill-climbing
/// algorithms for the construction of combinatorial designs*, Annals of Discrete Math. 26, 1985): a triple is
/// added that covers two pairs which are not covered often enough, and a triple is removed that covers the
/// third pair too often.
pub(super) fn covering(points: usize, draws: &mut Draws) -> Option<Blocks> {
    let mut climb = Climb::new(points);
    let pairs: usize = (0..points).map(|point| climb.open[point].len()).sum();
    for _ in 0..PATIENCE * (pairs + 1) {
        match climb.unfinished.len() {
            0 => return Some(climb.blocks()),
            some => climb.step(climb.unfinished[draws.below(some)], draws),
        }
    }
    None
}

/// Pairs of points, each of which shall be in one triple, or in several.
struct Climb {
    points: usize,
    /// For each point, the others that it shall still meet, each as often as it shall.
    open: Vec<Vec<usize>>,
    /// The points that shall still meet others.
    unfinished: Vec<usize>,
    /// For each pair, in both orders, the third points of its triples.
    thirds: Vec<Vec<usize>>,
}

impl Climb {
    /// No triple yet. Pairs that must meet more than once make the number of pairs of each point even, and
    /// that of all pairs a multiple of three.
    fn new(points: usize) -> Self {
        let mut pairs: Vec<(usize, usize)> =
            (0..points).flat_map(|a| (a + 1..points).map(move |b| (a, b))).collect();
        let star = if points % 6 == 2 || points % 6 == 4 { 4 } else { 0 };
        if points.is_multiple_of(2) {
            pairs.extend((1..star).map(|point| (0, point)));
            pairs.extend((star..points).step_by(2).map(|point| (point, point + 1)));
        } else if points % 6 == 5 {
            pairs.extend([(0, 1), (0, 1)]);
        }
        let mut open = vec![Vec::new(); points];
        for (a, b) in pairs {
            open[a].push(b);
            open[b].push(a);
        }
        Climb { points, open, unfinished: (0..points).collect(), thirds: vec![Vec::new(); points * points] }
    }

    fn step(&mut self, point: usize, draws: &mut Draws) {
        let one = draws.choose(&self.open[point]);
        let mut other = draws.choose(&self.open[point]);
        if self.open[point].iter().all(|open| *open == one) {
            // Only one point is left, which must be met twice: any third point helps.
            other = draws.below(self.points);
        }
        if one == other || other == point {
            return;
        }
        for (a, b) in [(point, one), (point, other), (one, other)] {
            if !self.open[a].contains(&b) {
                let third = draws.choose(&self.thirds[a * self.points + b]);
                self.change([a, b, third], false);
            }
        }
        self.change([point, one, other], true);
    }

    /// Adds or removes a triple.
    fn change(&mut self, [a, b, c]: [usize; 3], adds: bool) {
        for (one, other, third) in [(a, b, c), (b, a, c), (a, c, b), (c, a, b), (b, c, a), (c, b, a)] {
            let (from, to) = (&mut self.open[one], &mut self.thirds[one * self.points + other]);
            let (was_open, take) = (!from.is_empty(), |list: &mut Vec<usize>, what: usize| {
                let place = list.iter().position(|entry| *entry == what);
                list.swap_remove(place.expect("it is in the list"));
            });
            if adds {
                take(from, other);
                to.push(third);
            } else {
                take(to, third);
                from.push(other);
            }
            match (was_open, from.is_empty()) {
                (true, true) => take(&mut self.unfinished, one),
                (false, false) => self.unfinished.push(one),
                _ => {}
            }
        }
    }

    fn blocks(&self) -> Blocks {
        let mut blocks = Blocks::new();
        for a in 0..self.points {
            for b in a + 1..self.points {
                let thirds = self.thirds[a * self.points + b].iter().filter(|third| **third > b);
                blocks.extend(thirds.map(|third| vec![a, b, *third]));
            }
        }
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::super::bound::least;
    use super::super::cover::Cover;
    use super::super::graph::Graph;
    use super::*;

    #[test]
    fn no_covering_by_triples_is_smaller() {
        for points in (4..=60).chain([99, 100, 101, 104]) {
            let graph = Graph::complete(points);
            let blocks = covering(points, &mut Draws::new(1)).unwrap();
            assert_eq!(blocks.len(), least(&graph, 3), "{points} points");
            let cover = Cover::from_blocks(&graph, 3, &blocks);
            assert!(cover.uncovered().is_empty(), "{points} points");
        }
    }
}
