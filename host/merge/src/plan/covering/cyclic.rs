//! Cyclic coverings: the shifts of a few base blocks modulo `n`. All pairs are covered if the differences
//! within base blocks are all differences modulo `n`.

use super::Blocks;
use super::anneal::Steps;
use super::plane::keep;
use assay_stats::draws::Draws;

/// An orbit: a base block that is made of cosets of the subgroup with `fold` elements, so that it has `n /
/// fold` shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Orbit {
    fold: usize,
    /// The cosets, by a number below `n / fold` each.
    cosets: Vec<usize>,
    /// Whether a fixed point, which no shift moves, is in each block.
    fixed: bool,
}

/// The shape of a covering: the sizes of its orbits.
type OrbitShape = Vec<Orbit>;

/// Greatest number of shapes that are tried for a modulus.
const SHAPES: usize = 24;
/// Number of steps of the search for a shape with one orbit, and the least number for a shape with many.
const STEPS: [u64; 2] = [200_000, 30_000];
/// Greatest number of base blocks of a shape.
const ORBITS: usize = 12;

/// A covering with fewer than `fewer` blocks, and at least `least`, if one is found: modulo the number of
/// points or up to two more, or one less with a fixed point.
pub(crate) fn covering(
    points: usize,
    slots: usize,
    least: usize,
    mut fewer: usize,
    draws: &mut Draws,
    steps: &mut Steps,
) -> Option<Blocks> {
    let mut found = None;
    let moduli = [(points - 1, true), (points, false), (points + 1, false), (points + 2, false)];
    for (modulus, fixed) in moduli.into_iter().filter(|(modulus, _)| *modulus > slots) {
        for shape in shapes(modulus, slots, fixed, least, fewer) {
            if blocks_of(&shape, modulus) >= fewer {
                break;
            }
            let [one, many] = STEPS;
            let budget = steps.take(many.max(one / (shape.len() * shape.len()) as u64));
            if let Some(base) = search(shape, modulus, budget.0, draws) {
                let blocks = develop(&base, modulus, if fixed { modulus } else { usize::MAX });
                let blocks = keep(blocks, points);
                fewer = blocks.len();
                found = Some(blocks);
                break;
            }
        }
    }
    found
}

fn blocks_of(shape: &OrbitShape, modulus: usize) -> usize {
    shape.iter().map(|orbit| modulus / orbit.fold).sum()
}

/// The shapes with at least `least` blocks and fewer than `fewer`, the smallest first, that have room for all
/// differences.
fn shapes(modulus: usize, slots: usize, fixed: bool, least: usize, fewer: usize) -> Vec<OrbitShape> {
    let folds: Vec<usize> = (1..=slots).filter(|fold| modulus.is_multiple_of(*fold)).collect();
    let orbit = |fold: usize, fixed: bool| Orbit {
        fold,
        cosets: (0..(slots - usize::from(fixed)) / fold).collect(),
        fixed,
    };
    // With a fixed point there is one orbit that holds it, the shortest that there is room for.
    let first = fixed.then(|| folds.iter().rev().find(|fold| **fold < slots)).flatten();
    let begin: OrbitShape = first.map(|fold| orbit(*fold, true)).into_iter().collect();
    let (mut shapes, mut open) = (Vec::new(), vec![(begin, 0)]);
    while let Some((shape, from)) = open.pop() {
        for (place, fold) in folds.iter().enumerate().skip(from) {
            let next = orbit(*fold, false);
            let many = shape.iter().filter(|orbit| orbit.fold == *fold).count();
            if shape.len() < ORBITS
                && blocks_of(&shape, modulus) + modulus / fold < fewer
                && (*fold == 1 || many < 2)
            {
                open.push((shape.iter().cloned().chain([next]).collect(), place));
            }
        }
        let room: usize = shape
            .iter()
            .map(|Orbit { fold, cosets, .. }| fold - 1 + cosets.len() * cosets.len().saturating_sub(1) * fold)
            .sum();
        if room + 1 >= modulus && blocks_of(&shape, modulus) >= least {
            shapes.push(shape);
        }
    }
    shapes.sort_by_key(|shape| (blocks_of(shape, modulus), shape.len()));
    shapes.truncate(SHAPES);
    shapes
}

