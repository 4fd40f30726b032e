//! Sentinel HashChain (`shc1` to `shc8`).
//!
//! Pays where HashChain does, if the last q-gram of a window is mostly unknown.
//! Departures: none known. A window is compared only if its chain ends with the hash that the pattern has
//! there; 16 bits of this hash are kept. One computation = the hash of a q-gram, or a test of its link.
//! Timed: of q-grams of one or two characters, from the ninth of a chain on, four are looked up before one
//! test, because a chain that is so long is mostly whole.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::chain::{Chains, Links, Walk};
use super::sentinel::Sentinel;
use crate::filter::{EXTRA, SLACK, first_known, known_at_first};

/// The searcher: the links between the pattern's q-grams, and its copy.
#[derive(Default)]
pub struct SentinelHashChain<const Q: usize> {
    links: Links<Q>,
    sentinel: Sentinel,
}

impl<const Q: usize> Algorithm for SentinelHashChain<Q> {
    const ABOUT: About = About {
        id: "shc",
        name: "Sentinel HashChain",
        reference: papers::LINKED_WEAK_FACTORS,
        status: Status::FromPaper("The paper's search, without a change that we know of."),
        after: &["hc"],
        idea: "HashChain with a copy of the pattern after the text, and a loop over unknown q-grams without \
            a test for its end.",
        preparation_time: "O(mq)",
        space: "O(m): m bytes beside the table of HashChain",
        worst_case: "O(mn)",
        average_case: "sublinear while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: |m| m + SLACK(m), ..Sentinel::NEEDS };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.links.fill(pattern, probe);
        self.sentinel.keep(pattern);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, first, chains) =
            (pattern.len(), text.len(), self.links.first, self.links.view(text, probe));
        assert!(Q <= m, "a pattern shorter than a q-gram");
        self.sentinel.write(m, text);
        // Every window that holds the q-gram at which a chain breaks is done with.
        let step = m - Q + 1;
        // Where the window ends.
        let mut last = m - 1;
        probe.writes(1);
        while probe.branch(last < n) {
            // SAFETY: Q <= m <= last + 1. A step is m at most from before n to the next place, and from
            // n + Q - 1 on all q-grams are known before n + m.
            let look = |last| unsafe { chains.begin(last) };
            let known = |begun: &(u32, u32)| begun.1 != 0;
            let Some(begun) = first_known(&mut last, (step, 2), None, look, known, probe) else { break };
            if !probe.branch(last < n) {
                break;
            }
            known_at_first(probe);
            let s = last + 1 - m;
            // SAFETY: Q <= m <= last + 1 <= n, and the chain stays in the window.
            let walk = unsafe {
                if Q <= 2 {
                    follow_far(&chains, last, begun, s + 2 * Q - 1)
                } else {
                    chains.follow(last, begun, s + 2 * Q - 1)
                }
            };
            last = walk.settle::<P, Q>((s, first), (pattern, text), found, probe) + step;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Number of q-grams of a chain that are looked up one by one.
const NEAR: usize = 8;

/// Follows a chain as [`Chains::follow`] does, but from the q-gram after [`NEAR`] on, some are looked up a
/// round. Where chains break, this is slower (hc2 by 8 %).
///
/// # Safety
/// That of [`Chains::follow`].
#[inline(always)]
unsafe fn follow_far<P: Probe, const Q: usize>(
    chains: &Chains<P, Q>,
    end: usize,
    begun: (u32, u32),
    stop: usize,
) -> Walk {
    let far = end.saturating_sub(NEAR * Q);
    // The twin looks up one by one, because a round looks up some in vain where the chain breaks.
    if P::COUNTS || far <= stop {
        // SAFETY: the caller's promise.
        return unsafe { chains.follow(end, begun, stop) };
    }
    // SAFETY: the same, up to `far`.
    match unsafe { chains.follow(end, begun, far) } {
        // SAFETY: the same, from there on.
        Walk::Whole(_) => unsafe { follow_rounds(*chains, far, stop) },
        broken => broken,
    }
}

/// Follows a chain from the q-gram that ends at `end`, some q-grams a round.
///
/// # Safety
/// That of [`Chains::follow`].
#[cold]
#[inline(never)]
unsafe fn follow_rounds<P: Probe, const Q: usize>(chains: Chains<P, Q>, mut end: usize, stop: usize) -> Walk {
    const ROUND: usize = 4;
    // SAFETY: the caller's promise.
    let mut begun = unsafe { chains.begin(end) };
    while end >= stop + (ROUND - 1) * Q {
        let ((mut hash, mut links), mut linked) = (begun, 1);
        for i in 1..=ROUND {
            // SAFETY: these q-grams end where those of one by one would.
            hash = unsafe { chains.hash_at(end - i * Q) };
            linked &= links >> (hash % u32::BITS);
            links = chains.links.at(hash);
        }
        if linked & 1 == 0 {
            break;
        }
        (end, begun) = (end - ROUND * Q, (hash, links));
    }
    // SAFETY: the caller's promise.
    unsafe { chains.follow(end, begun, stop) }
}

register!(algorithm SentinelHashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
