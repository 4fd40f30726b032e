//! Groups of permutations of the points: they make a whole covering of a few base blocks.

use std::collections::BTreeSet;

use super::Blocks;

/// A group that rotates wheels of points and multiplies the places on them. Place `x` of wheel `i` is point
/// `i * modulus + x`; the fixed points come after those of the wheels.
///
/// An element of the group moves place `x` of each wheel to place `factor^j * x + shift` of the same wheel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    /// Number of places of each wheel.
    pub modulus: usize,
    /// Number of wheels.
    pub wheels: usize,
    /// Number of points that no element moves.
    pub fixed: usize,
    /// The number whose powers multiply the places; 1 if the group only rotates.
    pub factor: usize,
}

impl Symmetry {
    /// Number of points.
    pub(crate) fn points(&self) -> usize {
        self.modulus * self.wheels + self.fixed
    }

    /// Number of elements of the group.
    pub(crate) fn elements(&self) -> usize {
        self.modulus * self.powers().len()
    }

    /// The powers of the factor, 1 first.
    pub(crate) fn powers(&self) -> Vec<usize> {
        powers(self.factor, self.modulus)
    }

    /// Where an element of the group moves a point.
    pub(crate) fn moved(&self, point: usize, power: usize, shift: usize) -> usize {
        match self.place(point) {
            Some((wheel, at)) => wheel * self.modulus + (at * power + shift) % self.modulus,
            None => point,
        }
    }

    /// The wheel of a point and its place there; `None` for a fixed point.
    pub(crate) fn place(&self, point: usize) -> Option<(usize, usize)> {
        (point < self.modulus * self.wheels).then(|| (point / self.modulus, point % self.modulus))
    }

    /// All blocks into which the group moves these base blocks, each once.
    pub(crate) fn develop(&self, base: &[Vec<usize>]) -> Blocks {
        let powers = self.powers();
        let orbit = |block: &Vec<usize>| {
            let mut orbit = BTreeSet::new();
            for power in &powers {
                for shift in 0..self.modulus {
                    let mut moved: Vec<usize> =
                        block.iter().map(|point| self.moved(*point, *power, shift)).collect();
                    moved.sort_unstable();
                    orbit.insert(moved);
                }
            }
            orbit
        };
        base.iter().flat_map(orbit).collect()
    }
}

/// The powers of a number modulo another, 1 first.
pub(super) fn powers(factor: usize, modulus: usize) -> Vec<usize> {
    let mut powers = vec![1 % modulus];
    let mut power = factor % modulus;
    while power != powers[0] {
        powers.push(power);
        power = power * factor % modulus;
    }
    powers
}

/// The orbits of pairs of points: a base block that covers one pair of an orbit covers all of them.
#[derive(Debug)]
pub(super) struct PairOrbits {
    points: usize,
    /// The orbit of each pair, in both orders of its points.
    numbers: Vec<u32>,
    /// A pair of each orbit.
    pub pairs: Vec<(u32, u32)>,
}

impl PairOrbits {
    pub(super) fn new(symmetry: &Symmetry) -> Self {
        let points = symmetry.points();
        let (mut numbers, mut pairs) = (vec![u32::MAX; points * points], Vec::new());
        let powers = symmetry.powers();
        for a in 0..points {
            for b in a + 1..points {
                if numbers[a * points + b] != u32::MAX {
                    continue;
                }
                for power in &powers {
                    for shift in 0..symmetry.modulus {
                        let one = symmetry.moved(a, *power, shift);
                        let other = symmetry.moved(b, *power, shift);
                        numbers[one * points + other] = pairs.len() as u32;
                        numbers[other * points + one] = pairs.len() as u32;
                    }
                }
                pairs.push((a as u32, b as u32));
            }
        }
        PairOrbits { points, numbers, pairs }
    }

    /// The orbit of a pair.
    pub(super) fn number(&self, a: u32, b: u32) -> usize {
        self.numbers[a as usize * self.points + b as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_blocks_make_the_planes_that_they_are_known_to_make() {
        let fano = Symmetry { modulus: 7, wheels: 1, fixed: 0, factor: 2 };
        assert_eq!(fano.develop(&[vec![1, 2, 4]]).len(), 7);
        assert_eq!(fano.develop(&[vec![0, 1, 2]]).len(), 21, "the factor moves it to no shift of itself");
        // Nine points: the rotations of a block of three places, and the lines through a fixed point.
        let affine = Symmetry { modulus: 8, wheels: 1, fixed: 1, factor: 1 };
        assert_eq!(affine.develop(&[vec![0, 1, 6], vec![0, 4, 8]]).len(), 12);
    }

    #[test]
    fn orbits_of_pairs_are_what_the_group_makes_of_a_pair() {
        let symmetry = Symmetry { modulus: 7, wheels: 2, fixed: 2, factor: 2 };
        let orbits = PairOrbits::new(&symmetry);
        for a in 0..symmetry.points() {
            for b in (0..symmetry.points()).filter(|b| *b != a) {
                let number = orbits.number(a as u32, b as u32);
                for (power, shift) in [(1, 1), (2, 0), (4, 3)] {
                    let [one, other] = [a, b].map(|point| symmetry.moved(point, power, shift) as u32);
                    assert_eq!(orbits.number(one, other), number, "{a} {b}");
                }
            }
        }
        // In a wheel the differences are one orbit; between the wheels those of 0, squares and others; each
        // fixed point with each wheel; and the fixed points.
        assert_eq!(orbits.pairs.len(), 2 + 3 + 4 + 1);
    }
}
