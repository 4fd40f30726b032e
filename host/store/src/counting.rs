//! What went wrong with the counting: counts that were left out, and backends that failed while they counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of the counts of one event that a run should have. What its backend says itself (that it did
/// not count, or not all the time) is no fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountFaults {
    /// Counts that were taken, with those that were left out: one for each call of each repetition.
    pub taken: u64,
    /// Left out since the backend could not read.
    pub not_read: u64,
    /// Left out since the backend gave NaN or infinity.
    pub not_a_number: u64,
    /// Left out since what only grows was less than before.
    pub went_backwards: u64,
    /// Left out since the event ran longer than it was enabled.
    pub ran_too_long: u64,
    /// Left out since the event counted for a part of the time only.
    #[serde(default)]
    pub in_part: u64,
    /// Left out since the round was too short for an event that moves seldom.
    #[serde(default)]
    pub too_short: u64,
    /// Left out since a pause lay in the round.
    #[serde(default)]
    pub torn: u64,
    /// Not left out, but scaled up from a part of the time, as was asked for.
    #[serde(default)]
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

/// What must hold of the counts of a call, and did not hold of some. These are kept: who reads them should
/// know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Impossible {
    /// What must hold, in words and numbers: `perf:branch-misses <= perf:branches`.
    pub relation: String,
    /// The event set that says so, if it does not come with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Of how many calls it did not hold.
    pub counts: u64,
    /// Of how many it was looked at.
    pub taken: u64,
}

/// A backend that failed during a run, and was not used from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LostBackend {
    /// Its id.
    pub backend: String,
    /// What was done with it, and for which algorithm.
    pub place: String,
    /// What it did.
    pub fault: String,
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
    fn an_event_is_listed_if_counts_were_left_out_or_scaled() {
        let listed = |faults| LeftOut { counter: "x:y".to_owned(), faults }.is_some();
        let none = CountFaults { taken: 4, ..CountFaults::default() };
        assert!(!listed(none));
        assert!(listed(CountFaults { not_read: 1, ..none }) && listed(CountFaults { scaled: 1, ..none }));
    }
}
