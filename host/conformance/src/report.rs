//! The report on the test of an algorithm.

use std::time::Duration;

use assay_plugin_api::testing::cases::{Case, Place};
use serde::{Deserialize, Serialize};

/// The outcome of the test of an algorithm and its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// Every case gave the right result.
    Passed,
    /// A result was wrong, the algorithm did something forbidden, or it reported an error itself.
    Failed,
    /// The process that it ran in ended.
    Crashed,
    /// A case took longer than the limit.
    TimedOut,
    /// The algorithm says that it is not made for any of the cases, or not for this CPU.
    CannotSearch,
    /// The algorithm could not be tried, for example because its library has changed.
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

/// How to repeat a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Search for this pattern in this text.
    Case(Case),
    /// Try only this case of the plan.
    Place(Place),
    /// Try the whole plan, because the failure depends on earlier cases.
    Plan,
}

/// The report on the test of an algorithm and its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    /// The outcome.
    pub status: TestStatus,
    /// Number of cases that it searched, if that is known.
    pub cases: Option<usize>,
    /// Number of cases that it refused although it searched other patterns of their length, and although its
    /// declared needs allow them.
    pub refused: usize,
    /// Whether its functions begin at multiples of 64 bytes, as all should, because alignment changes times.
    /// Only known if it passed.
    pub aligned: bool,
    /// What is wrong or was left out, in one line.
    pub message: Option<String>,
    /// The group of cases to which the failing case belongs.
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

    /// The report of an algorithm that did not pass.
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
