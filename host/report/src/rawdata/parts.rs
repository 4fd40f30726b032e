//! The parts of a run that was resumed, or gathered from tasks. A round that is measured in two parts has
//! workers of two kinds, so each of its parts is a round of its own to everything that is computed from
//! rounds. Parts without a common value of the range, such as the tasks of a campaign, number their rounds
//! independently: a mean over the values takes the first rounds of all, then the second ones.

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
        let mut related = RelatedParts::default();
        for record in records {
            let Some(commit) = &record.commit else { continue };
            if commit.part != part {
                begins.push((end, commit.part));
                part = commit.part;
            }
            related.measured(begins.len(), record.range);
            rounds.insert((begins.len(), record.round));
            end = commit.end;
        }
        if begins.is_empty() {
            return RunParts::default();
        }
        let mut next: HashMap<usize, u32> = HashMap::new();
        let number = |(part, round): (usize, u32)| {
            let next = next.entry(related.first(part)).or_default();
            let number = *next;
            *next += 1;
            ((part, round), number)
        };
        RunParts { begins, rounds: rounds.into_iter().map(number).collect() }
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

    /// The number that a round has in all that is computed from rounds, for the line at this place of the
    /// file.
    pub(crate) fn number(&self, offset: u64, round: u32) -> u32 {
        self.rounds.get(&(self.begun_until(offset), round)).copied().unwrap_or(round)
    }

    /// Gives each round of each part a number of its own. `rounds` has those of the rows from the row of
    /// number `first` on, in their order.
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

/// Which parts have measured the same values of the range, directly or by way of others.
#[derive(Default)]
struct RelatedParts {
    /// An earlier part that is related to each part, or the part itself.
    earlier: Vec<usize>,
    /// The first part that has measured a value.
    of_value: HashMap<u64, usize>,
}

impl RelatedParts {
    /// Notes that a part has measured this value. Parts come in ascending order.
    fn measured(&mut self, part: usize, value: u64) {
        while self.earlier.len() <= part {
            self.earlier.push(self.earlier.len());
        }
        let other = *self.of_value.entry(value).or_insert(part);
        let (one, other) = (self.first(part), self.first(other));
        self.earlier[one.max(other)] = one.min(other);
    }

    /// The first of the parts to which a part is related.
    fn first(&self, mut part: usize) -> usize {
        while self.earlier[part] != part {
            part = self.earlier[part];
        }
        part
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

    #[test]
    fn parts_without_a_common_value_number_their_rounds_independently() {
        let at = |range, record| BlockRecord { range, ..record };
        let records = [
            at(4, record(0, 1, 100)),
            at(4, record(1, 1, 200)),
            // Another task, which was resumed in the middle of its second round.
            at(8, record(0, 2, 300)),
            at(8, record(1, 2, 400)),
            at(8, record(1, 3, 500)),
        ];
        let parts = RunParts::new(&records);
        let mut rows = Rows::default();
        for (first, offset) in [(0, 0), (1, 100), (2, 200), (3, 300), (4, 400)] {
            rows.push(Lines { offset, bytes: 10, first, count: 1 });
        }
        let rounds = [0.0, 1.0, 0.0, 1.0, 1.0].map(Some);
        assert_eq!(parts.separate_rounds(&rows, 0, rounds.to_vec()), [0.0, 1.0, 0.0, 1.0, 2.0].map(Some));
    }
}
