//! Morris-Pratt: after a mismatch the longest border of what has matched is aligned with its end, so that the search
//! never goes back in the text.
//!
//! Pays where the text comes as a stream, or is so repetitive that others become quadratic. Preparation O(m), 8 (m + 2)
//! bytes of table; at most 2n comparisons on any text, and little less on most.
//!
//! Source: J. H. Morris and V. R. Pratt, A linear pattern-matching algorithm, Technical Report 40, University of
//! California, Berkeley, 1970.
//! Departures: the pattern's characters stand in the table beside their borders, so that a step reads one entry and no
//! pattern; states are numbered from 1, with 0 for "no prefix is left", which the paper gives as a border of -1.

use assay_plugin_api::{
    About, Algorithm, CannotSearch, Found, Hints, Needs, Pattern, Probe, Table, TableView, Text, register,
};

/// The searcher: the pattern's prefixes, each with its longest border.
#[derive(Default)]
pub struct MorrisPratt {
    steps: Table<Step>,
}

/// In state `j + 1`, the pattern's first `j` characters have matched.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step {
    /// The character that has to come next.
    pub byte: u8,
    /// The state to go on from if it does not.
    pub border: u32,
}

impl Algorithm for MorrisPratt {
    const ABOUT: About = About {
        id: "mp",
        name: "Morris-Pratt",
        authors: "J. H. Morris, V. R. Pratt",
        year: 1970,
        reference: "A linear pattern-matching algorithm. Technical Report 40, University of California, Berkeley, 1970",
        family: "comparison-prefix",
        idea: "Shifts by the longest border of the matched prefix, so that the search never goes back in the text.",
        preparation_time: "O(m)",
        space: "O(m)",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: Hints<'_>, probe: P) -> Result<(), CannotSearch> {
        borders(pattern, &mut self.steps);
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

/// Makes the table: for each prefix, the state of its longest border.
pub(crate) fn borders(pattern: &[u8], steps: &mut Table<Step>) {
    steps.reset(pattern.len() + 2, Step::default());
    let mut border = 0;
    for (state, &byte) in (1..).zip(pattern) {
        steps[state] = Step { byte, border: border as u32 };
        while border > 0 && steps[border].byte != byte {
            border = steps[border].border as usize;
        }
        border += 1;
    }
    steps[pattern.len() + 1].border = border as u32;
}

/// The search, with whatever borders the table holds.
#[inline(always)]
pub(crate) fn scan<P: Probe>(
    steps: TableView<'_, Step, P>,
    m: usize,
    text: Text<'_, P>,
    found: &mut impl Found,
    probe: P,
) {
    let (n, mut state, mut i) = (text.len(), 1, 0);
    probe.writes(2);
    while probe.branch(i < n) {
        let byte = text.at(i);
        let mut step = steps.at(state);
        while probe.branch(step.byte != byte) {
            state = step.border as usize;
            probe.writes(1);
            probe.jump();
            if probe.branch(state == 0) {
                break;
            }
            step = steps.at(state);
        }
        state += 1;
        i += 1;
        probe.writes(2);
        if probe.verify(state == m + 1) {
            found.at(i - m);
            state = steps.at(state).border as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm MorrisPratt);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::testing;

    #[test]
    fn finds_what_a_naive_search_finds() {
        testing::check::<MorrisPratt>();
    }

    #[test]
    fn the_table_holds_the_longest_borders() {
        let mut steps = Table::default();
        borders(b"abacabab", &mut steps);
        let borders: Vec<u32> = steps[1..].iter().map(|step| step.border).collect();
        assert_eq!(borders, [0, 1, 1, 2, 1, 2, 3, 4, 3]);
    }
}
