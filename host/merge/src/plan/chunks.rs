//! A plan for HRM: each event once, beside the anchor.

use super::covering::Blocks;
use super::covering::graph::{Graph, PairDemand};
use assay_stats::draws::Draws;

/// Number of random orders that are tried where some points must not meet.
const ORDERS: usize = 1000;

/// Puts each point into one block, with as few blocks of `slots` points as it finds. If all points may meet,
/// the blocks follow the order of the points, and no plan has fewer.
pub(super) fn chunks(graph: &Graph, slots: usize, seed: u64) -> Blocks {
    let least = graph.points().div_ceil(slots.max(1));
    let mut order: Vec<usize> = (0..graph.points()).collect();
    // Points with many conflicts are hard to place, so they come first.
    let conflicts = |point: usize| {
        (0..graph.points()).filter(|other| graph.pair(point, *other) == PairDemand::Apart).count()
    };
    order.sort_by_key(|point| std::cmp::Reverse(conflicts(*point)));
    let mut draws = Draws::new(seed);
    let mut best = first_fit(graph, slots, &order);
    for _ in 1..ORDERS {
        if best.len() <= least {
            break;
        }
        draws.shuffle(&mut order);
        let found = first_fit(graph, slots, &order);
        if found.len() < best.len() {
            best = found;
        }
    }
    best.iter_mut().for_each(|block| block.sort_unstable());
    best.sort_by_key(|block| std::cmp::Reverse(block.len()));
    if best.is_empty() { vec![Vec::new()] } else { best }
}

/// Puts each point into the first block that has room for it.
fn first_fit(graph: &Graph, slots: usize, order: &[usize]) -> Blocks {
    let mut blocks = Blocks::new();
    for point in order {
        let room = |block: &&mut Vec<usize>| block.len() < slots && graph.may_join(*point, block);
        match blocks.iter_mut().find(room) {
            Some(block) => block.push(*point),
            None => blocks.push(vec![*point]),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_counted_once_in_the_order_given() {
        let graph = Graph::complete(7);
        assert_eq!(chunks(&graph, 3, 1), [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
        assert_eq!(chunks(&Graph::complete(0), 3, 1), vec![Vec::<usize>::new()]);
    }

    #[test]
    fn what_cannot_meet_is_in_different_blocks() {
        let mut graph = Graph::complete(6);
        for (a, b) in [(0, 1), (0, 2), (1, 2), (3, 4)] {
            graph.set(a, b, PairDemand::Apart);
        }
        let blocks = chunks(&graph, 3, 1);
        assert_eq!(blocks.len(), 3, "three of them can't meet each other: {blocks:?}");
        assert!(blocks.iter().all(|block| graph.pairs().all(|(a, b)| {
            graph.pair(a, b) != PairDemand::Apart || !(block.contains(&a) && block.contains(&b))
        })));
        let mut all = blocks.concat();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }
}
