//! What was counted in the calls.

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use assay_plugin_api::{Semantics, inputs};
use assay_store::CounterFacts;

/// A counter, with a column for each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// `ns`, or `backend:event`.
    pub name: String,
    /// Unit of the counts; empty where the run did not tell.
    pub unit: String,
    /// A level at the moment of reading, not something that grows: what was read last stands for all, and
    /// nothing is summed.
    pub is_level: bool,
    /// Numbers of its columns, in the order of [`Call::ALL`].
    pub(super) columns: [usize; Call::ALL.len()],
}

impl Counter {
    /// The counters among the columns, `ns` first. A counter is a column that has another of the same name
    /// for the preparation.
    pub(super) fn among(columns: &[String]) -> Result<Vec<Counter>> {
        let find = |name: &str| columns.iter().position(|column| column == name);
        let time = |name: &str| find(name).ok_or_else(|| Error::new(format!("there is no column `{name}`")));
        let counter = |name: &str, unit: &str, columns| Counter {
            name: name.to_owned(),
            unit: unit.to_owned(),
            is_level: false,
            columns,
        };
        let [prepare, search] = Call::ALL.map(|call| time(call.time()));
        let ns = counter(inputs::NS, "ns", [prepare?, search?]);
        let others = columns.iter().enumerate().filter_map(|(search, name)| {
            let prepare = find(&Call::Prepare.counter(name))?;
            Some(counter(name, "", [prepare, search]))
        });
        Ok(std::iter::once(ns).chain(others).collect())
    }

    /// Takes over what the run recorded of it.
    pub(super) fn explain(&mut self, facts: &[CounterFacts]) {
        if let Some(facts) = facts.iter().find(|facts| facts.name == self.name) {
            self.unit.clone_from(&facts.unit);
            self.is_level = facts.semantics == Semantics::Instant;
        }
    }
}
