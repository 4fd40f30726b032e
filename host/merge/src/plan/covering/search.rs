//! The search for a good covering: it starts from designs and greedy coverings, and removes blocks as long as
//! it can repair the rest.

use super::anneal::{Steps, mend_and_watch, reduce};
use super::bound::least;
use super::cover::Cover;
use super::designs::{Design, Designs};
use super::graph::{Graph, PairDemand};
use super::orbits::{Breadth, OrbitDesign, OrbitSearch};
use super::{Blocks, greedy};
use assay_stats::draws::{Draws, scattered};

/// A greedy covering is improved if it has at most this multiple of the blocks of the best design.
const HOPE: (usize, usize) = (5, 4);
/// Number of random orders of the points that are tried in a design if some pairs must not or need not meet.
const ORDERS: usize = 32;

/// The first round of a search: the fewest blocks found in which all wanted pairs meet. `progress` is called
/// with the fewest so far and with the steps since the last call.
pub(crate) fn fewest(
    graph: &Graph,
    slots: usize,
    seed: u64,
    mut steps: Steps,
    progress: &mut dyn FnMut(usize, u64),
) -> Blocks {
    // Two thirds are enough for designs and the removal of blocks; the rest is for groups.
    let for_groups = steps.take(steps.0 / 3);
    let mut designs = Designs::new(seed, steps.take(steps.0 / 2));
    fewest_from(&mut designs, graph, slots, seed, [for_groups, steps], progress)
}

/// As [`fewest`], with these designs, and steps for groups and for what comes after.
pub(super) fn fewest_from(
    designs: &mut Designs,
    graph: &Graph,
    slots: usize,
    seed: u64,
    [mut for_groups, mut steps]: [Steps; 2],
    progress: &mut dyn FnMut(usize, u64),
) -> Blocks {
    let mut draws = Draws::new(seed);
    let best = if graph.is_complete() {
        designed(designs, graph.points(), slots, &mut draws, &mut for_groups, progress).blocks
    } else {
        let for_designs = designs.steps;
        let design = designs.improved(graph.points(), slots).blocks.clone();
        let mut cover = placed(graph, slots, design, &mut draws);
        greedy::complete(&mut cover, &mut draws);
        progress(cover.size(), for_designs.0 - designs.steps.0);
        cover.blocks()
    };
    steps.0 += designs.steps.0 + for_groups.0;
    annealed(graph, slots, best, draws, steps, progress)
}

/// The best covering of all pairs that is known or that algebra, smaller coverings or a group make.
pub(super) fn designed(
    designs: &mut Designs,
    points: usize,
    slots: usize,
    draws: &mut Draws,
    for_groups: &mut Steps,
    progress: &mut dyn FnMut(usize, u64),
) -> Design {
    let for_designs = designs.steps;
    let best = designs.improved(points, slots).clone();
    progress(best.blocks.len(), for_designs.0 - designs.steps.0);
    let found = of_group(points, slots, best.blocks.len(), 0, draws, for_groups, progress);
    found.map_or(best, |found| Design::of_group(found, points))
}

/// A further round of a search, which begins with the blocks of the earlier ones. What it finds depends on
/// them, on the seed and on its number, so that an interrupted search finds what another finds at once.
pub(crate) fn fewer(
    graph: &Graph,
    slots: usize,
    earlier: &Blocks,
    (seed, round): (u64, u32),
    mut steps: Steps,
    progress: &mut dyn FnMut(usize, u64),
) -> Blocks {
    let mut draws = Draws::new(seed ^ scattered(round.into()));
    let mut cover = Cover::from_blocks(graph, slots, earlier);
    greedy::complete(&mut cover, &mut draws);
    let mut best = cover.blocks();
    if graph.is_complete() {
        let mut half = steps.take(steps.0 / 2);
        let found = of_group(graph.points(), slots, best.len(), round, &mut draws, &mut half, progress);
        best = found.map_or(best, |found| found.blocks(graph.points()));
        steps.0 += half.0;
    }
    let mut cover = Cover::from_blocks(graph, slots, &best);
    reduce(&mut cover, &mut draws, &mut steps, least(graph, slots), progress)
}

/// The best covering with fewer than `fewer` blocks that a group makes, if one is found in this round of a
/// search.
fn of_group(
    points: usize,
    slots: usize,
    fewer: usize,
    round: u32,
    draws: &mut Draws,
    steps: &mut Steps,
    progress: &mut dyn FnMut(usize, u64),
) -> Option<OrbitDesign> {
    let least = least(&Graph::complete(points), slots);
    OrbitSearch { points, slots, least, fewer, breadth: Breadth::All { round } }.run(draws, steps, progress)
}

