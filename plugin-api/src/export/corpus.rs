//! Exports corpora: the author's function is called on memory of the host.

use std::ffi::c_void;

use assay_abi::corpus::{CorpusTable, RawRequest};
use assay_abi::root::Item;
use assay_abi::{Growing, Status, TextSink, read};

use super::answer::answer;
use super::item;
use crate::corpus::{Corpus, Request};

/// Exports a corpus.
pub fn export(corpus: &'static Corpus) -> Item {
    let (min, max) = corpus.parameter.as_ref().map_or((0, 0), |range| (*range.start(), *range.end()));
    let parameter = if max > 0 { format!("{min} to {max}") } else { String::new() };
    let facts =
        [("summary", corpus.summary), ("reference", corpus.reference), ("parameter", parameter.as_str())];
    let table = CorpusTable {
        min_parameter: min,
        max_parameter: max,
        context: std::ptr::from_ref(corpus).cast(),
        generate: Some(generate),
        ..CorpusTable::empty()
    };
    item(corpus.id, &facts, table)
}

unsafe extern "C" fn generate(
    context: *const c_void,
    request: *const RawRequest,
    text: *mut u8,
    length: usize,
    message: *const TextSink,
) -> Status {
    let run = || {
        // SAFETY: `export` gave the context; the memory is initialised, and the library's alone during the
        // call.
        let (corpus, request, text) = unsafe {
            let text: &mut [u8] =
                if length == 0 { &mut [] } else { std::slice::from_raw_parts_mut(text, length) };
            (&*context.cast::<Corpus>(), read(request).map_err(|error| format!("the request {error}"))?, text)
        };
        (corpus.generate)(Request { seed: request.seed, parameter: request.parameter }, text)
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}
