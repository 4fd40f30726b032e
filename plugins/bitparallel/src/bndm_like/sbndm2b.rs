//! SBNDM2 with 2-byte reads (`sbndm2b`).
//!
//! Pays where [`sbndm2`](super::sbndm2) does, on patterns searched for in much text: its table is large.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::paired::Paired;

const ABOUT: About = About {
    id: "sbndm2b",
    name: "SBNDM2 with 2-byte reads",
    reference: papers::LOOKAHEAD,
    status: Status::FromAbstract(
        "The abstract was seen; reading two bytes at once is its idea, and all else is that of `sbndm2`.",
    ),
    after: &["sbndm2"],
    idea: "SBNDM2 that looks up the mask of two characters by one read of both.",
    ..Paired::<2, 0>::ABOUT
};

register!(algorithm Paired<2, 0>, about: ABOUT);
