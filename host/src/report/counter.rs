//! What was counted in a call.

use assay_plugin_api::Semantics;

use crate::error::{Error, Result};
use crate::results::CounterFacts;

/// The calls of a measurement, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// The preparation of the pattern.
    Prepare,
    /// The search of the text.
    Search,
}

impl Call {
    /// All calls, in order.
    pub const ALL: [Call; 2] = [Call::Prepare, Call::Search];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Call::Prepare => "prepare",
            Call::Search => "search",
        }
    }
}

/// A counter, with a column for each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// `ns`, or `backend:event`.
    pub name: String,
    /// Unit of the counts; empty where the run did not tell.
    pub unit: String,
    /// A level at the moment of reading, not something that grows: what was read last stands for all, and nothing is
    /// summed.
    pub is_level: bool,
    /// Numbers of its columns, in the order of [`Call::ALL`].
    pub(super) columns: [usize; Call::ALL.len()],
}

impl Counter {
    /// The counters among the columns, `ns` first. A counter is a column that has another of the same name for the
    /// preparation.
    pub(super) fn among(columns: &[String]) -> Result<Vec<Counter>> {
        let find = |name: &str| columns.iter().position(|column| column == name);
        let phase = |name: &str| find(name).ok_or_else(|| Error::new(format!("there is no column `{name}`")));
        let counter = |name: &str, unit: &str, columns| Counter {
            name: name.to_owned(),
            unit: unit.to_owned(),
            is_level: false,
            columns,
        };
        let ns = counter("ns", "ns", [phase("prepare_ns")?, phase("search_ns")?]);
        let others = columns.iter().enumerate().filter_map(|(search, name)| {
            let prepare = find(&format!("{}:{name}", Call::Prepare.name()))?;
            Some(counter(name, "", [prepare, search]))
        });
        Ok(std::iter::once(ns).chain(others).collect())
    }

    /// Takes over what the run told of it.
    pub(super) fn explain(&mut self, facts: &[CounterFacts]) {
        if let Some(facts) = facts.iter().find(|facts| facts.name == self.name) {
            self.unit.clone_from(&facts.unit);
            self.is_level = facts.semantics == Semantics::Instant;
        }
    }
}
