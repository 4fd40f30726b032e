//! KMP Skip Search (`kmpskip`).
//!
//! Pays where [`skip`](super::skip) does, with a bound on what hostile texts can cost.
//! Departures: buckets are linked from the last place to the first, so that windows come from left to right.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::borders::{Step, borders, strict_borders};

/// The searcher: for each byte, a bucket of its places in the pattern; and the pattern's borders.
#[derive(Default)]
pub struct KmpSkip {
    /// For each byte, its last place in the pattern, counted from 1; 0 where it has none.
    last: ByteTable<u32>,
    /// For each place, the one before it with the same byte.
    previous: Table<u32>,
    /// Borders, as Morris and Pratt have them: for a window that the bucket passes over.
    steps: Table<Step>,
    /// Borders that another character follows: for one that was compared.
    strict: Table<Step>,
}

impl Algorithm for KmpSkip {
    const ABOUT: About = About {
        id: "kmpskip",
        name: "KMP Skip Search",
        reference: papers::SMALL_ALPHABETS_LONG_PATTERNS,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the buckets are linked in the \
                other order.",
        ),
        after: &["skip", "kmp"],
        idea: "Skip Search that compares only windows which the borders of what has matched allow too, and \
            no character twice.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 20 (m + 2) bytes and 1 KiB",
        worst_case: "O(n)",
        average_case: "O(n): each place of the pattern is tried with n/s windows",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.last.fill(0);
        self.previous.reset(pattern.len() + 1, 0);
        for (place, &byte) in (1..).zip(pattern) {
            self.previous[place] = std::mem::replace(&mut self.last[byte as usize], place as u32);
        }
        borders(pattern, &mut self.steps);
        strict_borders(pattern, &mut self.strict);
        probe.table(&self.last);
        probe.table(&self.previous);
        probe.table(&self.steps);
        probe.table(&self.strict);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, previous) = (self.last.view(probe), self.previous.view(probe));
        let (steps, strict) = (self.steps.view(probe), self.strict.view(probe));
        // In state `k + 1`, the pattern's first `k` characters are those before `wall` in the text.
        let (mut wall, mut state) = (0, 1);
        let mut j = m - 1;
        probe.writes(3);
        while probe.branch(j < n) {
            let mut place = last.at(text.at(j)) as usize;
            probe.writes(1);
            while probe.branch(place > 0) {
                let s = j + 1 - place;
                if probe.branch(s + m > n) {
                    return;
                }
                place = previous.at(place) as usize;
                probe.writes(1);
                if probe.branch(s >= wall) {
                    (wall, state) = (s, 1);
                    probe.writes(2);
                }
                // To the first window from `s` on that the borders allow.
                while probe.branch(wall + 1 < s + state) {
                    state = steps.at(state).border as usize;
                    probe.writes(1);
                }
                if probe.branch(wall + 1 > s + state) {
                    continue;
                }
                while probe
                    .branch(state <= m && strict.placed_character_at(state, state - 1).byte == text.at(wall))
                {
                    state += 1;
                    wall += 1;
                    probe.writes(2);
                }
                if probe.verify(state > m) {
                    found.at(s);
                }
                state = strict.at(state).border as usize;
                probe.writes(1);
                if probe.branch(state == 0) {
                    state = 1;
                    wall += 1;
                    probe.writes(2);
                }
            }
            j += m;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm KmpSkip);
