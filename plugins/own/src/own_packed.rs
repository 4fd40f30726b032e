//! Packed characters.
//!
//! Pays on patterns from seven to about forty characters in texts of few different characters, where the CPU
//! has AVX2 but no instructions for bit planes.
//! Departures: none, because this is the source.

use assay_finder::method::Kind;
use assay_plugin_api::prelude::*;

use crate::reading::{Finder, METHODS};

/// The searcher.
#[derive(Default)]
pub struct OwnPacked(Finder);

impl Algorithm for OwnPacked {
    const ABOUT: About = About {
        id: "own-packed",
        name: "Packed characters",
        reference: crate::reading::HERE,
        status: Status::FromAuthorsProgram("Our own search: the program is the only publication."),
        idea: "Joins one or two bits of each of 16 or 8 characters into a word, and compares words at \
            multiples of their length with one word of the pattern for each place in a word.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n + m)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs {
        min_pattern: Kind::Packed.lengths().0,
        cpu: &["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"],
        ..Needs::NOTHING
    };

    const EXTRA: &'static [&'static str] = METHODS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, probe: P) -> Result<(), CannotSearch> {
        Finder::allow(Kind::Packed)?;
        self.prepare(pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(Some(Kind::Packed), text, found, probe);
    }
}

register!(algorithm OwnPacked);
