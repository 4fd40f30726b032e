//! Apostolico-Crochemore (`ac`).
//!
//! Pays where Knuth-Morris-Pratt does, on patterns that begin with a run of one letter: no more than 1.5 n
//! comparisons.
//! Departures: the borders are those of the table of [`kmp`](super::kmp), with states numbered from 1. Reads
//! are unchecked.

use assay_plugin_api::prelude::*;

use crate::borders::{Step, strict_borders};

/// The searcher: the length of the run that the pattern begins with, and the borders of Knuth-Morris-Pratt.
#[derive(Default)]
pub struct ApostolicoCrochemore {
    /// 0 if the pattern has one letter only.
    run: usize,
    steps: Table<Step>,
}

impl Algorithm for ApostolicoCrochemore {
    const ABOUT: About = About {
        id: "ac",
        name: "Apostolico-Crochemore",
        reference: Reference {
            authors: &["A. Apostolico", "M. Crochemore"],
            title: "Optimal canonization of all substrings of a string",
            journal: "Inf. Comput.",
            volume: "95",
            number: "1",
            pages: "76-95",
            year: 1991,
            doi: "10.1016/0890-5401(91)90016-U",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the borders come from the table \
                of `kmp`.",
        ),
        after: &["kmp"],
        idea: "Knuth-Morris-Pratt that compares the run of one letter that the pattern begins with last, and \
            remembers how much of it is there.",
        preparation_time: "O(m)",
        space: "O(m): 8 (m + 2) bytes",
        worst_case: "O(n): 1.5n comparisons",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.run = pattern.iter().position(|&byte| byte != pattern[0]).unwrap_or(0);
        strict_borders(pattern, &mut self.steps);
        probe.table(&self.steps);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, run, steps) = (pattern.len(), text.len(), self.run, self.steps.view(probe));
        assert!(run < m && m <= n, "a text shorter than the pattern");
        // SAFETY: windows begin at s <= n - m, where m <= n, and characters are compared at i < m only.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        // Of the window at `s`, the characters from `run` to `i` are known to match, and the first `known`
        // ones of the run.
        let (mut s, mut i, mut known) = (0, run, 0_usize);
        probe.writes(3);
        while probe.branch(s <= n - m) {
            while probe.branch(i < m && alike(s, i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.branch(i == run) {
                // The letter of the run, maybe: then the next window has one more of it after what is known.
                s += 1;
                known = known.saturating_sub(1);
                probe.writes(2);
                probe.jump();
                continue;
            }
            if probe.branch(i == m) {
                while probe.branch(known < run && alike(s, known)) {
                    known += 1;
                    probe.writes(1);
                }
                if probe.verify(known == run) {
                    found.at(s);
                }
            }
            let border = steps.at(i + 1).border as usize;
            s += i + 1 - border;
            let border = border.saturating_sub(1);
            (i, known) = (border.max(run), border.min(run));
            probe.writes(3);
            probe.jump();
        }
    }
}

register!(algorithm ApostolicoCrochemore);
