//! Some characters.
//!
//! Pays where the CPU has no instructions for bit planes, and in short texts.
//! Departures: none, because this is the source.

use assay_finder::method::Kind;
use assay_plugin_api::prelude::*;

use crate::reading::{Finder, METHODS};

/// The searcher.
#[derive(Default)]
pub struct OwnSome(Finder);

impl Algorithm for OwnSome {
    const ABOUT: About = About {
        id: "own-some",
        name: "Some characters",
        reference: crate::reading::HERE,
        status: Status::FromAuthorsProgram("Our own search: the program is the only publication."),
        idea: "Compares two, three, four or eight characters, rare in a sample of the text, at all alignments \
            of eight blocks, and branches once.",
        preparation_time: "O(m)",
        space: "O(m), and a table of at most 32 KiB",
        worst_case: "O(n + m)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Kind::SomeCharacters.lengths().0, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = METHODS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(Some(Kind::SomeCharacters), text, found, probe);
    }
}

register!(algorithm OwnSome);
