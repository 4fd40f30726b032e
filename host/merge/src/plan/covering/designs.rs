//! Coverings of all pairs that are made of smaller coverings or of algebra: the best of each size, computed
//! once.

use std::collections::HashMap;

use super::anneal::{Steps, reduce};
use super::bound::least;
use super::cover::Cover;
use super::graph::Graph;
use super::groups::FilledGroups;
use super::orbits::{Breadth, OrbitSearch};
use super::recipe::Recipe;
use super::{Blocks, best_known, greedy, plane};
use assay_stats::draws::Draws;

/// Up to this many points, a covering is also looked for by annealing.
const SMALL: usize = 40;
/// Number of steps of this annealing.
const STEPS: u64 = 150_000;
/// Number of transversal designs that are computed, the most promising ones.
const TRIED: usize = 6;

/// A covering, and how it is made.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    /// How it is made.
    pub recipe: Recipe,
    /// Its blocks.
    pub blocks: Blocks,
}

/// The best coverings that were found, by points and slots.
#[derive(Debug)]
pub(crate) struct Designs {
    known: HashMap<(usize, usize), Design>,
    draws: Draws,
    steps: Steps,
    /// Whether the best known coverings of the file are used.
    uses_file: bool,
}

impl Designs {
    /// No covering is known but those of the file. The searches for all others together take at most this
    /// number of steps.
    pub(crate) fn new(seed: u64, steps: Steps) -> Self {
        Designs { known: HashMap::new(), draws: Draws::new(seed), steps, uses_file: true }
    }

    /// As [`Designs::new`], without the file.
    #[cfg(test)]
    pub(super) fn unaided(seed: u64, steps: Steps) -> Self {
        Designs { uses_file: false, ..Designs::new(seed, steps) }
    }

    /// Replaces the covering of a size.
    #[cfg(test)]
    pub(super) fn set(&mut self, points: usize, slots: usize, design: Design) {
        self.known.insert((points, slots), design);
    }

    /// Allows further steps.
    #[cfg(test)]
    pub(super) fn add_steps(&mut self, steps: u64) {
        self.steps.0 += steps;
    }

    /// A covering of all pairs of a number of points by blocks of 2 slots or more: the best known one, or else
    /// the best that is found.
    pub(crate) fn best(&mut self, points: usize, slots: usize) -> &Design {
        if !self.known.contains_key(&(points, slots)) {
            let known = best_known::recipe(points, slots)
                .filter(|_| self.uses_file)
                .and_then(|recipe| Some(Design { blocks: recipe.make(points, slots, self)?, recipe }));
            let design = known.unwrap_or_else(|| self.find(points, slots));
            self.known.insert((points, slots), design);
        }
        &self.known[&(points, slots)]
    }

    /// The steps that are left.
    pub(crate) fn steps(&self) -> Steps {
        self.steps
    }

    /// Looks for a covering, whatever is known of its size.
    pub(super) fn find(&mut self, points: usize, slots: usize) -> Design {
        let graph = Graph::complete(points);
        if points <= slots {
            return listed(vec![(0..points).collect()]);
        }
        if slots == 2 {
            return listed(graph.pairs().map(|(a, b)| vec![a, b]).collect());
        }
        let mut contest = Contest { least: least(&graph, slots), best: None };
        let simple = [Recipe::Triples, Recipe::Lines].into_iter();
        for recipe in simple.chain((2..=slots / 2).map(Recipe::Copies)) {
            let blocks = recipe.make(points, slots, self);
            if contest.is_won_by(recipe, blocks) {
                return contest.winner(&graph, slots, &mut self.draws);
            }
        }
        if points <= SMALL {
            let mut cover = Cover::new(&graph, slots);
            greedy::complete(&mut cover, &mut self.draws);
            let mut steps = self.steps.take(STEPS);
            let found = reduce(&mut cover, &mut self.draws, &mut steps, contest.least, &mut |_, _| {});
            self.steps.0 += steps.0;
            let Design { recipe, blocks } = listed(found);
            if contest.is_won_by(recipe, Some(blocks)) {
                return contest.winner(&graph, slots, &mut self.draws);
            }
        }
        let most = (2 * contest.least).min(contest.fewest());
        if let Some(Design { recipe, blocks }) = self.of_one_wheel(points, slots, contest.least, most)
            && contest.is_won_by(recipe, Some(blocks))
        {
            return contest.winner(&graph, slots, &mut self.draws);
        }
        if self.knows_fewer(points - 1, slots, contest.fewest()) {
            let blocks = Recipe::WithAPoint.make(points, slots, self);
            if contest.is_won_by(Recipe::WithAPoint, blocks) {
                return contest.winner(&graph, slots, &mut self.draws);
            }
        }
        let candidates = FilledGroups::candidates(points, slots, contest.fewest(), self);
        for (expected, groups) in candidates.into_iter().take(TRIED) {
            if expected < contest.fewest() {
                let recipe = Recipe::Groups(groups);
                let blocks = recipe.make(points, slots, self);
                if contest.is_won_by(recipe, blocks) {
                    break;
                }
            }
        }
        contest.winner(&graph, slots, &mut self.draws)
    }

