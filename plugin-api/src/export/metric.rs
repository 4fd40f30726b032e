//! Exports metrics: the author's function is called for each row.

use std::ffi::c_void;

use assay_abi::metric::MetricTable;
use assay_abi::root::Item;
use assay_abi::{Growing, List, Status, TextSink};

use super::answer::answer;
use super::{item, names};
use crate::Metric;

/// Exports a metric.
pub fn export(metric: &'static Metric) -> Item {
    let inputs = metric.inputs.join(", ");
    let facts = [
        ("unit", metric.unit),
        ("summary", metric.summary),
        ("formula", metric.formula),
        ("inputs", inputs.as_str()),
    ];
    let table = MetricTable {
        inputs: names(metric.inputs.iter().copied()),
        context: std::ptr::from_ref(metric).cast(),
        evaluate: Some(evaluate),
        ..MetricTable::empty()
    };
    item(metric.id, &facts, table)
}

unsafe extern "C" fn evaluate(
    context: *const c_void,
    columns: List<List<f64>>,
    rows: usize,
    results: *mut f64,
    message: *const TextSink,
) -> Status {
    // SAFETY: `export` gave the context; columns and results last during the call, and have room for the
    // rows.
    let (metric, columns, results) = unsafe {
        let columns: Vec<&[f64]> = columns.items().iter().map(|column| column.items()).collect();
        let results: &mut [f64] =
            if rows == 0 { &mut [] } else { std::slice::from_raw_parts_mut(results, rows) };
        (&*context.cast::<Metric>(), columns, results)
    };
    let mut inputs = vec![0.0; columns.len()];
    let run = || {
        for (row, result) in results.iter_mut().enumerate() {
            for (input, column) in inputs.iter_mut().zip(&columns) {
                *input = column[row];
            }
            *result = (metric.evaluate)(&inputs).unwrap_or(f64::NAN);
        }
        Ok(())
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}
