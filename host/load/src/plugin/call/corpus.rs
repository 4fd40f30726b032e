//! Corpora.

use std::ffi::c_void;
use std::ops::RangeInclusive;

use assay_abi::Growing;
use assay_abi::corpus::{self as abi, CorpusTable, RawRequest};
use assay_plugin_api::Request;

use super::{Facts, Failure, call_for_status, required, table};

/// A corpus that a library brings.
#[derive(Clone, Debug)]
pub struct CorpusEntry {
    /// Id and facts.
    pub facts: Facts,
    /// The numbers that may follow the id.
    pub parameter: Option<RangeInclusive<usize>>,
    context: *const c_void,
    generate: abi::Generate,
}

impl CorpusEntry {
    /// Reads a corpus.
    ///
    /// # Errors
    /// If its table can't be used: what is wrong with it.
    ///
    /// # Safety
    /// An address that could be must be that of a [`CorpusTable`] that keeps its contract and lasts for ever.
    pub unsafe fn read(facts: Facts, address: *const c_void) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let table: CorpusTable = unsafe { table(address) }?;
        let parameter = (table.max_parameter > 0).then_some(table.min_parameter..=table.max_parameter);
        let generate = required("generate", table.generate)?;
        Ok(CorpusEntry { facts, parameter, context: table.context, generate })
    }

    /// Fills a text.
    ///
    /// # Errors
    /// One sentence, or the message of a panic.
    pub fn generate(&self, request: Request, text: &mut [u8]) -> Result<(), String> {
        let Request { seed, parameter } = request;
        let raw = RawRequest { seed, parameter, ..RawRequest::empty() };
        // SAFETY: the context belongs to the function; request, text and sink last during the call.
        call_for_status(|message| unsafe {
            (self.generate)(self.context, &raw, text.as_mut_ptr(), text.len(), message)
        })
        .map_err(Failure::message)
    }
}

/// The corpus as a library would export it: for tests.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn exported(corpus: assay_plugin_api::Corpus) -> CorpusEntry {
    let item = assay_plugin_api::private::export_corpus(Box::leak(Box::new(corpus)));
    // SAFETY: the item was made just now, with a table of this type.
    unsafe { CorpusEntry::read(super::super::catalogue::facts(&item), item.table) }
        .expect("its table is complete")
}
