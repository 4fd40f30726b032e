//! Greedy coverings: block by block, always adding the point that covers most uncovered pairs.

use super::cover::Cover;
use super::graph::PairDemand;
use assay_stats::draws::Draws;

/// Adds blocks until all wanted pairs meet.
pub(crate) fn complete(cover: &mut Cover<'_>, draws: &mut Draws) {
    let points = cover.nobody();
    while !cover.uncovered().is_empty() {
        let (a, b) = draws.choose(cover.uncovered());
        let mut block = vec![a as usize, b as usize];
        // Number of new pairs that each point would cover.
        let mut gains = vec![0_usize; points];
        for member in &block {
            add_gains(cover, *member, &mut gains);
        }
        while block.len() < cover.slots() {
            let candidates = (0..points).filter(|point| !block.contains(point) && gains[*point] > 0);
            let candidates = candidates.filter(|point| cover.graph().may_join(*point, &block));
            let (mut best, mut gain, mut ties) = (None, 0, 0);
            for point in candidates {
                if gains[point] > gain {
                    (best, gain, ties) = (Some(point), gains[point], 1);
                } else if gains[point] == gain {
                    ties += 1;
                    if draws.below(ties) == 0 {
                        best = Some(point);
                    }
                }
            }
            let Some(best) = best else { break };
            add_gains(cover, best, &mut gains);
            block.push(best);
        }
        cover.push(&block);
    }
}

fn add_gains(cover: &Cover<'_>, member: usize, gains: &mut [usize]) {
    for (point, gain) in gains.iter_mut().enumerate() {
        if point != member
            && cover.graph().pair(point, member) == PairDemand::Wanted
            && cover.count(point, member) == 0
        {
            *gain += 1;
        }
    }
}
