//! Forward SBNDM with q-grams, f look-ahead characters and 2-byte reads (`fsbndmq-b21` to `fsbndmq-b62`).
//!
//! Pays where [`fsbndmq`](super::fsbndmq) does, on patterns searched for in much text: its table is large.
//! Departures: those of [`fsbndmq`](super::fsbndmq); where q is odd, its last character is read alone. One
//! computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::paired::Paired;

const ABOUT: About = About {
    id: "fsbndmq-b",
    name: "Forward SBNDM with q-grams, f look-ahead characters and 2-byte reads",
    reference: papers::LOOKAHEAD,
    status: Status::FromAbstract(
        "The abstract was seen; reading two bytes at once is its idea, and all else is that of \
            `fsbndmq`.",
    ),
    after: &["fsbndmq"],
    idea: "Forward SBNDM with q-grams that looks up the mask of two characters by one read of both.",
    ..Paired::<2, 1>::ABOUT
};

register!(algorithm Paired, q, f: [(2, 1), (3, 1), (4, 1), (4, 2), (6, 1), (6, 2)], about: ABOUT);
