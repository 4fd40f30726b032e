//! Metrics.

use std::rc::Rc;

use assay_base::error::Result;

use super::call::RemoteCall;
use super::{CallMemory, Service, no_child, numbers};
use crate::plugin::call::Facts;
use crate::plugin::contents::{Kind, Listing};

/// A metric that a library brings.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Id and facts, `unit` and `formula` among them.
    pub facts: Facts,
    /// Names of its inputs.
    pub inputs: Vec<String>,
    service: Rc<Service>,
}

impl Metric {
    pub(in crate::plugin) fn new(listing: &Listing, service: Rc<Service>) -> Self {
        Metric { facts: listing.facts(), inputs: listing.inputs.clone(), service }
    }

    /// Computes the metric of each row. There is a column for each input, in the order of their names, all of
    /// them equally long. A result that is no number is none.
    ///
    /// # Errors
    /// If the metric fails: what it did.
    ///
    /// # Panics
    /// If there are more or fewer columns than inputs, or one is of another length than the rest.
    pub fn evaluate(&self, columns: &[Vec<f64>], rows: usize) -> Result<Vec<Option<f64>>> {
        assert!(columns.len() == self.inputs.len() && columns.iter().all(|column| column.len() == rows));
        let memory = CallMemory::new()?;
        columns
            .iter()
            .try_for_each(|column| numbers::write(&memory.input, column))
            .map_err(|e| no_child(&e))?;
        let call = RemoteCall::Evaluate { columns: columns.len(), rows };
        let bytes = (columns.len() + 1) * rows * size_of::<f64>();
        self.service.call((Kind::Metric, &self.facts.id), &memory, (call, bytes), &|_| true)?;
        let results = numbers::read(&memory.output, rows)
            .map_err(|error| self.service.garbled((Kind::Metric, &self.facts.id), &error))?;
        Ok(results.into_iter().map(|result| result.is_finite().then_some(result)).collect())
    }

    /// One that is called in this process: for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn in_process(metric: assay_plugin_api::Metric) -> Self {
        use crate::plugin::{call::metric, catalogue::Catalogue};
        let entry = metric::exported(metric);
        let (facts, inputs) = (entry.facts.clone(), entry.inputs.clone());
        let catalogue = Catalogue { metrics: vec![entry], ..Catalogue::default() };
        Metric { facts, inputs, service: Service::here(catalogue) }
    }
}
