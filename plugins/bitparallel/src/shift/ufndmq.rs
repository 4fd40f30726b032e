//! UFNDM with q-grams (Shift-Or with q-grams).
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

/// The searcher. If it is `TUNED`, a sample of the text decides what is read on.
#[derive(Default)]
pub struct ForwardNondeterministicQ<const Q: usize, const TUNED: bool>(Forward<Q, TUNED>);

/// The published search.
type Published<const Q: usize> = ForwardNondeterministicQ<Q, false>;

/// Ours.
type Tuned<const Q: usize> = ForwardNondeterministicQ<Q, true>;

impl<const Q: usize, const TUNED: bool> ForwardNondeterministicQ<Q, TUNED> {
    /// The facts about the published search.
    const PUBLISHED: About = About {
        id: "ufndmq",
        name: "UFNDM with q-grams (Shift-Or with q-grams)",
        reference: papers::TUNING_BNDM,
        status: Status::FromPaper(
            "The paper's search; of patterns longer than 65 - q bytes, the first are searched for and the \
                rest is verified.",
        ),
        idea: "FNDM that combines q masks a step and advances q characters at a time.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    /// The id that the published search has now, and this tuned one had before.
    const FORMER_IDS: &[&str] = match Q {
        2 => &["ufndmq2"],
        4 => &["ufndmq4"],
        6 => &["ufndmq6"],
        _ => &["ufndmq8"],
    };
}

impl<const Q: usize, const TUNED: bool> Algorithm for ForwardNondeterministicQ<Q, TUNED> {
    const ABOUT: About = if TUNED {
        About {
            id: "ufndmq-t",
            name: "UFNDM with q-grams (Shift-Or with q-grams) and a sample",
            status: Status::ImprovedHere(
                "The paper reads on after each match of a prefix; here a short match shortens the shift \
                    instead, and a sample of the text decides how short, or that all windows are read on.",
            ),
            formerly: Formerly { ids: Self::FORMER_IDS, until: "0.1.0" },
            idea: "FNDM that combines q masks a step, and does not read on after matches that are probably \
                chance.",
            ..Self::PUBLISHED
        }
    } else {
        Self::PUBLISHED
    };

    const NEEDS: Needs = Forward::<Q, TUNED>::NEEDS;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, hints, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm Published, q: [2, 4, 6, 8]; Tuned, q: [2, 4, 6, 8]);
