//! Quick Search: the text character just behind the window says how far the window may move, which can be m + 1.
//!
//! Pays on short patterns over large alphabets. Preparation O(m + s), 1 KiB of table; O(mn) in the worst case, about
//! n/(m + 1) windows at best.
//!
//! Source: D. M. Sunday, A very fast substring search algorithm, Communications of the ACM 33(8):132-142, 1990.
//! Departure: the last window has no character behind it (the paper reads the string's terminator there), so it is compared
//! apart. The order of the comparisons is free; here it is from left to right.

use assay_plugin_api::{
    About, Algorithm, ByteTable, CannotSearch, Found, Hints, Needs, Pattern, Probe, Text, register,
};

use crate::occurrence::fill_shifts;

/// The searcher: for each byte, the distance from its last occurrence in the pattern to the character behind the window.
#[derive(Default)]
pub struct QuickSearch {
    shift: ByteTable<u32>,
}

impl Algorithm for QuickSearch {
    const ABOUT: About = About {
        id: "qs",
        name: "Quick Search",
        authors: "D. M. Sunday",
        year: 1990,
        reference: "A very fast substring search algorithm. Commun. ACM 33(8):132-142, 1990",
        doi: "10.1145/79173.79184",
        family: "comparison-occurrence",
        idea: "Shifts by the character just behind the window, so that the shift can be m + 1.",
        preparation_time: "O(m+s)",
        space: "O(s)",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: Hints<'_>, probe: P) -> Result<(), CannotSearch> {
        fill_shifts(&mut self.shift, pattern);
        probe.table(&self.shift);
        Ok(())
    }

    fn search<P: Probe>(
        &mut self,
        pattern: Pattern<'_, P>,
        text: Text<'_, P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let mut compare = |s| {
            let mut i = 0;
            probe.writes(1);
            while probe.branch(i < m && pattern.at(i) == text.at(s + i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i == m) {
                found.at(s);
            }
        };
        // The place behind the window.
        let mut behind = m;
        probe.writes(1);
        while probe.branch(behind < n) {
            compare(behind - m);
            behind += shift.at(text.at(behind)) as usize;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(behind == n) {
            compare(n - m);
        }
    }
}

register!(algorithm QuickSearch);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::testing;

    #[test]
    fn finds_what_a_naive_search_finds() {
        testing::check::<QuickSearch>();
    }
}
