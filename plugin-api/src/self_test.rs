//! The results of the self-test of a counter backend.

/// The result of a check: a row in the table of `assay counters selftest`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What was checked, in a few words that are the same on every machine.
    pub name: String,
    /// Whether it is as it should be.
    pub verdict: Verdict,
    /// What was measured, if it is a number.
    pub measured: Option<f64>,
    /// What it should be, if that is a number.
    pub expected: Option<f64>,
    /// Why the verdict is this one, in a sentence without its end: for a number that is right, how exact it
    /// had to be; for what is absent, why, and what the user can do.
    pub reason: String,
}

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is as it should be.
    Ok,
    /// It is not as it should be: the backend, the kernel or the machine has a fault.
    Wrong,
    /// This machine does not have it, or does not allow it.
    Absent,
}

impl Check {
    /// A check without numbers.
    pub fn new(name: impl Into<String>, verdict: Verdict, reason: impl Into<String>) -> Self {
        Check { name: name.into(), verdict, measured: None, expected: None, reason: reason.into() }
    }

    /// The same check with a number that was measured, and the number that it should be.
    #[must_use]
    pub fn numbers(self, measured: f64, expected: f64) -> Self {
        Check { measured: Some(measured), expected: Some(expected), ..self }
    }
}
