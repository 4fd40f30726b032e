//! What went wrong with the counting: counts that were left out, and backends that failed while they counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What became of the counts of one event that a run should have. What its backend says itself (that it did
/// not count, or not all the time) is no fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CountFaults {
    /// Number of all counts, including those that were left out: one for each call of each repetition.
    pub taken: u64,
    /// Counts left out because the backend could not read.
    pub not_read: u64,
    /// Counts left out because the backend returned NaN or infinity.
    pub not_a_number: u64,
    /// Counts left out because a value that only grows was less than before.
    pub went_backwards: u64,
    /// Counts left out because the event ran longer than it was enabled.
    pub ran_too_long: u64,
    /// Counts left out because the event counted only for a part of the time.
    pub in_part: u64,
    /// Counts left out because the round was too short for an event that is updated rarely.
    pub too_short: u64,
    /// Counts left out because of a pause during the round.
    pub torn: u64,
    /// Counts that were not left out but, on request, scaled up from a part of the time.
    pub scaled: u64,
}

/// Why a count is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Its backend is not used, or says so.
    Told,
    /// The backend could not read.
    NotRead,
    /// It gave NaN or infinity.
    NotANumber,
    /// What only grows was less than before.
    WentBackwards,
    /// The event ran longer than it was enabled.
    RanTooLong,
    /// It counted for a part of the time only.
    InPart,
    /// The block was too short for an event that moves seldom.
    TooShort,
    /// A pause lay in the middle of the block, for which such an event counted too.
    Torn,
}

impl CountFaults {
    /// Notes what became of a count: whether it was scaled up, or why it is missing.
    pub fn note(&mut self, outcome: Result<bool, Missing>) {
        self.taken += 1;
        match outcome {
            Ok(scaled) => self.scaled += u64::from(scaled),
            Err(Missing::Told) => {}
            Err(Missing::NotRead) => self.not_read += 1,
            Err(Missing::NotANumber) => self.not_a_number += 1,
            Err(Missing::WentBackwards) => self.went_backwards += 1,
            Err(Missing::RanTooLong) => self.ran_too_long += 1,
            Err(Missing::InPart) => self.in_part += 1,
            Err(Missing::TooShort) => self.too_short += 1,
            Err(Missing::Torn) => self.torn += 1,
        }
    }

    /// Adds those of other counts. A worker whose memory is damaged may send any number.
    pub fn add(&mut self, other: &CountFaults) {
        let mut other = *other;
        let others = other.numbers_mut().map(|number| *number);
        let mine = self.numbers_mut();
        mine.into_iter().zip(others).for_each(|(mine, more)| *mine = mine.saturating_add(more));
    }

    fn numbers_mut(&mut self) -> [&mut u64; 9] {
        let CountFaults { taken, not_read, not_a_number, went_backwards, ran_too_long, .. } = self;
        let CountFaults { in_part, too_short, torn, scaled, .. } = self;
        [taken, not_read, not_a_number, went_backwards, ran_too_long, in_part, too_short, torn, scaled]
    }

    /// Whether all counts are missing, and a fault of the backend is among the reasons.
    pub fn is_lost(&self) -> bool {
        let CountFaults { not_read, not_a_number, went_backwards, ran_too_long, torn, .. } = *self;
        let at_fault =
            [not_read, not_a_number, went_backwards, ran_too_long, torn].iter().any(|&count| count > 0);
        at_fault && self.left_out() >= self.taken
    }

    /// The number of counts that were left out, for any reason.
    pub fn left_out(&self) -> u64 {
        let CountFaults { not_read, not_a_number, went_backwards, ran_too_long, in_part, .. } = *self;
        let reasons =
            [not_read, not_a_number, went_backwards, ran_too_long, in_part, self.too_short, self.torn];
        reasons.into_iter().fold(0, u64::saturating_add)
    }
}

