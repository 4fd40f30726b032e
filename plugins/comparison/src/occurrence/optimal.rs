//! Sunday's search, which compares the positions of the pattern in any order, and the good suffix rule for
//! that order.

use assay_plugin_api::prelude::*;

use super::sampled::{Place, alike};
use crate::borders::{Step, borders};
use crate::shifts::fill_shifts;

/// An order of the pattern's places, and both shift tables.
#[derive(Default)]
pub(crate) struct Ordered {
    pub order: Table<Place>,
    /// By how many places match: the least shift that brings equal characters there, and another one where
    /// the next did not match. That of all places is the pattern's period.
    good: Table<u32>,
    /// By the character after the window.
    after: ByteTable<u32>,
    /// The rest is used by the preparation alone: the pattern's borders,
    steps: Table<Step>,
    /// for each shift, the one before it that fails at the same place of the order; 0 where it has none,
    same: Vec<u32>,
    /// and the next one that may not have failed yet.
    next: Vec<u32>,
}

impl Ordered {
    /// Fills in the shifts. The order must be set already.
    pub fn prepare(&mut self, pattern: &[u8], probe: impl Probe) {
        fill_shifts(&mut self.after, pattern);
        self.fill_good(pattern);
        probe.table(&self.order);
        probe.table(&self.good);
        probe.table(&self.after);
    }

    fn fill_good(&mut self, pattern: &[u8]) {
        let (m, Ordered { order, good, steps, same, next, .. }) = (pattern.len(), self);
        borders(pattern, steps);
        same.clear();
        same.resize(m + 1, 0);
        // A shift fails at the first place of the order to which it brings another character; a shift that is
        // a period does not fail, and the borders give the periods without comparing.
        good.reset(m + 1, 0);
        let mut state = steps[m + 1].border as usize;
        for (shift, before) in same.iter_mut().enumerate().skip(1) {
            if shift == m + 1 - state {
                state = steps[state].border as usize;
                continue;
            }
            let differs = |place: &Place| {
                (place.at as usize).checked_sub(shift).is_some_and(|at| pattern[at] != place.byte)
            };
            let fails = order.iter().position(differs).expect("only periods fail nowhere");
            *before = std::mem::replace(&mut good[fails], shift as u32);
        }
        next.clear();
        next.extend(0..=m as u32);
        for i in 0..m {
            let (mut least, mut failed) = (m as u32, good[i]);
            while failed > 0 {
                least = failed;
                next[failed as usize] += 1;
                failed = same[failed as usize];
            }
            // Or the next place leaves the pattern by the shift.
            let mut shift = order[i].at as usize + 1;
            while next[shift] as usize != shift {
                next[shift] = next[next[shift] as usize];
                shift = next[shift] as usize;
            }
            good[i] = least.min(shift as u32);
        }
        good[m] = (m + 1) as u32 - steps[m + 1].border;
    }

    #[inline(always)]
    pub fn scan<P: Probe>(&self, m: usize, text: Text<P>, found: &mut impl Found, probe: P) {
        let n = text.len();
        let (order, good, after) = (self.order.view(probe), self.good.view(probe), self.after.view(probe));
        assert!(self.order.len() == m && self.good.len() == m + 1, "prepared for another pattern");
        // The place after the window.
        let mut end = m;
        probe.writes(1);
        while probe.branch(end <= n) {
            // SAFETY: the window ends in the text, and the order is that of the places of its pattern.
            let matched = unsafe { alike(order, m, text, end - m, probe) };
            if probe.verify(matched == m) {
                found.at(end - m);
            }
            if probe.branch(end == n) {
                break;
            }
            end += good.at(matched).max(after.at(text.at(end))) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shifts by definition.
    fn good(pattern: &[u8], order: &[Place]) -> Vec<u32> {
        let m = pattern.len();
        let fits = |place: &Place, shift: usize, equal: bool| {
            (place.at as usize).checked_sub(shift).is_none_or(|at| (pattern[at] == place.byte) == equal)
        };
        let safe = |matched: usize, shift: usize| {
            order[..matched].iter().all(|place| fits(place, shift, true))
                && order.get(matched).is_none_or(|place| fits(place, shift, false))
        };
        (0..=m).map(|matched| (1..=m).find(|&shift| safe(matched, shift)).unwrap() as u32).collect()
    }

    #[test]
    fn shifts_are_those_of_the_definition_in_any_order() {
        for pattern in
            [&b"gcagagag"[..], b"aaaa", b"abab", b"abaababaabaab", b"abcdefgh", b"a", b"aabaaabaaab"]
        {
            let m = pattern.len();
            for step in (1..=m).filter(|step| (1..=m).all(|d| m % d > 0 || step % d > 0 || d == 1)) {
                let mut ordered = Ordered::default();
                ordered.order.reset(m, Place::default());
                for i in 0..m {
                    let at = (i * step + m / 2) % m;
                    ordered.order[i] = Place { byte: pattern[at], at: at as u32 };
                }
                ordered.prepare(pattern, Off);
                assert_eq!(
                    *ordered.good,
                    good(pattern, &ordered.order),
                    "{}, {step}",
                    pattern.escape_ascii()
                );
            }
        }
    }
}
