//! Q-gram Filtering (`qf23` to `qf82`).
//!
//! Pays on long patterns, as long as their q-grams are few compared with the table's 2^(qs) entries.
//! Departures: an entry is a byte, because q is at most 8. As in SMART, all q alignments that a chain leaves
//! are compared, also those whose bit is not set. One computation = the hash of a q-gram.
//! Timed: from the ninth q-gram of a chain on, four are looked up before one test, because so long a chain is
//! mostly whole; and the first eight characters of a window are compared at once, because the processor
//! cannot predict where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::{
    opening::{Opening, SLACK},
    papers,
};

use crate::filter::{EXTRA, Filter, FilterView, append, hash_at, known_at_first, qgram};

/// The searcher: for each hash, the positions modulo q at which q-grams with this hash end, counted from the
/// pattern's end.
#[derive(Default)]
pub struct QgramFiltering<const Q: usize, const S: u32> {
    places: Filter<u8>,
}

impl<const Q: usize, const S: u32> QgramFiltering<Q, S> {
    const BITS: u32 = Q as u32 * S;
}

impl<const Q: usize, const S: u32> Algorithm for QgramFiltering<Q, S> {
    const ABOUT: About = About {
        id: "qf",
        name: "Q-gram Filtering",
        reference: papers::LONG_PATTERNS,
        status: Status::FromPaper(
            "The paper's search; as in SMART, all alignments that a chain leaves are compared.",
        ),
        idea: "Table of q-grams with a bit for each place modulo q; ands successive q-grams backward, then \
            compares.",
        preparation_time: "O(mq + 2^(qs))",
        space: "O(2^(qs)): 64 bytes to 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base of the alphabet's size, while the table is \
            sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q + 1, slack: SLACK, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.places.reset(Self::BITS);
        let last = pattern.len() - 1;
        for end in Q - 1..=last {
            *self.places.at_mut(append::<Q>(0, qgram(pattern, end), S)) |= 1 << ((last - end) % Q);
        }
        self.places.declare(Q as u64, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, places) = (pattern.len(), text.len(), self.places.view(Self::BITS, probe));
        assert!(Q < m, "a pattern shorter than the least");
        let places: Places<P, Q, S> = Places { places, text, probe };
        // SAFETY: a window ends before n, and its last q-gram and those of the chain lie in it.
        let at = |end: usize| unsafe { places.at(end) };
        // Every window that holds the q-gram at which a chain breaks is done with.
        let step = m - Q + 1;
        // From the last q-gram of a window to the first that is also in the q - 1 windows after it.
        let span = (step / Q).max(1) * Q - Q;
        // A chain that is longer is one of a table that is nearly full. What is counted is the plain form.
        let short = if P::COUNTS { span } else { span.min(SHORT * Q) };
        let opening = Opening::new(pattern, text);
        // Where the window ends.
        let mut last = m - 1;
        probe.writes(1);
        'windows: while probe.branch(last < n) {
            let mut alike = at(last);
            probe.writes(2);
            // Most windows end here. The loop of the other filters (`first_known`), which looks first, takes
            // 4 % longer here.
            'unknown: loop {
                for _ in 0..2 {
                    if probe.branch(alike != 0) {
                        break 'unknown;
                    }
                    probe.branch(true);
                    last += step;
                    probe.writes(1);
                    probe.jump();
                    if !probe.branch(last < n) {
                        break 'windows;
                    }
                    alike = at(last);
                    probe.writes(2);
                }
            }
            known_at_first(probe);
            let mut end = last;
            while probe.branch(end > last - short) {
                end -= Q;
                alike &= at(end);
                probe.writes(2);
                if probe.branch(alike == 0) {
                    break;
                }
            }
            if short < span && alike != 0 {
                // SAFETY: the same.
                (end, alike) = unsafe { places.follow((end, alike), last - span) };
            }
            if probe.branch(alike == 0) {
                last = end + step;
            } else {
                verify::<Q, P>(opening, (pattern.len(), text.len()), last + 1 - m, found, probe);
                last += Q;
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Number of q-grams of a chain that are looked up one by one.
const SHORT: usize = 8;

/// Positions in the pattern of a text's q-grams, modulo q.
#[derive(Clone, Copy)]
struct Places<'a, P, const Q: usize, const S: u32> {
    places: FilterView<'a, u8, P>,
    text: Text<'a, P>,
    probe: P,
}

impl<P: Probe, const Q: usize, const S: u32> Places<'_, P, Q, S> {
    /// Those of the q-gram that ends at `end`.
    ///
    /// # Safety
    /// The q-gram must lie in the text.
    #[inline(always)]
    unsafe fn at(&self, end: usize) -> u8 {
        self.probe.computes(1);
        // SAFETY: the caller's promise.
        self.places.at(unsafe { hash_at::<Q, P>(self.text, end, S) })
    }

    /// Follows a chain to `first`, some q-grams a round: it is not likely to break.
    ///
    /// # Safety
    /// The q-grams from the one that ends at `first` on must lie in the text.
    #[cold]
    #[inline(never)]
    unsafe fn follow(self, (mut end, mut alike): (usize, u8), first: usize) -> (usize, u8) {
        const ROUND: usize = 4;
        // SAFETY: the caller's promise, as long as they end at `first` or after.
        let at = |end: usize| unsafe { self.at(end) };
        while end >= first + ROUND * Q {
            let all = (1..=ROUND).fold(alike, |all, i| all & at(end - i * Q));
            if all == 0 {
                break;
            }
            alike = all;
            end -= ROUND * Q;
        }
        while end > first && alike != 0 {
            end -= Q;
            alike &= at(end);
        }
        (end, alike)
    }
}

/// Compares the q windows from `s` on, or fewer at the end of the text.
#[cold]
#[inline(never)]
fn verify<const Q: usize, P: Probe>(
    opening: Opening<P>,
    (m, n): (usize, usize),
    s: usize,
    found: &mut impl Found,
    probe: P,
) {
    let mut window = s;
    probe.writes(1);
    while probe.branch(window < s + Q && window <= n - m) {
        // SAFETY: the condition before this.
        if unsafe { opening.occurs(window, 0..m) } {
            found.at(window);
        }
        window += 1;
        probe.writes(1);
    }
}

register!(algorithm QgramFiltering, q, s: [
    (2, 3), (2, 4), (2, 6), (2, 8), (3, 3), (3, 4), (3, 6), (4, 2), (4, 3), (4, 4), (5, 3), (6, 2), (6, 3), (7, 2), (8, 2)
]);
