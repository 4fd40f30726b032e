//! BNDM with extended shift (`bxs` to `bxs-t8`).
//!
//! Pays on patterns longer than a word, with q-grams that exclude most windows although positions share bits.
//! Departures: all windows are treated alike, the first one too. `bxs-t`, which is ours, superimposes only a
//! prefix that leaves a quarter of the bits unset, because full masks exclude nothing; the rest is compared
//! where the prefix occurs. It reads at most as many characters of a window as a word has bits, and then
//! compares each alignment that the state leaves and that begins in the unread part as a whole. One
//! computation = one step: the rotation and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::factors::PREFIX;

/// The searcher: for each byte, a 1 where it occurs in the pattern, from the highest bit down and round again
/// after 64. If it is `LIMITED`, some bits stay unset, whatever the pattern is.
#[derive(Default)]
pub struct ExtendedShift<const Q: usize, const LIMITED: bool> {
    mask: ByteTable<u64>,
    /// Length of the prefix that is superimposed.
    width: usize,
}

/// Number of bits of a word, after which each bit has come round once. A limited search reads no more
/// characters of a window.
const BITS: usize = u64::BITS as usize;

/// The published search.
type Published<const Q: usize> = ExtendedShift<Q, false>;

/// Ours.
type Limited<const Q: usize> = ExtendedShift<Q, true>;

impl<const Q: usize, const LIMITED: bool> ExtendedShift<Q, LIMITED> {
    /// The facts about the published search.
    const PUBLISHED: About = About {
        id: "bxs",
        name: "BNDM with extended shift (superimposed, q-grams)",
        reference: papers::LONG_PATTERNS,
        status: Status::FromPaper("The paper's search; all windows are treated alike, the first one too."),
        after: &["bndm"],
        idea: "BNDM with q-grams in which pattern positions wrap round modulo the word size; then verifies.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s, as long as few bits of a mask are set",
        ..About::UNKNOWN
    };

    /// Ids that the published search has now, and this limited one had before.
    const FORMER_IDS: &[&str] = match Q {
        1 => &["bxs", "bxs1"],
        2 => &["bxs2"],
        3 => &["bxs3"],
        4 => &["bxs4"],
        6 => &["bxs6"],
        _ => &["bxs8"],
    };

    /// Number of windows that are searched between two tests for the end of the text. It is small for single
    /// characters, because the state is seldom empty after one.
    const ROUND: usize = if Q == 1 { 2 } else { 8 };
}

impl<const Q: usize, const LIMITED: bool> Algorithm for ExtendedShift<Q, LIMITED> {
    const ABOUT: About = if LIMITED {
        About {
            id: "bxs-t",
            name: "BNDM with extended shift and sparse masks",
            status: Status::ImprovedHere(
                "The paper superimposes the whole pattern and reads windows until the state is empty; here a \
                    quarter of the bits stays unset, and 64 characters of a window are read at most.",
            ),
            formerly: Formerly { ids: Self::FORMER_IDS, until: "0.1.0" },
            after: &["bxs"],
            idea: "BNDM with q-grams in which positions of a prefix, so long that a quarter of the bits \
                stays unset, wrap round modulo the word size; then verifies.",
            average_case: "O(n log(p)/p), p the length of the prefix, logarithm to the base s",
            ..Self::PUBLISHED
        }
    } else {
        Self::PUBLISHED
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.mask.fill(0);
        self.width = 0;
        for part in pattern.chunks(BITS) {
            let before = self.mask.clone();
            for (i, &byte) in part.iter().enumerate() {
                self.mask[byte as usize] |= PREFIX >> i;
            }
            let set = part.iter().map(|&byte| self.mask[byte as usize].count_ones() as usize).sum::<usize>();
            if LIMITED && self.width > 0 && set > part.len() * (BITS * 3 / 4) {
                self.mask = before;
                break;
            }
            self.width += part.len();
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!(Q <= width && width <= m && m <= n, "prepared for another pattern");
        // Where the q-gram of the last window begins, and how far it is where the state is empty after it.
        let (last, skip) = (n - m + width - Q, width - Q + 1);
        // How much of a window is not read.
        let unread = if LIMITED { width.saturating_sub(BITS) } else { 0 };
        let read = |at: usize| {
            let step = |state: u64, k: usize| {
                // SAFETY: these Q characters end a window that lies in the text.
                let byte = unsafe { text.at_unchecked(at + k) };
                state.rotate_left(1) & mask.at(byte)
            };
            let state = (0..Q).rev().fold(!0, step);
            probe.computes(Q as u64);
            probe.writes(1);
            probe.branch(state == 0);
            state
        };
        let skipped = |at: usize| {
            probe.writes(1);
            probe.jump();
            at + skip
        };
        let mut at = width - Q;
        probe.writes(1);
        while probe.branch(at <= last) {
            let mut state = read(at);
            // Some windows a round, which needs no test between them.
            'rounds: while state == 0 && at + Self::ROUND * skip <= last {
                for _ in 0..Self::ROUND {
                    at = skipped(at);
                    probe.branch(true);
                    state = read(at);
                    if state != 0 {
                        break 'rounds;
                    }
                }
            }
            if state == 0 {
                at = skipped(at);
                continue;
            }
            let s = at + Q - width;
            let (mut i, mut shift) = (width - Q, skip);
            probe.writes(2);
            while probe.branch(state != 0 && i > unread) {
                if probe.branch(state & PREFIX != 0) {
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                // SAFETY: it is before those characters.
                state = state.rotate_left(1) & mask.at(unsafe { text.at_unchecked(s + i) });
                probe.computes(1);
                probe.writes(2);
            }
            if probe.branch(state != 0) {
                verify((s, i), state, pattern, text, found, probe);
            }
            at += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Compares the alignments that begin between `s` and `i` characters further, where those begin that the
/// state is of.
#[cold]
#[inline(never)]
fn verify<P: Probe>(
    (s, i): (usize, usize),
    state: u64,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    // The highest bit is that of the alignment in which `i` characters of the pattern precede those that were
    // read.
    let mut state = state.rotate_left(i as u32);
    let mut start = s;
    probe.writes(2);
    while probe.branch(start <= (s + i).min(n - m)) {
        if probe.branch(state & PREFIX != 0) && pattern.occurs(text, start, 0..m) {
            found.at(start);
        }
        state = state.rotate_right(1);
        start += 1;
        probe.writes(2);
    }
}

register!(algorithm
    Published<1>, id: "bxs", name: "BNDM with extended shift (superimposed, q-grams) (q=1)",
        parameters: "q=1";
    Published, q: [1, 2, 3, 4, 6, 8];
    Limited, q: [1, 2, 3, 4, 6, 8]
);

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of a pattern of two letters is superimposed.
    fn width<const LIMITED: bool>(m: usize) -> usize {
        let pattern: Vec<u8> = (0..m).map(|i| b"ab"[(i * i / 3 + i / 7) % 2]).collect();
        let mut searcher = ExtendedShift::<2, LIMITED>::default();
        searcher.prepare(&pattern, Off);
        searcher.width
    }

    #[test]
    fn the_published_search_superimposes_the_whole_pattern_and_ours_a_prefix() {
        assert_eq!([64, 65, 1000].map(width::<false>), [64, 65, 1000]);
        assert_eq!([64, 1000].map(width::<true>), [64, 128]);
    }
}
