//! What holds at each value of the range of an experiment: texts, pattern length, searched bytes, operations.

use assay_base::columns::Call;
use assay_experiment::by_length::ByLength;
use assay_experiment::definition::Experiment;
use assay_experiment::range::Over;

use super::range::{CallFacts, ValueFacts};
use super::schema::ExperimentFacts;

impl ExperimentFacts {
    /// Whether all searches are of one text.
    pub fn has_one_text(&self) -> bool {
        let same = |call: &CallFacts| (&call.text, call.bytes) == (&self.text.sources, self.text.bytes);
        !self.over().varies_texts() && self.calls.iter().all(same)
    }

    /// Whether the texts at all values that both runs have are the same.
    pub fn has_the_texts_of(&self, other: &ExperimentFacts) -> bool {
        let (Some(range), Some(_)) = (&self.range, &other.range) else {
            return self.text.sha256 == other.text.sha256;
        };
        let same = |here: &ValueFacts| {
            other.at(here.value).is_none_or(|there| there.text.sha256 == here.text.sha256)
        };
        range.values.iter().all(same)
    }

    /// The SHA-256 of the text, then of the texts of the range.
    pub fn texts(&self) -> Vec<String> {
        let of_range = self.range.iter().flat_map(|range| &range.values).map(|value| &value.text);
        std::iter::once(&self.text).chain(of_range).map(|text| text.sha256.clone()).collect()
    }

    /// The quantity that varies in the run.
    pub fn over(&self) -> Over {
        self.range.as_ref().map(|range| range.over).unwrap_or_default()
    }

    /// The facts of a range value. `None` if the run has no range, or no such value.
    pub fn at(&self, value: u64) -> Option<&ValueFacts> {
        self.range.as_ref()?.values.iter().find(|known| known.value == value)
    }

    /// The number of operations of all searches of a repetition at a value, if the experiment declares a
    /// complexity.
    pub fn operations(&self, value: u64) -> Option<f64> {
        let definition = self.definition.as_ref()?;
        if definition.calls_have_complexity() {
            let searches = (0..self.calls.len()).filter(|number| self.calls[*number].call == Call::Search);
            return searches.map(|number| self.operations_of_call(value, number)).sum();
        }
        self.operations_on(definition.complexity.as_ref()?, value, self.searched_bytes(value))
    }

    /// The number of operations of the call of this number at a value: by the complexity of this call, or
    /// else by that of the experiment, for the text of this call alone. `None` for a preparation.
    pub fn operations_of_call(&self, value: u64, number: usize) -> Option<f64> {
        let definition = self.definition.as_ref()?;
        let complexity = match definition.calls_have_complexity() {
            true => self.complexity_of_call(definition, number)?,
            false => definition.complexity.as_ref()?,
        };
        let is_search = self.calls.get(number)?.call == Call::Search;
        let bytes = self.call_bytes(value, number).filter(|_| is_search)?;
        self.operations_on(complexity, value, bytes)
    }

    /// The complexity that the experiment declares for the call of this number.
    fn complexity_of_call<'a>(&self, definition: &'a Experiment, number: usize) -> Option<&'a ByLength> {
        // After each preparation, the searches are those of the experiment, in order.
        let earlier = self.calls[..number].iter().rev().take_while(|call| call.call == Call::Search).count();
        let mut searches = definition.calls.iter().flat_map(|call| std::iter::repeat_n(call, call.searches));
        searches.nth(earlier)?.complexity.as_ref()
    }

    /// The number of operations by a formula, for this number of searched bytes.
    fn operations_on(&self, complexity: &ByLength, value: u64, bytes: usize) -> Option<f64> {
        complexity.value(bytes, self.pattern_length(value)).filter(|operations| *operations >= 0.0)
    }

    /// The length of the text of the call of this number at a value. `None` if there is no such call, or if
    /// the texts vary and the run did not record their lengths by call.
    pub fn call_bytes(&self, value: u64, number: usize) -> Option<usize> {
        let call = self.calls.get(number)?;
        match self.at(value).and_then(|at| at.call_bytes.get(number)) {
            Some(bytes) => Some(*bytes),
            None => (!self.over().varies_texts()).then_some(call.bytes),
        }
    }

    /// The length of the patterns at a value.
    pub fn pattern_length(&self, value: u64) -> usize {
        self.at(value).map_or(value as usize, |at| at.pattern_length)
    }

    /// The number of bytes that all searches of a repetition go through at a value.
    pub fn searched_bytes(&self, value: u64) -> usize {
        let of_calls = || {
            let searches = self.calls.iter().filter(|call| call.call == Call::Search);
            searches.map(|call| call.bytes).reduce(|sum, bytes| sum + bytes)
        };
        let at = self.at(value).map(|facts| facts.searched_bytes);
        at.or_else(of_calls).unwrap_or(self.text.bytes)
    }
}

