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

#[test]
fn blocks_of_four_points_are_as_few_as_mills_has_proved() {
    // For the other numbers up to 64, no such covering was found yet.
    let up_to_64 = (5..=64).filter(|points| ![31, 34, 39, 43, 55, 58].contains(points));
    for points in up_to_64.chain([73, 75, 76, 81, 84, 85, 88, 90]) {
        assert_eq!(size(points, 4), Some(least(&Graph::complete(points), 4)), "{points} points");
    }
}

#[test]
fn steiner_systems_are_found() {
    for (slots, systems) in [
        (4, &[13, 16, 25, 28, 37, 40, 49, 52, 61, 64, 73, 85, 97, 100, 109, 112, 124, 133, 145, 148][..]),
        (4, &[157, 160, 172, 181, 184, 193, 196]),
        (5, &[21, 25, 41, 101, 125, 145]),
        (6, &[31, 186]),
        (7, &[49]),
        (8, &[57, 64]),
        (9, &[73, 81]),
        (10, &[91]),
    ] {
        for points in systems {
            let blocks = points * (points - 1) / (slots * (slots - 1));
            assert_eq!(size(*points, slots), Some(blocks), "{points} {slots}");
        }
    }
}

#[test]
fn coverings_are_no_larger_than_those_once_found() {
    for (points, slots, known) in [
        (29, 5, 43),
        (49, 5, 124),
        (99, 5, 495),
        (50, 6, 88),
        // Another search found 346.
        (100, 6, 347),
        (99, 7, 246),
        (50, 8, 50),
        (40, 9, 27),
        (50, 9, 44),
        (60, 9, 57),
    ] {
        assert!(size(points, slots).is_some_and(|size| size <= known), "{points} {slots}");
    }
}
