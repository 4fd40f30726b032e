//! The calls that `--call` chooses: a kind, all of them, or one by its name.

use assay_base::error::Result;
use assay_report::{Call, Report};
use clap::builder::{NonEmptyStringValueParser, TypedValueParser};

use super::IncludedCalls;

/// The word for preparation and search together.
const ALL: &str = "all";

/// The calls that figures include.
#[derive(Clone, Debug)]
pub(crate) enum CallChoice {
    /// All calls of a kind, or all calls.
    Kind(IncludedCalls),
    /// The call of this name, such as `search3`. Only a run knows which there are.
    Named(String),
}

/// Reads which calls are included.
pub(crate) fn call_choice() -> impl TypedValueParser<Value = CallChoice> {
    NonEmptyStringValueParser::new().map(CallChoice::new)
}

impl CallChoice {
    fn new(name: String) -> Self {
        match Call::ALL.into_iter().find(|call| call.name() == name) {
            Some(kind) => CallChoice::Kind(Some(kind)),
            None if name == ALL => CallChoice::Kind(None),
            None => CallChoice::Named(name),
        }
    }

    /// The reports on the chosen calls, and the kind of calls by which to ask for their figures. Without a
    /// choice, it is the search.
    ///
    /// # Errors
    /// If a run has no such call.
    pub(crate) fn select(
        choice: Option<&Self>,
        reports: Vec<Report>,
    ) -> Result<(Vec<Report>, IncludedCalls)> {
        let name = match choice {
            None => return Ok((reports, Some(Call::Search))),
            Some(CallChoice::Kind(calls)) => return Ok((reports, *calls)),
            Some(CallChoice::Named(name)) => name,
        };
        let mut selected = Vec::new();
        let mut calls = None;
        for report in reports {
            let (report, kind) = report.select_call(name)?;
            selected.push(report);
            calls = Some(kind);
        }
        Ok((selected, calls))
    }
}
