//! Rolling word (`swar2`, `swar3`, `swar4`).
//!
//! Pays on patterns of so few characters where vector instructions are not to be had.
//! Departures: two characters are read a round, and counted as the two rounds that they are. One computation
//! = one step of the word: the shift and the or.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

/// The searcher: the pattern as a number, whose lowest byte is its last character.
#[derive(Default)]
pub struct RollingWord<const Q: usize> {
    wanted: u32,
}

impl<const Q: usize> RollingWord<Q> {
    /// The bytes of a word that count.
    const ALL: u32 = !0 >> (32 - 8 * Q);
}

impl<const Q: usize> Algorithm for RollingWord<Q> {
    const ABOUT: About = About {
        id: "swar",
        name: "Rolling word",
        reference: papers::MUSL_MEMMEM,
        status: Status::FromAuthorsProgram("Written from musl's program; two characters are read a round."),
        idea: "The last q characters of the text in a register, compared with the pattern as a number.",
        preparation_time: "O(1)",
        space: "O(1)",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, max_pattern: Q, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.wanted = pattern.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (n, wanted, first) = (text.len(), self.wanted, pattern.kept(0));
        assert!(pattern.len() == Q && Q <= n, "a pattern of another length");
        let mut i = 0;
        probe.writes(1);
        while probe.branch(i + Q < n && !first.equals(text.at(i))) {
            i += 1;
            probe.writes(1);
            probe.jump();
        }
        let mut word = (i..i + Q - 1).fold(0, |word, i| word << 8 | u32::from(text.at(i)));
        i += Q - 1;
        probe.writes(2);
        // A step: the loop's condition held, the word and `i` are new.
        let occurs = |word: u32| {
            probe.branch(true);
            probe.computes(1);
            probe.writes(2);
            probe.jump();
            probe.verify(word & RollingWord::<Q>::ALL == wanted)
        };
        while i + 1 < n {
            let [one, two] = [text.at(i), text.at(i + 1)].map(u32::from);
            if occurs(word << 8 | one) {
                found.at(i + 1 - Q);
            }
            word = word << 16 | (one << 8 | two);
            if occurs(word) {
                found.at(i + 2 - Q);
            }
            i += 2;
        }
        if i < n && occurs(word << 8 | u32::from(text.at(i))) {
            found.at(i + 1 - Q);
        }
        probe.branch(false);
    }
}

register!(algorithm RollingWord, q: [2, 3, 4]);
