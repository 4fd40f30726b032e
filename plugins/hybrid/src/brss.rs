//! Berry-Ravindran Skip Search (`brss`).
//!
//! Pays where Skip Search does, on larger alphabets: it looks at characters that are up to two patterns'
//! lengths apart.
//! Departures: of the paper its abstract was seen, which names the two algorithms that are combined; how they
//! are is our reading. When all windows with a character have been compared, the two characters after the
//! last window give the shift to the next window, whose last character is looked at. If the text has no two
//! characters there, the next window is the one after the character. Shifts are of 16 bits: a longer one is
//! made in several steps.

use assay_plugin_api::prelude::*;
use assay_shared::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: for each two bytes, the shift if they follow the window, and for each byte, its positions in
/// the pattern.
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
        reference: Reference {
            authors: &["A. A. Al-mazroi", "N. A. Rashid"],
            title: "A Fast Hybrid Algorithm for the Exact String Matching Problem",
            journal: "Am. J. Eng. Appl. Sci.",
            volume: "4",
            number: "1",
            pages: "102-107",
            year: 2011,
            doi: "10.3844/ajeassp.2011.102.107",
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The abstract was seen, which names the two algorithms that are combined; how they are is our reading.",
        ),
        after: &["skip", "br"],
        idea: "Compares the windows in which the pattern has a character of the text, then shifts as \
            Berry-Ravindran does.",
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
