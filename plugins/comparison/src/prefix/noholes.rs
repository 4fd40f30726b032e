//! The order of comparisons that the algorithms of Colussi and of Galil and Giancarlo share, and an attempt
//! in it.
//!
//! A place of the pattern is a *nohole* if the characters before it have a border that another character
//! follows, so that Knuth-Morris-Pratt would compare once more after a mismatch there; otherwise it is a
//! *hole*. Noholes are compared first, from left to right, then holes, from right to left.

use assay_plugin_api::prelude::*;

/// A comparison, and what to do if it is the first that fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The place in the pattern.
    pub place: u32,
    /// How far the window moves.
    pub shift: u32,
    /// The comparison with which the next window begins.
    pub next: u32,
    /// The character at the place.
    pub byte: u8,
}

/// The comparisons in their order; after them, what to do if none failed.
#[derive(Default)]
pub struct Order {
    comparisons: Table<Comparison>,
    /// How many of the first comparisons are those at noholes.
    noholes: usize,
}

/// The window, and what is known of it.
pub struct Window {
    /// Where it begins.
    pub s: usize,
    /// Which comparison is made next.
    pub next: usize,
    /// Before this position of the text, the window's characters are known to match.
    pub known: usize,
}

impl Order {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        let ends = overlaps(pattern);
        // For each nohole, the least shift that brings another character there, and equal ones before it.
        let mut shifts = vec![0; m];
        for shift in (1..m).rev() {
            if ends[shift] < m {
                shifts[ends[shift]] = shift;
            }
        }
        let before: Vec<usize> = shifts
            .iter()
            .scan(0, |noholes, &shift| Some(std::mem::replace(noholes, *noholes + usize::from(shift > 0))))
            .collect();
        let comparison = |place: usize, shift: usize, next: usize| Comparison {
            place: place as u32,
            shift: shift as u32,
            next: before[next] as u32,
            byte: pattern[place],
        };
        self.comparisons.reset(0, Comparison::default());
        for (place, &shift) in shifts.iter().enumerate().filter(|(_, shift)| **shift > 0) {
            self.comparisons.push(comparison(place, shift, place - shift));
        }
        self.noholes = self.comparisons.len();
        let mut period = m;
        for place in (0..m).rev() {
            if place + 1 < m && ends[place + 1] == m {
                period = place + 1;
            }
            if shifts[place] == 0 {
                self.comparisons.push(comparison(place, period, m - period));
            }
        }
        // The first place is a hole, the last one of them.
        self.comparisons.push(comparison(0, period, m - period));
        probe.table(&self.comparisons);
    }

    /// Compares a window, as far as it is not known to match, and moves it.
    #[inline(always)]
    pub fn attempt<P: Probe>(
        &self,
        window: &mut Window,
        m: usize,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (comparisons, noholes) = (self.comparisons.view(probe), self.noholes);
        let Window { s, next: mut i, known } = *window;
        let alike = |comparison: Comparison| comparison.byte == text.at(s + comparison.place as usize);
        while probe.branch(i < noholes && alike(comparisons.character_at(i))) {
            i += 1;
            probe.writes(1);
        }
        if probe.branch(i >= noholes) {
            // Holes come from right to left, so that the first one that is known ends it.
            let unknown = |place: u32| known <= s + place as usize;
            while probe
                .branch(i < m && unknown(self.comparisons[i].place) && alike(comparisons.character_at(i)))
            {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i == m || !unknown(self.comparisons[i].place)) {
                found.at(s);
                i = m;
                probe.writes(1);
            }
            window.known = s + m;
            probe.writes(1);
        }
        let Comparison { shift, next, .. } = comparisons.at(i);
        window.s += shift as usize;
        window.next = next as usize;
        probe.writes(2);
        probe.jump();
    }
}

/// For each shift of the pattern along itself, where it first differs; its end if it nowhere does.
fn overlaps(pattern: &[u8]) -> Vec<usize> {
    let m = pattern.len();
    let mut ends = vec![m; m];
    // The overlap that reaches furthest, by its shift.
    let mut furthest = 0;
    let mut reach = 0;
    for shift in 1..m {
        // What lies in that overlap is the pattern's beginning once more.
        let mut end = if shift < reach { (ends[shift - furthest] + furthest).min(reach) } else { shift };
        while end < m && pattern[end] == pattern[end - shift] {
            end += 1;
        }
        ends[shift] = end;
        if end > reach {
            (furthest, reach) = (shift, end);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_end_where_the_shifted_pattern_differs() {
        for pattern in [&b"abacabab"[..], b"aaaa", b"aabaabaaab", b"x", b"gcagagag"] {
            let ends = overlaps(pattern);
            for shift in 1..pattern.len() {
                let alike = pattern[shift..].iter().zip(pattern).take_while(|(a, b)| a == b).count();
                assert_eq!(ends[shift], shift + alike, "{} at {shift}", pattern.escape_ascii());
            }
        }
    }

    #[test]
    fn noholes_come_first_from_left_to_right_and_then_holes_from_right_to_left() {
        let mut order = Order::default();
        order.prepare(b"gcagagag", Off);
        let columns: Vec<[u32; 3]> = order
            .comparisons
            .iter()
            .map(|&Comparison { place, shift, next, .. }| [place, shift, next])
            .collect();
        assert_eq!(order.noholes, 4);
        assert_eq!(columns[..4], [[1, 1, 0], [2, 2, 0], [4, 3, 0], [6, 5, 0]]);
        assert_eq!(columns[4..], [[7, 8, 0], [5, 7, 0], [3, 7, 0], [0, 7, 0], [0, 7, 0]]);
    }
}