#[cfg(test)]
mod tests {
    use assay_experiment::calls::CallSpec;

    use super::*;
    use crate::testing;

    #[test]
    fn two_runs_have_the_same_texts_if_those_at_common_values_are_equal() {
        let (two, three) =
            (testing::run_over_sizes(&[4096, 8192]), testing::run_over_sizes(&[4096, 8192, 16384]));
        assert!(two.has_the_texts_of(&three) && three.has_the_texts_of(&two));
        let mut other = two.clone();
        other.range.as_mut().unwrap().values[1].text.sha256 = "other".to_owned();
        assert!(!two.has_the_texts_of(&other));
    }

    #[test]
    fn searched_bytes_are_those_of_all_searches() {
        assert_eq!(testing::run_over_sizes(&[4096]).searched_bytes(4096), 4096);
        let mut facts = testing::run().experiment;
        assert_eq!(facts.searched_bytes(8), 1000);
        let call =
            |name: &str, call, bytes| CallFacts { name: name.to_owned(), call, text: Vec::new(), bytes };
        facts.calls = vec![
            call("prepare", Call::Prepare, 10),
            call("search1", Call::Search, 10),
            call("search2", Call::Search, 7),
        ];
        assert_eq!(facts.searched_bytes(8), 17);
    }

    /// A run that prepares, searches 10 bytes, and searches 7 bytes twice.
    fn with_calls() -> ExperimentFacts {
        let mut facts = testing::run().experiment;
        let (prepare, search) = (Call::Prepare, Call::Search);
        let calls = [
            ("prepare", prepare, 10),
            ("search1", search, 10),
            ("search2", search, 7),
            ("search3", search, 7),
        ];
        let call = |(name, call, bytes): (&str, Call, usize)| CallFacts {
            name: name.to_owned(),
            call,
            text: Vec::new(),
            bytes,
        };
        facts.calls = calls.map(call).to_vec();
        facts
    }

    #[test]
    fn each_call_has_the_operations_of_its_own_text() {
        let mut facts = with_calls();
        let operations =
            |facts: &ExperimentFacts| [0, 1, 3, 4].map(|number| facts.operations_of_call(8, number));
        assert_eq!(operations(&facts), [None; 4]);
        let definition = facts.definition.as_mut().unwrap();
        definition.complexity = Some("2 * text_length".parse().unwrap());
        assert_eq!(operations(&facts), [None, Some(20.0), Some(14.0), None]);
        assert_eq!(facts.operations(8), Some(48.0));
    }

    #[test]
    fn a_call_may_declare_its_own_complexity() {
        let mut facts = with_calls();
        let call = |searches, complexity: &str| CallSpec {
            searches,
            complexity: Some(complexity.parse().unwrap()),
            ..CallSpec::default()
        };
        facts.definition.as_mut().unwrap().calls = vec![call(1, "text_length"), call(2, "text_length + 100")];
        assert_eq!(
            [1, 2, 3].map(|number| facts.operations_of_call(8, number)),
            [10.0, 107.0, 107.0].map(Some)
        );
        assert_eq!(facts.operations(8), Some(224.0));
        // A second value of a sum-range has the same searches again.
        facts.calls.extend_from_within(..);
        assert_eq!(facts.operations_of_call(8, 5), Some(10.0));
        assert_eq!(facts.operations(8), Some(448.0));
    }

    #[test]
    fn the_text_of_a_call_has_the_length_that_was_recorded_at_each_value() {
        let mut facts = testing::run_over_sizes(&[4096, 8192]);
        facts.calls = with_calls().calls;
        assert_eq!(facts.call_bytes(8192, 1), None, "an earlier version did not record it");
        for at in &mut facts.range.as_mut().unwrap().values {
            at.call_bytes = vec![at.searched_bytes / 2, at.searched_bytes / 2, 0, 0];
        }
        assert_eq!([4096, 8192].map(|value| facts.call_bytes(value, 1)), [Some(2048), Some(4096)]);
        assert_eq!((with_calls().call_bytes(8, 2), with_calls().call_bytes(8, 4)), (Some(7), None));
    }

    #[test]
    fn operations_are_those_of_all_that_is_searched() {
        let mut facts = testing::run_over_sizes(&[4096, 8192]);
        assert_eq!(facts.operations(4096), None);
        facts.definition.as_mut().unwrap().complexity =
            Some("2 * text_length / pattern_length".parse().unwrap());
        assert_eq!((facts.operations(4096), facts.operations(8192)), (Some(1024.0), Some(2048.0)));
    }
}
