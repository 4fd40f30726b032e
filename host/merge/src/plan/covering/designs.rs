//! Coverings of all pairs that are made of smaller coverings or of algebra: the best of each size, computed
//! once.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::anneal::{Steps, reduce};
use super::bound::least;
use super::cover::Cover;
use super::graph::Graph;
use super::groups::FilledGroups;
use super::orbits::{Breadth, OrbitDesign, OrbitSearch};
use super::recipe::Recipe;
use super::{Blocks, best_known, greedy};
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
    /// How it is made: what the file of the best known coverings keeps.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test writes the file"))]
    pub recipe: Recipe,
    /// Its blocks.
    pub blocks: Blocks,
}

impl Design {
    /// These blocks.
    pub(super) fn listed(blocks: Blocks) -> Self {
        Design { recipe: Recipe::Listed(blocks.clone()), blocks }
    }

    /// What a group makes, without the points that come after this number of points.
    pub(super) fn of_group(design: OrbitDesign, points: usize) -> Self {
        Design { blocks: design.blocks(points), recipe: Recipe::Orbits(design) }
    }
}

/// The best coverings that were found, by points and slots.
#[derive(Debug)]
pub(crate) struct Designs {
    known: HashMap<(usize, usize), Design>,
    draws: Draws,
    /// The steps that searches may still take.
    pub(super) steps: Steps,
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

    /// A covering of all pairs of a number of points by blocks of 2 slots or more: the best known one, or
    /// else the best that is found.
    pub(crate) fn best(&mut self, points: usize, slots: usize) -> &Design {
        if !self.known.contains_key(&(points, slots)) {
            let design = self.of_file(points, slots).unwrap_or_else(|| self.find(points, slots, None));
            self.known.insert((points, slots), design);
        }
        &self.known[&(points, slots)]
    }

    /// As [`Designs::best`], but also looks for a better one than the best known.
    pub(crate) fn improved(&mut self, points: usize, slots: usize) -> &Design {
        let known = self.known.remove(&(points, slots)).or_else(|| self.of_file(points, slots));
        let design = self.find(points, slots, known);
        self.known.insert((points, slots), design);
        &self.known[&(points, slots)]
    }

    /// The covering of the file.
    fn of_file(&mut self, points: usize, slots: usize) -> Option<Design> {
        best_known::recipe(points, slots).filter(|_| self.uses_file)?.design(points, slots, self)
    }

    /// Looks for a covering that is better than one that is known.
    fn find(&mut self, points: usize, slots: usize, known: Option<Design>) -> Design {
        let graph = Graph::complete(points);
        if points <= slots {
            return Design::listed(vec![(0..points).collect()]);
        }
        if slots == 2 {
            return Design::listed(graph.pairs().map(|(a, b)| vec![a, b]).collect());
        }
        let mut contest = Competition { least: least(&graph, slots), best: known };
        let _decided = self.compete(&graph, slots, &mut contest);
        contest.best.unwrap_or_else(|| {
            let mut cover = Cover::new(&graph, slots);
            greedy::complete(&mut cover, &mut self.draws);
            Design::listed(cover.blocks())
        })
    }

    /// Makes coverings until none can be better than the best.
    fn compete(&mut self, graph: &Graph, slots: usize, contest: &mut Competition) -> ControlFlow<()> {
        let points = graph.points();
        contest.verdict()?;
        for recipe in [Recipe::Triples, Recipe::Lines].into_iter().chain((2..=slots / 2).map(Recipe::Copies))
        {
            contest.enter(recipe.design(points, slots, self))?;
        }
        if points <= SMALL {
            let mut cover = Cover::new(graph, slots);
            greedy::complete(&mut cover, &mut self.draws);
            let mut steps = self.steps.take(STEPS);
            let found = reduce(&mut cover, &mut self.draws, &mut steps, contest.least, &mut |_, _| {});
            self.steps.0 += steps.0;
            contest.enter(Some(Design::listed(found)))?;
        }
        let most = (2 * contest.least).min(contest.fewest());
        contest.enter(self.of_one_wheel(points, slots, contest.least, most))?;
        if self.knows_fewer(points - 1, slots, contest.fewest()) {
            contest.enter(Recipe::WithAPoint.design(points, slots, self))?;
        }
        let candidates = FilledGroups::candidates(points, slots, contest.fewest(), self);
        for (expected, groups) in candidates.into_iter().take(TRIED) {
            if expected < contest.fewest() {
                contest.enter(Recipe::Groups(groups).design(points, slots, self))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// A covering with fewer than `fewer` blocks that a group with one wheel makes.
    fn of_one_wheel(&mut self, points: usize, slots: usize, least: usize, fewer: usize) -> Option<Design> {
        let search = OrbitSearch { points, slots, least, fewer, breadth: Breadth::OneWheel };
        let found = search.run(&mut self.draws, &mut self.steps, &mut |_, _| {})?;
        Some(Design::of_group(found, points))
    }

    /// Whether a covering of all points but one is known, or soon found, that leaves fewer than `fewer`
    /// blocks with a further point.
    fn knows_fewer(&mut self, others: usize, slots: usize, fewer: usize) -> bool {
        let Some(most) = fewer.checked_sub(others.div_ceil(slots - 1)) else { return false };
        if let Some(size) = self.size(others, slots) {
            return size < most;
        }
        let least = least(&Graph::complete(others), slots);
        if most <= least {
            return false;
        }
        let found = Recipe::Lines
            .design(others, slots, self)
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

/// The best of the coverings of a size that were found so far.
struct Competition {
    least: usize,
    best: Option<Design>,
}

impl Competition {
    /// Keeps a covering if it has fewer blocks than the best so far.
    fn enter(&mut self, design: Option<Design>) -> ControlFlow<()> {
        if let Some(design) = design.filter(|design| design.blocks.len() < self.fewest()) {
            self.best = Some(design);
        }
        self.verdict()
    }

    /// Breaks off if no covering can have fewer blocks than the best so far.
    fn verdict(&self) -> ControlFlow<()> {
        if self.fewest() <= self.least { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The fewest blocks so far.
    fn fewest(&self) -> usize {
        self.best.as_ref().map_or(usize::MAX, |best| best.blocks.len())
    }
}
