//! Zhu-Takaoka (`zt`).
//!
//! Pays on small alphabets, where one character alone seldom shifts far.
//! Departures: the good suffix rule is that of [`bm`](super::bm), after an occurrence too. Shifts by two
//! characters are of 16 bits: a longer one is made in several steps. Patterns of one byte have no two
//! characters, and move by one.

use assay_plugin_api::prelude::*;

use super::good_suffixes::GoodSuffixes;
use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: both shift tables.
#[derive(Default)]
pub struct ZhuTakaoka {
    /// For each two bytes, the shift where they end the window.
    bad: PairShifts,
    good: GoodSuffixes,
}

impl Algorithm for ZhuTakaoka {
    const ABOUT: About = About {
        id: "zt",
        name: "Zhu-Takaoka",
        reference: Reference {
            authors: &["R. F. Zhu", "T. Takaoka"],
            title: "On improving the average case of the Boyer-Moore string matching algorithm",
            journal: "J. Inform. Process.",
            volume: "10",
            number: "3",
            pages: "173-177",
            year: 1987,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook, with the good suffix rule of \
                `bm`.",
        ),
        after: &["bm"],
        idea: "Boyer-Moore with a bad character rule for the window's last two characters.",
        preparation_time: "O(m+s^2)",
        space: "O(m+s^2): 4 (m + 1) bytes and 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        if let Some(place) = pattern.len().checked_sub(2) {
            fill_pair_shifts(&mut self.bad, pattern, place);
        }
        self.good.prepare(pattern);
        probe.table(&self.bad);
        probe.table(&self.good.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (bad, good) = (self.bad.view(probe), self.good.shift.view(probe));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let mut i = m;
            probe.writes(1);
            while probe.branch(i > 0 && pattern.at(i - 1) == text.at(end + i - m)) {
                i -= 1;
                probe.writes(1);
            }
            let shift = good.at(i) as usize;
            if probe.verify(i == 0) {
                found.at(end + 1 - m);
                end += shift;
            } else if m > 1 {
                // SAFETY: the window has a character before its last, at `end`, which lies in the text.
                let last = unsafe { text.block_unchecked(end - 1) };
                end += shift.max(bad.at(pair(last)).into());
            } else {
                end += shift;
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm ZhuTakaoka);
