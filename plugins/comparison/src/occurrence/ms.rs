//! Maximal Shift (`ms`).
//!
//! Pays where most windows end at the first comparison, so that its shift is what counts.
//! Departure: the last window has no character after it, so it shifts no more.

use std::cmp::Reverse;

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::optimal::Ordered;
use super::sampled::Place;

/// The searcher: the order of the comparisons, and both shift tables.
#[derive(Default)]
pub struct MaximalShift {
    ordered: Ordered,
    /// For each place, how far the character is from where it occurs before, and the place; used by the
    /// preparation alone.
    distances: Vec<Reverse<(u32, u32)>>,
}

impl Algorithm for MaximalShift {
    const ABOUT: About = About {
        id: "ms",
        name: "Maximal Shift",
        reference: papers::VERY_FAST_SUBSTRING,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the last window shifts no more.",
        ),
        after: &["qs"],
        idea: "Compares first where a match leaves only long shifts; shifts by the good suffix rule for that \
            order, or as Quick Search.",
        preparation_time: "O(m^2+s), O(m log m) where shifts fail early",
        space: "O(m+s): 4 (3m + 1) bytes and 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        // Counted from 1, and 0 where there is none.
        let mut last = [0; 256];
        self.distances.clear();
        for (place, &byte) in (1..).zip(pattern) {
            let before = std::mem::replace(&mut last[byte as usize], place);
            self.distances.push(Reverse((place - before, place)));
        }
        self.distances.sort_unstable();
        self.ordered.order.reset(0, Place::default());
        for &Reverse((_, place)) in &self.distances {
            self.ordered.order.push(Place { byte: pattern[place as usize - 1], at: place - 1 });
        }
        self.ordered.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.ordered.scan(pattern.len(), text, found, probe);
    }
}

register!(algorithm MaximalShift);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_whose_character_is_furthest_from_its_like_come_first() {
        let mut searcher = MaximalShift::default();
        searcher.prepare(b"gcagagag", Off);
        let places: Vec<u32> = searcher.ordered.order.iter().map(|place| place.at).collect();
        assert_eq!(places, [3, 2, 7, 6, 5, 4, 1, 0]);
    }
}
