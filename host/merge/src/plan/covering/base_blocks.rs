//! Base blocks that can be changed, with the orbits of pairs that they cover, and annealing until they cover
//! all orbits.

use super::Blocks;
use super::symmetry::{PairOrbits, Symmetry, powers};
use assay_stats::draws::Draws;

/// Marks a point that is in no atom.
const NONE: u32 = u32::MAX;
/// Number of slots that are looked at for one with a point that the group can move to an uncovered pair.
const TRIES: usize = 16;
/// Losses of more orbits at a step than this are never accepted.
const MOST: usize = 16;
/// Steps between two temperatures.
const AT_ONE: u64 = 512;

/// Base blocks that some elements of the group, those of a subgroup, do not change: they are made of orbits
/// of the subgroup, their atoms, and the group makes fewer blocks of them than it has elements.
#[derive(Debug)]
pub(super) struct BlockKind {
    atoms: Vec<Vec<u32>>,
    /// The atom of each point.
    atom_of: Vec<u32>,
    /// Number of blocks that the group makes of a base block.
    pub blocks: usize,
}

impl BlockKind {
    /// The kinds that have room in this number of slots, that of single points first.
    pub(super) fn all(symmetry: &Symmetry, slots: usize) -> Vec<BlockKind> {
        let (modulus, elements) = (symmetry.modulus, symmetry.elements());
        let mut kinds = vec![BlockKind::new(symmetry, slots, (1, 0), elements)];
        for fold in (2..=modulus).filter(|fold| modulus.is_multiple_of(*fold)) {
            if fold <= slots || fold == modulus && symmetry.fixed > 1 {
                kinds.push(BlockKind::new(symmetry, slots, (1, modulus / fold), elements / fold));
            }
        }
        if symmetry.factor != 1 {
            kinds.push(BlockKind::new(symmetry, slots, (symmetry.factor, 0), modulus));
        }
        kinds
    }

    /// The kind whose subgroup has this generator, a power of the factor and a shift.
    fn new(symmetry: &Symmetry, slots: usize, (power, shift): (usize, usize), blocks: usize) -> Self {
        let (mut atoms, mut atom_of) = (Vec::new(), vec![NONE; symmetry.points()]);
        let mut seen = vec![false; symmetry.points()];
        for point in 0..symmetry.points() {
            let mut atom = Vec::new();
            let mut next = point;
            while !seen[next] {
                seen[next] = true;
                atom.push(next as u32);
                next = symmetry.moved(next, power, shift);
            }
            if !atom.is_empty() && atom.len() <= slots {
                atom.iter().for_each(|point| atom_of[*point as usize] = atoms.len() as u32);
                atoms.push(atom);
            }
        }
        BlockKind { atoms, atom_of, blocks }
    }

    /// Random atoms that fill a block.
    fn random(&self, slots: usize, draws: &mut Draws) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.atoms.len() as u32).collect();
        draws.shuffle(&mut order);
        let mut left = slots;
        order.retain(|atom| {
            let size = self.atoms[*atom as usize].len();
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        });
        order
    }
}

/// A base block: its kind, and its atoms.
#[derive(Clone, Debug)]
struct BaseBlock {
    kind: usize,
    atoms: Vec<u32>,
}

/// Base blocks that can be changed, with the number of times that they cover each orbit of pairs.
#[derive(Debug)]
pub(super) struct BaseBlocks<'a> {
    symmetry: &'a Symmetry,
    powers: Vec<usize>,
    orbits: &'a PairOrbits,
    kinds: &'a [BlockKind],
    blocks: Vec<BaseBlock>,
    counts: Vec<u32>,
    uncovered: Vec<u32>,
    /// Index of each orbit among the uncovered ones.
    places: Vec<u32>,
}

impl<'a> BaseBlocks<'a> {
    /// Random base blocks, a number of each kind.
    pub(super) fn random(
        symmetry: &'a Symmetry,
        orbits: &'a PairOrbits,
        kinds: &'a [BlockKind],
        numbers: &[usize],
        slots: usize,
        draws: &mut Draws,
    ) -> Self {
        let count = orbits.pairs.len();
        let mut base = BaseBlocks {
            symmetry,
            powers: powers(symmetry.factor, symmetry.modulus),
            orbits,
            kinds,
            blocks: Vec::new(),
            counts: vec![0; count],
            uncovered: (0..count as u32).collect(),
            places: (0..count as u32).collect(),
        };
        for (kind, number) in numbers.iter().enumerate() {
            for _ in 0..*number {
                let atoms = kinds[kind].random(slots, draws);
                base.blocks.push(BaseBlock { kind, atoms: Vec::new() });
                let block = base.blocks.len() - 1;
                for atom in atoms {
                    base.blocks[block].atoms.push(atom);
                    base.count(block, base.blocks[block].atoms.len() - 1, true);
                }
            }
        }
        base
    }

    /// Number of orbits of pairs that are covered.
    pub(super) fn covered(&self) -> usize {
        self.counts.len() - self.uncovered.len()
    }