    /// A covering with fewer than `fewer` blocks that a group with one wheel makes.
    fn of_one_wheel(&mut self, points: usize, slots: usize, least: usize, fewer: usize) -> Option<Design> {
        let search = OrbitSearch { points, slots, least, fewer, breadth: Breadth::OneWheel };
        let found = search.run(&mut self.draws, &mut self.steps, &mut |_, _| {})?;
        Some(Design { blocks: found.blocks(points), recipe: Recipe::Orbits(found) })
    }

    /// Whether a covering of all points but one is known, or soon found, that leaves fewer than `fewer` blocks
    /// with a further point.
    fn knows_fewer(&mut self, others: usize, slots: usize, fewer: usize) -> bool {
        let Some(most) = fewer.checked_sub(others.div_ceil(slots - 1)) else { return false };
        if let Some(size) = self.size(others, slots) {
            return size < most;
        }
        let least = least(&Graph::complete(others), slots);
        if most <= least {
            return false;
        }
        let lines = plane::lines(others, slots).map(|blocks| Design { recipe: Recipe::Lines, blocks });
        let found = lines
            .filter(|lines| lines.blocks.len() < most)
            .or_else(|| self.of_one_wheel(others, slots, least, most.min(2 * least)));
        match found {
            Some(design) => {
                self.known.insert((others, slots), design);
                true
            }
            None => false,
        }
    }

    /// The number of blocks of a covering that is known.
    fn size(&self, points: usize, slots: usize) -> Option<usize> {
        let known = self.known.get(&(points, slots)).map(|design| design.blocks.len());
        known.or_else(|| best_known::size(points, slots).filter(|_| self.uses_file))
    }

    /// An estimate of the number of blocks of a covering.
    pub(super) fn expected(&self, points: usize, slots: usize) -> usize {
        if points < 2 {
            return 0;
        }
        self.size(points, slots).unwrap_or_else(|| least(&Graph::complete(points), slots))
    }
}

fn listed(blocks: Blocks) -> Design {
    Design { recipe: Recipe::Listed(blocks.clone()), blocks }
}

/// The best of the coverings of a size that were found so far.
struct Contest {
    least: usize,
    best: Option<Design>,
}

impl Contest {
    /// Keeps a covering if it has fewer blocks than the best so far. Returns whether no covering can have
    /// fewer.
    fn is_won_by(&mut self, recipe: Recipe, blocks: Option<Blocks>) -> bool {
        if let Some(blocks) = blocks.filter(|blocks| blocks.len() < self.fewest()) {
            self.best = Some(Design { recipe, blocks });
        }
        self.fewest() <= self.least
    }

    /// The fewest blocks so far.
    fn fewest(&self) -> usize {
        self.best.as_ref().map_or(usize::MAX, |best| best.blocks.len())
    }

    /// The best covering; a greedy one if there is none.
    fn winner(self, graph: &Graph, slots: usize, draws: &mut Draws) -> Design {
        self.best.unwrap_or_else(|| {
            let mut cover = Cover::new(graph, slots);
            greedy::complete(&mut cover, draws);
            listed(cover.blocks())
        })
    }
}
