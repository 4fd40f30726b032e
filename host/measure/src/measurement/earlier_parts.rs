//! What the earlier parts of a resumed run have measured. The measurement goes through the schedule from the
//! beginning and takes the blocks of its journal instead of measuring them again, so that it decides
//! everything as it did before.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::time::Duration;

use assay_store::Cell;
use assay_store::journal::RecordedBlock;

/// The blocks of earlier parts which the measurement has not reached yet.
#[derive(Debug, Default)]
pub struct EarlierParts {
    /// In the order in which they were measured; `None` for those that were taken.
    blocks: Vec<Option<RecordedBlock>>,
    /// The places of the blocks of each cell, by their first repetitions. A cell may have two that begin with
    /// the same one: rows, and its end.
    places: HashMap<(String, u64), BTreeMap<u32, Vec<usize>>>,
    /// Number of the blocks that were not taken.
    ahead: usize,
    /// How much time the earlier parts took: to prepare the measurement, and to measure.
    pub(super) spent: Duration,
}

impl EarlierParts {
    /// The blocks of a journal, whose parts took this time.
    pub fn new(blocks: Vec<RecordedBlock>, spent: Duration) -> Self {
        let mut places: HashMap<(String, u64), BTreeMap<u32, Vec<usize>>> = HashMap::new();
        for (place, RecordedBlock { record, .. }) in blocks.iter().enumerate() {
            let of_cell = places.entry((record.algorithm.clone(), record.range)).or_default();
            of_cell.entry(record.first_repetition).or_default().push(place);
        }
        EarlierParts { ahead: blocks.len(), blocks: blocks.into_iter().map(Some).collect(), places, spent }
    }

    /// Whether the measurement is where the earlier parts ended.
    pub(super) fn are_over(&self) -> bool {
        self.ahead == 0
    }

    /// Takes the blocks of a cell that begin with one of these repetitions. After each block with which a
    /// cell ended come the ends of other cells that were noted together with it.
    pub(super) fn take(&mut self, cell: &Cell<'_>, repetitions: Range<usize>) -> Vec<RecordedBlock> {
        if self.are_over() {
            return Vec::new();
        }
        let key = (cell.algorithm.id.clone(), cell.point.value);
        let range = repetitions.start as u32..repetitions.end as u32;
        let of_cell = self.places.get(&key).map(|places| places.range(range)).into_iter().flatten();
        let places: Vec<usize> = of_cell.flat_map(|(_, places)| places.iter().copied()).collect();
        let mut taken = Vec::new();
        for place in places {
            let Some(block) = self.blocks[place].take() else { continue };
            let ended = has_ended(&block);
            taken.push(block);
            let mut next = place + 1;
            while ended && self.blocks.get(next).is_some_and(|next| next.as_ref().is_some_and(is_end_alone)) {
                taken.extend(self.blocks[next].take());
                next += 1;
            }
        }
        self.ahead -= taken.len();
        taken
    }
}

/// Whether the cell of a block ended in it.
fn has_ended(block: &RecordedBlock) -> bool {
    block.record.commit.as_ref().is_some_and(|commit| commit.ended.is_some())
}

/// Whether a block is the end of a cell in which nothing was measured.
fn is_end_alone(block: &RecordedBlock) -> bool {
    has_ended(block) && block.lines.count == 0 && block.record.noise.is_none()
}

#[cfg(test)]
mod tests {
    use assay_experiment::testing::example;
    use assay_store::Ended;
    use assay_store::blocks::{BlockRecord, Commit};
    use assay_store::row_reader::Lines;

    use super::*;

    /// A block of `count` repetitions from `first` on, of the algorithm of this number at this pattern
    /// length.
    fn block(algorithm: usize, range: u64, first: u32, count: u32, ended: Option<Ended>) -> RecordedBlock {
        let commit = Some(Commit { repetitions: count, ended, ..Commit::default() });
        let algorithm = format!("a{algorithm}");
        let record =
            BlockRecord { algorithm, range, first_repetition: first, commit, ..BlockRecord::default() };
        RecordedBlock { record, lines: Lines { offset: 0, bytes: 0, first, count } }
    }

    #[test]
    fn a_cell_takes_its_blocks_once_and_with_an_end_those_that_follow_from_it() {
        let resolved = example(2, 10);
        let crashed = || Some(Ended::Crashed("x".to_owned()));
        let blocks = vec![
            block(0, 2, 0, 3, None),
            block(1, 2, 0, 3, crashed()),
            block(1, 3, 0, 0, crashed()),
            block(0, 2, 3, 2, None),
        ];
        let mut earlier = EarlierParts::new(blocks, Duration::ZERO);
        let mut take = |algorithm: usize, repetitions| {
            let cell = Cell::new(&resolved.algorithms[algorithm], &resolved.points[0]);
            let taken = earlier.take(&cell, repetitions);
            let taken = taken.iter().map(|block| (block.record.range, block.lines.first, block.lines.count));
            (taken.collect::<Vec<_>>(), earlier.are_over())
        };
        assert_eq!(take(0, 5..10), (vec![], false));
        assert_eq!(take(0, 0..5), (vec![(2, 0, 3), (2, 3, 2)], false));
        assert_eq!(take(0, 0..5), (vec![], false));
        assert_eq!(take(1, 0..5), (vec![(2, 0, 3), (3, 0, 0)], true));
    }
}
