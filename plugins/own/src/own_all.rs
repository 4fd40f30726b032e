//! All characters.
//!
//! Pays on patterns of one to four characters, and of five to eight in texts of two characters, where they
//! occur often.
//! Departures: none, because this is the source.

use assay_finder::method::Kind;
use assay_plugin_api::prelude::*;

use crate::reading::{Finder, METHODS};

/// The searcher.
#[derive(Default)]
pub struct OwnAll(Finder);

impl Algorithm for OwnAll {
    const ABOUT: About = About {
        id: "own-all",
        name: "All characters",
        reference: crate::reading::HERE,
        status: Status::FromAuthorsProgram("Our own search: the program is the only publication."),
        idea: "Compares all characters at all alignments of a block, joins the differences with \
            `or`, and counts zeros in lanes, so that a text full of occurrences takes as long as one without any.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: Kind::AllCharacters.lengths().1, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = METHODS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(Some(Kind::AllCharacters), text, found, probe);
    }
}

register!(algorithm OwnAll);
