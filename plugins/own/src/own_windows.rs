//! Windows probed far apart.
//!
//! Pays on patterns from 40 characters on, or from about 75 on a CPU with bit planes.
//! Departures: none, because this is the source.

use assay_finder::method::Kind;
use assay_plugin_api::prelude::*;

use crate::reading::{Finder, METHODS};

/// The searcher.
#[derive(Default)]
pub struct OwnWindows(Finder);

impl Algorithm for OwnWindows {
    const ABOUT: About = About {
        id: "own-windows",
        name: "Windows probed far apart",
        reference: crate::reading::HERE,
        status: Status::FromAuthorsProgram("Our own search: the program is the only publication."),
        idea: "Looks up one hashed q-gram of each window of m - q + 1 characters; nothing depends \
            on what a probe finds, so that the processor makes several reads at once.",
        preparation_time: "O(m)",
        space: "O(m), and a table of at most 32 KiB",
        worst_case: "O(n + m)",
        average_case: "O(n/m)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Kind::Windows.lengths().0, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = METHODS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(Some(Kind::Windows), text, found, probe);
    }
}

register!(algorithm OwnWindows);
