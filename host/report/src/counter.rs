//! The counters of a run, by the columns of `measurements.csv`.

use assay_base::columns::{Call, call_counter, call_time};
use assay_base::error::{Error, Result};
use assay_plugin_api::{Semantics, inputs};
use assay_store::CounterFacts;

use super::Report;

/// A counter, with a column for each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// `ns`, or `backend:event`.
    pub name: String,
    /// Unit of the counts; empty if the run did not record it.
    pub unit: String,
    /// Whether it is a level at the moment of reading instead of a number that grows. The last reading of a
    /// level stands for all calls, because a sum of levels has no meaning.
    pub is_level: bool,
    /// Numbers of its columns, in the order of [`Call::ALL`].
    pub(super) columns: [usize; Call::ALL.len()],
}

impl Counter {
    /// The counters among the columns, `ns` first. A column is a counter if the preparation has a column of
    /// the same name, too.
    ///
    /// # Errors
    /// If a time has no column.
    pub(super) fn among(columns: &[String]) -> Result<Vec<Counter>> {
        let [prepare, search] = Call::ALL.map(|call| {
            let name = call.time();
            find(columns, name).ok_or_else(|| Error::new(format!("there is no column `{name}`")))
        });
        let mut counters = vec![Counter::new(inputs::NS, "ns", [prepare?, search?])];
        for (search, name) in columns.iter().enumerate() {
            if let Some(prepare) = find(columns, &Call::Prepare.counter(name)) {
                counters.push(Counter::new(name, "", [prepare, search]));
            }
        }
        Ok(counters)
    }

    fn new(name: &str, unit: &str, columns: [usize; Call::ALL.len()]) -> Self {
        Counter { name: name.to_owned(), unit: unit.to_owned(), is_level: false, columns }
    }

    /// The name of its column around a call that is one of several of its kind.
    pub(super) fn column_of_call(&self, call: &str) -> String {
        if self.name == inputs::NS { call_time(call) } else { call_counter(call, &self.name) }
    }

    /// Takes over the unit and the semantics that the run recorded.
    pub(super) fn explain(&mut self, facts: &[CounterFacts]) {
        if let Some(facts) = facts.iter().find(|facts| facts.name == self.name) {
            self.unit.clone_from(&facts.unit);
            self.is_level = facts.semantics == Semantics::Instant;
        }
    }
}

impl Report {
    /// The counter that the experiment wants to be shown first, instead of the time.
    pub fn first_counter(&self) -> Option<&str> {
        let name = self.facts.definition.as_ref()?.first_counter.as_deref()?;
        self.rawdata().counter(name).map(|_| name)
    }
}

/// The number of a column.
fn find(columns: &[String], name: &str) -> Option<usize> {
    columns.iter().position(|column| column == name)
}

#[cfg(test)]
mod tests {
    use crate::tests::with_columns;
    use crate::{Call, Report};

    #[test]
    fn another_counter_than_the_time_can_be_the_first() {
        let report =
            with_columns(",tsc:cycles,prepare:tsc:cycles,round", "a,8,0,ok,3,1,2,3,20,10,0\n").unwrap();
        let mut facts = report.facts.clone();
        facts.definition.as_mut().unwrap().first_counter = Some("cycles".to_owned());
        let columns = "algorithm,pattern_length,repetition,status,occurrences,prepare_ns,search_ns,total_ns,\
                       tsc:cycles,prepare:tsc:cycles,round\na,8,0,ok,3,1,2,3,20,10,0\n";
        let cycles = Report::new(facts, crate::tests::rawdata(columns).unwrap()).unwrap();
        assert_eq!((report.first_counter(), cycles.first_counter()), (None, Some("cycles")));
        let first = |report: &Report, call| report.data("a").unwrap().counts(0, call, 0).unwrap();
        assert_eq!((first(&report, None), first(&cycles, None)), (vec![Some(3.0)], vec![Some(30.0)]));
        assert_eq!((cycles.rawdata().time(), cycles.rawdata().counter("tsc:cycles")), (1, Some(0)));
        let times = cycles.times("a", 8, Some(Call::Search)).unwrap();
        assert_eq!(times[0].time, 2.0, "comparisons are of times");
    }
}