/// These blocks, or those of a greedy covering, without blocks whose pairs the others can be made to cover.
pub(super) fn annealed(
    graph: &Graph,
    slots: usize,
    mut best: Blocks,
    mut draws: Draws,
    mut steps: Steps,
    progress: &mut dyn FnMut(usize, u64),
) -> Blocks {
    let enough = least(graph, slots);
    if best.len() <= enough || steps.0 == 0 {
        return best;
    }
    let mut from_nothing = Cover::new(graph, slots);
    greedy::complete(&mut from_nothing, &mut draws);
    if from_nothing.size() * HOPE.1 < best.len() * HOPE.0 {
        let mut half = steps.take(steps.0 / 2);
        let found = reduce(&mut from_nothing, &mut draws, &mut half, enough, progress);
        steps.0 += half.0;
        if found.len() < best.len() {
            best = found;
        }
    }
    reduce(&mut Cover::from_blocks(graph, slots, &best), &mut draws, &mut steps, enough, progress)
}

/// The blocks of a design for all pairs, without points that must not meet others of their block. Of several
/// random orders of the points, the one that covers most wanted pairs is taken.
fn placed<'a>(graph: &'a Graph, slots: usize, mut design: Blocks, draws: &mut Draws) -> Cover<'a> {
    let mut best = Cover::from_blocks(graph, slots, &design);
    if graph.asked(PairDemand::Apart).next().is_none() {
        return best;
    }
    let mut order: Vec<usize> = (0..graph.points()).collect();
    for _ in 1..ORDERS {
        draws.shuffle(&mut order);
        design.iter_mut().flatten().for_each(|point| *point = order[*point]);
        let cover = Cover::from_blocks(graph, slots, &design);
        if cover.uncovered().len() < best.uncovered().len() {
            best = cover;
        }
    }
    best
}

/// This number of blocks, with as many wanted pairs as the search finds. It begins with blocks that cover all
/// pairs.
pub(crate) fn most(
    graph: &Graph,
    slots: usize,
    all: &Blocks,
    blocks: usize,
    seed: u64,
    steps: Steps,
    progress: &mut dyn FnMut(usize, u64),
) -> Blocks {
    let mut draws = Draws::new(seed);
    let mut cover = Cover::from_blocks(graph, slots, all);
    while cover.size() > blocks {
        let cheapest = cover.cheapest().expect("there are blocks");
        cover.remove(cheapest);
    }
    let mut best = cover.blocks();
    mend_and_watch(&mut cover, &mut draws, steps.0, [0.5, 0.15], |cover| best = cover.blocks());
    progress(blocks, steps.0);
    best
}

/// Puts each point without a block into one, and fills empty slots with the pairs that meet least often.
pub(crate) fn fill(graph: &Graph, slots: usize, blocks: &Blocks, may_add: bool) -> Blocks {
    let mut cover = Cover::from_blocks(graph, slots, blocks);
    let empty = |cover: &Cover<'_>, block: usize| {
        cover.block(block).iter().position(|point| *point as usize == cover.nobody())
    };
    for point in 0..graph.points() {
        if !cover.at(point).is_empty() {
            continue;
        }
        let room = (0..cover.size()).find_map(|block| {
            let slot = empty(&cover, block)?;
            cover.loss(block, slot, point).map(|_| (block, slot))
        });
        match room {
            Some((block, slot)) => cover.put(block, slot, point),
            None if may_add => cover.push(&[point]),
            None => {}
        }
    }
    for block in 0..cover.size() {
        while let Some(slot) = empty(&cover, block) {
            let gain = |point: usize| -> f64 {
                let with = cover.block(block).iter().map(|member| *member as usize);
                let wanted = with.filter(|member| {
                    *member != cover.nobody() && graph.pair(*member, point) == PairDemand::Wanted
                });
                wanted.map(|member| (1.0 + cover.count(member, point) as f64).powi(-2)).sum()
            };
            let able = (0..graph.points()).filter(|point| cover.loss(block, slot, *point).is_some());
            let gains = able.map(|point| (gain(point), point)).filter(|(gain, _)| *gain > 0.0);
            match gains.max_by(|(one, first), (other, second)| one.total_cmp(other).then(second.cmp(first))) {
                Some((_, point)) => cover.put(block, slot, point),
                None => break,
            }
        }
    }
    cover.blocks()
}
