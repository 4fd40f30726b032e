//! Worst Character (`wc`).
//!
//! Pays on texts of two letters, for which half is the right frequency; on larger alphabets the place that it
//! looks at is too far left.
//! Departures: those of [`wom`](super::wom), except for the sample: the paper goes by the distribution of the
//! characters in the text. Of the paper its abstract was seen. The header of SMART's file cites the Tailed
//! Substring paper instead of this one.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::wom::WorstOccurrence;

/// The searcher: that of the Worst Occurrence Matcher.
#[derive(Default)]
pub struct WorstCharacter {
    worst: WorstOccurrence,
}

impl Algorithm for WorstCharacter {
    const ABOUT: About = About {
        id: "wc",
        name: "Worst Character",
        reference: Reference {
            authors: papers::OCCURRENCE_HEURISTICS.authors,
            title: "On Tuning the Bad-Character Rule: the Worst-Character Rule",
            arxiv: "1012.1338",
            year: 2010,
            related: Some(("taken further in", &papers::OCCURRENCE_HEURISTICS)),
            ..Reference::UNKNOWN
        },
        status: Status::FromAnotherImplementation(
            "As SMART's `wc`: a frequency of one half for every character, where the publication takes those \
                of the text.",
        ),
        parameters: "frequency=constant 0.5",
        after: &["bm"],
        idea: "The Worst Occurrence Matcher with one half for the frequency of each character, so that no \
            sample is taken.",
        average_case: "O(n): on large alphabets some n/3 windows, whatever m is",
        ..WorstOccurrence::ABOUT
    };

    const NEEDS: Needs = Needs { sample: 0, ..WorstOccurrence::NEEDS };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.worst.prepare_for(&[1; 256], 2, pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.worst.search(pattern, text, found, probe);
    }
}

register!(algorithm WorstCharacter);
