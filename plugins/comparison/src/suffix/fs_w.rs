//! Fast-Search with sliding windows (`fs-w1` to `fs-w8`).
//!
//! Pays on long patterns and larger alphabets: the processor need not wait for one window's shift to look at
//! the next window.
//! Departures: one window is [`fs`](super::fs). Several all move by their skips, without a branch, until one
//! of them has matched its character; and without a look at where others are, as often as they surely cannot
//! meet. What is left between two of them then is searched by these two alone, so texts of any length can be
//! searched. The good suffix rule is that of [`bm`](super::bm), after an occurrence too.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

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
        reference: papers::SLIDING_WINDOWS,
        status: Status::FromPaper(
            "The paper's windows around Fast-Search; what is left between two windows is searched by these \
                two alone, which is ours.",
        ),
        after: &["fs"],
        idea: "Fast-Search in w windows by turns: the text is cut into blocks, and in each a window moves \
            from either end.",
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
            1 => self.forward.search(pattern, text, found, probe),
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
        let (forward, backward) = (self.forward.skip.view(probe), self.backward.skip.view(probe));
        // One look at a window that has one: where it ends, or begins, and how far it moves.
        let forward_step = |end: usize, found: &mut _| {
            let skip = forward.at(text.at(end)) as usize;
            moved(true, probe);
            if probe.branch(skip > 0) {
                skip
            } else {
                self.compare_backward(end, pattern, text, found, probe)
            }
        };
        let backward_step = |s: usize, found: &mut _| {
            let skip = backward.at(text.at(s)) as usize;
            moved(true, probe);
            if probe.branch(skip > 0) { skip } else { self.compare_forward(s, pattern, text, found, probe) }
        };
        // Of each block, those windows are left that end at `end` up to those that begin before `limit`: one
        // moves forward from the first of them, and one backward from the last.
        let windows = n + 1 - m;
        let mut end: [usize; BLOCKS] = std::array::from_fn(|block| windows * block / BLOCKS + m - 1);
        let mut limit: [usize; BLOCKS] = std::array::from_fn(|block| windows * (block + 1) / BLOCKS);
        probe.writes(W as u64);
        loop {
            // In a round each window moves twice at most, by m at most, and those of a block don't meet.
            let left = (0..BLOCKS).map(|block| (limit[block] + m - 1).saturating_sub(end[block])).min();
            let rounds = left.unwrap_or(0) / (4 * m);
            probe.writes(1);
            if probe.branch(rounds == 0) {
                break;
            }
            for _ in 0..rounds {
                probe.branch(true);
                let mut matched = false;
                // SAFETY: i < n, since end - (m - 1) < after <= n - (m - 1).
                let read = |i| unsafe { text.at_unchecked(i) };
                for block in 0..BLOCKS {
                    let skip = forward.at(read(end[block]));
                    matched = matched || skip == 0;
                    end[block] += skip as usize;
                    moved(skip > 0, probe);
                    let skip = backward.at(read(limit[block] - 1));
                    matched = matched || skip == 0;
                    limit[block] -= skip as usize;
                    moved(skip > 0, probe);
                }
                if probe.branch(matched) {
                    for block in 0..BLOCKS {
                        end[block] += forward_step(end[block], found);
                        limit[block] -= backward_step(limit[block] - 1, found);
                    }
                }
            }
            probe.branch(false);
        }
        for (mut end, mut limit) in end.into_iter().zip(limit) {
            while probe.branch(end + 1 < limit + m) {
                end += forward_step(end, found);
                if probe.branch(end + 1 < limit + m) {
                    limit = limit.saturating_sub(backward_step(limit - 1, found));
                }
            }
        }
    }

    /// Compares the window that ends at `end`, where it has matched: how far it moves forward.
    #[inline(always)]
    fn compare_backward<P: Probe>(
        &self,
        end: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let m = pattern.len();
        let mut i = m - 1;
        probe.writes(1);
        while probe.branch(i > 0 && pattern.at(i - 1) == text.at(end + i - m)) {
            i -= 1;
            probe.writes(1);
        }
        if probe.verify(i == 0) {
            found.at(end + 1 - m);
        }
        self.forward.good.shift.view(probe).at(i) as usize
    }

    /// Compares the window at `s`, whose first character has matched. Returns how far it moves backward.
    #[inline(always)]
    fn compare_forward<P: Probe>(
        &self,
        s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
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

/// Called when a window has moved, or may have stopped.
#[inline(always)]
fn moved(moves: bool, probe: impl Probe) {
    probe.writes(1);
    if moves {
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
