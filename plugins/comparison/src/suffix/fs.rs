//! Fast-Search (`fs`).
//!
//! Pays on long patterns and larger alphabets, where most windows end at the first comparison.
//! Departures: there is no copy of the last character after the text that stops the fast loop. The good
//! suffix rule is that of [`bm`](super::bm), after an occurrence too.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::good_suffixes::GoodSuffixes;
use crate::shifts::fill_shifts;

/// The searcher: both shift tables.
#[derive(Default)]
pub struct FastSearch {
    /// By the window's last character where it mismatches, and 0 where it is the pattern's.
    pub(super) skip: ByteTable<u32>,
    pub(super) good: GoodSuffixes,
}

impl Algorithm for FastSearch {
    const ABOUT: About = About {
        id: "fs",
        name: "Fast-Search",
        reference: Reference {
            authors: papers::FAST_SEARCH.authors,
            title: "Fast-Search: A New Efficient Variant of the Boyer-Moore String Matching Algorithm",
            booktitle: "WEA 2003",
            series: "LNCS",
            volume: "2647",
            pages: "47-58",
            year: 2003,
            doi: "10.1007/3-540-44867-5_4",
            related: Some(("extended in", &papers::FAST_SEARCH)),
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; a bound replaces the copy of the last character after the text.",
        ),
        after: &["bm"],
        idea: "The bad character rule alone where the window's last character mismatches, and the good \
            suffix rule alone elsewhere.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 (m + 1) bytes and 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_skips(&mut self.skip, pattern);
        self.good.prepare(pattern);
        probe.table(&self.skip);
        probe.table(&self.good.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (skip, good) = (self.skip.view(probe), self.good.shift.view(probe));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let bad = skip.at(text.at(end)) as usize;
            probe.writes(1);
            probe.jump();
            if probe.branch(bad > 0) {
                end += bad;
                continue;
            }
            let mut i = m - 1;
            probe.writes(1);
            while probe.branch(i > 0 && pattern.at(i - 1) == text.at(end + i - m)) {
                i -= 1;
                probe.writes(1);
            }
            if probe.verify(i == 0) {
                found.at(end + 1 - m);
            }
            end += good.at(i) as usize;
        }
    }
}

/// Fills in, for each byte at the window's end, the least shift that brings an equal one of the pattern
/// there, which is 0 for the pattern's last.
pub(super) fn fill_skips(skip: &mut ByteTable<u32>, pattern: &[u8]) {
    let last = pattern.len() - 1;
    fill_shifts(skip, &pattern[..last]);
    skip[pattern[last] as usize] = 0;
}

register!(algorithm FastSearch);
