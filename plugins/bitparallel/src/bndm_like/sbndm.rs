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

const ABOUT: About = About {
    id: "sbndm",
    name: "Simplified BNDM",
    reference: papers::ALTERNATIVE_ALGORITHMS,
    status: Status::FromAnotherImplementation(
        "The paper tests the state after each character; here two are read before the first test, as by \
            SMART's program, which makes it `sbndm2`.",
    ),
    idea: "BNDM that does not record prefixes: shifts past the character where it failed.",
    ..Simplified::<2, 0>::ABOUT
};

register!(algorithm Simplified<2, 0>, about: ABOUT);
