//! Annealing on uncovered pairs: a random uncovered pair is covered by putting one of its points into a block
//! of the other, in the place of a third point. Blocks are removed as long as the pairs that they covered can
//! be repaired.

use super::Blocks;
use super::cover::Cover;
use assay_stats::draws::Draws;

/// A number of steps that a search may take. Searches count steps instead of time, so that a seed gives the
/// same result on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps(pub u64);

impl Steps {
    /// Takes at most this many of them, and returns how many.
    pub(crate) fn take(&mut self, most: u64) -> Steps {
        let taken = most.min(self.0);
        self.0 -= taken;
        Steps(taken)
    }
}

/// Losses of more pairs at a step than this are never accepted.
const MOST: usize = 16;
/// Steps between two temperatures.
const AT_ONE: u64 = 512;

/// Anneals from one temperature down to another until all wanted pairs meet or the steps are used up. Returns
/// whether all meet.
pub(crate) fn mend(cover: &mut Cover<'_>, draws: &mut Draws, steps: u64, [hot, cold]: [f32; 2]) -> bool {
    mend_and_watch(cover, draws, steps, [hot, cold], |_| {})
}

/// As [`mend`]; also calls a function whenever fewer pairs are missing than ever before.
pub(crate) fn mend_and_watch(
    cover: &mut Cover<'_>,
    draws: &mut Draws,
    steps: u64,
    [hot, cold]: [f32; 2],
    mut better: impl FnMut(&Cover<'_>),
) -> bool {
    let mut fewest = cover.uncovered().len();
    let mut chances = [0.0_f32; MOST];
    for step in 0..steps {
        if cover.uncovered().is_empty() {
            return true;
        }
        if cover.size() == 0 {
            return false;
        }
        if step % AT_ONE == 0 {
            let temperature = hot * (cold / hot).powf(step as f32 / steps as f32);
            for (loss, chance) in chances.iter_mut().enumerate() {
                *chance = (-(loss as f32) / temperature).exp();
            }
        }
        let Some((block, slot, point)) = proposal(cover, draws) else { continue };
        let Some(loss) = cover.loss(block, slot, point) else { continue };
        let accepted = loss <= 0 || chances.get(loss as usize).is_some_and(|chance| draws.unit() < *chance);
        if accepted {
            cover.put(block, slot, point);
            if cover.uncovered().len() < fewest {
                fewest = cover.uncovered().len();
                better(cover);
            }
        }
    }
    cover.uncovered().is_empty()
}

/// A move: a point joins another point in one of its blocks, in an empty slot if there is one, or else in the
/// place of a third point.
fn proposal(cover: &Cover<'_>, draws: &mut Draws) -> Option<(usize, usize, usize)> {
    let (a, b) = draws.choose(cover.uncovered());
    let (mut stays, mut joins) = (a as usize, b as usize);
    if draws.below(2) == 0 {
        (stays, joins) = (joins, stays);
    }
    if cover.at(stays).is_empty() {
        (stays, joins) = (joins, stays);
    }
    let nowhere = cover.at(stays).is_empty();
    let block = if nowhere { draws.below(cover.size()) } else { draws.choose(cover.at(stays)) as usize };
    let members = cover.block(block);
    let slot = match members.iter().position(|member| *member as usize == cover.nobody()) {
        Some(empty) => empty,
        None => draws.below(members.len()),
    };
    (members[slot] as usize != stays).then_some((block, slot, joins))
}

/// Start temperatures of successive attempts.
const HEATS: [[f32; 2]; 4] = [[0.25, 0.15], [0.3, 0.2], [0.35, 0.2], [0.55, 0.25]];

/// Removes blocks from a complete cover and mends it each time, until at most `enough` blocks are left or the
/// steps are used up. `progress` is called with the fewest so far and with the steps since the last call.
/// Returns the fewest that it found.
pub(crate) fn reduce(
    cover: &mut Cover<'_>,
    draws: &mut Draws,
    steps: &mut Steps,
    enough: usize,
    progress: &mut dyn FnMut(usize, u64),
) -> Blocks {
    let mut best = cover.blocks();
    let first = 20_000 + 200 * cover.size() as u64;
    let (mut attempt, mut most) = (0, first);
    while cover.size() > enough && steps.0 > 0 {
        let cheapest = cover.cheapest().expect("there are blocks");
        let torn = cover.alone(cheapest) > 0;
        cover.remove(cheapest);
        if !torn {
            best = cover.blocks();
            progress(best.len(), 0);
            continue;
        }
        loop {
            let chunk = steps.take(most);
            let mended = mend(cover, draws, chunk.0, HEATS[attempt % HEATS.len()]);
            if mended {
                best = cover.blocks();
            }
            progress(best.len(), chunk.0);
            if mended {
                most = first;
                break;
            }
            if steps.0 == 0 {
                return best;
            }
            attempt += 1;
            if attempt % HEATS.len() == 0 {
                // The attempt failed, so the next one starts from the best cover with more steps.
                *cover = Cover::from_blocks(cover.graph(), cover.slots(), &best);
                most *= 2;
                break;
            }
        }
    }
    best
}
