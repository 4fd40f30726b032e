//! SSEF (`ssef`).
//!
//! Pays on long patterns: one filter of 16 characters is looked up in each window of nearly the pattern's
//! length.
//! Departures: of the characters' bits that one is the filter's that divides the pattern's characters most
//! evenly; the text is read at the greatest multiple of 16 that misses none. One computation = one filter.

use assay_plugin_api::prelude::*;

use crate::bits::BitFilter;

const ABOUT: About = About {
    id: "ssef",
    name: "SSEF",
    reference: Reference {
        authors: &["M. O. Külekci"],
        title: "Filter Based Fast Matching of Long Patterns by Using SIMD Instructions",
        booktitle: "PSC 2009",
        pages: "118-128",
        year: 2009,
        ..Reference::UNKNOWN
    },
    status: Status::FromPaper("The paper's search; which bit of the characters the filter takes is ours."),
    after: &["skip"],
    idea: "One bit of each byte of a 16-byte block (movemask) is a 16-bit filter; lists of pattern \
        offsets per filter.",
    ..BitFilter::<16>::ABOUT
};

register!(algorithm BitFilter<16>, about: ABOUT);
