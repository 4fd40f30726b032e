//! Transversal designs whose groups, with some points that all of them share, are filled with coverings.

use super::designs::Designs;
use super::{Blocks, transversal};

/// A transversal design, truncated to groups of fewer points, whose groups are filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilledGroups {
    /// Number of points of each group of the whole design.
    pub order: usize,
    /// Number of points that all groups share.
    pub shared: usize,
    /// Number of points of each group that are kept.
    pub sizes: Vec<usize>,
}

impl FilledGroups {
    /// Those for a number of points whose groups need the fewest blocks, of each order and number of shared
    /// points, with an estimate of the number of all blocks; the fewest first.
    pub(super) fn candidates(
        points: usize,
        slots: usize,
        fewer: usize,
        designs: &Designs,
    ) -> Vec<(usize, Self)> {
        let mut found = Vec::new();
        for order in transversal::orders(slots).take_while(|order| order * order < fewer) {
            for shared in 0..=(2 * slots).min(points - 1) {
                let enough = order * slots >= points - shared;
                if enough && order + shared < points {
                    found.extend(Self::smallest(points - shared, slots, order, shared, designs));
                }
            }
        }
        found.sort_by_key(|(blocks, _)| *blocks);
        found
    }

    /// The sizes of groups, at most `order`, with which the groups need the fewest blocks, by what is known
    /// or bounds.
    fn smallest(
        points: usize,
        slots: usize,
        order: usize,
        shared: usize,
        designs: &Designs,
    ) -> Option<(usize, Self)> {
        let costs: Vec<usize> = (0..=order).map(|size| designs.expected(size + shared, slots)).collect();
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
            (order * order + filling, FilledGroups { order, sizes: sizes.collect(), shared })
        })
    }

    /// The blocks of the design and those of its groups; `None` if no such design is known.
    pub(super) fn blocks(&self, points: usize, slots: usize, designs: &mut Designs) -> Option<Blocks> {
        let FilledGroups { order, sizes, shared } = self;
        let begins: Vec<usize> =
            sizes.iter().scan(0, |begin, size| Some(std::mem::replace(begin, *begin + size))).collect();
        let kept = |block: Vec<usize>| -> Vec<usize> {
            let places = block.into_iter().map(|point| (point / order, point % order));
            places.filter(|(group, at)| *at < sizes[*group]).map(|(group, at)| begins[group] + at).collect()
        };
        let design = transversal::design(slots, *order)?;
        let mut blocks: Blocks = design.into_iter().map(kept).filter(|block| block.len() > 1).collect();
        for (begin, size) in begins.iter().zip(sizes).filter(|(_, size)| **size > 0) {
            let members: Vec<usize> = (*begin..begin + size).chain(points - shared..points).collect();
            if members.len() > 1 {
                let filling = designs.best(members.len(), slots).blocks.iter();
                blocks.extend(filling.map(|block| block.iter().map(|at| members[*at]).collect::<Vec<_>>()));
            }
        }
        Some(blocks)
    }
}
