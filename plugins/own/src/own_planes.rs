//! Bit planes.
//!
//! Pays on patterns from five to about 75 characters in a MiB, most of all in texts of few different characters.
//! Departures: none, because this is the source.

use assay_finder::method::Kind;
use assay_plugin_api::prelude::*;

use crate::reading::{Finder, METHODS};

/// The searcher.
#[derive(Default)]
pub struct OwnPlanes(Finder);

impl Algorithm for OwnPlanes {
    const ABOUT: About = About {
        id: "own-planes",
        name: "Bit planes",
        reference: crate::reading::HERE,
        status: Status::FromAuthorsProgram("Our own search: the program is the only publication."),
        idea: "Transposes one to four parities of 512 characters into registers, with the text as a \
            matrix of bits, and compares them for up to fourteen characters at 512 alignments at \
            once.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n + m)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs {
        min_pattern: Kind::Planes.lengths().0,
        cpu: &[
            "avx2",
            "bmi1",
            "bmi2",
            "lzcnt",
            "popcnt",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512vbmi",
            "avx512vbmi2",
            "gfni",
        ],
        ..Needs::NOTHING
    };

    const EXTRA: &'static [&'static str] = METHODS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, probe: P) -> Result<(), CannotSearch> {
        Finder::allow(Kind::Planes)?;
        self.prepare(pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(Some(Kind::Planes), text, found, probe);
    }
}

register!(algorithm OwnPlanes);
