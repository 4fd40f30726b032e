//! Dead-Zone (`dz-iter`, `dz-rec`).
//!
//! Pays where parts of the text are searched at the same time, which these two do not; alone, Horspool's
//! search is faster.
//! Departures: shifts are Horspool's by the window's last character to the right, and by its first one to the
//! left, together up to 2m - 1; windows are compared from left to right. The ids are ours.

use std::ops::Range;

use assay_plugin_api::prelude::*;

use crate::shifts::fill_shifts;

const RECURSIVE_PAPER: Reference = Reference {
    authors: &["B. W. Watson", "D. G. Kourie", "T. Strauss"],
    title: "A Sequential Recursive Implementation of Dead-Zone Single Keyword Pattern Matching",
    booktitle: "IWOCA 2012",
    series: "LNCS",
    volume: "7643",
    pages: "236-248",
    year: 2012,
    doi: "10.1007/978-3-642-35926-2_26",
    ..Reference::UNKNOWN
};

const ITERATIVE_PAPER: Reference = Reference {
    authors: &["B. W. Watson", "L. Cleophas", "D. G. Kourie"],
    title: "Using Correctness-by-Construction to Derive Dead-zone Algorithms",
    booktitle: "PSC 2014",
    pages: "84-95",
    year: 2014,
    ..Reference::UNKNOWN
};

/// The searcher that goes on in both remainders by recursion, or with a stack.
#[derive(Default)]
pub struct DeadZone<const RECURSIVE: bool> {
    /// By the window's last character: how far it moves right to have it.
    right: ByteTable<u32>,
    /// By the window's first character: how far it moves left to have it.
    left: ByteTable<u32>,
}

impl<const RECURSIVE: bool> Algorithm for DeadZone<RECURSIVE> {
    const ABOUT: About = About {
        id: "dz",
        name: "Dead-Zone",
        reference: if RECURSIVE { RECURSIVE_PAPER } else { ITERATIVE_PAPER },
        status: Status::FromAbstract(
            "The abstracts of two papers were seen and their text was not; that the shifts are Horspool's is \
                our choice, and so are the ids.",
        ),
        after: if RECURSIVE { &["bm"] } else { &["dz-rec", "bm"] },
        idea: "Tests the middle window of a live interval, kills its neighbours by shifts to both sides, and \
            goes on in what is left.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB, and log n intervals during the search",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(2m - 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        fill_shifts(&mut self.right, &pattern[..m - 1]);
        self.left.fill(m as u32);
        for (i, &byte) in pattern.iter().enumerate().skip(1).rev() {
            self.left[byte as usize] = i as u32;
        }
        probe.table(&self.right);
        probe.table(&self.left);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (right, left) = (self.right.view(probe), self.left.view(probe));
        // Where the dead zone around a window begins and ends.
        let mut test = |s: usize| {
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            probe.writes(2);
            probe.jump();
            let killed = left.at(text.at(s)) as usize;
            ((s + 1).saturating_sub(killed), s + right.at(text.at(s + m - 1)) as usize)
        };
        if RECURSIVE {
            recurse(0..n - m + 1, &mut test, probe);
        } else {
            iterate(0..n - m + 1, &mut test, probe);
        }
    }
}

/// Goes on in the left remainder, then in the right one.
fn recurse<F: FnMut(usize) -> (usize, usize), P: Probe>(live: Range<usize>, test: &mut F, probe: P) {
    if probe.branch(live.start < live.end) {
        let (left, right) = test(middle(&live));
        recurse(live.start..left, test, probe);
        recurse(right..live.end, test, probe);
    }
}

/// The same, with the right remainders on a stack: there is one at most for each time that the text can be
/// halved.
fn iterate<F: FnMut(usize) -> (usize, usize), P: Probe>(mut live: Range<usize>, test: &mut F, probe: P) {
    let mut stack = [(0, 0); usize::BITS as usize];
    let mut depth = 0;
    probe.writes(2);
    loop {
        while probe.branch(live.start < live.end) {
            let (left, right) = test(middle(&live));
            stack[depth] = (right, live.end);
            depth += 1;
            live.end = left;
            probe.writes(3);
        }
        if probe.branch(depth == 0) {
            return;
        }
        depth -= 1;
        live = stack[depth].0..stack[depth].1;
        probe.writes(2);
    }
}

/// The window in the middle.
pub(super) fn middle(live: &Range<usize>) -> usize {
    live.start + (live.end - live.start) / 2
}

register!(algorithm
    DeadZone<true>, id: "dz-rec", name: "Dead-Zone by recursion", parameters: "";
    DeadZone<false>, id: "dz-iter", name: "Dead-Zone with a stack", parameters: ""
);
