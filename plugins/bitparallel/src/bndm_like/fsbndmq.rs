//! Forward SBNDM with q-grams and f look-ahead characters (`fsbndmq20` to `fsbndmq86`).
//!
//! Pays on short patterns, where a shift that is longer by f makes a difference.
//! Departures: of a pattern longer than 64 bytes, less those read after the window, the first are searched
//! for, and the rest is verified where they occur. The last windows, with too few characters after them, are
//! compared apart. After an occurrence the shift is the period of what the word holds. One computation = one
//! step: the shift and the and. The authors say that with q = 2 and f = 1 it is [`fsbndm`](super::fsbndm),
//! and with f = 0 [`sbndmq`](super::sbndmq), so `fsbndmq21` and `fsbndmq20` run their search.

use assay_plugin_api::prelude::*;

use super::simplified::Simplified;

const ABOUT: About = About {
    id: "fsbndmq",
    name: "Forward SBNDM with q-grams and f look-ahead characters",
    reference: Reference {
        authors: &["H. Peltola", "J. Tarhio"],
        title: "Variations of Forward-SBNDM",
        booktitle: "PSC 2011",
        pages: "3-14",
        year: 2011,
        ..Reference::UNKNOWN
    },
    status: Status::FromPaper(
        "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
            word, are ours.",
    ),
    after: &["fsbndm", "sbndmq"],
    idea: "SBNDM with q-grams of which f characters lie after the window.",
    ..Simplified::<2, 1>::ABOUT
};

register!(algorithm
    Simplified, q, f: [
        (2, 0), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (6, 1), (6, 2), (6, 4), (8, 1), (8, 2),
        (8, 4), (8, 6)
    ], about: ABOUT
);
