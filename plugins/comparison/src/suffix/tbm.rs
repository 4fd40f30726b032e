//! Turbo Boyer-Moore (`tbm`).
//!
//! Pays where Boyer-Moore compares the same characters again, on repetitive texts, with two variables more.
//! Departures: the good suffix rule is that of [`bm`](super::bm), after an occurrence too.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::bm::fill_last;
use super::good_suffixes::GoodSuffixes;

/// The searcher: both shift tables.
#[derive(Default)]
pub struct TurboBoyerMoore {
    /// For each byte, where it occurs last in the pattern, counted from 1; 0 where it does not.
    last: ByteTable<u32>,
    good: GoodSuffixes,
}

impl Algorithm for TurboBoyerMoore {
    const ABOUT: About = About {
        id: "tbm",
        name: "Turbo Boyer-Moore",
        reference: papers::SPEEDING_UP_TWO,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook, with the good suffix rule of \
                `bm`.",
        ),
        after: &["bm"],
        idea: "Boyer-Moore that remembers the suffix of the last window, jumps over it, and shifts further \
            by what it knows.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 (m + 1) bytes and 1 KiB",
        worst_case: "O(n): 2n comparisons",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    /// Shifts are compared as `i32`.
    const NEEDS: Needs = Needs { max_pattern: i32::MAX as usize, ..Needs::NOTHING };

    /// Windows that jumped over what they remembered, and shifts that only the memory made so long.
    const EXTRA: &'static [&'static str] = &["#memory", "#turbo"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_last(&mut self.last, pattern);
        self.good.prepare(pattern);
        probe.table(&self.last);
        probe.table(&self.good.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, good_suffix) = (self.last.view(probe), self.good.shift.view(probe));
        // The window's `memory` characters before its last `shift` are known to match.
        let (mut s, mut shift, mut memory) = (0, m, 0);
        probe.writes(3);
        while probe.branch(s <= n - m) {
            let (mut i, mut mismatched) = (m, 0);
            probe.writes(1);
            while probe.branch(
                i > 0 && {
                    mismatched = text.at(s + i - 1);
                    pattern.at(i - 1) == mismatched
                },
            ) {
                i -= 1;
                probe.writes(1);
                if probe.branch(i == m - shift && memory > 0) {
                    i -= memory;
                    probe.writes(1);
                    probe.extra(0, || 1);
                }
            }
            let good = good_suffix.at(i);
            if probe.verify(i == 0) {
                found.at(s);
                shift = good as usize;
                memory = m - shift;
            } else {
                // Negative where the character occurs further right only, and where more has matched than was
                // remembered.
                let bad = (i as u32).wrapping_sub(last.at(mismatched)) as i32;
                let turbo = memory as i32 - (m - i) as i32;
                let good = good as i32;
                probe.computes(2);
                let mut greatest = good.max(bad).max(turbo);
                if probe.branch(greatest == good) {
                    memory = (m - i).min(m - good as u32 as usize);
                } else {
                    if probe.branch(turbo < bad) {
                        greatest = greatest.max(memory as i32 + 1);
                    }
                    memory = 0;
                }
                probe.extra(1, || u64::from(greatest > good.max(bad)));
                shift = greatest as u32 as usize;
            }
            s += shift;
            probe.writes(3);
            probe.jump();
        }
    }
}

register!(algorithm TurboBoyerMoore);
