//! Coverings of all pairs that are made of smaller coverings or of algebra: the best of each size, computed
//! once.

use std::collections::HashMap;

use super::anneal::{Steps, reduce};
use super::bound::least;
use super::cover::Cover;
use super::field::Field;
use super::graph::Graph;
use super::{Blocks, cyclic, greedy, plane, transversal};
use assay_stats::draws::Draws;

/// Up to this many points, a covering is also looked for by annealing.
const SMALL: usize = 40;
/// Number of steps of this annealing.
const STEPS: u64 = 150_000;
/// Number of transversal designs that are computed, the most promising ones.
const TRIED: usize = 6;

/// The best coverings that were found, by points and slots.
#[derive(Debug)]
pub(crate) struct Designs {
    known: HashMap<(usize, usize), Blocks>,
    draws: Draws,
    steps: Steps,
}

/// A transversal design whose groups are filled: its order, the sizes of the groups, and the number of points
/// that all groups share.
struct TransversalPlan {
    order: usize,
    sizes: Vec<usize>,
    shared: usize,
    blocks: usize,
}

impl Designs {
    /// No covering is known yet. The searches for all of them together take at most this number of steps.
    pub(crate) fn new(seed: u64, steps: Steps) -> Self {
        Designs { known: HashMap::new(), draws: Draws::new(seed), steps }
    }

    /// A covering of all pairs of a number of points by blocks of 2 slots or more.
    pub(crate) fn best(&mut self, points: usize, slots: usize) -> &Blocks {
        if !self.known.contains_key(&(points, slots)) {
            let found = self.find(points, slots);
            self.known.insert((points, slots), found);
        }
        &self.known[&(points, slots)]
    }

    /// The steps that are left.
    pub(crate) fn steps(&self) -> Steps {
        self.steps
    }

    fn find(&mut self, points: usize, slots: usize) -> Blocks {
        let graph = Graph::complete(points);
        if points <= slots {
            return vec![(0..points).collect()];
        }
        if slots == 2 {
            return graph.pairs().map(|(a, b)| vec![a, b]).collect();
        }
        let least = least(&graph, slots);
        let mut best: Option<Blocks> = None;
        let better = |found: Option<Blocks>, best: &mut Option<Blocks>| {
            if let Some(found) =
                found.filter(|found| best.as_ref().is_none_or(|best| found.len() < best.len()))
            {
                *best = Some(found);
            }
            best.as_ref().is_some_and(|best| best.len() <= least)
        };
        if better(plane::lines(points, slots), &mut best) {
            return best.expect("it is there");
        }
        for copies in 2..=slots / 2 {
            if better(Some(self.copied(points, slots, copies)), &mut best) {
                return best.expect("it is there");
            }
        }
        if points <= SMALL {
            let mut cover = Cover::new(&graph, slots);
            greedy::complete(&mut cover, &mut self.draws);
            let mut steps = self.steps.take(STEPS);
            let found = reduce(&mut cover, &mut self.draws, &mut steps, least, &mut |_, _| {});
            self.steps.0 += steps.0;
            if better(Some(found), &mut best) {
                return best.expect("it is there");
            }
        }
        let fewer = |best: &Option<Blocks>| best.as_ref().map_or(usize::MAX, Vec::len);
        let most = (2 * least).min(fewer(&best));
        let found = cyclic::covering(points, slots, least, most, &mut self.draws, &mut self.steps);
        if better(found, &mut best) {
            return best.expect("it is there");
        }
        if better(self.with_a_point(points, slots, fewer(&best)), &mut best) {
            return best.expect("it is there");
        }
        better(self.transversal(points, slots, fewer(&best)), &mut best);
        best.unwrap_or_else(|| {
            let mut cover = Cover::new(&graph, slots);
            greedy::complete(&mut cover, &mut self.draws);
            cover.blocks()
        })
    }

    /// A covering of fewer points, each of which stands for several.
    fn copied(&mut self, points: usize, slots: usize, copies: usize) -> Blocks {
        let blocks = self.best(points.div_ceil(copies), slots / copies).clone();
        let copy = |block: Vec<usize>| {
            let all = block.into_iter().flat_map(|point| (0..copies).map(move |copy| point * copies + copy));
            all.filter(|point| *point < points).collect()
        };
        // One slot: in blocks of one point, no pair meets.
        blocks.into_iter().map(copy).collect()
    }

