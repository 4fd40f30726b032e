//! Statistics.

use std::ffi::c_void;

use assay_abi::statistic::{self as abi, NumberSink, StatisticTable};
use assay_abi::{Growing, List};

use super::{Facts, Failure, call_for_status, required, table};

/// A statistic that a library brings.
#[derive(Clone, Debug)]
pub struct StatisticEntry {
    /// Id and facts.
    pub facts: Facts,
    context: *const c_void,
    reduce: abi::Reduce,
}

impl StatisticEntry {
    /// Reads a statistic.
    ///
    /// # Errors
    /// If its table can't be used: what is wrong with it.
    ///
    /// # Safety
    /// An address that could be must be that of a [`StatisticTable`] that keeps its contract and lasts for
    /// ever.
    pub unsafe fn read(facts: Facts, address: *const c_void) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let table: StatisticTable = unsafe { table(address) }?;
        Ok(StatisticEntry { facts, context: table.context, reduce: required("reduce", table.reduce)? })
    }

    /// Reduces lists of numbers, neither NaN nor infinite. An empty list has no statistics, and the answer is
    /// empty too.
    ///
    /// # Errors
    /// If the statistic fails: its message.
    pub fn reduce(&self, lists: &[&[f64]]) -> Result<Vec<Vec<f64>>, String> {
        unsafe extern "C" fn take(context: *mut c_void, numbers: List<f64>) {
            // SAFETY: the context is the list below, and the numbers last during the call.
            unsafe { (*context.cast::<Vec<Vec<f64>>>()).push(numbers.items().to_vec()) }
        }
        let given: Vec<List<f64>> =
            lists.iter().filter(|list| !list.is_empty()).map(|list| List::new(list)).collect();
        let mut results: Vec<Vec<f64>> = Vec::new();
        let sink = NumberSink { context: (&raw mut results).cast(), take: Some(take), ..NumberSink::empty() };
        // SAFETY: the context belongs to the function; lists and sinks last during the call.
        call_for_status(|message| unsafe { (self.reduce)(self.context, List::new(&given), &sink, message) })
            .map_err(Failure::message)?;
        if results.len() != given.len() {
            return Err(format!("gave results for {} lists where {} were given", results.len(), given.len()));
        }
        let mut results = results.into_iter();
        let answer =
            |list: &&[f64]| if list.is_empty() { Vec::new() } else { results.next().unwrap_or_default() };
        Ok(lists.iter().map(answer).collect())
    }
}

/// The statistic as a library would export it: for tests.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn exported(statistic: assay_plugin_api::Statistic) -> StatisticEntry {
    let item = assay_plugin_api::private::export_statistic(Box::leak(Box::new(statistic)));
    // SAFETY: the item was made just now, with a table of this type.
    unsafe { StatisticEntry::read(super::super::catalogue::facts(&item), item.table) }
        .expect("its table is complete")
}
