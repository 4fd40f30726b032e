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
}

/// A part of the text: those windows that begin at `first` up to `behind` are left. One moves forward from `first`, and one
/// backward from before `behind`.
#[derive(Clone, Copy, Default)]
struct Block {
    first: usize,
    behind: usize,
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

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.forward.prepare(pattern, probe);
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
        let windows = n + 1 - m;
        let mut blocks: [Block; BLOCKS] = std::array::from_fn(|block| Block {
            first: windows * block / BLOCKS,
            behind: windows * (block + 1) / BLOCKS,
        });
        probe.writes(W as u64);
        loop {
            // Each window of a block moves by m at most.
            let reach = if W > 1 { 2 * m } else { m };
            let least = blocks.iter().map(|block| block.behind.saturating_sub(block.first)).min();
            let rounds = least.unwrap_or(0) / reach;
            probe.writes(1);
            if probe.branch(rounds == 0) {
                break;
            }
            for _ in 0..rounds {
                probe.branch(true);
                for block in &mut blocks {
                    self.forward_step(block, pattern, text, found, probe);
                    if W > 1 {
                        self.backward_step(block, pattern, text, found, probe);
                    }
                }
            }
            probe.branch(false);
        }
        for mut block in blocks {
            while probe.branch(block.first < block.behind) {
                self.forward_step(&mut block, pattern, text, found, probe);
                if W > 1 && probe.branch(block.first < block.behind) {
                    self.backward_step(&mut block, pattern, text, found, probe);
                }
            }
        }
    }

    /// Compares the block's first window and moves it.
    #[inline(always)]
    fn forward_step<P: Probe>(
        &self,
        block: &mut Block,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let m = pattern.len();
        let mut shift = self.forward.skip.view(probe).at(text.at(block.first + m - 1));
        if probe.branch(shift == 0) {
            let mut i = m - 1;
            probe.writes(1);
            while probe.branch(i > 0 && pattern.at(i - 1) == text.at(block.first + i - 1)) {
                i -= 1;
                probe.writes(1);
            }
            if probe.verify(i == 0) {
                found.at(block.first);
            }
            shift = self.forward.good.shift.view(probe).at(i);
        }
        block.first += shift as usize;
        probe.writes(1);
        probe.jump();
    }

    /// Compares the block's last window and moves it.
    #[inline(always)]
    fn backward_step<P: Probe>(
        &self,
        block: &mut Block,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, s) = (pattern.len(), block.behind - 1);
        let mut shift = self.backward.skip.view(probe).at(text.at(s));
        if probe.branch(shift == 0) {
            let mut i = 1;
            probe.writes(1);
            while probe.branch(i < m && pattern.at(i) == text.at(s + i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i == m) {
                found.at(s);
            }
            shift = self.backward.good.shift.view(probe).at(m - i);
        }
        block.behind = block.behind.saturating_sub(shift as usize);
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
