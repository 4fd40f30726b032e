//! Blocks that can be changed, with the number of blocks that cover each pair.

use super::Blocks;
use super::graph::{Graph, PairDemand};

/// Added to the counts of pairs that are not wanted, so that they always seem to be covered more than once.
const UNWANTED: u32 = 1 << 30;

/// Blocks with a fixed number of slots each. A slot may be empty: it then holds the number after that of the
/// last point.
#[derive(Clone, Debug)]
pub(crate) struct Cover<'a> {
    graph: &'a Graph,
    has_apart: bool,
    slots: usize,
    /// The points of block 0, then of block 1 ..
    members: Vec<u32>,
    /// Number of blocks that hold each pair.
    counts: Vec<u32>,
    /// The blocks of each point.
    at: Vec<Vec<u32>>,
    /// Wanted pairs that don't meet.
    uncovered: Vec<(u32, u32)>,
    /// Index of each pair among these.
    places: Vec<u32>,
}

impl<'a> Cover<'a> {
    /// A cover without blocks.
    pub(crate) fn new(graph: &'a Graph, slots: usize) -> Self {
        let side = graph.points() + 1;
        let mut cover = Cover {
            graph,
            has_apart: graph.asked(PairDemand::Apart).next().is_some(),
            slots,
            members: Vec::new(),
            counts: vec![UNWANTED; side * side],
            at: vec![Vec::new(); graph.points()],
            uncovered: Vec::new(),
            places: vec![0; side * side],
        };
        for (a, b) in graph.asked(PairDemand::Wanted) {
            cover.counts[a * side + b] = 0;
            cover.counts[b * side + a] = 0;
            cover.expose(a, b);
        }
        cover
    }

    /// A cover with these blocks. A point is left out of a block if it must not meet an earlier point of the
    /// block.
    pub(crate) fn from_blocks(graph: &'a Graph, slots: usize, blocks: &[Vec<usize>]) -> Self {
        let mut cover = Cover::new(graph, slots);
        for block in blocks {
            let mut kept = Vec::with_capacity(slots);
            for point in block {
                if graph.may_join(*point, &kept) {
                    kept.push(*point);
                }
            }
            cover.push(&kept);
        }
        cover
    }

    /// The demands on pairs.
    pub(crate) fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The number that marks an empty slot.
    pub(crate) fn nobody(&self) -> usize {
        self.graph.points()
    }

    /// Number of slots of a block.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Number of blocks.
    pub(crate) fn size(&self) -> usize {
        self.members.len() / self.slots
    }

    /// The slots of a block.
    pub(crate) fn block(&self, block: usize) -> &[u32] {
        &self.members[block * self.slots..][..self.slots]
    }

    /// The blocks of a point.
    pub(crate) fn at(&self, point: usize) -> &[u32] {
        &self.at[point]
    }

    /// The blocks, without empty slots and sorted.
    pub(crate) fn blocks(&self) -> Blocks {
        let nobody = self.nobody();
        let block = |slots: &[u32]| {
            let mut block: Vec<usize> =
                slots.iter().map(|point| *point as usize).filter(|point| *point != nobody).collect();
            block.sort_unstable();
            block
        };
        self.members.chunks(self.slots).map(block).collect()
    }

    /// The wanted pairs that don't meet.
    pub(crate) fn uncovered(&self) -> &[(u32, u32)] {
        &self.uncovered
    }

    /// Number of blocks that hold a pair.
    pub(crate) fn count(&self, a: usize, b: usize) -> usize {
        let count = self.counts[a * (self.nobody() + 1) + b];
        (if self.graph.pair(a, b) == PairDemand::Wanted { count } else { count - UNWANTED }) as usize
    }

    /// Adds a block of these points, which may meet.
    pub(crate) fn push(&mut self, points: &[usize]) {
        let block = self.size();
        self.members.resize(self.members.len() + self.slots, self.nobody() as u32);
        for (slot, point) in points.iter().enumerate() {
            self.put(block, slot, *point);
        }
    }

