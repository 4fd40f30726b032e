//! Berry-Ravindran Fast-Search (`brfs`).
//!
//! Pays on long patterns over small alphabets.
//! Departures: of the paper only the abstract was at hand: Fast-Search with the shifts of Berry and Ravindran
//! where the window's last character mismatches. After the last two windows there are fewer than two
//! characters, so they are compared apart. Shifts by two characters are of 16 bits: a longer one is made in
//! several steps. The good suffix rule is that of [`bm`](super::bm), after an occurrence too.

use assay_plugin_api::prelude::*;

use super::good_suffixes::GoodSuffixes;
use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: both shift tables.
#[derive(Default)]
pub struct BerryRavindranFastSearch {
    /// For each two bytes, the shift if they follow the window.
    shift: PairShifts,
    good: GoodSuffixes,
}

impl Algorithm for BerryRavindranFastSearch {
    const ABOUT: About = About {
        id: "brfs",
        name: "Berry-Ravindran Fast-Search",
        reference: Reference {
            authors: &["Y. Huang", "L. Ping", "X. Pan", "G. Cai"],
            title: "A Fast Exact Pattern Matching Algorithm for Biological Sequences",
            booktitle: "BMEI 2008",
            year: 2008,
            doi: "10.1109/BMEI.2008.154",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "Of the paper only the abstract was seen; how the two shifts are joined is our reading.",
        ),
        family: "hybrid",
        after: &["fs", "br"],
        idea: "Berry-Ravindran's shift where the window's last character mismatches, and the good suffix \
            rule elsewhere.",
        preparation_time: "O(m+s^2)",
        space: "O(m+s^2): 4 (m + 1) bytes and 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 2) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_pair_shifts(&mut self.shift, pattern, pattern.len());
        self.good.prepare(pattern);
        probe.table(&self.shift);
        probe.table(&self.good.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (shift, good) = (self.shift.view(probe), self.good.shift.view(probe));
        // The place after the window.
        let mut after = m;
        probe.writes(1);
        while probe.branch(after + 1 < n) {
            probe.writes(1);
            probe.jump();
            if probe.branch(pattern.at(m - 1) != text.at(after - 1)) {
                // SAFETY: the loop's condition.
                after += usize::from(shift.at(pair(unsafe { text.block_unchecked(after) })));
                continue;
            }
            let mut i = m - 1;
            probe.writes(1);
            while probe.branch(i > 0 && pattern.at(i - 1) == text.at(after + i - 1 - m)) {
                i -= 1;
                probe.writes(1);
            }
            if probe.verify(i == 0) {
                found.at(after - m);
            }
            after += good.at(i) as usize;
        }
        while probe.branch(after <= n) {
            if pattern.occurs(text, after - m, 0..m) {
                found.at(after - m);
            }
            after += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BerryRavindranFastSearch);