    /// The points of the base blocks.
    pub(super) fn blocks(&self) -> Blocks {
        let points = |block: &BaseBlock| {
            let atoms = block.atoms.iter().flat_map(|atom| &self.kinds[block.kind].atoms[*atom as usize]);
            let mut points: Vec<usize> = atoms.map(|point| *point as usize).collect();
            points.sort_unstable();
            points
        };
        self.blocks.iter().map(points).collect()
    }

    /// Anneals from one temperature down to another until all orbits are covered or the steps are used up.
    /// Returns the least number of orbits that were not covered; if it is 0, all are.
    pub(super) fn anneal(&mut self, draws: &mut Draws, steps: u64, [hot, cold]: [f32; 2]) -> usize {
        let mut least = self.uncovered.len();
        let mut chances = [0.0_f32; MOST];
        for step in 0..steps {
            if least == 0 {
                break;
            }
            if step % AT_ONE == 0 {
                let temperature = hot * (cold / hot).powf(step as f32 / steps as f32);
                for (loss, chance) in chances.iter_mut().enumerate() {
                    *chance = (-(loss as f32) / temperature).exp();
                }
            }
            let Some((block, slot, atom)) = self.proposal(draws) else { continue };
            let before = self.uncovered.len();
            let old = self.replace(block, slot, atom);
            let loss = self.uncovered.len().saturating_sub(before);
            if loss > 0 && chances.get(loss).is_none_or(|chance| draws.unit() >= *chance) {
                self.replace(block, slot, old);
            }
            least = least.min(self.uncovered.len());
        }
        least
    }

    /// A move that covers an uncovered orbit: a point of a base block stays, and the atom that makes it one
    /// of the orbit's pairs takes the place of another atom.
    fn proposal(&self, draws: &mut Draws) -> Option<(usize, usize, u32)> {
        let (a, b) = self.orbits.pairs[draws.choose(&self.uncovered) as usize];
        let (a, b) = if draws.below(2) == 0 { (a, b) } else { (b, a) };
        for _ in 0..TRIES {
            let block = draws.below(self.blocks.len());
            let BaseBlock { kind, atoms } = &self.blocks[block];
            let kind = &self.kinds[*kind];
            let stays = draws.below(atoms.len());
            let point = draws.choose(&kind.atoms[atoms[stays] as usize]) as usize;
            let Some(joins) = self
                .partner(point, a as usize, b as usize, draws)
                .or_else(|| self.partner(point, b as usize, a as usize, draws))
            else {
                continue;
            };
            let joins = kind.atom_of[joins];
            let slot = draws.below(atoms.len());
            let possible = joins != NONE
                && slot != stays
                && kind.atoms[joins as usize].len() == kind.atoms[atoms[slot] as usize].len()
                && !atoms.contains(&joins);
            return possible.then_some((block, slot, joins));
        }
        None
    }

    /// Where the group moves `b` if it moves `a` to a point, if it can.
    fn partner(&self, point: usize, a: usize, b: usize, draws: &mut Draws) -> Option<usize> {
        let modulus = self.symmetry.modulus;
        let power = if self.powers.len() > 1 { draws.choose(&self.powers) } else { 1 };
        let shift = match (self.symmetry.place(point), self.symmetry.place(a)) {
            (Some((wheel, at)), Some((other, from))) if wheel == other => {
                (at + modulus - from * power % modulus) % modulus
            }
            (None, None) if point == a => draws.below(modulus),
            _ => return None,
        };
        Some(self.symmetry.moved(b, power, shift))
    }

    /// Replaces an atom of a base block, and returns it.
    fn replace(&mut self, block: usize, slot: usize, atom: u32) -> u32 {
        self.count(block, slot, false);
        let old = std::mem::replace(&mut self.blocks[block].atoms[slot], atom);
        self.count(block, slot, true);
        old
    }

    /// Adds or subtracts the pairs of an atom, within it and with the others of its block.
    fn count(&mut self, block: usize, slot: usize, adds: bool) {
        let BaseBlock { kind, atoms } = &self.blocks[block];
        let of_kind = &self.kinds[*kind].atoms;
        let atom = &of_kind[atoms[slot] as usize];
        for (at, point) in atom.iter().enumerate() {
            let others = atoms.iter().enumerate().filter(|(other, _)| *other != slot);
            let others = others.flat_map(|(_, other)| &of_kind[*other as usize]);
            for other in others.chain(&atom[..at]) {
                let orbit = self.orbits.number(*point, *other);
                let count = &mut self.counts[orbit];
                if adds {
                    *count += 1;
                    if *count == 1 {
                        let place = self.places[orbit];
                        self.uncovered.swap_remove(place as usize);
                        if let Some(moved) = self.uncovered.get(place as usize) {
                            self.places[*moved as usize] = place;
                        }
                    }
                } else {
                    *count -= 1;
                    if *count == 0 {
                        self.places[orbit] = self.uncovered.len() as u32;
                        self.uncovered.push(orbit as u32);
                    }
                }
            }
        }
    }
}
