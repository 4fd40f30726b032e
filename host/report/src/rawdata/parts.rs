//! The parts of a run that was resumed, or gathered from tasks. A round that is measured in two parts has
//! workers of two kinds, so each of its parts is a round of its own to everything that is computed from
//! rounds. Parts without a common value of the range, such as the tasks of a campaign, number their rounds
//! independently: a mean over the values takes the first rounds of all, then the second ones. An interruption
//! of one task must not shift its later rounds, because the others have none to match them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use assay_store::blocks::BlockRecord;

use super::RawCell;

/// Where the parts of a run begin, and the numbers of their rounds.
#[derive(Debug, Default)]
pub(crate) struct RunParts {
    /// The length of `measurements.csv` before each part, in bytes, ascending, and the number of the part.
    begins: Vec<(u64, u32)>,
    /// The number of each round of each part at each value of the range.
    rounds: HashMap<PartRound, u32>,
}

/// A round of a part at a value of the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct PartRound {
    /// How many parts begin before its rows, or with them.
    part: usize,
    round: u32,
    value: u64,
}

impl RunParts {
    /// The parts of these blocks.
    pub(super) fn new(records: &[BlockRecord]) -> Self {
        let (mut begins, mut part, mut end) = (Vec::new(), 0, 0);
        let mut measured: BTreeMap<PartRound, usize> = BTreeMap::new();
        let mut related = RelatedParts::default();
        for record in records {
            let Some(commit) = &record.commit else { continue };
            if commit.part != part {
                begins.push((end, commit.part));
                part = commit.part;
            }
            related.measured(begins.len(), record.range);
            let place = PartRound { part: begins.len(), round: record.round, value: record.range };
            *measured.entry(place).or_default() += 1;
            end = commit.end;
        }
        if begins.is_empty() {
            return RunParts::default();
        }
        let mut by_task: BTreeMap<usize, BTreeMap<PartRound, usize>> = BTreeMap::new();
        for (place, blocks) in measured {
            by_task.entry(related.first(place.part)).or_default().insert(place, blocks);
        }
        let rounds = match by_task.len() {
            1 => by_task.values().flat_map(numbers_in_order).collect(),
            _ => by_task.values().flat_map(numbers_of_task).collect(),
        };
        RunParts { begins, rounds }
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
    pub(crate) fn number(&self, offset: u64, value: u64, round: u32) -> u32 {
        let place = PartRound { part: self.begun_until(offset), round, value };
        self.rounds.get(&place).copied().unwrap_or(round)
    }

    /// Gives each round of each part in a cell a number of its own. `rounds` has those of the rows from the
    /// row of number `first` on, in their order.
    pub(crate) fn separate_rounds(
        &self,
        cell: &RawCell,
        first: usize,
        rounds: Vec<Option<f64>>,
    ) -> Vec<Option<f64>> {
        if self.begins.is_empty() {
            return rounds;
        }
        let parts = cell.rows.offsets().skip(first).map(|offset| self.begun_until(offset));
        let number = |(round, part): (Option<f64>, usize)| {
            let round = round?;
            let place = PartRound { part, round: round as u32, value: cell.range };
            Some(self.rounds.get(&place).map_or(round, |number| f64::from(*number)))
        };
        rounds.into_iter().zip(parts).map(number).collect()
    }
}

/// Numbers the rounds of the parts of a run in the order in which they were measured.
fn numbers_in_order(measured: &BTreeMap<PartRound, usize>) -> Vec<(PartRound, u32)> {
    let rounds: BTreeSet<(usize, u32)> = measured.keys().map(|place| (place.part, place.round)).collect();
    let numbers: HashMap<(usize, u32), u32> = rounds.into_iter().zip(0..).collect();
    measured.keys().map(|place| (*place, numbers[&(place.part, place.round)])).collect()
}

/// Numbers the rounds of one task of several, by the blocks of each: the first round of the task is the first
/// at each value, even if one part has measured it at some values and another part at others. What was
/// measured in two parts at one value is two rounds: the one with more blocks keeps the number, and the other
/// comes after all.
fn numbers_of_task(measured: &BTreeMap<PartRound, usize>) -> Vec<(PartRound, u32)> {
    let rounds: BTreeSet<u32> = measured.keys().map(|place| place.round).collect();
    let order: HashMap<u32, u32> = rounds.into_iter().zip(0..).collect();
    let mut most: HashMap<(u32, u64), (usize, usize)> = HashMap::new();
    for (place, blocks) in measured {
        let most = most.entry((place.round, place.value)).or_insert((place.part, *blocks));
        if *blocks > most.1 {
            *most = (place.part, *blocks);
        }
    }
    let is_first = |place: &PartRound| most[&(place.round, place.value)].0 == place.part;
    let others = measured.keys().filter(|place| !is_first(place));
    let others: BTreeSet<(usize, u32)> = others.map(|place| (place.part, place.round)).collect();
    let others: HashMap<(usize, u32), u32> = others.into_iter().zip(order.len() as u32..).collect();
    let number = |place: &PartRound| {
        if is_first(place) { order[&place.round] } else { others[&(place.part, place.round)] }
    };
    measured.keys().map(|place| (*place, number(place))).collect()
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
    use assay_store::row_reader::{Lines, Rows};

    use super::*;

    /// A cell at a value with these lines, each the offset of a row.
    fn cell(value: u64, offsets: &[u64]) -> RawCell {
        let mut rows = Rows::default();
        for (first, offset) in (0..).zip(offsets) {
            rows.push(Lines { offset: *offset, bytes: 10, first, count: 1 });
        }
        let (algorithm, failed, failed_lines) = ("a".to_owned(), BTreeMap::new(), Vec::new());
        RawCell { algorithm, range: value, rows, failed, failed_lines, has_own_clock: false }
    }

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
        let cell = cell(0, &[50, 100, 200, 300]);
        let rounds = [Some(0.0), Some(1.0), Some(1.0), None];
        assert_eq!(parts.separate_rounds(&cell, 0, rounds.to_vec()), [Some(0.0), Some(1.0), Some(2.0), None]);
        let one = RunParts::new(&[record(0, 0, 100), record(7, 0, 400)]);
        assert_eq!(parts.separate_rounds(&cell, 2, vec![Some(1.0)]), [Some(2.0)]);
        assert_eq!(one.separate_rounds(&cell, 0, vec![Some(7.0)]), [Some(7.0)]);
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
        let rounds = [0.0, 1.0, 0.0, 1.0, 1.0].map(Some);
        let offsets = [0, 100, 200, 300, 400];
        let at_4 = parts.separate_rounds(&cell(4, &offsets[..2]), 0, rounds[..2].to_vec());
        assert_eq!(at_4, [0.0, 1.0].map(Some));
        let at_8 = parts.separate_rounds(&cell(8, &offsets[2..]), 0, rounds[2..].to_vec());
        assert_eq!(at_8, [0.0, 1.0, 2.0].map(Some));
    }

