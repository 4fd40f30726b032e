//! Franek-Jennings-Smyth (`fjs`).
//!
//! Pays where Quick Search does, with a bound on what hostile texts can cost.
//! Departures: after the last window there is no character to shift by (the paper reads the string's
//! terminator there).
//! Timed: where nothing matched, a border is looked up as well, which is none, because the test whether
//! something matched takes longer.

use assay_plugin_api::prelude::*;

use assay_shared::borders::{Step, strict_borders};
use assay_shared::shifts::fill_shifts;

/// The searcher: the shifts of Quick Search and the borders of Knuth-Morris-Pratt.
#[derive(Default)]
pub struct FranekJenningsSmyth {
    shift: ByteTable<u32>,
    steps: Table<Step>,
}

impl Algorithm for FranekJenningsSmyth {
    const ABOUT: About = About {
        id: "fjs",
        name: "Franek-Jennings-Smyth",
        reference: Reference {
            authors: &["F. Franek", "C. G. Jennings", "W. F. Smyth"],
            title: "A simple fast hybrid pattern-matching algorithm",
            journal: "J. Discrete Algorithms",
            volume: "5",
            number: "4",
            pages: "682-695",
            year: 2007,
            doi: "10.1016/j.jda.2006.11.004",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search; the last window shifts no more."),
        after: &["kmp", "qs"],
        idea: "Quick Search's shifts until the last character matches, then Knuth-Morris-Pratt as long as it \
            has a border.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 8 (m + 2) bytes and 1 KiB",
        worst_case: "O(n): 3n - 2m comparisons",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.shift, pattern);
        strict_borders(pattern, &mut self.steps);
        probe.table(&self.shift);
        probe.table(&self.steps);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (shift, steps) = (self.shift.view(probe), self.steps.view(probe));
        // In state `j + 1` the window's first `j` characters have matched, and `i` is the next one.
        let (mut state, mut i) = (1, 0);
        probe.writes(2);
        while probe.branch(i + m < n + state) {
            // The first of the pattern's characters that need no comparison any more.
            let mut known = m;
            if probe.branch(state == 1) {
                let mut end = i + m - 1;
                probe.writes(1);
                while probe.branch(pattern.at(m - 1) != text.at(end)) {
                    if probe.branch(end + 1 == n) {
                        return;
                    }
                    end += shift.at(text.at(end + 1)) as usize;
                    probe.writes(1);
                    probe.jump();
                    if probe.branch(end >= n) {
                        return;
                    }
                }
                i = end + 1 - m;
                known = m - 1;
                probe.writes(1);
            }
            while probe
                .branch(state <= known && steps.placed_character_at(state, state - 1).byte == text.at(i))
            {
                state += 1;
                i += 1;
                probe.writes(2);
            }
            if probe.verify(state > known) {
                // Past the last character, if it was compared before the others.
                i += m - known;
                state = m + 1;
                probe.writes(2 * (m - known) as u64);
                found.at(i - m);
            }
            let none_matched = probe.branch(state == 1);
            probe.writes(u64::from(!none_matched));
            state = if P::COUNTS && none_matched { 0 } else { steps.at(state).border as usize };
            probe.jump();
            if state == 0 {
                // No prefix is left: the next window begins after this character.
                state = 1;
                i += 1;
                probe.writes(1);
            }
        }
    }
}

register!(algorithm FranekJenningsSmyth);
