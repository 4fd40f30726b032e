//! SSEF for AVX2 (`ssefa`).
//!
//! Pays where [`ssef`](super::ssef) does, if 16 bits are too few to distinguish the blocks of the text from
//! those of the pattern.
//! Departures: those of `ssef`. A signature of 32 bits is hashed to 16, which index the table; the paper's
//! own order of the tables in memory is not known to us.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::bits::BitFilter;

const ABOUT: About = About {
    id: "ssefa",
    name: "SSEF for AVX2",
    reference: papers::PACKED_ON_AVX2,
    status: Status::FromAbstract(
        "The first page of the paper was seen, and series and venue were not; the hash of signatures and \
            the order of the tables are ours.",
    ),
    after: &["ssef"],
    idea: "SSEF with registers of 32 bytes: a bit of each makes a signature of 32 bits.",
    ..BitFilter::<32>::ABOUT
};

register!(algorithm BitFilter<32>, about: ABOUT);