/// The number of times that each difference occurs.
struct Differences {
    modulus: usize,
    counts: Vec<i32>,
    missing: i32,
}

impl Differences {
    /// Adds or subtracts the differences between two cosets.
    fn change(&mut self, fold: usize, difference: usize, by: i32) {
        let cycle = self.modulus / fold;
        for one in [difference, cycle - difference] {
            for lift in 0..fold {
                let count = &mut self.counts[one % cycle + lift * cycle];
                self.missing += match (*count, *count + by) {
                    (0, _) => -1,
                    (_, 0) => 1,
                    _ => 0,
                };
                *count += by;
            }
        }
    }

    /// Adds or subtracts the differences of one coset of an orbit.
    fn change_all(&mut self, orbit: &Orbit, which: usize, by: i32) {
        let (cycle, own) = (self.modulus / orbit.fold, orbit.cosets[which]);
        for (other, coset) in orbit.cosets.iter().enumerate() {
            if other != which {
                self.change(orbit.fold, (own + cycle - coset) % cycle, by);
            }
        }
    }
}

/// Looks for base blocks of a shape that have all differences, by annealing.
fn search(mut shape: OrbitShape, modulus: usize, steps: u64, draws: &mut Draws) -> Option<OrbitShape> {
    let mut differences = Differences { modulus, counts: vec![0; modulus], missing: modulus as i32 - 1 };
    differences.counts[0] = 1;
    for orbit in &mut shape {
        let cycle = modulus / orbit.fold;
        // Cosets that are no different cover what the subgroup does.
        for multiple in (1..orbit.fold).map(|fold| fold * cycle) {
            differences.missing -= i32::from(differences.counts[multiple] == 0);
            differences.counts[multiple] += 1;
        }
        for (place, coset) in orbit.cosets.iter_mut().enumerate() {
            *coset = if place == 0 { 0 } else { draws.below(cycle) };
        }
    }
    for orbit in &shape {
        for (first, a) in orbit.cosets.iter().enumerate() {
            for b in &orbit.cosets[..first] {
                let cycle = modulus / orbit.fold;
                differences.change(orbit.fold, (a + cycle - b) % cycle, 1);
            }
        }
    }
    let movable: Vec<(usize, usize)> = shape
        .iter()
        .enumerate()
        .flat_map(|(orbit, Orbit { cosets, .. })| (1..cosets.len()).map(move |coset| (orbit, coset)))
        .collect();
    for step in 0..steps {
        if differences.missing == 0 {
            return Some(shape);
        }
        if movable.is_empty() {
            return None;
        }
        let temperature = 1.6 - 1.2 * (step % 10_000) as f32 / 10_000.0;
        let (orbit, which) = draws.choose(&movable);
        let before = differences.missing;
        let (old, new) = (shape[orbit].cosets[which], draws.below(modulus / shape[orbit].fold));
        differences.change_all(&shape[orbit], which, -1);
        shape[orbit].cosets[which] = new;
        differences.change_all(&shape[orbit], which, 1);
        let loss = differences.missing - before;
        if loss > 0 && draws.unit() >= (-(loss as f32) / temperature).exp() {
            differences.change_all(&shape[orbit], which, -1);
            shape[orbit].cosets[which] = old;
            differences.change_all(&shape[orbit], which, 1);
        }
    }
    (differences.missing == 0).then_some(shape)
}

/// All shifts of the base blocks.
fn develop(base: &OrbitShape, modulus: usize, fixed: usize) -> Blocks {
    let shifts = |orbit: &Orbit| {
        let (cycle, fold) = (modulus / orbit.fold, orbit.fold);
        let orbit = orbit.clone();
        (0..cycle).map(move |shift| {
            let cosets = orbit.cosets.iter().map(|coset| (coset + shift) % cycle);
            let mut block: Vec<usize> =
                cosets.flat_map(|coset| (0..fold).map(move |lift| coset + lift * cycle)).collect();
            block.extend(orbit.fixed.then_some(fixed));
            block.sort_unstable();
            block.dedup();
            block
        })
    };
    base.iter().flat_map(shifts).collect()
}
