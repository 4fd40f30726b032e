//! The parts of a run that was resumed. A round that is measured in two parts has workers of two kinds, so
//! each of its parts is a round of its own to everything that is computed from rounds.

use std::collections::{BTreeSet, HashMap};

use assay_store::blocks::BlockRecord;
use assay_store::row_reader::Rows;

/// Where the parts of a run begin, and the numbers of their rounds.
#[derive(Debug, Default)]
pub(crate) struct RunParts {
    /// The length of `measurements.csv` before each part, in bytes, ascending, and the number of the part.
    begins: Vec<(u64, u32)>,
    /// The number of each round of each part, in the order in which they were measured.
    rounds: HashMap<(usize, u32), u32>,
}

impl RunParts {
    /// The parts of these blocks.
    pub(super) fn new(records: &[BlockRecord]) -> Self {
        let (mut begins, mut part, mut end) = (Vec::new(), 0, 0);
        let mut rounds = BTreeSet::new();
        for record in records {
            let Some(commit) = &record.commit else { continue };
            if commit.part != part {
                begins.push((end, commit.part));
                part = commit.part;
            }
            rounds.insert((begins.len(), record.round));
            end = commit.end;
        }
        if begins.is_empty() {
            return RunParts::default();
        }
        RunParts { begins, rounds: rounds.into_iter().zip(0..).collect() }
    }

    /// The number of parts that begin before the line at this place of the file, or with it.
    fn begun_until(&self, offset: u64) -> usize {
        self.begins.partition_point(|(begin, _)| *begin <= offset)
    }

    /// The number of the part that measured the line at this place of the file. A run whose parts are not
    /// recorded has one.
    pub(crate) fn part_of(&self, offset: u64) -> u32 {
        self.begins[..self.begun_until(offset)].last().map_or(1, |(_, part)| *part)
    }

    /// Gives each round of each part a number of its own. `rounds` has those of the rows from the row of
    /// number
    /// `first` on, in their order.
    pub(crate) fn separate_rounds(
        &self,
        rows: &Rows,
        first: usize,
        rounds: Vec<Option<f64>>,
    ) -> Vec<Option<f64>> {
        if self.begins.is_empty() {
            return rounds;
        }
        let parts = rows.offsets().skip(first).map(|offset| self.begun_until(offset));
        let number = |(round, part): (Option<f64>, usize)| {
            let round = round?;
            Some(self.rounds.get(&(part, round as u32)).map_or(round, |number| f64::from(*number)))
        };
        rounds.into_iter().zip(parts).map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use assay_store::blocks::Commit;
    use assay_store::row_reader::Lines;

    use super::*;

    fn record(round: u32, part: u32, end: u64) -> BlockRecord {
        BlockRecord {
            round,
            commit: Some(Commit { part, end, ..Commit::default() }),
            ..BlockRecord::default()
        }
    }

    #[test]
    fn a_round_that_two_parts_measured_is_two_rounds() {
        let parts =
            RunParts::new(&[record(0, 0, 100), record(1, 0, 200), record(1, 2, 300), record(2, 2, 400)]);
        let mut rows = Rows::default();
        for (first, offset) in [(0, 50), (1, 100), (2, 200), (3, 300)] {
            rows.push(Lines { offset, bytes: 10, first, count: 1 });
        }
        let rounds = [Some(0.0), Some(1.0), Some(1.0), None];
        assert_eq!(parts.separate_rounds(&rows, 0, rounds.to_vec()), [Some(0.0), Some(1.0), Some(2.0), None]);
        let one = RunParts::new(&[record(0, 0, 100), record(7, 0, 400)]);
        assert_eq!(parts.separate_rounds(&rows, 2, vec![Some(1.0)]), [Some(2.0)]);
        assert_eq!(one.separate_rounds(&rows, 0, vec![Some(7.0)]), [Some(7.0)]);
    }
}
