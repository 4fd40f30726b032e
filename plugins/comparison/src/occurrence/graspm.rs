//! GRASPm (`graspm`).
//!
//! Pays on small alphabets, where the last character is found soon, and the one before it leaves few
//! alignments.
//! Departures: a list holds only the alignments that also have the last character where the text has it.
//! There is no copy of it after the text that stops the fast loop. Patterns of one byte have no character
//! before the last, so every position is looked at.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};
use crate::shifts::fill_shifts;

/// The searcher: Horspool's shifts, and for each byte its positions in the pattern directly before the last
/// character.
#[derive(Default)]
pub struct Graspm {
    /// By the window's last character; 0 for the pattern's own.
    skip: ByteTable<u32>,
    /// For each byte, its last such position, counted from 1; 0 if it has none.
    last: ByteTable<u32>,
    /// For each place, the one before it with the same byte.
    previous: Table<u32>,
}

impl Algorithm for Graspm {
    const ABOUT: About = About {
        id: "graspm",
        name: "GRASPm",
        reference: Reference {
            authors: &["S. Deusdado", "P. Carvalho"],
            title: "GRASPm: an efficient algorithm for exact pattern-matching in genomic sequences",
            journal: "Int. J. Bioinform. Res. Appl.",
            volume: "5",
            number: "4",
            pages: "385-401",
            year: 2009,
            doi: "10.1504/IJBRA.2009.027510",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; that a list holds only alignments with the last character too is ours.",
        ),
        after: &["hor"],
        idea: "Horspool's shifts until the last character matches; then all alignments that fit it and the \
            character before it.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 m bytes and 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)) on large alphabets, n/s windows and n/s^2 alignments on small ones",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let (m, end) = (pattern.len(), pattern[pattern.len() - 1]);
        fill_shifts(&mut self.skip, &pattern[..m - 1]);
        self.skip[end as usize] = 0;
        self.last.fill(0);
        self.previous.reset(m, 0);
        for (place, two) in (1..).zip(pattern.windows(2)) {
            if two[1] == end {
                self.previous[place] = std::mem::replace(&mut self.last[two[0] as usize], place as u32);
            }
        }
        probe.table(&self.skip);
        probe.table(&self.last);
        probe.table(&self.previous);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (skip, last, previous) =
            (self.skip.view(probe), self.last.view(probe), self.previous.view(probe));
        let opening = Opening::new(pattern, text);
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let mut shift = skip.at(text.at(end)) as usize;
            probe.writes(1);
            if probe.branch(shift == 0) {
                if probe.branch(m == 1) {
                    found.at(end);
                    probe.verify(true);
                    shift = 1;
                } else {
                    let mut place = last.at(text.at(end - 1)) as usize;
                    probe.writes(1);
                    while probe.branch(place > 0) {
                        let s = end - place;
                        // SAFETY: the condition before this.
                        if probe.branch(s + m <= n) && unsafe { opening.occurs(s, 0..m) } {
                            found.at(s);
                        }
                        place = previous.at(place) as usize;
                        probe.writes(1);
                    }
                    // The next window begins with the character that ended this one.
                    shift = m - 1;
                }
                probe.writes(1);
            }
            end += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Graspm);
