//! Morris-Pratt (`mp`).
//!
//! Pays where the text comes as a stream, or is so repetitive that others become quadratic.
//! Departures: the table has the pattern's characters beside their borders, so that a step reads one entry;
//! states are numbered from 1.

use assay_plugin_api::prelude::*;

use crate::borders::{Step, borders, scan};

/// The searcher: the pattern's prefixes, each with its longest border.
#[derive(Default)]
pub struct MorrisPratt {
    steps: Table<Step>,
}

impl Algorithm for MorrisPratt {
    const ABOUT: About = About {
        id: "mp",
        name: "Morris-Pratt",
        reference: Reference {
            authors: &["J. H. Morris", "V. R. Pratt"],
            title: "A linear pattern-matching algorithm",
            number: "40",
            institution: "University of California, Berkeley",
            year: 1970,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the report and of Charras and Lecroq's handbook; the table has the pattern's \
                characters beside their borders.",
        ),
        idea: "Shifts by the longest border of the matched prefix, so that the search never goes back in the \
            text.",
        preparation_time: "O(m)",
        space: "O(m): 8 (m + 2) bytes",
        worst_case: "O(n): 2n comparisons",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        borders(pattern, &mut self.steps);
        probe.table(&self.steps);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        scan(self.steps.view(probe), pattern.len(), text, found, probe);
    }
}

register!(algorithm MorrisPratt);
