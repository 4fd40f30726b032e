//! Pivot Loop (`pivot-loop`, `pivot-loop2`).
//!
//! Pays where a character of the pattern is rare in the text: most windows end at one comparison, and shift
//! as Horspool's.
//! Departures: of the variants that the paper tries these are two: the pivot is the rarest character in the
//! text's first hundred bytes, the right one of equals; the shift is looked up by the window's last
//! character, or by its last two. After the pivot matched it is at least the distance to where the pattern
//! has the same character before.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::sampled::{SAMPLE, frequencies};
use crate::shifts::{PairShifts, fill_pair_shifts, fill_shifts, pair};

/// The searcher that shifts by the window's last `Q` characters, one or two.
#[derive(Default)]
pub struct PivotLoop<const Q: usize> {
    /// Where the pivot is.
    pivot: usize,
    /// How far it is from where the pattern has the same character before.
    distance: usize,
    one: ByteTable<u32>,
    two: PairShifts,
}

impl<const Q: usize> Algorithm for PivotLoop<Q> {
    const ABOUT: About = About {
        id: "pivot-loop",
        name: "Pivot Loop",
        reference: papers::EXTENDED_GUARD,
        status: Status::FromAbstract(
            "The abstract was seen; which of the paper's variants these two are, by pivot and shift, is our \
                reading.",
        ),
        family: "hybrid",
        parameters: "pivot=rarest in a sample of 100 text bytes",
        after: &["ssm"],
        idea: "Tests a pivot, a rare character of the pattern, in each window, and shifts by the window's \
            last one or two.",
        preparation_time: "O(m+s^q)",
        space: "O(s^q): 1 KiB for q = 1, and 128 KiB for q = 2",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^q)): as many windows as Horspool for q = 1",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, sample: SAMPLE, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        let (m, frequency) = (pattern.len(), frequencies(hints.sample));
        self.pivot = (0..m).rev().min_by_key(|&i| frequency[pattern[i] as usize]).unwrap_or(0);
        let before = pattern[..self.pivot].iter().rev().position(|&byte| byte == pattern[self.pivot]);
        self.distance = before.unwrap_or(self.pivot) + 1;
        if Q == 1 {
            fill_shifts(&mut self.one, &pattern[..m - 1]);
            probe.table(&self.one);
        } else {
            fill_pair_shifts(&mut self.two, pattern, m - 2);
            probe.table(&self.two);
        }
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, pivot) = (pattern.len(), text.len(), self.pivot);
        assert!(m >= Q && pivot < m, "a pattern that was not prepared");
        let tables = (Q == 1).then(|| self.one.view(probe)).ok_or_else(|| self.two.view(probe));
        let shift = |end: usize| match tables {
            Ok(one) => one.at(text.at(end)) as usize,
            // SAFETY: a window of two characters at least ends at `end`, in the text.
            Err(two) => two.at(pair(unsafe { text.block_unchecked(end - 1) })).into(),
        };
        let rare = pattern.kept(pivot);
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let s = end + 1 - m;
            let mut least = 0;
            // SAFETY: the window's places lie in the text.
            if probe.branch(rare.equals(unsafe { text.at_unchecked(s + pivot) })) {
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                least = self.distance;
            }
            end += shift(end).max(least);
            probe.writes(2);
            probe.jump();
        }
    }
}

register!(algorithm
    PivotLoop<1>, id: "pivot-loop", name: "Pivot Loop", parameters: "q=1";
    PivotLoop<2>, id: "pivot-loop2", name: "Pivot Loop with 2-grams", parameters: "q=2"
);
