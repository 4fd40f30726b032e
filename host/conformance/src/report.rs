//! What came of a test.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::examine::Repeat;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// All was right.
    Passed,
    /// It did what it must not do, or reported an error itself.
    Failed,
    /// Its process ended.
    Crashed,
    /// A case took longer than the limit.
    TimedOut,
    /// It is made for none of the cases, or not for this CPU, and says so.
    CannotSearch,
    /// It could not be tried.
    Error,
}

impl TestStatus {
    /// The word for it, as in files.
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

/// What came of the test of an algorithm and its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    /// How it ended.
    pub status: TestStatus,
    /// Number of cases that it searched, if that is known.
    pub cases: Option<usize>,
    /// Number of cases that it refused by their text or the letters of their pattern: neither their lengths
    /// nor what it declared to need say why.
    pub refused: usize,
    /// Whether its functions begin where those of others do, so that their times can be compared; of one that
    /// passed.
    pub aligned: bool,
    /// What is wrong, or was left out, in a line.
    pub message: Option<String>,
    /// The group of cases in which it went wrong.
    pub group: Option<&'static str>,
    /// How to see it again.
    pub repeat: Option<Repeat>,
    /// How long the test took, with all others that went on meanwhile.
    pub taken: Duration,
}

impl TestReport {
    /// Of one that passed.
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
