//! Berry-Ravindran Skip Search.
//!
//! Pays where Skip Search does, on larger alphabets: it looks at characters that are up to two patterns' lengths apart.
//! Departures: how far the two ideas go together is our reading (the paper was not seen): once all windows with a character were
//! compared, the shift of the two characters behind the last of them tells which window is the next, and its last character is
//! looked at. Where the text has no two characters there, that is the window behind the character. Shifts are of 16 bits: a longer
//! one is made in several steps.

use assay_plugin_api::prelude::*;
use assay_shared::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: for each two bytes, the shift where they stand behind the window, and for each byte, where the pattern has it.
#[derive(Default)]
pub struct BerryRavindranSkip {
    shift: PairShifts,
    /// For each byte, its last place in the pattern, counted from 1; 0 where it has none.
    last: ByteTable<u32>,
    /// For each place, the one before it with the same byte.
    previous: Table<u32>,
}

impl Algorithm for BerryRavindranSkip {
    const ABOUT: About = About {
        id: "brss",
        name: "Berry-Ravindran Skip Search",
        authors: "A. A. Al-mazroi, N. A. Rashid",
        year: 2011,
        reference: "A Fast Hybrid Algorithm for the Exact String Matching Problem. Am. J. Eng. Appl. Sci. 4(1):102-107, 2011",
        doi: "10.3844/ajeassp.2011.102.107",
        idea: "Compares the windows in which the pattern has a character of the text, then shifts as Berry-Ravindran does.",
        preparation_time: "O(m+s^2)",
        space: "O(m+s^2): 4 (m + 1) bytes, 1 KiB and 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n): each place of the pattern is tried with n/s windows",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_pair_shifts(&mut self.shift, pattern, pattern.len());
        self.last.fill(0);
        self.previous.reset(pattern.len() + 1, 0);
        for (place, &byte) in (1..).zip(pattern) {
            self.previous[place] = std::mem::replace(&mut self.last[byte as usize], place as u32);
        }
        probe.table(&self.shift);
        probe.table(&self.last);
        probe.table(&self.previous);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (shift, last, previous) =
            (self.shift.view(probe), self.last.view(probe), self.previous.view(probe));
        // The character that is looked at: windows that end before it are done.
        let mut j = m - 1;
        probe.writes(1);
        while probe.branch(j < n) {
            // SAFETY: the loop's condition.
            let mut place = last.at(unsafe { text.at_unchecked(j) }) as usize;
            probe.writes(1);
            while probe.branch(place > 0) {
                let s = j + 1 - place;
                if probe.branch(s + m <= n) && pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                place = previous.at(place) as usize;
                probe.writes(1);
            }
            // The last of these windows begins with the character.
            let mut step = 1;
            if probe.branch(j + m + 1 < n) {
                // SAFETY: the condition.
                step = usize::from(shift.at(pair(unsafe { text.block_unchecked(j + m) })));
            }
            j += m - 1 + step;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BerryRavindranSkip);
