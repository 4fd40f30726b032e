//! Max-Shift Horspool (`msh`).
//!
//! Pays on large alphabets, where one of two characters gives a long shift.
//! Departures: we have seen the abstract of the paper and what a bibliography says of it: the greatest shift
//! of both occurrence rules is taken. A window is compared from right to left. The rule by the character that
//! mismatched is extended as by Gusfield: where the character occurs before the place of the mismatch is
//! found by going back through its places in the pattern.

use assay_plugin_api::prelude::*;
use assay_shared::mismatch::last_mismatch;

use crate::shifts::fill_shifts;

/// The searcher: what both rules look up.
#[derive(Default)]
pub struct MaxShiftHorspool {
    /// For each byte, the distance from its last occurrence in the pattern's first m - 1 bytes to the end.
    shift: ByteTable<u32>,
    /// For each byte, where it occurs last in the pattern, counted from 1; 0 where it does not.
    last: ByteTable<u32>,
    /// For each place, counted from 1, the one before it with the same character; 0 if there is none.
    before: Table<u32>,
}

impl Algorithm for MaxShiftHorspool {
    const ABOUT: About = About {
        id: "msh",
        name: "Max-Shift Horspool",
        reference: Reference {
            authors: &["M. Sahli", "T. Shibuya"],
            title: "Max-Shift BM and Max-Shift Horspool: Practical Fast Exact String Matching Algorithms",
            journal: "J. Inf. Process.",
            volume: "20",
            number: "2",
            pages: "419-425",
            year: 2012,
            doi: "10.2197/ipsjjip.20.419",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract and a bibliography were seen; how the two rules are joined is ours.",
        ),
        after: &["hor", "bm"],
        idea: "Horspool with the greater of two shifts: by the window's last character, and by the one that \
            mismatched.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 (m + 1) bytes and 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.shift, &pattern[..pattern.len() - 1]);
        self.before.reset(pattern.len() + 1, 0);
        self.last.fill(0);
        for (place, &byte) in (1..).zip(pattern) {
            self.before[place as usize] = self.last[byte as usize];
            self.last[byte as usize] = place;
        }
        probe.table(&self.shift);
        probe.table(&self.last);
        probe.table(&self.before);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let (last, before) = (self.last.view(probe), self.before.view(probe));
        assert!(m <= n, "a text shorter than the pattern");
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (i, mismatched) = last_mismatch(&pattern, &text, s, 0, probe);
            let mut distance = shift.at(text.at(s + m - 1)) as usize;
            if probe.verify(i == 0) {
                found.at(s);
            } else {
                let mut place = last.at(mismatched) as usize;
                probe.writes(1);
                while probe.branch(place >= i) {
                    place = before.at(place) as usize;
                    probe.writes(1);
                }
                distance = distance.max(i - place);
                probe.computes(1);
            }
            s += distance;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm MaxShiftHorspool);

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Counters, Counting, Field};

    use super::*;

    #[test]
    fn the_mismatched_character_is_looked_for_before_its_place() {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let (pattern, text) = (b"aaaba", b"aabbaaaba");
        let (mut searcher, mut found) = (MaxShiftHorspool::default(), Vec::new());
        searcher.prepare(pattern, Off);
        searcher.search(Pattern::new(pattern, probe), Text::new(text, probe), &mut found, probe);
        assert_eq!(found, [4]);
        // In the first window, `b` mismatches at the third place. The pattern has it only after that, so the
        // shift is three, and Horspool's is two.
        assert_eq!(counters.get(Field::Jumps), 3);
    }
}
