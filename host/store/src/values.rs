//! What holds at each value of the range of an experiment: texts, pattern length, searched bytes, operations.

use assay_base::columns::Call;
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

    /// The number of operations of the searches of a repetition at a value, if the experiment declares a
    /// complexity.
    pub fn operations(&self, value: u64) -> Option<f64> {
        let complexity = self.definition.as_ref()?.complexity.as_ref()?;
        let operations = complexity.value(self.searched_bytes(value), self.pattern_length(value));
        operations.filter(|operations| *operations >= 0.0)
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

    #[test]
    fn operations_are_those_of_all_that_is_searched() {
        let mut facts = testing::run_over_sizes(&[4096, 8192]);
        assert_eq!(facts.operations(4096), None);
        facts.definition.as_mut().unwrap().complexity =
            Some("2 * text_length / pattern_length".parse().unwrap());
        assert_eq!((facts.operations(4096), facts.operations(8192)), (Some(1024.0), Some(2048.0)));
    }
}
