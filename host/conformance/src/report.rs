//! The report on the test of an algorithm.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::examine::Repeat;

/// The outcome of the test of an algorithm and its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// Every case gave the right result.
    Passed,
    /// The algorithm did what it must not do, or reported an error itself.
    Failed,
    /// Its process ended.
    Crashed,
    /// A case took longer than the limit.
    TimedOut,
    /// The algorithm is made for none of the cases, or not for this CPU, and says so.
    CannotSearch,
    /// The algorithm could not be tried.
    Error,
}

impl TestStatus {
    /// The name of the outcome in files.
    pub fn name(self) -> &'static str {
        match self {
            TestStatus::Passed => "passed",
            TestStatus::Failed => "failed",
            TestStatus::Crashed => "crashed",
            TestStatus::TimedOut => "timed_out",
            TestStatus::CannotSearch => "cannot_search",
            TestStatus::Error => "error",
        }
    }

    /// Whether something is wrong.
    pub fn is_failure(self) -> bool {
        !matches!(self, TestStatus::Passed | TestStatus::CannotSearch)
    }
}

/// The report on the test of an algorithm and its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    /// The outcome.
    pub status: TestStatus,
    /// Number of cases that it searched, if that is known.
    pub cases: Option<usize>,
    /// Number of cases that it refused because of their text or the letters of their pattern, although neither
    /// their lengths nor its declared needs say why.
    pub refused: usize,
    /// Whether its functions begin at multiples of 64 bytes, as those of all algorithms should, so that times can be
    /// compared. Only known of an algorithm that passed.
    pub aligned: bool,
    /// One line that says what is wrong, or was left out.
    pub message: Option<String>,
    /// The group of cases in which it went wrong.
    pub group: Option<&'static str>,
    /// How to repeat the failure.
    pub repeat: Option<Repeat>,
    /// Wall time of the test, while others ran at the same time.
    pub taken: Duration,
}

impl TestReport {
    /// The report of an algorithm that passed this number of cases.
    pub fn passed(cases: usize, aligned: bool) -> Self {
        TestReport {
            status: TestStatus::Passed,
            cases: Some(cases),
            refused: 0,
            aligned,
            message: None,
            group: None,
            repeat: None,
            taken: Duration::ZERO,
        }
    }

    /// Of one that did not pass.
    pub fn new(status: TestStatus, message: impl Into<String>) -> Self {
        TestReport {
            status,
            cases: None,
            refused: 0,
            aligned: true,
            message: Some(message.into()),
            group: None,
            repeat: None,
            taken: Duration::ZERO,
        }
    }
}
