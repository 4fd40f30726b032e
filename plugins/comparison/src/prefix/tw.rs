//! Two Way (`tw`).
//!
//! Pays where neither memory nor time may depend on the pattern: linear time with a handful of variables,
//! which is why C libraries use it. Reads are unchecked: that takes 0.77 to 0.91 of the checked time (m = 4
//! to 256, English, 1 MiB).
//! Departures: none in the search; the two maximal suffixes are computed by one function that is given the
//! order.

use assay_plugin_api::prelude::*;
use assay_shared::factorisation::Factorisation;

/// The searcher: a critical factorisation of the pattern.
#[derive(Default)]
pub struct TwoWay(Factorisation);

impl Algorithm for TwoWay {
    const ABOUT: About = About {
        id: "tw",
        name: "Two Way",
        reference: Reference {
            authors: &["M. Crochemore", "D. Perrin"],
            title: "Two-way string-matching",
            journal: "J. ACM",
            volume: "38",
            number: "3",
            pages: "651-675",
            year: 1991,
            doi: "10.1145/116825.116845",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook, without a change.",
        ),
        after: &["kmp", "bm"],
        idea: "Cuts the pattern at a critical factorisation: right part forward, left part backward.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n): 2n - m comparisons",
        average_case: "O(n)",
        yardstick: true,
        ..About::UNKNOWN
    };

    /// Windows that the right part stopped, those in which the left part was compared too, and those that
    /// left a memory.
    const EXTRA: &'static [&'static str] = &["#right", "#left", "#memory"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        self.0 = Factorisation::new(pattern);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(self.0.periodic) {
            self.scan::<true, P>(pattern, text, found, probe);
        } else {
            self.scan::<false, P>(pattern, text, found, probe);
        }
    }
}

impl TwoWay {
    #[inline(always)]
    fn scan<const PERIODIC: bool, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let Factorisation { cut, period, .. } = self.0;
        let (m, n) = (pattern.len(), text.len());
        assert!(self.0.fits(m) && m <= n, "prepared for another pattern");
        // SAFETY: windows begin at s <= n - m, and characters are compared at i < m: `cut` is less, memory is
        // m - period, and see both loops.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        // The window's first `memory` characters are known to match: none of a pattern without a period.
        let (mut s, mut memory) = (0, 0);
        let moves = || probe.writes(if PERIODIC { 2 } else { 1 });
        moves();
        while probe.branch(s <= n - m) {
            // Most windows end at the first comparison, in a loop that is as short as can be. It counts as
            // the other one would: `i` is set, and found to be less than `m` after the comparison.
            let first = if PERIODIC { cut.max(memory) } else { cut };
            probe.writes(1);
            if probe.branch(!alike(s, first)) {
                probe.branch(first < m);
                s += if PERIODIC { first - cut + 1 } else { 1 };
                memory = 0;
                moves();
                probe.jump();
                probe.extra(0, || 1);
                continue;
            }
            let mut i = first + 1;
            probe.writes(1);
            while probe.branch(i < m && alike(s, i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.branch(i < m) {
                s += i - cut + 1;
                memory = 0;
                probe.extra(0, || 1);
            } else {
                let mut j = cut;
                probe.writes(1);
                // j <= cut < m.
                while probe.branch(j > memory && alike(s, j - 1)) {
                    j -= 1;
                    probe.writes(1);
                }
                if probe.verify(j <= memory) {
                    found.at(s);
                }
                s += period;
                if PERIODIC {
                    memory = m - period;
                }
                probe.extra(1, || 1);
                probe.extra(2, || u64::from(PERIODIC && period < m));
            }
            moves();
            probe.jump();
        }
    }
}

register!(algorithm TwoWay);
