//! Forward SBNDM.
//!
//! Pays on short patterns, where a shift that is longer by one makes a difference.
//! Departures: of a pattern longer than 64 bytes, less those read after the window, the first are searched
//! for, and the rest is verified where they occur. The last windows, with too few characters after them, are
//! compared apart. After an occurrence the shift is the period of what the word holds. One computation = one
//! step: the shift and the and. `fsbndmq21` runs the same search: [`fsbndmq`](super::fsbndmq) generalises it.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct ForwardSbndm(Simplified<2, 1>);

impl Algorithm for ForwardSbndm {
    const ABOUT: About = About {
        id: "fsbndm",
        name: "Forward SBNDM",
        reference: papers::VARIANTS_OF_BOM,
        status: Status::FromPaper(
            "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
                word, are ours.",
        ),
        idea: "SBNDM that looks at the character just after the window and the last one together.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<2, 1>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm ForwardSbndm);
