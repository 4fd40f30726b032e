//! Libraries for SMART whose answers are given bytes, for tests.

use std::cell::RefCell;
use std::ffi::c_int;
use std::path::Path;

use super::function::{FigureOutput, NameOutput, STANDARD, SmartForm};
use super::{PREFIX, SearchOutput, SmartFunction, TextPointer, describe, function};
use crate::plugin::call::Facts;
use crate::plugin::validation::{self, Violation};
use crate::plugin::{Kind, Listing, LoadFailure, Stage};

/// Number of bytes of an answer: the number that is returned, two times, the figures and the names, all as
/// they lie in memory.
pub const ANSWER: usize = size_of::<c_int>() + 2 * size_of::<f64>() + 17 * size_of::<i64>() + 6 * 11;

thread_local! {
    static BYTES: RefCell<[u8; ANSWER]> = const { RefCell::new([0; ANSWER]) };
}

/// Answers each search with [`BYTES`].
unsafe extern "C" fn answer(
    _pattern: *mut u8,
    _m: c_int,
    _text: *mut u8,
    _n: c_int,
    prepare_ms: *mut f64,
    search_ms: *mut f64,
    figures: *mut FigureOutput,
    names: *mut NameOutput,
) -> c_int {
    BYTES.with_borrow(|bytes| {
        let (number, rest) = bytes.split_at(size_of::<c_int>());
        let (times, rest) = rest.split_at(2 * size_of::<f64>());
        let (counts, texts) = rest.split_at(17 * size_of::<i64>());
        let time = |at: usize| f64::from_le_bytes(times[at..at + 8].try_into().expect("eight bytes"));
        // SAFETY: the caller has a place for each, of at least these lengths.
        unsafe {
            (*prepare_ms, *search_ms) = (time(0), time(8));
            figures.cast::<u8>().copy_from_nonoverlapping(counts.as_ptr(), counts.len());
            names.cast::<u8>().copy_from_nonoverlapping(texts.as_ptr(), texts.len());
        }
        c_int::from_le_bytes(number.try_into().expect("four bytes"))
    })
}

/// The listing of a library, the figures of a search, and its two times in nanoseconds.
pub type ForeignAnswer = (Listing, Vec<Option<u64>>, [f64; 2]);

/// What the host knows of a library for SMART with this file name and this answer to each search.
///
/// # Errors
/// Why it can't be used.
pub fn foreign_library(path: &Path, answer_bytes: [u8; ANSWER]) -> Result<ForeignAnswer, LoadFailure> {
    BYTES.set(answer_bytes);
    let search = SmartFunction::new(SmartForm::Current(answer));
    let described = describe(path, &search)?;
    let facts = Facts { id: format!("{PREFIX}{}", described.name), facts: Vec::new() };
    let listing = Listing {
        instrumented: described.twin_of.is_some(),
        twin_of: described.twin_of,
        extra: described.extra.into_iter().map(|(_, name)| name).collect(),
        ..Listing::new(Kind::Algorithm, &facts)
    };
    validation::check_listings(PREFIX, std::slice::from_ref(&listing)).map_err(
        |Violation { found, expected, remedy }| {
            LoadFailure::new(path, Stage::Contents, found, expected, remedy)
        },
    )?;
    let mut written = Box::new(SearchOutput::NOTHING);
    let mut pattern = function::PatternBuffer::EMPTY;
    pattern.set(b"a").expect("there is memory");
    let text = TextPointer { start: std::ptr::null_mut(), length: 0 };
    // SAFETY: the function reads no text.
    let _ = unsafe { search.count(&mut pattern, text, &mut written) };
    let figures = (0..STANDARD + function::EXTRA).map(|place| written.figure(place));
    Ok((listing, figures.collect(), written.times_ns()))
}
