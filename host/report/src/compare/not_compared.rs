//! Algorithms and range values that can't be compared between two runs, and why.

use crate::Absence;

/// An algorithm and range value that only one of two runs has times of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCompared {
    /// The algorithm.
    pub algorithm: String,
    /// The range value.
    pub value: u64,
    /// Why its times can't be compared.
    pub reason: NotComparable,
}

/// The reason why times of two runs can't be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotComparable {
    /// The later run did not measure it.
    NotMeasuredNow,
    /// The first run did not measure it.
    NotMeasuredBefore,
    /// It failed in the later run, and not in the first.
    FailsNow,
    /// It failed in the first run.
    FailedBefore,
    /// The algorithm is not made for it in the later run, and was in the first.
    NotMadeForNow,
    /// The algorithm is not made for it in the first run, or in both.
    NotMadeFor,
    /// Its times are missing in some repetitions of the later run, and not in the first.
    MissingNow,
    /// Its times are missing in some repetitions of the first run.
    MissingBefore,
    /// One of the runs did not record its rounds.
    NoRounds,
    /// It takes less than ten empty calls in one of the runs.
    TooShort,
}

impl NotComparable {
    /// In words, for a table.
    pub fn words(self) -> &'static str {
        match self {
            NotComparable::NotMeasuredNow => "not measured now",
            NotComparable::NotMeasuredBefore => "not measured before",
            NotComparable::FailsNow => "fails now",
            NotComparable::FailedBefore => "failed before",
            NotComparable::NotMadeForNow => "no longer made for it",
            NotComparable::NotMadeFor => "not made for it",
            NotComparable::MissingNow => "times missing now",
            NotComparable::MissingBefore => "times missing before",
            NotComparable::NoRounds => "a run did not record its rounds",
            NotComparable::TooShort => "too short to compare",
        }
    }

    /// Whether the first run has times and the later one has lost them.
    pub fn is_new_failure(self) -> bool {
        matches!(self, NotComparable::FailsNow | NotComparable::MissingNow | NotComparable::NotMadeForNow)
    }

    /// From the reason why each run has no times; `None` if both have times.
    pub(super) fn from_absences(before: Option<Absence>, now: Option<Absence>) -> Option<Self> {
        use Absence::{Failed, Missing, NoRounds, NotMadeFor, NotMeasured, Zero};
        Some(match (before, now) {
            (_, Some(NotMeasured)) => NotComparable::NotMeasuredNow,
            (Some(NotMeasured), _) => NotComparable::NotMeasuredBefore,
            (Some(NotMadeFor), _) => NotComparable::NotMadeFor,
            (Some(Failed(_)), _) => NotComparable::FailedBefore,
            (_, Some(Failed(_))) => NotComparable::FailsNow,
            (_, Some(NotMadeFor)) => NotComparable::NotMadeForNow,
            (Some(Missing(_)), _) => NotComparable::MissingBefore,
            (_, Some(Missing(_))) => NotComparable::MissingNow,
            (Some(Zero), _) | (_, Some(Zero)) => NotComparable::TooShort,
            (Some(NoRounds), _) | (_, Some(NoRounds)) => NotComparable::NoRounds,
            (None, None) => return None,
        })
    }
}
