//! Forward Nondeterministic DAWG Matching.
//!
//! Pays on patterns of medium length, over alphabets so large that most of the characters at which it begins
//! are foreign.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for; each window that may hold an
//! occurrence is compared as a whole. One computation = one step of the state.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::forward::Forward;

/// The searcher.
#[derive(Default)]
pub struct ForwardNondeterministic(Forward<1, false>);

impl Algorithm for ForwardNondeterministic {
    const ABOUT: About = About {
        id: "fndm",
        name: "Forward Nondeterministic DAWG Matching",
        reference: papers::FAST_VARIANTS,
        status: Status::FromPaper(
            "The paper's search; of patterns longer than a word, the first 64 bytes are searched for and the \
                rest is verified.",
        ),
        idea: "Shift-Or begun in each m-th character, as if it were in all states; goes on while a prefix of \
            the pattern may be alive.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Forward::<1, false>::NEEDS;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, hints, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm ForwardNondeterministic);
