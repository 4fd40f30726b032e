//! The functions of `assay_finder.h`, which says what each of them promises and asks for.
//!
//! No panic crosses into C: nothing here panics on purpose, and Rust ends the process if an `extern "C"`
//! function panics nevertheless.

use std::alloc::{Layout, alloc};
use std::ffi::c_void;
use std::slice;

use finder::Finder;
use finder::cpu::Available;
use finder::found::Found;
use finder::search::search;
use finder::text::Bytes;

/// What `assay_finder` is in C: a prepared search with a needle of its own.
pub struct PreparedSearch {
    /// Points into `needle`, which is freed after it.
    finder: Finder<'static>,
    needle: *mut [u8],
}

/// `ASSAY_FINDER_NONE`: the position where there is no occurrence.
const NONE: usize = usize::MAX;

/// The bytes that C passes.
///
/// # Safety
/// `length` bytes from `bytes` on can be read and don't change during `'a`; `bytes` may be anything if there
/// are none.
unsafe fn bytes<'a>(bytes: *const c_void, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise. No object is longer than `isize::MAX` bytes.
    unsafe { slice::from_raw_parts(bytes.cast(), length) }
}

/// The prepared search that C passes.
///
/// # Safety
/// It comes from [`assay_finder_new`] and is not freed during `'a`.
unsafe fn finder<'a>(prepared: *const PreparedSearch) -> &'a Finder<'static> {
    // SAFETY: the caller's promise.
    unsafe { &(*prepared).finder }
}

/// Copies the needle and prepares a search for it; null if there is no memory left.
///
/// # Safety
/// The needle has this length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_new(
    needle: *const c_void,
    needle_length: usize,
) -> *mut PreparedSearch {
    // SAFETY: the caller's promise.
    let given = unsafe { bytes(needle, needle_length) };
    let mut copy = Vec::new();
    if copy.try_reserve_exact(given.len()).is_err() {
        return std::ptr::null_mut();
    }
    copy.extend_from_slice(given);
    let needle = Box::into_raw(copy.into_boxed_slice());
    // SAFETY: the layout has a size.
    let prepared = unsafe { alloc(Layout::new::<PreparedSearch>()) }.cast::<PreparedSearch>();
    if prepared.is_null() {
        // SAFETY: it comes from a box, and nothing refers to it.
        drop(unsafe { Box::from_raw(needle) });
        return prepared;
    }
    // SAFETY: the needle lives until `assay_finder_free`, and the memory was just allocated for this type.
    unsafe { prepared.write(PreparedSearch { finder: Finder::new(&*needle), needle }) };
    prepared
}

/// Frees what [`assay_finder_new`] returned, or does nothing for null.
///
/// # Safety
/// It was returned there, was not freed before, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_free(prepared: *mut PreparedSearch) {
    if !prepared.is_null() {
        // SAFETY: both were allocated by `assay_finder_new`, with the global allocator, which boxes use. The
        // caller promises that they are not used.
        unsafe {
            let needle = Box::from_raw(prepared).needle;
            drop(Box::from_raw(needle));
        }
    }
}

/// The position of the first occurrence, or `NONE`.
///
/// # Safety
/// The search comes from [`assay_finder_new`], and the haystack has this length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_find(
    prepared: *const PreparedSearch,
    haystack: *const c_void,
    haystack_length: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let (finder, haystack) = unsafe { (finder(prepared), bytes(haystack, haystack_length)) };
    finder.find(haystack).unwrap_or(NONE)
}

/// The position of the first occurrence that begins at `from` or after it, or `NONE`.
///
/// # Safety
/// As for [`assay_finder_find`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_find_from(
    prepared: *const PreparedSearch,
    haystack: *const c_void,
    haystack_length: usize,
    from: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let (finder, haystack) = unsafe { (finder(prepared), bytes(haystack, haystack_length)) };
    let found = haystack.get(from..).and_then(|rest| finder.find(rest));
    found.map_or(NONE, |position| from + position)
}

/// The position of the last occurrence, or `NONE`.
///
/// # Safety
/// As for [`assay_finder_find`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_rfind(
    prepared: *const PreparedSearch,
    haystack: *const c_void,
    haystack_length: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let (finder, haystack) = unsafe { (finder(prepared), bytes(haystack, haystack_length)) };
    finder.rfind(haystack).unwrap_or(NONE)
}

/// The number of occurrences, those that overlap included.
///
/// # Safety
/// As for [`assay_finder_find`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_count(
    prepared: *const PreparedSearch,
    haystack: *const c_void,
    haystack_length: usize,
) -> u64 {
    // SAFETY: the caller's promise.
    let (finder, haystack) = unsafe { (finder(prepared), bytes(haystack, haystack_length)) };
    finder.count(haystack)
}

/// A function of C that receives a position, and the pointer that was given with it.
type Visit = unsafe extern "C" fn(position: usize, context: *mut c_void);

/// Gives all occurrences to a function of C.
struct Visited {
    visit: Visit,
    context: *mut c_void,
}

impl Found for Visited {
    const POSITIONS: bool = true;

    fn at(&mut self, position: usize) {
        // SAFETY: the caller of `assay_finder_each` promises that it can be called so.
        unsafe { (self.visit)(position, self.context) };
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}

/// Calls `visit` with each position, in ascending order; occurrences that overlap are all visited.
///
/// # Safety
/// As for [`assay_finder_find`]; `visit` can be called with `context`, and returns each time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_each(
    prepared: *const PreparedSearch,
    haystack: *const c_void,
    haystack_length: usize,
    visit: Visit,
    context: *mut c_void,
) {
    // SAFETY: the caller's promise.
    let (finder, haystack) = unsafe { (finder(prepared), bytes(haystack, haystack_length)) };
    let mut visited = Visited { visit, context };
    if finder.needle().is_empty() {
        (0..=haystack.len()).for_each(|position| visited.at(position));
    } else {
        search(finder.needle(), Bytes(haystack), Available::best(), &mut visited);
    }
}

/// Where the needle occurs first in the haystack, or null.
///
/// # Safety
/// Haystack and needle have these lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_finder_memmem(
    haystack: *const c_void,
    haystack_length: usize,
    needle: *const c_void,
    needle_length: usize,
) -> *const c_void {
    // SAFETY: the caller's promise.
    let (text, needle) = unsafe { (bytes(haystack, haystack_length), bytes(needle, needle_length)) };
    match finder::find(text, needle) {
        // The position is at most the length.
        Some(position) => haystack.wrapping_byte_add(position),
        None => std::ptr::null(),
    }
}
