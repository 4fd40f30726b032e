//! The fast loop of searches that look up two characters of a window at once.

use assay_plugin_api::prelude::*;

use super::transitions::FAILED;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Passes windows whose look-up fails, each by `step`. Returns the end and the state of the first window that
/// has one. Windows end before `limit`.
#[inline(always)]
pub(crate) fn first_known<P: Probe>(
    end: &mut usize,
    step: usize,
    limit: usize,
    look_up: impl Fn(usize) -> u32,
    probe: P,
) -> Option<u32> {
    // Two windows with one branch, where they may share a line of the cache. The twin takes the plain loop
    // alone, because here the second look-up is made in vain if the first one succeeds.
    while !P::COUNTS && step < LINE / 2 && *end + step < limit {
        let (first, second) = (look_up(*end), look_up(*end + step));
        if first | second == FAILED {
            *end += 2 * step;
            continue;
        }
        if first != FAILED {
            return Some(first);
        }
        *end += step;
        return Some(second);
    }
    while probe.branch(*end < limit) {
        let state = look_up(*end);
        probe.writes(1);
        probe.jump();
        if !probe.branch(state == FAILED) {
            return Some(state);
        }
        *end += step;
        probe.writes(1);
    }
    None
}
