//! Boyer-Moore-Galil (`bmg`).
//!
//! Pays where a periodic pattern occurs often, which makes Boyer-Moore quadratic.
//! Departures: the good suffix rule is that of [`bm`](super::bm).

use assay_plugin_api::prelude::*;
use assay_shared::mismatch::last_mismatch;

use super::bm::fill_last;
use super::good_suffixes::GoodSuffixes;

/// The searcher: both shift tables.
#[derive(Default)]
pub struct BoyerMooreGalil {
    /// For each byte, where it occurs last in the pattern, counted from 1; 0 where it does not.
    last: ByteTable<u32>,
    good: GoodSuffixes,
}

impl Algorithm for BoyerMooreGalil {
    const ABOUT: About = About {
        id: "bmg",
        name: "Boyer-Moore-Galil",
        reference: Reference {
            authors: &["Z. Galil"],
            title: "On improving the worst case running time of the Boyer-Moore string matching algorithm",
            journal: "Commun. ACM",
            volume: "22",
            number: "9",
            pages: "505-508",
            year: 1979,
            doi: "10.1145/359146.359148",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The paper was not seen. Others describe the rule; the good suffix rule is that of `bm`.",
        ),
        after: &["bm"],
        idea: "Boyer-Moore that shifts by the pattern's period after an occurrence, and then compares only \
            what is new.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 (m + 1) bytes and 1 KiB",
        worst_case: "O(n)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    /// Shifts are compared as `i32`.
    const NEEDS: Needs = Needs { max_pattern: i32::MAX as usize, ..Needs::NOTHING };

    /// Windows whose first characters were known to match.
    const EXTRA: &'static [&'static str] = &["#memory"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_last(&mut self.last, pattern);
        self.good.prepare(pattern);
        probe.table(&self.last);
        probe.table(&self.good.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, good_suffix) = (self.last.view(probe), self.good.shift.view(probe));
        // The window's first `memory` characters are known to match.
        let (mut s, mut memory) = (0, 0);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            let (i, mismatched) = last_mismatch(&pattern, &text, s, memory, probe);
            probe.extra(0, || u64::from(memory > 0));
            if probe.verify(i == memory) {
                found.at(s);
                let period = good_suffix.at(0) as usize;
                s += period;
                memory = m - period;
            } else {
                // Negative where the character occurs further right only.
                let good = good_suffix.at(i) as i32;
                let bad = (i as u32).wrapping_sub(last.at(mismatched)) as i32;
                probe.computes(1);
                s += good.max(bad) as u32 as usize;
                memory = 0;
            }
            probe.writes(2);
            probe.jump();
        }
    }
}

register!(algorithm BoyerMooreGalil);
