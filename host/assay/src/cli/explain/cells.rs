//! What the cost model is fitted to: the time and the counts of each algorithm at each range value.

use std::collections::HashMap;

use assay_base::error::Result;
use assay_base::io::console::Console;
use assay_explain::{AskedDifference, PerWork, WorkCell, WorkKind};
use assay_report::{Call, FullData, RangeAxis, Report, Subset};

use super::runs::ExplainedRuns;

/// A time below this number of clock floors is left out, because a tenth of it or more is that of the clock and the call.
const FLOORS: f64 = 10.0;

/// What the cost model is fitted to, and what it can't be fitted to.
pub(super) struct CountedCells {
    pub(super) cells: Vec<WorkCell>,
    left_out: Vec<LeftOutCell>,
}

/// An algorithm at a range value that was measured, and has no counts or too short a time.
struct LeftOutCell {
    algorithm: String,
    value: u64,
    /// Why, in a sentence: `hor has no counts`.
    reason: String,
}

/// A repetition: its time, and its counts of the kinds of work.
type Repetition = (f64, [f64; WorkKind::ALL.len()]);

impl ExplainedRuns {
    /// A cell for each algorithm and range value of which times and counts are known. Warns of those that are too short.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(super) fn cells(&self, console: &Console) -> Result<CountedCells> {
        let axis = RangeAxis::new(&self.times.facts);
        let least = self.times.facts.noise.floor_ns.unwrap_or(0.0) * FLOORS;
        let (mut cells, mut left_out, mut short) = (Vec::new(), Vec::new(), Vec::new());
        let mut leave_out = |algorithm: &str, value: u64, why: &str| {
            let (algorithm, reason) = (algorithm.to_owned(), format!("{algorithm} {why}"));
            left_out.push(LeftOutCell { algorithm, value, reason });
        };
        for algorithm in self.times.algorithms() {
            let Some(times) = self.times.fulldata(algorithm) else { continue };
            let twins = self.counts.fulldata(algorithm);
            for (place, value) in times.range().enumerate() {
                let repetitions = match twins.and_then(|twins| Some((twins, twins.place_of(value)?))) {
                    Some(counted) => self.repetitions((times, place), counted)?,
                    None => Vec::new(),
                };
                // A twin that counts nothing at all, not even a character that it reads, does not count.
                let counted =
                    typical(repetitions).filter(|(_, counts)| counts.iter().any(|count| *count > 0.0));
                let Some((time_ns, counts)) = counted else {
                    leave_out(algorithm, value, "has no counts");
                    continue;
                };
                let at = axis.at(value);
                if time_ns <= least {
                    short.push(format!("{algorithm} {at}"));
                    leave_out(algorithm, value, "takes too little time");
                    continue;
                }
                let work = PerWork::from_counts(counts, self.times.facts.text.bytes);
                cells.push(WorkCell { algorithm: algorithm.to_owned(), value, at, time_ns, work });
            }
        }
        if !short.is_empty() {
            console.warn(&format!(
                "left out, because their times are less than {FLOORS} times that of an empty call: {}; search a longer text",
                short.join(", ")
            ));
        }
        Ok(CountedCells { cells, left_out })
    }

    /// The repetitions of a cell that both runs have; none if a figure is missing in one of them.
    fn repetitions(
        &self,
        times: (FullData<'_>, usize),
        counts: (FullData<'_>, usize),
    ) -> Result<Vec<Repetition>> {
        let column = |report: &Report, name: &str| report.rawdata().column(name);
        let fields = WorkKind::ALL.map(|kind| column(&self.counts, kind.field().name()));
        let (Some(time), Some(fields)) =
            (column(&self.times, Call::Search.time()), fields.into_iter().collect::<Option<Vec<usize>>>())
        else {
            return Ok(Vec::new());
        };
        let measured = times.0.column(times.1, time)?;
        let counted = counts.0.columns(counts.1, &fields)?;
        let numbers: HashMap<u32, usize> = counts.0.repetition_numbers(counts.1).zip(0..).collect();
        let both = times.0.repetition_numbers(times.1).zip(measured).filter_map(|(number, time)| {
            let row = *numbers.get(&number)?;
            Some(repetition(time, counted.iter().map(|counts| counts[row])))
        });
        Ok(both.collect::<Option<Vec<Repetition>>>().unwrap_or_default())
    }

    /// The differences to explain: of the first algorithm and each other one, at each range value.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(super) fn asked(&self, counted: &CountedCells) -> Result<Vec<AskedDifference>> {
        let axis = RangeAxis::new(&self.times.facts);
        let named =
            Subset { algorithms: Some(self.algorithms.clone()), values: None, options: String::new() };
        let named = self.times.subset(&named)?;
        let (first, others) = self.algorithms.split_first().expect("there are two");
        let compared = named.baseline(first, Some(Call::Search))?.cells;
        let mut asked = Vec::new();
        for other in others {
            asked.extend(compared.iter().filter(|cell| cell.algorithm == *other).map(|cell| {
                AskedDifference {
                    pair: [first.clone(), other.clone()],
                    value: cell.value,
                    at: axis.at(cell.value),
                    judged: cell.judged,
                    left_out: counted.left_out(&[first, other], cell.value),
                }
            }));
        }
        Ok(asked)
    }
}

impl CountedCells {
    /// Why one of these algorithms is left out at a range value, if one is.
    fn left_out(&self, algorithms: &[&String], value: u64) -> Option<String> {
        let left_out = |cell: &&LeftOutCell| cell.value == value && algorithms.contains(&&cell.algorithm);
        self.left_out.iter().find(left_out).map(|cell| cell.reason.clone())
    }
}

/// A repetition, if none of its figures is missing.
fn repetition(time: Option<f64>, counts: impl Iterator<Item = Option<f64>>) -> Option<Repetition> {
    let mut work = [0.0; WorkKind::ALL.len()];
    for (work, count) in work.iter_mut().zip(counts) {
        *work = count?;
    }
    Some((time?, work))
}

/// The mean time and the mean counts of the middle half of the repetitions, by their times: interruptions make times
/// longer, and the counts must be those of the same searches. None if there are no repetitions, or their time is 0.
fn typical(mut repetitions: Vec<Repetition>) -> Option<Repetition> {
    repetitions.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let quarter = repetitions.len() / 4;
    let middle = &repetitions[quarter..repetitions.len() - quarter];
    let mean = |of: &dyn Fn(&Repetition) -> f64| middle.iter().map(of).sum::<f64>() / middle.len() as f64;
    let time = mean(&|(time, _)| *time);
    (time > 0.0).then(|| (time, std::array::from_fn(|kind| mean(&|(_, work)| work[kind]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_searches_whose_times_are_typical() {
        let repetition = |time: f64| (time, [10.0 * time, 0.0, 0.0, 0.0, 1.0]);
        let (time, work) = typical([4.0, 1.0, 900.0, 2.0, 3.0].map(repetition).into()).unwrap();
        assert_eq!((time, work), (3.0, [30.0, 0.0, 0.0, 0.0, 1.0]));
        assert_eq!(typical(vec![repetition(5.0)]).unwrap().0, 5.0);
        assert_eq!((typical(Vec::new()), typical(vec![repetition(0.0)])), (None, None));
    }
}
