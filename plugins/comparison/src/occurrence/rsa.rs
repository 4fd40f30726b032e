//! RS-A (`rsa`).
//!
//! Pays on long patterns over small alphabets, where four characters distinguish more positions than the two
//! of [`br`](super::br).
//! Departures: we have seen what a bibliography says of it: Berry-Ravindran by four characters. How a shift
//! is looked up is ours: the shift is the least with which the four characters fit the pattern, and where the
//! pattern has all four is kept by their hash. The last windows, with fewer than four characters after them,
//! are compared one by one. Shifts from the table are of 16 bits: a longer one is made in several steps.
//! Patterns have four characters at least. One computation = the hash of four characters.

use assay_plugin_api::prelude::*;

use super::four::{FOUR, FourShifts, distance};

/// The searcher: where the pattern has four characters.
#[derive(Default)]
pub struct RsA(FourShifts);

impl Algorithm for RsA {
    const ABOUT: About = About {
        id: "rsa",
        name: "RS-A",
        reference: Reference {
            authors: &["K. Senapati", "S. Mal", "G. Sahoo"],
            title: "RS-A Fast Pattern Matching Algorithm for Biological Sequences",
            journal: "Int. J. Eng. Innov. Technol.",
            volume: "1",
            pages: "116-118",
            year: 2012,
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The paper was not seen, only what a bibliography says of it; how a shift is looked \
                up is ours.",
        ),
        after: &["br"],
        idea: "Berry-Ravindran by the four characters after the window.",
        preparation_time: "O(m)",
        space: "O(1): 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 4) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: FOUR, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.fill(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.0.view(probe));
        assert!(FOUR <= m && m <= n, "a text shorter than the pattern, or a pattern shorter than four");
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            let after = s + m;
            let characters = (|i| text.at(after + i), |i| pattern.at(i));
            s += if probe.branch(after + FOUR <= n) { distance(characters, m, shift, probe) } else { 1 };
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm RsA);
