//! Processor-Aware Pattern Matching (`papm4`, `papm8`).
//!
//! Pays on patterns of some words: a comparison takes a whole word, and few windows begin with that of the
//! pattern.
//! Departures: a window is compared as soon as its first word matches; the paper lists all these windows
//! first. A word that is compared counts as w bytes of the text and w of the pattern.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::words::pattern_word;

/// The searcher for words of `W` characters: nothing to prepare.
#[derive(Default)]
pub struct ProcessorAware<const W: usize>;

impl<const W: usize> Algorithm for ProcessorAware<W> {
    const ABOUT: About = About {
        id: "papm",
        name: "Processor-Aware Pattern Matching",
        reference: papers::BIOLOGICAL_SEQUENCES,
        status: Status::FromPaper("The paper was seen; windows are compared as soon as they are found."),
        idea: "Compares words of the processor instead of characters: the first of each window, and the \
            others where it matches.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn/w), w bytes to a word",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: W, ..Needs::NOTHING };

    /// Windows whose first word matches.
    const EXTRA: &'static [&'static str] = &["#windows"];

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(W <= m && m <= n, "a text shorter than the pattern, or a pattern than a word");
        let alike = |s: usize, i: usize| {
            // SAFETY: windows begin at s <= n - m, and words at i <= m - W.
            unsafe { pattern_word::<W, P>(pattern, i) == text.gram_unchecked::<W>(s + i) }
        };
        // Where the second word begins: if the length is no multiple of W, it overlaps the first one.
        let second = if m.is_multiple_of(W) { W } else { m % W };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            if probe.branch(alike(s, 0)) {
                probe.extra(0, || 1);
                let mut i = second;
                probe.writes(1);
                while probe.branch(i < m && alike(s, i)) {
                    i += W;
                    probe.writes(1);
                }
                if probe.verify(i == m) {
                    found.at(s);
                }
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm ProcessorAware, w: [4, 8]);
