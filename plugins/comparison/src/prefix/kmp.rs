//! Knuth-Morris-Pratt (`kmp`).
//!
//! Pays where Morris-Pratt does; besides, no character of the text waits for more than log m comparisons (to
//! the base of the golden ratio).
//! Departures: as in [`mp`](super::mp), whose search this is. The table therefore has 8 (m + 2) bytes, and
//! SMART's 4 (m + 1).

use assay_plugin_api::prelude::*;

use crate::borders::{Step, scan, strict_borders};

/// The searcher: the pattern's prefixes, each with its longest border that another character follows.
#[derive(Default)]
pub struct KnuthMorrisPratt {
    steps: Table<Step>,
}

impl Algorithm for KnuthMorrisPratt {
    const ABOUT: About = About {
        id: "kmp",
        name: "Knuth-Morris-Pratt",
        reference: Reference {
            authors: &["D. E. Knuth", "J. H. Morris", "V. R. Pratt"],
            title: "Fast pattern matching in strings",
            journal: "SIAM J. Comput.",
            volume: "6",
            number: "2",
            pages: "323-350",
            year: 1977,
            doi: "10.1137/0206024",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the table has the pattern's \
                characters beside their borders.",
        ),
        after: &["mp"],
        idea: "As Morris-Pratt, but takes only borders that another character follows, which bounds the \
            delay.",
        preparation_time: "O(m)",
        space: "O(m): 8 (m + 2) bytes",
        worst_case: "O(n): 2n comparisons",
        average_case: "O(n)",
        yardstick: true,
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        strict_borders(pattern, &mut self.steps);
        probe.table(&self.steps);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        scan(self.steps.view(probe), pattern.len(), text, found, probe);
    }
}

register!(algorithm KnuthMorrisPratt);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_borders_that_another_character_follows() {
        let mut searcher = KnuthMorrisPratt::default();
        searcher.prepare(b"abacabab", Off);
        let borders: Vec<u32> = searcher.steps[1..].iter().map(|step| step.border).collect();
        assert_eq!(borders, [0, 1, 0, 2, 0, 1, 0, 4, 3]);
    }
}
