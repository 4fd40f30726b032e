//! The search for the coverings of the file.
//!
//! `UPDATE_PLANS=SEED cargo test --release -p assay-merge best_known::record` searches each size for as long
//! as the program does by default, takes the better of what it finds and of what the file has, and writes the
//! file. It takes half an hour. `UPDATE_PLANS="SEED 4..5 20..40"` searches the sizes with these slots and
//! points, and makes the others anew of what has become smaller.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::plan::ROUND;
use crate::plan::covering::anneal::Steps;
use crate::plan::covering::designs::{Design, Designs};
use crate::plan::covering::graph::Graph;
use crate::plan::covering::recipe::Recipe;
use crate::plan::covering::search::{annealed, designed};
use assay_stats::draws::Draws;

/// The numbers of slots and the greatest number of points that the file has: those of 6, 8 or 10 counters
/// with up to three anchors, and of 200 events.
pub(super) const SLOTS: RangeInclusive<usize> = 4..=10;
pub(super) const MOST_POINTS: usize = 200;
/// The greatest number of points, with repetitions, of a covering whose blocks are listed.
const LISTED: usize = 2500;

/// The best covering of a size after a round of the search.
fn searched(points: usize, slots: usize, seed: u64, designs: &mut Designs) -> Design {
    let graph = Graph::complete(points);
    let (mut draws, mut for_groups) = (Draws::new(seed), Steps(ROUND / 3));
    designs.steps = for_groups;
    let best = designed(designs, points, slots, &mut draws, &mut for_groups, &mut |_, _| {});
    if best.blocks.len() * slots > LISTED {
        return best;
    }
    let steps = Steps(ROUND / 3 + designs.steps.0 + for_groups.0);
    let found = annealed(&graph, slots, best.blocks.clone(), draws, steps, &mut |_, _| {});
    if found.len() < best.blocks.len() { Design::listed(found) } else { best }
}

/// The seed, the slots and the points that are asked for.
fn asked() -> Option<(u64, RangeInclusive<usize>, RangeInclusive<usize>)> {
    let asked = std::env::var("UPDATE_PLANS").ok()?;
    let numbers = asked.split(|sign: char| !sign.is_ascii_digit()).filter_map(|number| number.parse().ok());
    match *numbers.collect::<Vec<usize>>().as_slice() {
        [seed] => Some((seed as u64, SLOTS, 0..=MOST_POINTS)),
        [seed, few, many, from, to] => Some((seed as u64, few..=many, from..=to)),
        _ => panic!("UPDATE_PLANS is a seed, or a seed, two numbers of slots and two of points, not {asked}"),
    }
}

#[test]
fn better_coverings_are_recorded() {
    let Some((seed, asked_slots, asked_points)) = asked() else { return };
    let (mut designs, mut text) = (Designs::new(seed, Steps(0)), String::new());
    for slots in SLOTS {
        for points in slots + 1..=MOST_POINTS {
            let before = designs.best(points, slots).blocks.len();
            let found = if asked_slots.contains(&slots) && asked_points.contains(&points) {
                searched(points, slots, seed, &mut designs)
            } else {
                // Without steps, it is made anew of coverings that may have become smaller.
                designs.steps = Steps(0);
                designs.improved(points, slots).clone()
            };
            if found.blocks.len() < before {
                eprintln!("{slots} {points}: {} blocks instead of {before}", found.blocks.len());
            }
            designs.set(points, slots, found);
            // A covering of fewer points needs no more blocks.
            let blocks = designs.best(points, slots).blocks.len();
            for fewer in (slots + 1..points).rev() {
                if designs.best(fewer, slots).blocks.len() <= blocks {
                    break;
                }
                let design = Recipe::Without(1).design(fewer, slots, &mut designs);
                designs.set(fewer, slots, design.expect("it is for any size"));
            }
        }
        for points in slots + 1..=MOST_POINTS {
            let Design { recipe, blocks } = designs.best(points, slots);
            writeln!(text, "{slots} {points} {} {recipe}", blocks.len()).expect("text can be written");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/plan/covering/best_known.txt");
    std::fs::write(path, text).expect("the file can be written");
}
