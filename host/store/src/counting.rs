//! What went wrong with the counting: counts that were left out, and backends that failed while they counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of the counts of one event that a run should have. What its backend says itself (that it did not count, or
/// not all the time) is no fault.
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

    /// How many were left out for which reason; nothing of reasons that there were not.
    fn reasons(&self) -> impl Iterator<Item = (u64, &'static str)> + Clone {
        let reasons = [
            (self.not_read, "could not be read"),
            (self.not_a_number, "not a number"),
            (self.went_backwards, "went backwards"),
            (self.ran_too_long, "ran longer than it was enabled"),
            (self.in_part, "counted for a part of the time only"),
            (self.too_short, "the round was too short for it (take a longer text, or more --runs)"),
            (self.torn, "a pause lay in the round"),
        ];
        reasons.into_iter().filter(|(count, _)| *count > 0)
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
        self.faults.reasons().next().is_some() || self.faults.scaled > 0
    }

    /// A sentence about it.
    pub fn remark(&self) -> String {
        let reasons = self.faults.reasons();
        let all: u64 = reasons.clone().fold(0, |sum, (count, _)| sum.saturating_add(count));
        let told: Vec<String> = reasons
            .map(
                |(count, reason)| {
                    if count == all { reason.to_owned() } else { format!("{reason} ({count})") }
                },
            )
            .collect();
        let LeftOut { counter, faults } = self;
        let taken = faults.taken;
        let mut said = Vec::new();
        if all > 0 {
            said.push(format!("{all} counts of {taken} left out: {}", told.join(", ")));
        }
        if faults.scaled > 0 {
            said.push(format!("{} counts of {taken} scaled up from a part of the time", faults.scaled));
        }
        format!("counter `{counter}`: {}", said.join("; "))
    }
}

/// What must hold of the counts of a call, and did not hold of some. These are kept: who reads them should know.
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

impl Impossible {
    /// A sentence about it.
    pub fn remark(&self) -> String {
        let Impossible { relation, set, counts, taken } = self;
        let whose = set.as_ref().map_or_else(String::new, |set| format!(", as the event set `{set}` has it"));
        format!("{counts} counts of {taken} can't be: {relation} does not hold{whose}; they are kept")
    }
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

impl LostBackend {
    /// A sentence about it.
    pub fn remark(&self) -> String {
        let LostBackend { backend, place, fault } = self;
        format!("counter backend `{backend}`, {place}: {fault}; its counts are missing from there on")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_left_out_are_told_with_their_reasons() {
        let of = |faults| LeftOut { counter: "x:y".to_owned(), faults };
        let none = CountFaults { taken: 40, ..CountFaults::default() };
        assert!(!of(none).is_some());
        let mut faults = CountFaults { not_a_number: 3, ..none };
        assert_eq!(of(faults).remark(), "counter `x:y`: 3 counts of 40 left out: not a number");
        faults.add(&CountFaults {
            taken: 2,
            went_backwards: 1,
            ran_too_long: 1,
            not_read: 0,
            not_a_number: 0,
            ..CountFaults::default()
        });
        assert_eq!(
            of(faults).remark(),
            "counter `x:y`: 5 counts of 42 left out: not a number (3), went backwards (1), \
             ran longer than it was enabled (1)"
        );
        faults = CountFaults { in_part: 3, scaled: 2, ..none };
        assert_eq!(
            of(faults).remark(),
            "counter `x:y`: 3 counts of 40 left out: counted for a part of the time only; 2 counts of 40 scaled up from a \
             part of the time"
        );
        assert_eq!(
            of(CountFaults { scaled: 1, ..none }).remark(),
            "counter `x:y`: 1 counts of 40 scaled up from a part of the time"
        );
        assert!(
            of(CountFaults { not_read: 1, ..none })
                .remark()
                .ends_with("1 counts of 40 left out: could not be read")
        );
    }

    #[test]
    fn there_is_something_to_say_where_a_count_was_left_out_or_a_backend_lost() {
        let of = |not_read| LeftOut {
            counter: "x:y".to_owned(),
            faults: CountFaults { taken: 4, not_read, ..CountFaults::default() },
        };
        assert!(of(1).is_some() && !of(0).is_some());
        let lost =
            LostBackend { backend: "x".into(), place: "starting it".into(), fault: "it crashed".into() };
        let remark = "counter backend `x`, starting it: it crashed; its counts are missing from there on";
        assert_eq!(lost.remark(), remark);
    }
}
