//! Fast-Search with sliding windows.
//!
//! Pays on long patterns and larger alphabets: the processor need not wait for one window's shift to look at the next window.
//! Departures: windows move without a look at where others are as often as they surely cannot meet; what is left between two
//! of them then is searched by these two alone. So texts of any length can be searched. The good suffix rule is that of
//! [`bm`](super::bm), after an occurrence too.

use assay_plugin_api::prelude::*;

use super::fs::FastSearch;

/// The searcher: the tables of Fast-Search for the pattern, and for the pattern reversed.
#[derive(Default)]
pub struct FastSearchWindows<const W: usize> {
    forward: FastSearch,
    backward: FastSearch,
    reversed: Vec<u8>,
    /// Length of the pattern.
    length: usize,
}

impl<const W: usize> Algorithm for FastSearchWindows<W> {
    const ABOUT: About = About {
        id: "fs-w",
        name: "Fast-Search with sliding windows",
        authors: "S. Faro, T. Lecroq",
        year: 2012,
        reference: "A Multiple Sliding Windows Approach to Speed Up String Matching Algorithms. SEA 2012, LNCS 7276, pp. 172-183",
        idea: "Fast-Search in w windows by turns: the text is cut into blocks, and in each a window moves from either end.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 9 m bytes and 2 KiB; half of it for w=1",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    /// Shifts have their highest bit free.
    const NEEDS: Needs = Needs { max_pattern: i32::MAX as usize, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.forward.prepare(pattern, probe);
        self.length = pattern.len();
        self.reversed.clear();
        if W > 1 {
            self.reversed.extend(pattern.iter().rev());
            self.backward.prepare(&self.reversed, probe);
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        match W {
            1 => self.scan::<1, P>(pattern, text, found, probe),
            2 => self.scan::<1, P>(pattern, text, found, probe),
            4 => self.scan::<2, P>(pattern, text, found, probe),
            6 => self.scan::<3, P>(pattern, text, found, probe),
            _ => self.scan::<4, P>(pattern, text, found, probe),
        }
    }
}

impl<const W: usize> FastSearchWindows<W> {
    #[inline(always)]
    fn scan<const BLOCKS: usize, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        assert!(self.length == m && m <= n, "prepared for another pattern");
        let (forward, backward) =
            if W > 1 { (&self.forward, &self.backward) } else { (&self.forward, &self.forward) };
        let (forward, backward) = (forward.skip.view(probe), backward.skip.view(probe));
        let forward_shift = |skip, s, found: &mut _| {
            if probe.branch(skip > 0) {
                skip as usize
            } else {
                self.shift_first(s, &pattern, &text, found, probe)
            }
        };
        let backward_shift = |skip, s, found: &mut _| {
            if probe.branch(skip > 0) {
                skip as usize
            } else {
                self.shift_last(s, &pattern, &text, found, probe)
            }
        };
        let windows = n + 1 - m;
        // Of each block, those windows are left that begin at `first` up to `behind`: one moves forward from `first`, and
        // one backward from before `behind`.
        let mut first: [usize; BLOCKS] = std::array::from_fn(|block| windows * block / BLOCKS);
        let mut behind: [usize; BLOCKS] = std::array::from_fn(|block| windows * (block + 1) / BLOCKS);
        probe.writes(W as u64);
        loop {
            // Each window of a block moves by m at most, so that in all these rounds first < behind.
            let left = (0..BLOCKS).map(|block| behind[block].saturating_sub(first[block])).min();
            let rounds = left.unwrap_or(0) / if W > 1 { 2 * m } else { m };
            probe.writes(1);
            if probe.branch(rounds == 0) {
                break;
            }
            for _ in 0..rounds {
                probe.branch(true);
                // SAFETY: i < n, as first < behind <= n - m + 1.
                let read = |i| unsafe { text.at_unchecked(i) };
                let skips = first.map(|s| forward.at(read(s + m - 1)));
                let back = behind.map(|s| if W > 1 { backward.at(read(s - 1)) } else { 1 });
                // Less one, 0 has its highest bit set and no other shift has.
                let some = skips.into_iter().chain(back).fold(0, |bits, skip| bits | skip.wrapping_sub(1));
                if probe.branch(some >> 31 == 0) {
                    for block in 0..BLOCKS {
                        first[block] += skips[block] as usize;
                        behind[block] -= if W > 1 { back[block] as usize } else { 0 };
                        moved(W > 1, probe);
                    }
                    continue;
                }
                for block in 0..BLOCKS {
                    first[block] += forward_shift(skips[block], first[block], found);
                    if W > 1 {
                        behind[block] -= backward_shift(back[block], behind[block] - 1, found);
                    }
                    moved(W > 1, probe);
                }
            }
            probe.branch(false);
        }
        for (mut first, mut behind) in first.into_iter().zip(behind) {
            while probe.branch(first < behind) {
                first += forward_shift(forward.at(text.at(first + m - 1)), first, found);
                moved(false, probe);
                if W > 1 && probe.branch(first < behind) {
                    let shift = backward_shift(backward.at(text.at(behind - 1)), behind - 1, found);
                    behind = behind.saturating_sub(shift);
                    moved(false, probe);
                }
            }
        }
    }

    /// Compares the window at `s`, whose last character has matched: how far it moves forward.
    #[inline(never)]
    fn shift_first<P: Probe>(
        &self,
        s: usize,
        pattern: &Pattern<P>,
        text: &Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let mut i = pattern.len() - 1;
        probe.writes(1);
        while probe.branch(i > 0 && pattern.at(i - 1) == text.at(s + i - 1)) {
            i -= 1;
            probe.writes(1);
        }
        if probe.verify(i == 0) {
            found.at(s);
        }
        self.forward.good.shift.view(probe).at(i) as usize
    }

    /// Compares the window at `s`, whose first character has matched: how far it moves backward.
    #[inline(never)]
    fn shift_last<P: Probe>(
        &self,
        s: usize,
        pattern: &Pattern<P>,
        text: &Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let mut i = 1;
        probe.writes(1);
        while probe.branch(i < pattern.len() && pattern.at(i) == text.at(s + i)) {
            i += 1;
            probe.writes(1);
        }
        if probe.verify(i == pattern.len()) {
            found.at(s);
        }
        self.backward.good.shift.view(probe).at(pattern.len() - i) as usize
    }
}

/// One window has moved, or the two of a block.
#[inline(always)]
fn moved(both: bool, probe: impl Probe) {
    for _ in 0..1 + u8::from(both) {
        probe.writes(1);
        probe.jump();
    }
}

register!(algorithm
    FastSearchWindows<1>, id: "fs-w1", name: "Fast-Search with 1 sliding window", parameters: "w=1";
    FastSearchWindows<2>, id: "fs-w2", name: "Fast-Search with 2 sliding windows", parameters: "w=2";
    FastSearchWindows<4>, id: "fs-w4", name: "Fast-Search with 4 sliding windows", parameters: "w=4";
    FastSearchWindows<6>, id: "fs-w6", name: "Fast-Search with 6 sliding windows", parameters: "w=6";
    FastSearchWindows<8>, id: "fs-w8", name: "Fast-Search with 8 sliding windows", parameters: "w=8"
);
