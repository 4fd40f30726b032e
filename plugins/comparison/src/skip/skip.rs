//! Skip Search (`skip` to `skip8`).
//!
//! Pays on long patterns over small alphabets, with q-grams that seldom occur.
//! Departures: q-grams of more than two characters are hashed by a product. One computation = one such hash.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::filled::Filled;
use assay_shared::papers;

use crate::grams::product;
use crate::opening::{Opening, SLACK};

/// The paper of Skip Search with q-grams of more than one character.
const CONDENSED_ALPHABETS: Reference = Reference {
    authors: &["S. Faro"],
    title: "A Very Fast String Matching Algorithm Based on Condensed Alphabets",
    booktitle: "AAIM 2016",
    series: "LNCS",
    volume: "9778",
    year: 2016,
    doi: "10.1007/978-3-319-41168-2_6",
    ..Reference::UNKNOWN
};

/// The searcher for q-grams of `Q` characters, hashed to `BITS` bits: for each hash, a bucket of places in
/// the pattern.
#[derive(Default)]
pub struct Skip<const Q: usize, const BITS: u32> {
    /// For each hash, its last position in the pattern, counted from 1; 0 if it has none.
    last: HashTable<u32, BITS>,
    /// Which entries of `last` are not empty.
    filled: Filled,
    /// For each place, the one before it with the same hash.
    previous: Table<u32>,
}

impl<const Q: usize, const BITS: u32> Algorithm for Skip<Q, BITS> {
    const ABOUT: About = About {
        id: "skip",
        name: "Skip Search",
        reference: if Q == 1 { papers::SMALL_ALPHABETS_LONG_PATTERNS } else { CONDENSED_ALPHABETS },
        status: Status::FromPaper("The paper's search; the hash of q-grams is ours."),
        after: if Q == 1 { &[] } else { &["skip", "hash"] },
        idea: "Looks at each (m-q+1)-th q-gram of the text, and at the windows in which the pattern has it \
            there.",
        preparation_time: "O(m+2^b) for hashes of b bits",
        space: "O(m+2^b): 4 (m - q + 2) bytes and 1 KiB, 256 KiB for q = 1, 2, and 64 KiB from 3 on",
        worst_case: "O(mn)",
        average_case: "O(n): each place of the pattern is tried with n/s^q windows",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let grams = pattern.len() + 1 - Q;
        self.filled.clear(&mut self.last);
        self.previous.reset(grams + 1, 0);
        let text = Text::new(pattern, Off);
        for place in 1..=grams {
            // SAFETY: the last of these q-grams ends the pattern.
            let hash = unsafe { product::<Q, BITS, Off>(text, place - 1) };
            let last = self.filled.fill(&mut self.last, hash);
            self.previous[place] = std::mem::replace(last, place as u32);
        }
        probe.table(&self.last);
        probe.table(&self.previous);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, previous) = (self.last.view(probe), self.previous.view(probe));
        assert!(m >= Q, "a pattern shorter than a q-gram");
        let (grams, opening) = (m + 1 - Q, Opening::new(pattern, text));
        // Where the q-gram ends the first window.
        let mut j = grams - 1;
        probe.writes(1);
        while probe.branch(j + Q <= n) {
            // SAFETY: the loop's condition.
            let mut place = last.at(unsafe { product::<Q, BITS, P>(text, j) }) as usize;
            probe.computes(u64::from(Q > 2));
            probe.writes(1);
            while probe.branch(place > 0) {
                let s = j + 1 - place;
                if probe.branch(s + m <= n) {
                    // SAFETY: the condition.
                    unsafe {
                        if Q <= 2 {
                            opening.report(s, 0..m, found);
                        } else if opening.occurs(s, 0..m) {
                            found.at(s);
                        }
                    }
                }
                place = previous.at(place) as usize;
                probe.writes(1);
            }
            j += grams;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm
    Skip<1, 8>, id: "skip", name: "Skip Search", parameters: "q=1";
    Skip<2, 16>, id: "skip2", name: "Skip Search with q-grams (q=2)", parameters: "q=2";
    Skip<3, 14>, id: "skip3", name: "Skip Search with q-grams (q=3)", parameters: "q=3";
    Skip<4, 14>, id: "skip4", name: "Skip Search with q-grams (q=4)", parameters: "q=4";
    Skip<5, 14>, id: "skip5", name: "Skip Search with q-grams (q=5)", parameters: "q=5";
    Skip<6, 14>, id: "skip6", name: "Skip Search with q-grams (q=6)", parameters: "q=6";
    Skip<7, 14>, id: "skip7", name: "Skip Search with q-grams (q=7)", parameters: "q=7";
    Skip<8, 14>, id: "skip8", name: "Skip Search with q-grams (q=8)", parameters: "q=8"
);
