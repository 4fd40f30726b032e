//! Knuth-Morris-Pratt: Morris-Pratt that takes only those borders after which another character follows than the one
//! that has just failed.
//!
//! Pays where Morris-Pratt does; besides, no text character waits for more than log m comparisons (to the base of the
//! golden ratio). Preparation O(m), 8 (m + 2) bytes of table; at most 2n comparisons on any text.
//!
//! Source: D. E. Knuth, J. H. Morris and V. R. Pratt, Fast pattern matching in strings, SIAM Journal on Computing
//! 6(2):323-350, 1977.
//! Departures: as in [`morris_pratt`](crate::morris_pratt), whose search this is.

use assay_plugin_api::{
    About, Algorithm, CannotSearch, Found, Hints, Needs, Pattern, Probe, Table, Text, register,
};

use crate::morris_pratt::{Step, borders, scan};

/// The searcher: the pattern's prefixes, each with its longest border that another character follows.
#[derive(Default)]
pub struct KnuthMorrisPratt {
    steps: Table<Step>,
}

impl Algorithm for KnuthMorrisPratt {
    const ABOUT: About = About {
        id: "kmp",
        name: "Knuth-Morris-Pratt",
        authors: "D. E. Knuth, J. H. Morris, V. R. Pratt",
        year: 1977,
        reference: "Fast pattern matching in strings. SIAM J. Comput. 6(2):323-350, 1977",
        doi: "10.1137/0206024",
        family: "comparison-prefix",
        idea: "As Morris-Pratt, but takes only borders that another character follows, which bounds the delay.",
        preparation_time: "O(m)",
        space: "O(m)",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: Hints<'_>, probe: P) -> Result<(), CannotSearch> {
        borders(pattern, &mut self.steps);
        // The border of each border is already a strict one when its turn comes, so one step suffices.
        for state in 1..=pattern.len() {
            let Step { byte, border } = self.steps[state];
            let next = self.steps[border as usize];
            if border > 0 && next.byte == byte {
                self.steps[state].border = next.border;
            }
        }
        probe.table(&self.steps);
        Ok(())
    }

    fn search<P: Probe>(
        &mut self,
        pattern: Pattern<'_, P>,
        text: Text<'_, P>,
        found: &mut impl Found,
        probe: P,
    ) {
        scan(self.steps.view(probe), pattern.len(), text, found, probe);
    }
}

register!(algorithm KnuthMorrisPratt);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Off, testing};

    #[test]
    fn finds_what_a_naive_search_finds() {
        testing::check::<KnuthMorrisPratt>();
    }

    #[test]
    fn the_table_holds_borders_that_another_character_follows() {
        let mut searcher = KnuthMorrisPratt::default();
        searcher.prepare(b"abacabab", Hints::default(), Off).unwrap();
        let borders: Vec<u32> = searcher.steps[1..].iter().map(|step| step.border).collect();
        assert_eq!(borders, [0, 1, 0, 2, 0, 1, 0, 4, 3]);
    }
}
