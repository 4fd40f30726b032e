//! Recipes: how a covering is made. A recipe takes less room than the blocks, and needs no search.

use std::fmt;

use super::Blocks;
use super::designs::{Design, Designs};
use super::groups::FilledGroups;
use super::orbits::OrbitDesign;
use super::plane::{self, keep};
use super::symmetry::Symmetry;
use super::triples;
use assay_stats::draws::Draws;

/// How a covering is made, perhaps of the best coverings of other sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recipe {
    /// The lines of a plane.
    Lines,
    /// Triples that hill climbing finds.
    Triples,
    /// What a group makes of base blocks.
    Orbits(OrbitDesign),
    /// The best covering of fewer points, each of which stands for this number of points.
    Copies(usize),
    /// The best covering of all points but the last, and blocks in which the last meets all others.
    WithAPoint,
    /// A transversal design whose groups are filled with the best coverings.
    Groups(FilledGroups),
    /// The best covering of this number of further points, which are left out of its blocks.
    Without(usize),
    /// These blocks.
    Listed(Blocks),
}

impl Recipe {
    /// The covering with its recipe; `None` if the recipe is not for this size.
    pub(super) fn design(self, points: usize, slots: usize, designs: &mut Designs) -> Option<Design> {
        Some(Design { blocks: self.make(points, slots, designs)?, recipe: self })
    }

    /// Makes the covering; `None` if the recipe is not for this size.
    pub(super) fn make(&self, points: usize, slots: usize, designs: &mut Designs) -> Option<Blocks> {
        match self {
            Recipe::Lines => plane::lines(points, slots),
            Recipe::Triples => (slots == 3).then(|| triples::covering(points, &mut Draws::new(0))).flatten(),
            Recipe::Orbits(design) => Some(design.blocks(points)),
            Recipe::Copies(copies) => {
                let fewer = designs.best(points.div_ceil(*copies), slots / copies);
                let copy = |block: &Vec<usize>| {
                    let all =
                        block.iter().flat_map(|point| (0..*copies).map(move |copy| point * copies + copy));
                    all.filter(|point| *point < points).collect()
                };
                Some(fewer.blocks.iter().map(copy).collect())
            }
            Recipe::WithAPoint => {
                let last = points.checked_sub(1)?;
                let mut blocks = designs.best(last, slots).blocks.clone();
                let all: Vec<usize> = (0..last).collect();
                let chunks = all.chunks(slots - 1);
                blocks.extend(chunks.map(|chunk| chunk.iter().copied().chain([last]).collect()));
                Some(blocks)
            }
            Recipe::Groups(groups) => groups.blocks(points, slots, designs),
            Recipe::Without(further) => {
                Some(keep(designs.best(points + further, slots).blocks.clone(), points))
            }
            Recipe::Listed(blocks) => Some(blocks.clone()),
        }
    }

    /// Reads what [`fmt::Display`] writes.
    pub(super) fn parse(text: &str) -> Option<Recipe> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let number = || rest.parse().ok();
        Some(match name {
            "lines" => Recipe::Lines,
            "triples" => Recipe::Triples,
            "copies" => Recipe::Copies(number()?),
            "point" => Recipe::WithAPoint,
            "without" => Recipe::Without(number()?),
            "blocks" => Recipe::Listed(rest.split(' ').map(block).collect::<Option<_>>()?),
            "groups" => match lists(rest)?.as_slice() {
                [head, sizes] if head.len() == 2 => {
                    Recipe::Groups(FilledGroups { order: head[0], shared: head[1], sizes: sizes.clone() })
                }
                _ => return None,
            },
            "orbits" => {
                let mut lists = lists(rest)?;
                let base = lists.split_off(1);
                let [modulus, wheels, fixed, factor] = *lists[0].as_slice() else { return None };
                let symmetry = Symmetry { modulus, wheels, fixed, factor };
                Recipe::Orbits(OrbitDesign { symmetry, base })
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recipe::Lines => write!(f, "lines"),
            Recipe::Triples => write!(f, "triples"),
            Recipe::Orbits(OrbitDesign { symmetry, base }) => {
                let Symmetry { modulus, wheels, fixed, factor } = symmetry;
                write!(f, "orbits {modulus},{wheels},{fixed},{factor} {}", written(base))
            }
            Recipe::Copies(copies) => write!(f, "copies {copies}"),
            Recipe::WithAPoint => write!(f, "point"),
            Recipe::Groups(FilledGroups { order, shared, sizes }) => {
                write!(f, "groups {order},{shared} {}", written(std::slice::from_ref(sizes)))
            }
            Recipe::Without(further) => write!(f, "without {further}"),
            Recipe::Listed(blocks) => {
                let block = |block: &Vec<usize>| block.iter().map(|point| sign(*point)).collect::<String>();
                write!(f, "blocks {}", blocks.iter().map(block).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// Lists of numbers: `0,1,5 0,4,22`.
fn written(lists: &[Vec<usize>]) -> String {
    let list = |list: &Vec<usize>| list.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    lists.iter().map(list).collect::<Vec<_>>().join(" ")
}

/// Reads lists of numbers.
fn lists(text: &str) -> Option<Blocks> {
    text.split(' ').map(|list| list.split(',').map(|number| number.parse().ok()).collect()).collect()
}

/// The first signs of points: all printable ones of ASCII but the blank. A sign for each point keeps lists
/// short.
const SIGNS: std::ops::Range<u32> = 0x21..0x7f;
/// The sign of the point after these.
const NEXT: u32 = 0x100;

fn sign(point: usize) -> char {
    let (point, signs) = (point as u32, SIGNS.len() as u32);
    let code = if point < signs { SIGNS.start + point } else { NEXT + point - signs };
    char::from_u32(code).expect("there are so few points that each has a sign")
}

/// Reads a block whose points are signs.
fn block(text: &str) -> Option<Vec<usize>> {
    let point = |sign: char| match u32::from(sign) {
        code if SIGNS.contains(&code) => Some((code - SIGNS.start) as usize),
        code => code.checked_sub(NEXT).map(|after| after as usize + SIGNS.len()),
    };
    text.chars().map(point).collect()
}
