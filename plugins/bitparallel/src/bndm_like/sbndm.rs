//! Simplified BNDM.
//!
//! Pays where BNDM does: it shifts less far, but each step takes less.
//! Departures: two characters are read before the first test of the state, as by SMART's, which makes it
//! [`sbndm2`](super::sbndm2); of a pattern longer than 64 bytes the first 64 are searched for, and the rest
//! is verified where they occur. After an occurrence the shift is the period of what the word holds. One
//! computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct SimplifiedBndm(Simplified<2, 0>);

impl Algorithm for SimplifiedBndm {
    const ABOUT: About = About {
        id: "sbndm",
        name: "Simplified BNDM",
        reference: papers::ALTERNATIVE_ALGORITHMS,
        status: Status::FromAnotherImplementation(
            "The paper tests the state after each character; here two are read before the first test, as by \
                SMART's program, which makes it `sbndm2`.",
        ),
        idea: "BNDM that does not record prefixes: shifts past the character where it failed.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<2, 0>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm SimplifiedBndm);