    /// A covering of all points but one, by a plane or cyclic, and blocks in which the last meets all others.
    fn with_a_point(&mut self, points: usize, slots: usize, fewer: usize) -> Option<Blocks> {
        let (others, further) = (points - 1, (points - 1).div_ceil(slots - 1));
        let least = least(&Graph::complete(others), slots);
        let most = fewer.checked_sub(further).filter(|most| *most > least)?;
        let found = plane::lines(others, slots).filter(|blocks| blocks.len() < most).or_else(|| {
            cyclic::covering(others, slots, least, most.min(2 * least), &mut self.draws, &mut self.steps)
        });
        let mut blocks = found?;
        let all: Vec<usize> = (0..others).collect();
        blocks.extend(all.chunks(slots - 1).map(|chunk| chunk.iter().copied().chain([others]).collect()));
        Some(blocks)
    }

    /// The best of the transversal designs whose groups, with some points that all of them share, are filled
    /// with coverings.
    fn transversal(&mut self, points: usize, slots: usize, fewer: usize) -> Option<Blocks> {
        let mut plans: Vec<TransversalPlan> = Vec::new();
        for order in Field::orders(slots - 1).take_while(|order| order * order < fewer) {
            for shared in 0..=(2 * slots).min(points - 1) {
                let enough = order * slots >= points - shared;
                if enough && order + shared < points {
                    plans.extend(self.filled(points - shared, slots, order, shared));
                }
            }
        }
        plans.sort_by_key(|plan| plan.blocks);
        let mut best: Option<Blocks> = None;
        for plan in plans.into_iter().take(TRIED) {
            let most = best.as_ref().map_or(fewer, Vec::len);
            if plan.blocks < most {
                let found = self.build(&plan, points, slots);
                if found.len() < most {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// The sizes of groups, at most `order`, with which the groups need the fewest blocks, by what is known
    /// or bounds.
    fn filled(&self, points: usize, slots: usize, order: usize, shared: usize) -> Option<TransversalPlan> {
        let costs: Vec<usize> = (0..=order).map(|size| self.expected(size + shared, slots)).collect();
        // The fewest blocks for these points in these groups, and the size of the last group.
        let mut fewest = vec![vec![(usize::MAX, 0); points + 1]; slots + 1];
        fewest[0][0] = (0, 0);
        for group in 1..=slots {
            for all in 0..=points {
                let sizes = (0..=order.min(all)).filter(|size| fewest[group - 1][all - size].0 != usize::MAX);
                let cost = |size: &usize| if *size == 0 { 0 } else { costs[*size] };
                // Groups of like sizes leave most room in the blocks for mending: of equals, the greatest
                // last.
                let best = sizes.map(|size| (fewest[group - 1][all - size].0 + cost(&size), size)).min();
                fewest[group][all] = best.unwrap_or((usize::MAX, 0));
            }
        }
        let (filling, _) = fewest[slots][points];
        (filling != usize::MAX).then(|| {
            let mut left = points;
            let sizes = (1..=slots).rev().map(|group| {
                let (_, size) = fewest[group][left];
                left -= size;
                size
            });
            TransversalPlan { order, sizes: sizes.collect(), shared, blocks: order * order + filling }
        })
    }

    /// An estimate of the number of blocks of a covering.
    fn expected(&self, points: usize, slots: usize) -> usize {
        if points < 2 {
            return 0;
        }
        match self.known.get(&(points, slots)) {
            Some(blocks) => blocks.len(),
            None => least(&Graph::complete(points), slots),
        }
    }

    fn build(&mut self, plan: &TransversalPlan, points: usize, slots: usize) -> Blocks {
        let TransversalPlan { order, sizes, shared, .. } = plan;
        let begins: Vec<usize> =
            sizes.iter().scan(0, |begin, size| Some(std::mem::replace(begin, *begin + size))).collect();
        let design = transversal::design(slots, *order).expect("the order of a field, and great enough");
        let kept = |block: Vec<usize>| -> Vec<usize> {
            let places = block.into_iter().map(|point| (point / order, point % order));
            places.filter(|(group, at)| *at < sizes[*group]).map(|(group, at)| begins[group] + at).collect()
        };
        let mut blocks: Blocks =
            design.into_iter().map(kept).filter(|block: &Vec<usize>| block.len() > 1).collect();
        for (begin, size) in begins.iter().zip(sizes).filter(|(_, size)| **size > 0) {
            let members: Vec<usize> = (*begin..begin + size).chain(points - shared..points).collect();
            if members.len() > 1 {
                let filling = self.best(members.len(), slots).iter();
                blocks.extend(filling.map(|block| block.iter().map(|at| members[*at]).collect::<Vec<_>>()));
            }
        }
        blocks
    }
}