/// An event some of whose counts were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// `backend:event`.
    pub counter: String,
    /// How many, and why.
    #[serde(flatten)]
    pub faults: CountFaults,
}

impl LeftOut {
    /// Whether there is anything to say.
    pub fn is_some(&self) -> bool {
        self.faults.left_out() > 0 || self.faults.scaled > 0
    }
}

/// A relation that must hold for the counts of each call, and that some violate. These counts are kept, so
/// readers must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Impossible {
    /// The relation: `perf:branch-misses <= perf:branches`.
    pub relation: String,
    /// The event set that declares it; `null` if the set comes with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Number of calls that violate it.
    pub counts: u64,
    /// Number of calls that were checked.
    pub taken: u64,
}

/// A backend that failed during a run, and was not used from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LostBackend {
    /// Id of the backend.
    pub backend: String,
    /// The operation that failed, and the algorithm that was measured.
    pub place: String,
    /// The fault.
    pub fault: String,
}

/// What became of the counts of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlockCounting {
    /// Those of each event, in the order of the counters of the run; empty if there are none.
    pub faults: Vec<CountFaults>,
    /// The backends that failed in this block.
    pub lost: Vec<LostBackend>,
    /// The relations that were checked.
    pub impossible: Vec<Impossible>,
}

impl BlockCounting {
    /// As JSON without zeros and empty lists, for a cell of `blocks.csv`; empty if nothing was counted.
    pub(crate) fn to_cell(&self) -> String {
        if *self == BlockCounting::default() {
            return String::new();
        }
        let mut value = serde_json::to_value(self).expect("it has a JSON form");
        let object = value.as_object_mut().expect("it has fields");
        object.retain(|_, list| list.as_array().is_some_and(|list| !list.is_empty()));
        let faults = object.get_mut("faults").and_then(Value::as_array_mut);
        for fields in faults.into_iter().flatten().filter_map(Value::as_object_mut) {
            fields.retain(|_, count| count.as_u64() != Some(0));
        }
        value.to_string()
    }

    /// What such a cell says; `None` if it is another.
    pub(crate) fn of_cell(cell: &str) -> Option<Self> {
        if cell.is_empty() { Some(BlockCounting::default()) } else { serde_json::from_str(cell).ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_were_left_out_add_up_and_those_that_were_scaled_are_not_left_out() {
        let mut faults = CountFaults { taken: 40, not_a_number: 3, ..CountFaults::default() };
        faults.add(&CountFaults {
            taken: 2,
            went_backwards: 1,
            torn: 1,
            scaled: 5,
            ..CountFaults::default()
        });
        assert_eq!((faults.taken, faults.left_out()), (42, 5));
        faults.add(&CountFaults { not_read: u64::MAX, ..CountFaults::default() });
        assert_eq!(faults.left_out(), u64::MAX);
    }

    #[test]
    fn a_cell_has_what_became_of_the_counts_and_no_zeros() {
        assert_eq!(BlockCounting::default().to_cell(), "");
        assert_eq!(BlockCounting::of_cell(""), Some(BlockCounting::default()));
        let fault = CountFaults { taken: 200, torn: 1, ..CountFaults::default() };
        let counting = BlockCounting { faults: vec![fault, CountFaults::default()], ..Default::default() };
        let cell = counting.to_cell();
        assert_eq!(cell, r#"{"faults":[{"taken":200,"torn":1},{}]}"#);
        assert_eq!(BlockCounting::of_cell(&cell), Some(counting));
        assert_eq!(BlockCounting::of_cell("{"), None);
    }

    #[test]
    fn an_event_is_listed_if_counts_were_left_out_or_scaled() {
        let listed = |faults| LeftOut { counter: "x:y".to_owned(), faults }.is_some();
        let none = CountFaults { taken: 4, ..CountFaults::default() };
        assert!(!listed(none));
        assert!(listed(CountFaults { not_read: 1, ..none }) && listed(CountFaults { scaled: 1, ..none }));
    }
}
