//! UFNDM with q-grams (Shift-Or with q-grams) (`ufndmq2` to `ufndmq-t8`).
//!
//! Pays on patterns longer than some q characters, the more so the smaller the alphabet.
//! Departures: of a pattern longer than 65 - q bytes the first are searched for; each window that may hold an
//! occurrence is compared as a whole. Bits above the pattern show occurrences that end before the last of the
//! q characters; at the end of the text characters are read one by one. In `ufndmq-t`, which is ours, a match
//! of an eighth of the pattern or less (of one character at least if the first one is frequent in a sample of
//! the text, and of fewer than q) is not read on: the shift is shorter by as many instead. If more than three
//! of eight characters of the sample are the first one, and the pattern has 16 characters at most, it reads
//! all windows on, as Shift-Or does. One computation = one step of the state, or one window that is worked
//! out.
//! Timed: as counted. Only `fndm`, with which it shares its search, compares eight characters at once.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::forward::Forward;

/// The published search.
type Published<const Q: usize> = Forward<Q, false>;

/// Ours, in which a sample of the text decides what is read on.
type Tuned<const Q: usize> = Forward<Q, true>;

/// The facts about the published search.
const PUBLISHED: About = About {
    id: "ufndmq",
    name: "UFNDM with q-grams (Shift-Or with q-grams)",
    reference: papers::TUNING_BNDM,
    status: Status::FromPaper(
        "The paper's search; of patterns longer than 65 - q bytes, the first are searched for and the rest \
            is verified.",
    ),
    after: &["fndm"],
    idea: "FNDM that combines q masks a step and advances q characters at a time.",
    ..Forward::<2, false>::ABOUT
};

/// The facts about ours. The published search has the id now that this one had before.
const fn tuned(former_ids: &'static [&'static str]) -> About {
    About {
        id: "ufndmq-t",
        name: "UFNDM with q-grams and a sample",
        status: Status::ImprovedHere(
            "The paper reads on after each match of a prefix; here a short match shortens the shift instead, \
                and a sample of the text decides how short, or that all windows are read on.",
        ),
        formerly: Formerly { ids: former_ids, until: "0.1.0" },
        after: &["ufndmq"],
        idea: "FNDM that combines q masks a step, and does not read on after matches that are probably \
            chance.",
        ..PUBLISHED
    }
}

register!(algorithm
    Published, q: [2, 4, 6, 8], about: PUBLISHED;
    Tuned, q: [2], about: tuned(&["ufndmq2"]);
    Tuned, q: [4], about: tuned(&["ufndmq4"]);
    Tuned, q: [6], about: tuned(&["ufndmq6"]);
    Tuned, q: [8], about: tuned(&["ufndmq8"])
);
