//! Exports mergers: the author's function is called on columns in the host's memory.

use std::ffi::c_void;

use assay_abi::merger::{MergeRequest, MergeSink, MergerTable, RawColumn};
use assay_abi::root::Item;
use assay_abi::{Growing, List, Status, Str, TextSink, read};

use super::answer::answer;
use super::{item, names, pairs};
use crate::merger::{Block, Cells, Column, Merged, Merger, Options, Sheet};

/// Exports a merger.
pub fn export(merger: &'static Merger) -> Item {
    let options: Vec<String> = merger.options.iter().map(|(name, what)| format!("{name}: {what}")).collect();
    let options = options.join("; ");
    let facts = [
        ("summary", merger.summary),
        ("reference", merger.reference),
        ("options", options.as_str()),
        ("on disk", merger.on_disk),
    ];
    let table = MergerTable {
        options: names(merger.options.iter().map(|(name, _)| *name)),
        context: std::ptr::from_ref(merger).cast(),
        merge: Some(merge),
        ..MergerTable::empty()
    };
    item(merger.id, &facts, table)
}

unsafe extern "C" fn merge(
    context: *const c_void,
    request: *const MergeRequest,
    merged: *const MergeSink,
    message: *const TextSink,
) -> Status {
    let run = || {
        // SAFETY: `export` gave the context; request and sink last during the call.
        let (merger, request, host) = unsafe {
            let request = read(request).map_err(|error| format!("the request {error}"))?;
            let sink = read(merged).map_err(|error| format!("the sink {error}"))?;
            (&*context.cast::<Merger>(), request, Host(sink))
        };
        // SAFETY: options and blocks last during the call, and the columns are the library's alone.
        let (given, blocks) = unsafe { (pairs(request.options), blocks(&request)) };
        let given: Vec<(&str, &str)> =
            given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let progress = |done: f64| host.progress(done);
        host.send(&(merger.merge)(blocks, &Options { given: &given, progress: &progress })?);
        Ok(())
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}

/// The blocks of a request.
///
/// # Safety
/// The request must last for `'a`, and no other code may access its columns.
unsafe fn blocks<'a>(request: &MergeRequest) -> Vec<Block<'a>> {
    let column = |column: &RawColumn| {
        let RawColumn { name, values, rows } = *column;
        // SAFETY: the caller's promise.
        unsafe {
            let values: &'a mut [f64] =
                if rows == 0 { &mut [] } else { std::slice::from_raw_parts_mut(values, rows) };
            Column { name: name.text().into_owned(), values: values.into() }
        }
    };
    // SAFETY: the caller's promise.
    unsafe {
        let blocks = request.blocks.items().iter();
        blocks
            .map(|block| Block {
                source: block.source.text().into_owned(),
                columns: block.columns.items().iter().map(column).collect(),
            })
            .collect()
    }
}

/// The sink of the host for the result of a merge.
struct Host(MergeSink);

// SAFETY: while a merger may have threads, only `progress` is used, which any thread may call.
unsafe impl Sync for Host {}

impl Host {
    /// Reports the share of the work that is done, and returns whether to go on.
    fn progress(&self, done: f64) -> bool {
        // SAFETY: function and context belong together, and the call has not yet returned.
        self.0.progress.is_none_or(|report| unsafe { report(self.0.context, done) } != 0)
    }

    /// Passes the result of a merge to the host.
    fn send(&self, merged: &Merged<'_>) {
        for Column { name, values } in &merged.columns {
            self.numbers(name, values);
        }
        for Sheet { title, columns } in &merged.tables {
            let Some(table) = self.0.table else { break };
            let texts = columns.iter().any(|(_, cells)| matches!(cells, Cells::Texts(_)));
            if texts && self.0.texts.is_none() {
                // An older host does not take texts, and numbers without their texts would mean nothing.
                continue;
            }
            // SAFETY: as for `progress`; the title outlives the call.
            unsafe { table(self.0.context, Str::new(title)) };
            for (name, cells) in columns {
                match cells {
                    Cells::Numbers(numbers) => self.numbers(name, numbers),
                    Cells::Texts(texts) => self.texts(name, texts),
                }
            }
        }
        self.sentences(self.0.note, &merged.notes);
        self.sentences(self.0.warning.or(self.0.note), &merged.warnings);
    }

    fn numbers(&self, name: &str, values: &[f64]) {
        if let Some(take) = self.0.column {
            // SAFETY: as for `progress`; name and values outlive the call.
            unsafe { take(self.0.context, Str::new(name), List::new(values)) };
        }
    }

    fn texts(&self, name: &str, texts: &[String]) {
        if let Some(take) = self.0.texts {
            let texts: Vec<Str> = texts.iter().map(|text| Str::new(text)).collect();
            // SAFETY: as for `progress`; name and texts outlive the call.
            unsafe { take(self.0.context, Str::new(name), List::new(&texts)) };
        }
    }

    fn sentences(&self, take: Option<unsafe extern "C" fn(*mut c_void, Str)>, sentences: &[String]) {
        let Some(take) = take else { return };
        for sentence in sentences {
            // SAFETY: as for `progress`; the sentence outlives the call.
            unsafe { take(self.0.context, Str::new(sentence)) };
        }
    }
}