    #[test]
    fn an_interrupted_task_has_the_rounds_of_the_others() {
        // Ten rounds of one task; the other was interrupted in its round 4 between two lengths, and in its
        // round 6 within a length.
        let (mut records, mut end) = (Vec::new(), 0);
        let mut add = |part, range, round, algorithms: &[&str]| {
            for algorithm in algorithms {
                end += 100;
                let algorithm = (*algorithm).to_owned();
                records.push(BlockRecord { range, algorithm, ..record(round, part, end) });
            }
        };
        let all = ["a", "b", "c"];
        (0..10).for_each(|round| add(1, 4, round, &all));
        (0..10).for_each(|round| {
            add(
                if round < 5 {
                    2
                } else if round < 7 {
                    3
                } else {
                    4
                },
                8,
                round,
                &all,
            );
            let part = if round < 4 {
                2
            } else if round < 6 {
                3
            } else {
                4
            };
            match round {
                6 => {
                    add(3, 16, round, &all[..1]);
                    add(part, 16, round, &all[1..]);
                }
                _ => add(part, 16, round, &all),
            }
        });
        // The blocks of a part lie together.
        records.sort_by_key(|record| record.commit.as_ref().map(|commit| commit.part));
        for (record, place) in records.iter_mut().zip(1..) {
            record.commit.as_mut().unwrap().end = 100 * place;
        }
        let parts = RunParts::new(&records);
        let numbers = |value: u64, algorithm: &str| -> Vec<u32> {
            let of_cell = records.iter().zip(0..);
            let of_cell = of_cell.filter(|(one, _)| one.range == value && one.algorithm == algorithm);
            of_cell.map(|(one, place)| parts.number(100 * place, value, one.round)).collect()
        };
        let plain: Vec<u32> = (0..10).collect();
        for (value, algorithm) in [(4, "a"), (8, "a"), (8, "b"), (16, "b"), (16, "c")] {
            assert_eq!(numbers(value, algorithm), plain, "{algorithm} at {value}");
        }
        // One algorithm was measured with the workers of another part, so it is paired with none there.
        assert_eq!(numbers(16, "a"), [0, 1, 2, 3, 4, 5, 10, 7, 8, 9]);
    }
}
