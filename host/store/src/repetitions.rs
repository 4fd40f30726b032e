//! How often each value of what varied was to be measured, as results tell it.

use assay_experiment::rounds::Rounds;

use super::schema::ExperimentFacts;

impl ExperimentFacts {
    /// The values that were asked for: pattern lengths, or those of the range; none where that is not known any more.
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

    /// Of what was asked for at each value, repetitions or rounds: the least number and the greatest.
    pub fn asked_for(&self, number: fn(&Rounds) -> usize) -> Option<(usize, usize)> {
        let numbers = self.values().into_iter().map(|value| Some(number(&self.rounds_at(value)?)));
        ends(numbers.collect::<Option<Vec<_>>>()?)
    }
}

/// The least number and the greatest.
pub fn ends(numbers: impl IntoIterator<Item = usize>) -> Option<(usize, usize)> {
    numbers
        .into_iter()
        .map(|number| (number, number))
        .reduce(|(least, most), (number, _)| (least.min(number), most.max(number)))
}

/// "10", or "10 to 63".
pub fn from_to((least, most): (usize, usize)) -> String {
    if least == most { most.to_string() } else { format!("{least} to {most}") }
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
        let runs = |facts: &ExperimentFacts| facts.asked_for(Rounds::runs).map(from_to);
        assert_eq!((facts.values(), runs(&facts).as_deref()), (vec![2, 8, 16], Some("100")));
        // Texts of 1000 bytes.
        facts.definition.as_mut().unwrap().runs_by = Some("text_length / pattern_length".parse().unwrap());
        assert_eq!(runs(&facts).as_deref(), Some("63 to 100"));
        assert_eq!(facts.rounds_at(8).map(|rounds| rounds.runs()), Some(100), "125, and 100 at most");
        facts.definition = None;
        assert_eq!((facts.values(), runs(&facts)), (Vec::new(), None));
    }
}
