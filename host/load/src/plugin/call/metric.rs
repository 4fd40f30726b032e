//! Metrics.

use std::ffi::c_void;

use assay_abi::List;
use assay_abi::metric::{self as abi, MetricTable};

use super::{Facts, Failure, call_for_status, required, table, texts};

/// A metric that a library brings.
#[derive(Clone, Debug)]
pub struct MetricEntry {
    /// Id and facts, `unit` and `formula` among them.
    pub facts: Facts,
    /// Names of its inputs.
    pub inputs: Vec<String>,
    context: *const c_void,
    evaluate: abi::Evaluate,
}

impl MetricEntry {
    /// Reads a metric.
    ///
    /// # Errors
    /// If its table can't be used: what is wrong with it.
    ///
    /// # Safety
    /// An address that could be must be that of a [`MetricTable`] that keeps its contract and lasts for ever.
    pub unsafe fn read(facts: Facts, address: *const c_void) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let (table, inputs) = unsafe {
            let table: MetricTable = table(address)?;
            (table, texts(table.inputs))
        };
        let evaluate = required("evaluate", table.evaluate)?;
        Ok(MetricEntry { facts, inputs, context: table.context, evaluate })
    }

    /// Computes the metric of each row. There is a column for each input, in the order of their names, all of
    /// them equally long. A result that is no number is none.
    ///
    /// # Errors
    /// If the metric fails: its message.
    ///
    /// # Panics
    /// If there are more or fewer columns than inputs, or one is of another length than the rest.
    pub fn evaluate(&self, columns: &[Vec<f64>], rows: usize) -> Result<Vec<Option<f64>>, String> {
        assert!(columns.len() == self.inputs.len() && columns.iter().all(|column| column.len() == rows));
        let columns: Vec<List<f64>> = columns.iter().map(|column| List::new(column)).collect();
        let mut results = vec![f64::NAN; rows];
        // SAFETY: the context belongs to the function; columns, results and sink last during the call.
        call_for_status(|message| unsafe {
            (self.evaluate)(self.context, List::new(&columns), rows, results.as_mut_ptr(), message)
        })
        .map_err(Failure::message)?;
        Ok(results.into_iter().map(|result| result.is_finite().then_some(result)).collect())
    }
}

/// The metric as a library would export it: for tests.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn exported(metric: assay_plugin_api::Metric) -> MetricEntry {
    let item = assay_plugin_api::private::export_metric(Box::leak(Box::new(metric)));
    // SAFETY: the item was made just now, with a table of this type.
    unsafe { MetricEntry::read(super::super::catalogue::facts(&item), item.table) }
        .expect("its table is complete")
}
