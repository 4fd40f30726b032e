//! Each covering of the file is one, and has the size that the file names.

use super::record::{MOST_POINTS, SLOTS};
use super::*;
use crate::plan::covering::Blocks;
use crate::plan::covering::anneal::Steps;
use crate::plan::covering::bound::least;
use crate::plan::covering::designs::Designs;
use crate::plan::covering::graph::Graph;

/// Checks that blocks have no point twice, no more points than slots, and all pairs.
fn check(points: usize, slots: usize, blocks: &Blocks) {
    let mut met = vec![false; points * points];
    for block in blocks {
        assert!(block.len() <= slots, "{points} {slots}: {block:?}");
        for (at, a) in block.iter().enumerate() {
            for b in &block[..at] {
                assert_ne!(a, b, "{points} {slots}: {block:?}");
                met[a * points + b] = true;
                met[b * points + a] = true;
            }
        }
    }
    for a in 0..points {
        for b in (0..points).filter(|b| *b != a) {
            assert!(met[a * points + b], "{points} {slots}: {a} and {b} don't meet");
        }
    }
}

#[test]
fn every_line_makes_a_covering_of_the_size_that_it_names() {
    let mut designs = Designs::new(1, Steps(0));
    for ((points, slots), (size, text)) in LINES.iter() {
        let design = designs.best(*points, *slots);
        check(*points, *slots, &design.blocks);
        assert_eq!(
            (design.blocks.len(), design.recipe.to_string().as_str()),
            (*size, *text),
            "{points} {slots}"
        );
        assert!(
            *size >= least(&Graph::complete(*points), *slots),
            "{points} {slots}: {size} undercut the bound"
        );
    }
}

#[test]
fn common_sizes_are_known() {
    for slots in SLOTS {
        let mut before = 1;
        for points in slots + 1..=MOST_POINTS {
            let size = size(points, slots).unwrap_or_else(|| panic!("{points} {slots} is missing"));
            assert!(size >= before, "{points} {slots}: {size} blocks, and one point less needs {before}");
            before = size;
        }
    }
}
