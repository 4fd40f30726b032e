//! Coverings that a group makes of a few base blocks. The search is short because the group makes a pair of
//! all pairs that it moves into each other; but a covering that a group leaves unchanged may have more blocks
//! than others.

use super::Blocks;
use super::anneal::Steps;
use super::base_blocks::{BaseBlocks, BlockKind};
use super::plane::keep;
use super::symmetry::{PairOrbits, Symmetry, powers};
use assay_stats::draws::Draws;

/// A covering by its base blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrbitDesign {
    /// The group.
    pub symmetry: Symmetry,
    /// The blocks of which the group makes all.
    pub base: Blocks,
}

impl OrbitDesign {
    /// All blocks, without the points that come after this number of points.
    pub(crate) fn blocks(&self, points: usize) -> Blocks {
        keep(self.symmetry.develop(&self.base), points)
    }
}

/// Greatest number of points that no element of the group moves.
const FIXED: usize = 4;
/// Number of points more than asked for that are tried: they are left out of the blocks.
const FURTHER: usize = 2;
/// Orders of the multiplications that are tried beside rotations.
const ORDERS: [usize; 5] = [2, 3, 5, 7, 11];
/// Greatest number of base blocks with short orbits, of each kind: if there is one such kind, and if there
/// are several, because of which there are many combinations.
const SHORT: [usize; 2] = [9, 3];
/// Number of combinations of kinds that are tried for a group at a time.
const COMBINATIONS: usize = 2;
/// Steps of the first attempt for each group. The next attempts take twice as many, then four times .., each
/// for half of the groups, as long as there are more groups than `FEW`.
const FIRST: u64 = 5_000;
const FEW: usize = 3;
/// Steps of the search for a covering that a step of annealing here counts for, because it takes that long.
const WEIGHT: u64 = 4;
/// Temperatures at the begin and at the end of successive attempts.
const HEATS: [[f32; 2]; 3] = [[0.3, 0.15], [0.2, 0.1], [0.25, 0.1]];

/// Which groups are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// Those with one wheel, once each
    OneWheel,
    /// All, in a round of a search, until the steps are used up
    All { round: u32 },
}

/// What is searched for: a covering with fewer than `fewer` blocks, and at least `least`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrbitSearch {
    pub points: usize,
    pub slots: usize,
    pub least: usize,
    pub fewer: usize,
    pub breadth: Breadth,
}

impl OrbitSearch {
    /// The best covering found. `progress` is called with the fewest blocks so far and with the steps since
    /// the last call.
    pub(super) fn run(
        mut self,
        draws: &mut Draws,
        steps: &mut Steps,
        progress: &mut dyn FnMut(usize, u64),
    ) -> Option<OrbitDesign> {
        if self.fewer <= self.least {
            return None;
        }
        let mut groups: Vec<(usize, Symmetry)> =
            symmetries(self.points, self.slots, self.breadth).into_iter().map(|group| (0, group)).collect();
        if self.breadth != (Breadth::All { round: 0 }) {
            draws.shuffle(&mut groups);
        }
        let mut level = 0;
        let mut found = None;
        while !groups.is_empty() && self.fewer > self.least && steps.0 >= WEIGHT {
            groups.retain_mut(|(missing, group)| {
                match self.attempt(group, level, draws, steps, progress) {
                    Some(Ok(design)) => (found, *missing) = (Some(design), 0),
                    Some(Err(fewest)) => *missing = fewest * fewest * group.elements(),
                    None => return false,
                }
                self.breadth != Breadth::OneWheel
            });
            // What is missing is weighed as the geometric mean of orbits and pairs: by orbits great groups
            // would seem to be nearer to a covering than they are, by pairs small groups.
            groups.sort_by_key(|(missing, _)| *missing);
            groups.truncate(groups.len().div_ceil(2).max(FEW));
            level += 1;
        }
        found
    }

    /// Tries one group; after a success, for still fewer blocks. If it has none, the least number of orbits
    /// of pairs that were not covered; `None` if the group has no room for all pairs in so few blocks.
    fn attempt(
        &mut self,
        symmetry: &Symmetry,
        level: u32,
        draws: &mut Draws,
        steps: &mut Steps,
        progress: &mut dyn FnMut(usize, u64),
    ) -> Option<Result<OrbitDesign, usize>> {
        if self.fewer <= self.least || steps.0 < WEIGHT {
            return Some(Err(usize::from(u16::MAX)));
        }
        let orbits = PairOrbits::new(symmetry);
        let kinds = BlockKind::all(symmetry, self.slots);
        let rooms: Vec<usize> =
            (0..kinds.len()).map(|kind| self.room(symmetry, &orbits, &kinds, kind, draws)).collect();
        // The orbits were computed, which takes about as long as these steps.
        let work = steps.take(orbits.pairs.len() as u64);
        progress(self.fewer, work.0);
        let combine = |search: &OrbitSearch, draws: &mut Draws| {
            let mut all = combinations(&kinds, &rooms, orbits.pairs.len(), search.least, search.fewer - 1);
            if level > 0 {
                draws.shuffle(&mut all);
            }
            all.split_off(all.len().saturating_sub(COMBINATIONS))
        };
        let (mut found, mut left) = (Err(orbits.pairs.len()), combine(self, draws));
        if left.is_empty() {
            return None;
        }
        while let Some(numbers) = left.pop() {
            let budget = steps.take(WEIGHT * (FIRST << level.min(20)));
            let mut base = BaseBlocks::random(symmetry, &orbits, &kinds, &numbers, self.slots, draws);
            let missing = base.anneal(draws, budget.0 / WEIGHT, HEATS[level as usize % HEATS.len()]);
            if let Err(least) = found {
                found = Err(missing.min(least));
            }
            if missing == 0 {
                self.fewer = size(&kinds, &numbers);
                found = Ok(OrbitDesign { symmetry: symmetry.clone(), base: base.blocks() });
                left = combine(self, draws);
            }
            progress(self.fewer, budget.0);
        }
        Some(found)
    }

