//! EPSM for AVX2 (`epsma`).
//!
//! Pays where [`epsm`](super::epsm) does: on patterns up to 15 characters twice as many alignments are
//! compared at once.
//! Departures: those of `epsm`. From 16 characters on it is the same, since the checksum is of eight bytes.
//! Timed: for patterns of up to three characters, all characters are compared and the occurrences are counted
//! without a branch, because occurrences are frequent.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::epsm::ExactPacked;

const ABOUT: About = About {
    id: "epsma",
    name: "EPSM for AVX2",
    reference: papers::PACKED_ON_AVX2,
    status: Status::FromAbstract(
        "The first page of the paper was seen, and series and venue were not; that only patterns of up \
            to 15 characters differ from `epsm` is our reading.",
    ),
    after: &["epsm"],
    idea: "EPSM with registers of 32 bytes: from 16 characters on the same, before that with blocks \
        twice as wide.",
    average_case: "O(n/32) for m < 16, then O(n/m)",
    ..ExactPacked::<32>::ABOUT
};

register!(algorithm ExactPacked<32>, about: ABOUT);
