//! The naive search, for parts of a text in which nothing better can be done.

use assay_plugin_api::prelude::*;

/// Compares the windows from `s` on, one after the other: where the text ends, or has no block.
pub fn one_by_one<P: Probe>(
    mut s: usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    probe.writes(1);
    while probe.branch(s <= n - m) {
        if pattern.occurs(text, s, 0..m) {
            found.at(s);
        }
        s += 1;
        probe.writes(1);
        probe.jump();
    }
}
