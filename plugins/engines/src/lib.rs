//! What programs search with today, called as they call it: baselines for all others. None is instrumented.
//!
//! Occurrences may overlap here, and none of these engines tells overlapping ones; so each is asked again behind the first
//! byte of the last occurrence. Where there are many, that is what the time is made of.

use assay_plugin_api::prelude::*;

mod aho_corasick;
mod libc;
mod memchr;
mod regex;
mod stringzilla;

assay_plugin_api::register!(family "engine");

/// What `find` finds behind each occurrence's first byte, from a place in the text on.
fn every(found: &mut impl Found, n: usize, find: impl Fn(usize) -> Option<usize>) {
    let mut from = 0;
    while from < n
        && let Some(s) = find(from)
    {
        found.at(s);
        from = s + 1;
    }
}
