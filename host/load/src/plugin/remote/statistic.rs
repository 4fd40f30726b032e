//! Statistics.

use std::rc::Rc;

use assay_base::error::{Error, Result};

use super::call::{CallAnswer, RemoteCall};
use super::{CallMemory, Service, no_child, numbers};
use crate::plugin::call::Facts;
use crate::plugin::contents::{Kind, Listing};

/// A statistic that a library brings.
#[derive(Clone, Debug)]
pub struct Statistic {
    /// Id and facts.
    pub facts: Facts,
    service: Rc<Service>,
}

impl Statistic {
    pub(in crate::plugin) fn new(listing: &Listing, service: Rc<Service>) -> Self {
        Statistic { facts: listing.facts(), service }
    }

    /// The unit of its results: its own if it declares one, otherwise that of the values.
    pub fn unit<'a>(&'a self, of_values: &'a str) -> &'a str {
        self.facts.get("unit").unwrap_or(of_values)
    }

    /// Its summary, with its unit if it declares one.
    pub fn description(&self) -> String {
        let summary = self.facts.get("summary").unwrap_or_default();
        match self.facts.get("unit") {
            None => summary.to_owned(),
            Some("") => format!("{summary} It has no unit."),
            Some(unit) => format!("{summary} It is in {unit}."),
        }
    }

    /// Reduces lists of finite numbers. An empty list has no statistics, so its answer is empty, too.
    ///
    /// # Errors
    /// If the statistic fails: what it did.
    pub fn reduce(&self, lists: &[&[f64]]) -> Result<Vec<Vec<f64>>> {
        let memory = CallMemory::new()?;
        lists.iter().try_for_each(|list| numbers::write(&memory.input, list)).map_err(|e| no_child(&e))?;
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        let bytes = lengths.iter().sum::<usize>() * size_of::<f64>();
        let call = (RemoteCall::Reduce(lengths), bytes);
        let answer = self.service.call((Kind::Statistic, &self.facts.id), &memory, call, &|_| true)?;
        match answer {
            CallAnswer::Lists(lengths) if lengths.len() == lists.len() => {
                let lists = lengths.into_iter().map(|length| numbers::read(&memory.output, length));
                lists
                    .collect::<Result<_, _>>()
                    .map_err(|error| self.service.garbled((Kind::Statistic, &self.facts.id), &error))
            }
            _ => Err(Error::new(format!("the statistic `{}` answered something else", self.facts.id))
                .remedy(
                    "use another statistic (`assay list statistics`), and tell the author of its library",
                )),
        }
    }

    /// One that is called in this process: for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn in_process(statistic: assay_plugin_api::Statistic) -> Self {
        use crate::plugin::{call::statistic, catalogue::Catalogue};
        let entry = statistic::exported(statistic);
        let facts = entry.facts.clone();
        let catalogue = Catalogue { statistics: vec![entry], ..Catalogue::default() };
        Statistic { facts, service: Service::here(catalogue) }
    }
}