    /// Removes a block. The last block gets its number.
    pub(crate) fn remove(&mut self, block: usize) {
        let last = self.size() - 1;
        for slot in 0..self.slots {
            self.put(block, slot, self.nobody());
        }
        for slot in 0..self.slots {
            let moved = self.members[last * self.slots + slot];
            if block != last && moved as usize != self.nobody() {
                let at = &mut self.at[moved as usize];
                let place = at.iter().position(|other| *other as usize == last);
                at[place.expect("a block's points know it")] = block as u32;
                self.members[block * self.slots + slot] = moved;
            }
        }
        self.members.truncate(last * self.slots);
    }

    /// Replaces the content of a slot by a point or by nothing.
    pub(crate) fn put(&mut self, block: usize, slot: usize, point: usize) {
        let (nobody, side) = (self.nobody(), self.nobody() + 1);
        let old = self.members[block * self.slots + slot] as usize;
        for other in 0..self.slots {
            let with = self.members[block * self.slots + other] as usize;
            if other == slot || with == nobody {
                continue;
            }
            if old != nobody {
                let count = self.counts[old * side + with] - 1;
                self.counts[old * side + with] = count;
                self.counts[with * side + old] = count;
                if count == 0 {
                    self.expose(old, with);
                }
            }
            if point != nobody {
                let count = self.counts[point * side + with] + 1;
                self.counts[point * side + with] = count;
                self.counts[with * side + point] = count;
                if count == 1 {
                    self.hide(point, with);
                }
            }
        }
        self.members[block * self.slots + slot] = point as u32;
        if old != nobody {
            let place = self.at[old].iter().position(|at| *at as usize == block);
            self.at[old].swap_remove(place.expect("a block's points know it"));
        }
        if point != nobody {
            self.at[point].push(block as u32);
        }
    }

    /// The increase of the number of uncovered pairs if a point took this slot; `None` if it must not, or is
    /// in the block already.
    pub(crate) fn loss(&self, block: usize, slot: usize, point: usize) -> Option<i32> {
        let side = self.nobody() + 1;
        let members = self.block(block);
        let (old, row) = (members[slot] as usize * side, point * side);
        if old == row {
            return None;
        }
        let mut loss = 0;
        for (other, with) in members.iter().enumerate() {
            let with = *with as usize;
            if other == slot {
                continue;
            }
            if with == point
                || self.has_apart
                    && with != self.nobody()
                    && self.graph.pair(point, with) == PairDemand::Apart
            {
                return None;
            }
            loss += i32::from(self.counts[old + with] == 1) - i32::from(self.counts[row + with] == 0);
        }
        Some(loss)
    }

    /// Number of pairs that only this block covers.
    pub(crate) fn alone(&self, block: usize) -> usize {
        let (members, side) = (self.block(block), self.nobody() + 1);
        let pairs =
            members.iter().enumerate().flat_map(|(at, a)| members[at + 1..].iter().map(move |b| (*a, *b)));
        pairs.filter(|(a, b)| self.counts[*a as usize * side + *b as usize] == 1).count()
    }

    /// The block that covers the fewest pairs alone.
    pub(crate) fn cheapest(&self) -> Option<usize> {
        (0..self.size()).min_by_key(|block| self.alone(*block))
    }

    fn expose(&mut self, a: usize, b: usize) {
        let (a, b) = (a.min(b), a.max(b));
        let side = self.nobody() + 1;
        self.places[a * side + b] = self.uncovered.len() as u32;
        self.uncovered.push((a as u32, b as u32));
    }

    fn hide(&mut self, a: usize, b: usize) {
        let (a, b) = (a.min(b), a.max(b));
        let side = self.nobody() + 1;
        let place = self.places[a * side + b];
        self.uncovered.swap_remove(place as usize);
        if let Some((a, b)) = self.uncovered.get(place as usize) {
            self.places[*a as usize * side + *b as usize] = place;
        }
    }
}
