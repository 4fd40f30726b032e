//! The searches along chains of q-grams: of windows one by one, or of what has not been scanned yet.

use assay_plugin_api::prelude::*;

use super::chain::{Links, Walk};
use super::sentinel::Sentinel;
use crate::filter::{first_known, known_at_first};

/// Follows the chain of each window as far as it goes. With a `sentinel`, windows that end with an unknown
/// q-gram are passed in a loop of their own, which that stops.
#[inline(always)]
pub(crate) fn search_windows<P: Probe, const Q: usize>(
    links: &Links<Q>,
    sentinel: Option<&Sentinel>,
    (pattern, text): (Pattern<P>, Text<P>),
    found: &mut impl Found,
    probe: P,
) {
    let (m, n, first, chains) = (pattern.len(), text.len(), links.first, links.view(text, probe));
    assert!(Q <= m, "a pattern shorter than a q-gram");
    if let Some(sentinel) = sentinel {
        sentinel.write(m, text);
    }
    // Every window that holds the q-gram at which a chain breaks is done with.
    let step = m - Q + 1;
    let end = sentinel.is_none().then_some(n);
    // Where the window ends.
    let mut last = m - 1;
    probe.writes(1);
    while probe.branch(last < n) {
        // SAFETY: Q <= m <= last + 1 <= n. With the sentinel, it is m at most from before n to the next, and
        // from n + Q - 1 on all q-grams are known before n + m.
        let look = |last| unsafe { chains.begin(last) };
        let Some(begun) = first_known(&mut last, (step, 2), end, look, |begun| begun.1 != 0, probe) else {
            break;
        };
        if sentinel.is_some() && !probe.branch(last < n) {
            break;
        }
        known_at_first(probe);
        let s = last + 1 - m;
        // SAFETY: Q <= m <= last + 1 <= n, and the chain stays in the window.
        let walk = unsafe {
            match sentinel {
                Some(_) if Q <= 2 => chains.follow_far(last, begun, s + 2 * Q - 1),
                _ => chains.follow(last, begun, s + 2 * Q - 1),
            }
        };
        last = match walk {
            Walk::Broken(end) => end,
            Walk::Whole(hash) => {
                if probe.branch(hash == first) && pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                s + Q - 1
            }
        };
        last += step;
        probe.writes(1);
        probe.jump();
    }
}

/// Follows chains up to the text that earlier windows have read. If the chain of a window reaches it,
/// `compare` compares the window and returns the beginning of the next one.
#[inline(always)]
pub(crate) fn search_unscanned<P: Probe, const Q: usize>(
    links: &Links<Q>,
    m: usize,
    text: Text<P>,
    probe: P,
    mut compare: impl FnMut(usize) -> usize,
) {
    let (n, chains) = (text.len(), links.view(text, probe));
    assert!(Q <= m, "a pattern shorter than a q-gram");
    // Every window that holds the q-gram at which a chain breaks is done with.
    let step = m - Q + 1;
    // Where the window ends; and what has been scanned, chain by chain, ends before there.
    let (mut last, mut scanned) = (m - 1, 0);
    probe.writes(2);
    while probe.branch(last < n) {
        // SAFETY: Q <= m <= last + 1 <= n.
        let look = |last| unsafe { chains.begin(last) };
        let Some(begun) = first_known(&mut last, (step, 2), Some(n), look, |begun| begun.1 != 0, probe)
        else {
            break;
        };
        known_at_first(probe);
        let s = last + 1 - m;
        let stop = scanned.max(s + Q) + Q - 1;
        probe.computes(1);
        scanned = last + 1;
        // SAFETY: the same, and the chain stays in the window.
        last = match unsafe { chains.follow(last, begun, stop) } {
            Walk::Broken(end) => end + step,
            Walk::Whole(_) => compare(s) + m - 1,
        };
        probe.writes(2);
        probe.jump();
    }
}
