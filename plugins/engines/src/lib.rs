//! What programs search with today, called as they call it: baselines for all others. None is instrumented.
//!
//! assay counts overlapping occurrences, but none of these engines reports them. Each engine is therefore
//! called again one byte after the beginning of the last occurrence. If occurrences are many, these calls
//! take most of the time.

use assay_plugin_api::prelude::*;

pub mod aho_corasick;
pub mod libc;
pub mod memchr;
pub mod memx;
pub mod regex;
pub mod stringzilla;

assay_plugin_api::register!(family "engine");

/// What `find` finds after each occurrence's first byte, from a place in the text on.
fn every(found: &mut impl Found, n: usize, find: impl Fn(usize) -> Option<usize>) {
    let mut from = 0;
    while from < n
        && let Some(s) = find(from)
    {
        found.at(s);
        from = s + 1;
    }
}
