//! Mergers.

use std::ffi::c_void;

use assay_abi::merger::{self as abi, MergeRequest, MergeSink, MergerTable, RawBlock, RawColumn};
use assay_abi::{Growing, List, Str};
use assay_plugin_api::{Block, Column, Options};

use super::super::printable;
use super::merge_description::{Cells, MergeDescription, NumberPlace};
use super::{Facts, Failure, call_for_status, pairs, required, table, texts};

/// A merger that a library brings.
#[derive(Clone, Debug)]
pub struct MergerEntry {
    /// Id and facts.
    pub facts: Facts,
    /// Names of the options that it reads.
    pub options: Vec<String>,
    context: *const c_void,
    merge: abi::Merge,
}

impl MergerEntry {
    /// Reads a merger.
    ///
    /// # Errors
    /// If its table can't be used: what is wrong with it.
    ///
    /// # Safety
    /// An address that could be must be that of a [`MergerTable`] that keeps its contract and lasts for ever.
    pub unsafe fn read(facts: Facts, address: *const c_void) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let (table, options) = unsafe {
            let table: MergerTable = table(address)?;
            (table, texts(table.options))
        };
        Ok(MergerEntry { facts, options, context: table.context, merge: required("merge", table.merge)? })
    }

    /// Merges blocks. Each list of numbers is taken by `numbers`, in the order in which the result has them.
    ///
    /// # Errors
    /// One sentence that names the block or event at fault, or the message of a panic; or why numbers could
    /// not be taken.
    pub fn merge(
        &self,
        mut blocks: Vec<Block<'_>>,
        options: &Options<'_>,
        numbers: &mut dyn FnMut(&[f64]) -> Result<NumberPlace, String>,
    ) -> Result<MergeDescription, String> {
        let columns: Vec<Vec<RawColumn>> = blocks.iter_mut().map(raw_columns).collect();
        let raw_block = |(block, columns): (&Block<'_>, &Vec<RawColumn>)| RawBlock {
            source: Str::new(&block.source),
            columns: List::new(columns),
        };
        let raw_blocks: Vec<RawBlock> = blocks.iter().zip(&columns).map(raw_block).collect();
        let given = pairs(options.given);
        let request = MergeRequest {
            blocks: List::new(&raw_blocks),
            options: List::new(&given),
            ..MergeRequest::empty()
        };
        let mut taken =
            Taken { merged: MergeDescription::default(), numbers, fault: None, progress: options.progress };
        let sink = MergeSink {
            context: (&raw mut taken).cast(),
            column: Some(column),
            table: Some(further_table),
            note: Some(note),
            progress: Some(progress),
            texts: Some(text_column),
            warning: Some(warning),
            ..MergeSink::empty()
        };
        // SAFETY: the context belongs to the function; blocks, options and sinks last during the call, and
        // the columns are the library's alone meanwhile.
        call_for_status(|message| unsafe { (self.merge)(self.context, &request, &sink, message) })
            .map_err(Failure::message)?;
        taken.fault.map_or(Ok(taken.merged), Err)
    }
}

fn raw_columns(block: &mut Block<'_>) -> Vec<RawColumn> {
    let raw = |column: &mut Column<'_>| RawColumn {
        name: Str::new(&column.name),
        values: column.values.as_mut_ptr(),
        rows: column.values.len(),
    };
    block.columns.iter_mut().map(raw).collect()
}

/// What the sink puts the result into.
struct Taken<'a> {
    merged: MergeDescription,
    numbers: &'a mut dyn FnMut(&[f64]) -> Result<NumberPlace, String>,
    /// Why the first numbers that could not be taken were not.
    fault: Option<String>,
    progress: &'a (dyn Fn(f64) -> bool + Sync),
}

unsafe extern "C" fn column(context: *mut c_void, name: Str, values: List<f64>) {
    // SAFETY: the context is the `Taken` of this call; name and values last during the call.
    unsafe {
        let taken = &mut *context.cast::<Taken<'_>>();
        if taken.fault.is_some() {
            return;
        }
        let name = printable::line(&name.text());
        match ((taken.numbers)(values.items()), taken.merged.tables.last_mut()) {
            (Ok(place), Some((_, columns))) => columns.push((name, Cells::Numbers(place))),
            (Ok(place), None) => taken.merged.columns.push((name, place)),
            (Err(fault), _) => taken.fault = Some(fault),
        }
    }
}

unsafe extern "C" fn further_table(context: *mut c_void, title: Str) {
    // SAFETY: as for `column`.
    unsafe { (*context.cast::<Taken<'_>>()).merged.tables.push((printable::line(&title.text()), Vec::new())) }
}

unsafe extern "C" fn text_column(context: *mut c_void, name: Str, texts: List<Str>) {
    // SAFETY: as for `column`.
    unsafe {
        let merged = &mut (*context.cast::<Taken<'_>>()).merged;
        let texts = texts.items().iter().map(|text| printable::line(&text.text())).collect();
        // The result itself has numbers only.
        if let Some((_, columns)) = merged.tables.last_mut() {
            columns.push((printable::line(&name.text()), Cells::Texts(texts)));
        }
    }
}

unsafe extern "C" fn note(context: *mut c_void, note: Str) {
    // SAFETY: as for `column`.
    unsafe { (*context.cast::<Taken<'_>>()).merged.notes.push(printable::message(&note.text())) }
}

unsafe extern "C" fn warning(context: *mut c_void, warning: Str) {
    // SAFETY: as for `column`.
    unsafe { (*context.cast::<Taken<'_>>()).merged.warnings.push(printable::message(&warning.text())) }
}

unsafe extern "C" fn progress(context: *mut c_void, done: f64) -> u32 {
    // SAFETY: the context is the `Taken` of this call. Any thread may come here: the field is shared, and
    // nobody changes it.
    let progress = unsafe { (&raw const (*context.cast::<Taken<'_>>()).progress).read() };
    u32::from(progress(done))
}

/// The merger as a library would export it: for tests.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn exported(merger: assay_plugin_api::Merger) -> MergerEntry {
    let item = assay_plugin_api::private::export_merger(Box::leak(Box::new(merger)));
    // SAFETY: the item was made just now, with a table of this type.
    unsafe { MergerEntry::read(super::super::catalogue::facts(&item), item.table) }
        .expect("its table is complete")
}
