//! BNDM with q-grams for long patterns (`bql34`, `bql43`, `bql72`).
//!
//! Pays on patterns much longer than a word, with q-grams that are rare beside the table's 2^(qs) entries.
//! Departures: a q-gram's hash takes the low bits of its characters, q fields of s bits whose sums carry. One
//! computation = one step: a hash, the and and the shift.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::WORD;

/// The searcher: for each hash, a 1 for each position modulo 64 at which a q-gram with this hash begins, from
/// the highest bit down.
#[derive(Default)]
pub struct LongQgrams<const Q: usize, const S: u32> {
    mask: Table<u64>,
}

/// Set if the pattern begins, or a multiple of 64 characters before, where the last q-gram that has been read
/// begins.
const PREFIX: u64 = 1 << 63;

impl<const Q: usize, const S: u32> LongQgrams<Q, S> {
    const ENTRIES: usize = 1 << (Q as u32 * S);

    /// The hash of a q-gram, given that of the next and the character before it: after q steps a character is
    /// shifted out.
    #[inline(always)]
    fn hash(next: usize, byte: u8) -> usize {
        ((next << S) + byte as usize) % Self::ENTRIES
    }
}

impl<const Q: usize, const S: u32> Algorithm for LongQgrams<Q, S> {
    const ABOUT: About = About {
        id: "bql",
        name: "BNDM with q-grams for long patterns",
        reference: papers::LONG_PATTERNS,
        status: Status::FromPaper(
            "The paper's search; the hash of a q-gram, in which fields of s bits carry, is ours.",
        ),
        after: &["bndm"],
        idea: "Samples the text each m-q+1 characters, ands the places modulo the word size of q-grams \
            backward, then compares.",
        preparation_time: "O(m + 2^(qs))",
        space: "O(2^(qs)): 32 to 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base of the alphabet's size, while the table is \
            sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.mask.reset(Self::ENTRIES, 0);
        let mut hash = 0;
        for (i, &byte) in pattern.iter().enumerate().rev() {
            hash = Self::hash(hash, byte);
            if i + Q <= pattern.len() {
                self.mask[hash] |= PREFIX >> (i % WORD);
            }
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, mask) = (pattern.len(), text.len(), self.mask.view(probe));
        assert!(self.mask.len() == Self::ENTRIES && (Q..=n).contains(&m), "prepared for another pattern");
        // Each occurrence holds one sample.
        let step = m - Q + 1;
        // Where the sample begins.
        let mut sample = m - Q;
        probe.writes(1);
        while probe.branch(sample + Q <= n) {
            // SAFETY: the condition.
            let byte = |k| unsafe { text.at_unchecked(sample + k) };
            let mut hash = (0..Q).rev().fold(0, |hash, k| Self::hash(hash, byte(k)));
            // SAFETY: a hash is less than the number of entries.
            let mut state = unsafe { mask.at_unchecked(hash) };
            let mut i = sample;
            probe.computes(1);
            probe.writes(3);
            while probe.branch(state != 0) {
                if probe.branch(state & PREFIX != 0) {
                    verify::<Q, P>(pattern, text, i, sample, found, probe);
                }
                if probe.branch(i == 0) {
                    break;
                }
                i -= 1;
                hash = Self::hash(hash, text.at(i));
                // SAFETY: as above.
                state = state << 1 & unsafe { mask.at_unchecked(hash) };
                probe.computes(1);
                probe.writes(3);
            }
            sample += step;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Compares the windows that hold the sample's q-gram and begin at `s` or a multiple of 64 characters before.
#[cold]
#[inline(never)]
fn verify<const Q: usize, P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    s: usize,
    sample: usize,
    found: &mut impl Found,
    probe: P,
) {
    let m = pattern.len();
    // The first window that holds it, with Q characters from `sample` on.
    let least = (sample + Q).saturating_sub(m);
    let mut before = 0;
    probe.writes(1);
    while probe.branch(least + before <= s) {
        let window = s - before;
        if probe.branch(window + m <= text.len()) && pattern.occurs(text, window, 0..m) {
            found.at(window);
        }
        before += WORD;
        probe.writes(1);
    }
}

register!(algorithm LongQgrams, q, s: [(3, 4), (4, 3), (7, 2)]);
