//! Exports statistics: the author's function is called for each list.

use std::ffi::c_void;

use assay_abi::root::Item;
use assay_abi::statistic::{NumberSink, StatisticTable};
use assay_abi::{Growing, List, Status, TextSink, read};

use super::answer::answer;
use super::item;
use crate::Statistic;

/// Exports a statistic.
pub fn export(statistic: &'static Statistic) -> Item {
    let table = StatisticTable {
        context: std::ptr::from_ref(statistic).cast(),
        reduce: Some(reduce),
        ..StatisticTable::empty()
    };
    let unit = statistic.unit.map(|unit| ("unit", unit));
    let facts: Vec<_> = [("summary", statistic.summary)].into_iter().chain(unit).collect();
    item(statistic.id, &facts, table)
}

unsafe extern "C" fn reduce(
    context: *const c_void,
    lists: List<List<f64>>,
    results: *const NumberSink,
    message: *const TextSink,
) -> Status {
    let run = || {
        // SAFETY: `export` gave the context; lists and sink last during the call.
        unsafe {
            let statistic = &*context.cast::<Statistic>();
            let sink = read(results).map_err(|error| format!("the sink {error}"))?;
            let take = sink.take.ok_or("the sink takes nothing")?;
            for list in lists.items() {
                take(sink.context, List::new(&(statistic.reduce)(list.items())));
            }
        }
        Ok(())
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}
