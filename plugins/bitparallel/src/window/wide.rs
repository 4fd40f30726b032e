//! The wide window: all alignments of the pattern around a character of the text, the centre. The characters
//! from the centre on show which suffixes of the pattern begin there; the characters before it show whether
//! the matching prefixes end there.

use std::ops::Range;

use assay_plugin_api::prelude::*;

use crate::word::{WORD, prefix_occurs, rest_occurs};

/// Set if what has been read from the centre on is a suffix.
const SUFFIX: u64 = 1 << (WORD - 1);

/// Searches the window around the first of the characters `from_centre`, and reads none after them. A mask
/// has a 1 where its byte occurs in the pattern's first `width` characters, the last of which has the highest
/// bit.
#[inline(always)]
pub(crate) fn around<P: Probe>(
    from_centre: Range<usize>,
    width: usize,
    mask: impl Fn(u8) -> u64,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let Range { start: centre, end } = from_centre;
    let is_whole = width == pattern.len();
    // The ends of prefixes whose suffixes were found. The whole pattern has the bit of `first`: nothing of it
    // is left of the centre.
    let mut ends = 0;
    let (mut state, mut i) = (!0, centre);
    probe.writes(3);
    while probe.branch(state != 0 && i < end) {
        state &= mask(text.at(i));
        i += 1;
        probe.computes(1);
        probe.writes(2);
        if probe.branch(state & SUFFIX != 0) {
            ends |= SUFFIX >> (i - centre - 1);
            probe.writes(1);
        }
        state <<= 1;
        probe.writes(1);
    }
    let first = 1 << (WORD - width);
    let mut i = centre;
    probe.writes(1);
    while probe.branch(ends != 0) {
        if prefix_occurs(ends & first != 0, is_whole, probe) {
            if rest_occurs(pattern, text, i, width, probe) {
                found.at(i);
            }
            ends ^= first;
            probe.writes(1);
            if probe.branch(ends == 0) {
                break;
            }
        }
        i -= 1;
        ends = ends >> 1 & mask(text.at(i));
        probe.computes(1);
        probe.writes(2);
    }
}