    /// The number of orbits of pairs that a base block of a kind covers, about: the most of some random ones.
    fn room(
        &self,
        symmetry: &Symmetry,
        orbits: &PairOrbits,
        kinds: &[BlockKind],
        kind: usize,
        draws: &mut Draws,
    ) -> usize {
        let mut numbers = vec![0; kinds.len()];
        numbers[kind] = 1;
        let covered = (0..8)
            .map(|_| BaseBlocks::random(symmetry, orbits, kinds, &numbers, self.slots, draws).covered());
        covered.max().unwrap_or(0)
    }
}

/// The groups for a number of points or some more, those with most elements first.
fn symmetries(points: usize, slots: usize, breadth: Breadth) -> Vec<Symmetry> {
    let mut symmetries = Vec::new();
    for all in points..=points + FURTHER {
        for fixed in 0..=FIXED.min(all - 2) {
            for modulus in (2..=all - fixed).filter(|modulus| (all - fixed).is_multiple_of(*modulus)) {
                let wheels = (all - fixed) / modulus;
                let wanted = match breadth {
                    Breadth::OneWheel => wheels == 1 && fixed <= 1 && (fixed == 0 || all == points),
                    Breadth::All { .. } => all == points || wheels <= 2,
                };
                if wanted && modulus * wheels > slots {
                    let factors = factors(modulus, wheels, breadth);
                    symmetries.extend(factors.map(|factor| Symmetry { modulus, wheels, fixed, factor }));
                }
            }
        }
    }
    symmetries.sort_by_key(|symmetry| std::cmp::Reverse(symmetry.elements()));
    symmetries
}

/// Factors whose powers are groups of a small prime order, one of each order for each number of places that
/// it leaves where they are; 1 first.
fn factors(modulus: usize, wheels: usize, breadth: Breadth) -> impl Iterator<Item = usize> {
    let mut found: Vec<(usize, usize, usize)> = vec![(1, modulus, 1)];
    // In one wheel, -1 changes no pair of differences.
    let last = if wheels == 1 { modulus - 1 } else { modulus };
    for factor in (2..last).filter(|factor| breadth != Breadth::OneWheel && common(*factor, modulus) == 1) {
        let order = powers(factor, modulus).len();
        let stay = common(factor - 1, modulus);
        if ORDERS.contains(&order) && !found.iter().any(|(one, other, _)| (*one, *other) == (order, stay)) {
            found.push((order, stay, factor));
        }
    }
    found.into_iter().map(|(_, _, factor)| factor)
}

/// The greatest common divisor.
fn common(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common(b, a % b) }
}

/// The combinations of kinds with at least `least` blocks and at most `most` that may have room for all
/// orbits of pairs; the last one has most room. Each has as many full orbits as there is room for.
fn combinations(
    kinds: &[BlockKind],
    rooms: &[usize],
    orbits: usize,
    least: usize,
    most: usize,
) -> Vec<Vec<usize>> {
    let mut open = vec![vec![0; kinds.len()]];
    for kind in 1..kinds.len() {
        let further: Vec<Vec<usize>> = open
            .iter()
            .flat_map(|numbers| {
                (1..=SHORT[usize::from(kinds.len() > 2)]).map(move |number| {
                    let mut numbers = numbers.clone();
                    numbers[kind] = number;
                    numbers
                })
            })
            .filter(|numbers| size(kinds, numbers) <= most)
            .collect();
        open.extend(further);
    }
    let room =
        |numbers: &Vec<usize>| numbers.iter().zip(rooms).map(|(number, room)| number * room).sum::<usize>();
    for numbers in &mut open {
        numbers[0] = (most - size(kinds, numbers)) / kinds[0].blocks;
    }
    open.retain(|numbers| room(numbers) >= orbits && size(kinds, numbers) >= least);
    open.sort_by_key(|numbers| room(numbers));
    open
}

/// Number of blocks that the group makes of these numbers of base blocks of each kind.
fn size(kinds: &[BlockKind], numbers: &[usize]) -> usize {
    kinds.iter().zip(numbers).map(|(kind, number)| kind.blocks * number).sum()
}
