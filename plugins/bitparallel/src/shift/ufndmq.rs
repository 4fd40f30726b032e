//! UFNDM with q-grams (Shift-Or with q-grams).
//!
//! Pays on patterns longer than some q characters, the more so the smaller the alphabet.
//! Departures: of a pattern longer than 65 - q bytes the first are searched for; each window that may hold an
//! occurrence is compared as a whole. A match of an eighth of the pattern or less (of one character at least
//! if the first one is frequent in a sample of the text, and of fewer than q) is not read on: the shift is
//! shorter by as many instead. If more than three of eight characters of the sample are the first one, and
//! the pattern has 16 characters at most, all windows are read on, as the name in brackets says. Bits above
//! the pattern show occurrences that end before the last of the q characters; at the end of the text
//! characters are read one by one. One computation = one step of the state, or one window that is worked out.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::forward::Forward;

/// The searcher.
#[derive(Default)]
pub struct ForwardNondeterministicQ<const Q: usize>(Forward<Q>);

impl<const Q: usize> Algorithm for ForwardNondeterministicQ<Q> {
    const ABOUT: About = About {
        id: "ufndmq",
        name: "UFNDM with q-grams (Shift-Or with q-grams)",
        reference: papers::TUNING_BNDM,
        status: Status::FromPaper(
            "The paper's search; that a short match shifts less instead of being read on, and that a sample \
                of the text decides it, is ours.",
        ),
        idea: "FNDM that combines q masks a step and advances q characters at a time.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Forward::<Q>::NEEDS;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, hints, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm ForwardNondeterministicQ, q: [2, 4, 6, 8]);
