//! The number of repetitions and rounds: those that were asked for at each value of the range, and those of
//! each cell that was measured.

use std::collections::HashMap;

use assay_experiment::rounds::Rounds;
use assay_stats::Interval;

use super::schema::ExperimentFacts;
use super::{CellResult, Run};

impl ExperimentFacts {
    /// The values that were asked for: those of the range, or the pattern lengths. None if `report.json` has
    /// no definition of the experiment.
    pub fn values(&self) -> Vec<u64> {
        match (&self.range, &self.definition) {
            (Some(range), _) => range.values.iter().map(|value| value.value).collect(),
            (None, Some(definition)) => {
                let shortest = self.calls.iter().map(|call| call.bytes).min().unwrap_or(self.text.bytes);
                let lengths = definition.patterns.all_lengths(shortest);
                lengths.into_iter().map(|length| length as u64).collect()
            }
            (None, None) => Vec::new(),
        }
    }

    /// The rounds that were asked for at a value.
    pub fn rounds_at(&self, value: u64) -> Option<Rounds> {
        let definition = self.definition.as_ref()?;
        definition.rounds_at(self.searched_bytes(value), self.pattern_length(value)).ok()
    }

    /// The least and the greatest number of repetitions or rounds that were asked for at a value.
    pub fn asked_for(&self, number: fn(&Rounds) -> usize) -> Option<(usize, usize)> {
        let numbers = self.values().into_iter().map(|value| Some(number(&self.rounds_at(value)?)));
        ends(numbers.collect::<Option<Vec<_>>>()?)
    }
}

impl Run {
    /// The least and the greatest number of rounds of the cells that have an interval.
    pub fn rounds(&self) -> Option<(usize, usize)> {
        let with_interval = self.results.iter().filter(|cell| interval(cell).is_some());
        ends(with_interval.filter_map(|cell| cell.rounds))
    }

    /// The least and the greatest number of patterns that were searched for at a value. `None` if nothing was
    /// measured.
    pub fn patterns(&self) -> Option<(usize, usize)> {
        let mut repetitions: HashMap<u64, usize> = HashMap::new();
        for cell in self.results.iter().filter(|cell| cell.repetitions > 0) {
            let most = repetitions.entry(cell.value()).or_default();
            *most = cell.repetitions.max(*most);
        }
        ends(repetitions.into_values())
    }
}

/// The interval of the search time of a cell, if it was measured.
pub fn interval(cell: &CellResult) -> Option<Interval> {
    cell.search_ns?.ci95.filter(|_| cell.repetitions > 0)
}

/// The least and the greatest of these numbers; `None` if there are none.
pub fn ends(numbers: impl IntoIterator<Item = usize>) -> Option<(usize, usize)> {
    numbers
        .into_iter()
        .map(|number| (number, number))
        .reduce(|(least, greatest), (number, _)| (least.min(number), greatest.max(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn repetitions_are_those_of_the_values_that_were_asked_for() {
        let mut facts = testing::run().experiment;
        let definition = facts.definition.as_mut().unwrap();
        (definition.patterns.lengths, definition.runs) = (vec![2, 8, 16], 100);
        let runs = |facts: &ExperimentFacts| facts.asked_for(Rounds::runs);
        assert_eq!((facts.values(), runs(&facts)), (vec![2, 8, 16], Some((100, 100))));
        // Texts of 1000 bytes.
        facts.definition.as_mut().unwrap().runs_by = Some("text_length / pattern_length".parse().unwrap());
        assert_eq!(runs(&facts), Some((63, 100)));
        assert_eq!(facts.rounds_at(8).map(|rounds| rounds.runs()), Some(100), "125, and 100 at most");
        facts.definition = None;
        assert_eq!((facts.values(), runs(&facts)), (Vec::new(), None));
    }
}
