//! The search for the coverings of the file.
//!
//! `UPDATE_PLANS=SEED cargo test --release -p assay-merge best_known::record` looks for smaller coverings than
//! those of the file, and writes those that it finds. It takes some minutes; the file is written after each size, so
//! that it may be ended at any time.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::LINES;
use crate::plan::covering::anneal::{Steps, reduce};
use crate::plan::covering::bound::least;
use crate::plan::covering::cover::Cover;
use crate::plan::covering::designs::{Design, Designs};
use crate::plan::covering::graph::Graph;
use crate::plan::covering::orbits::{Breadth, OrbitSearch};
use crate::plan::covering::recipe::Recipe;
use assay_stats::draws::Draws;

/// The numbers of slots and the greatest number of points that the file has: those of 6, 8 or 10 counters with up
/// to three anchors, and of 200 events.
pub(super) const SLOTS: std::ops::RangeInclusive<usize> = 4..=10;
pub(super) const MOST_POINTS: usize = 200;
/// Steps of the search for each size.
const STEPS: u64 = 1_600_000;
/// The greatest number of points, with repetitions, of a covering whose blocks are listed.
const LISTED: usize = 1500;

/// A better covering of this size than the best known, if one is found.
fn better(points: usize, slots: usize, designs: &mut Designs, draws: &mut Draws) -> Option<Design> {
    let graph = Graph::complete(points);
    let least = least(&graph, slots);
    let known = designs.best(points, slots).clone();
    let mut best = known.clone();
    if best.blocks.len() <= least {
        return None;
    }
    designs.add_steps(STEPS / 4);
    let found = designs.find(points, slots);
    if found.blocks.len() < best.blocks.len() {
        best = found;
    }
    let mut steps = Steps(STEPS / 2);
    let breadth = Breadth::All { round: draws.below(8) as u32 };
    let search = OrbitSearch { points, slots, least, fewer: best.blocks.len(), breadth };
    if let Some(found) = search.run(draws, &mut steps, &mut |_, _| {}) {
        best = Design { blocks: found.blocks(points), recipe: Recipe::Orbits(found) };
    }
    if best.blocks.len() * slots < LISTED {
        let mut cover = Cover::from_blocks(&graph, slots, &best.blocks);
        let found = reduce(&mut cover, draws, &mut Steps(STEPS / 4), least, &mut |_, _| {});
        if found.len() < best.blocks.len() {
            best = Design { recipe: Recipe::Listed(found.clone()), blocks: found };
        }
    }
    (best.blocks.len() < known.blocks.len()).then_some(best)
}

/// The text of the file.
fn written(lines: &BTreeMap<(usize, usize), (usize, String)>) -> String {
    let mut text = String::new();
    for ((slots, points), (blocks, recipe)) in lines {
        writeln!(text, "{slots} {points} {blocks} {recipe}").expect("text can be written");
    }
    text
}

#[test]
fn better_coverings_are_recorded() {
    let Some(seed) = std::env::var("UPDATE_PLANS").ok().and_then(|seed| seed.parse().ok()) else { return };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/plan/covering/best_known.txt");
    let (mut draws, mut designs) = (Draws::new(seed), Designs::new(seed, Steps(0)));
    let mut lines: BTreeMap<(usize, usize), (usize, String)> = BTreeMap::new();
    for ((points, slots), (blocks, recipe)) in LINES.iter() {
        lines.insert((*slots, *points), (*blocks, (*recipe).to_owned()));
    }
    for slots in SLOTS {
        for points in slots + 1..=MOST_POINTS {
            let found = better(points, slots, &mut designs, &mut draws);
            if let Some(found) = found {
                designs.set(points, slots, found);
            }
            let best = designs.best(points, slots);
            lines.insert((slots, points), (best.blocks.len(), best.recipe.to_string()));
            // A covering of fewer points needs no more blocks.
            for fewer in (slots + 1..points).rev() {
                let blocks = Recipe::Without(1).make(fewer, slots, &mut designs).expect("it is for any size");
                if blocks.len() >= designs.best(fewer, slots).blocks.len() {
                    break;
                }
                lines.insert((slots, fewer), (blocks.len(), Recipe::Without(1).to_string()));
                designs.set(fewer, slots, Design { recipe: Recipe::Without(1), blocks });
            }
            std::fs::write(path, written(&lines)).expect("the file can be written");
        }
    }
}
