//! Apostolico-Giancarlo (`ag`).
//!
//! Pays where Boyer-Moore compares the same characters again and again: on repetitive texts.
//! Departures: what matched is remembered for the last windows only, as far as one of them reaches, and not
//! for the whole text. Where a window ends nothing is remembered yet, so its last character is compared at
//! once. The good suffix rule is that of [`bm`](super::bm), after an occurrence too.

use assay_plugin_api::prelude::*;

use super::bm::fill_last;
use super::good_suffixes::{GoodSuffixes, suffix_lengths};

/// The searcher: the tables of Boyer-Moore, the pattern's suffixes in the pattern, and those in the text.
#[derive(Default)]
pub struct ApostolicoGiancarlo {
    /// For each byte, where it occurs last in the pattern, counted from 1; 0 where it does not.
    last: ByteTable<u32>,
    good: GoodSuffixes,
    /// For each place of the pattern, the length of the longest suffix that ends there.
    suffix: Table<u32>,
    /// The same of the text: each suffix that a window ended with, by the place after it modulo a power of
    /// two.
    memory: Table<Suffix>,
}

#[derive(Clone, Copy, Default)]
struct Suffix {
    /// The place after it in the text; 0 of none.
    end: usize,
    length: u32,
}

impl Algorithm for ApostolicoGiancarlo {
    const ABOUT: About = About {
        id: "ag",
        name: "Apostolico-Giancarlo",
        reference: Reference {
            authors: &["A. Apostolico", "R. Giancarlo"],
            title: "The Boyer-Moore-Galil string searching strategies revisited",
            journal: "SIAM J. Comput.",
            volume: "15",
            number: "1",
            pages: "98-105",
            year: 1986,
            doi: "10.1137/0215007",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; what matched is remembered for \
                the last windows only.",
        ),
        after: &["bm", "bmg"],
        idea: "Boyer-Moore that remembers which suffixes of the pattern end where in the text, and jumps \
            over them.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 24 to 40 bytes for each of m, and 1 KiB",
        worst_case: "O(n): 1.5n comparisons",
        average_case: "O(n/min(m,s))",
        yardstick: true,
        ..About::UNKNOWN
    };

    /// Shifts are compared as `i32`.
    const NEEDS: Needs = Needs { max_pattern: i32::MAX as usize, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_last(&mut self.last, pattern);
        self.good.prepare(pattern);
        suffix_lengths(pattern, &mut self.suffix);
        self.memory.reset(pattern.len().next_power_of_two(), Suffix::default());
        probe.table(&self.last);
        probe.table(&self.good.shift);
        probe.table(&self.suffix);
        probe.table(&self.memory);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, good_suffix) = (self.last.view(probe), self.good.shift.view(probe));
        let suffix = self.suffix.view(probe);
        let slots = self.memory.len() - 1;
        // What an earlier search remembers.
        self.memory.fill(Suffix::default());
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            // What begins at `i` has matched.
            let (mut i, mut mismatched) = (m, text.at(s + m - 1));
            probe.writes(1);
            if probe.branch(pattern.at(m - 1) == mismatched) {
                i -= 1;
                probe.writes(1);
                while probe.branch(i > 0) {
                    let remembered = self.memory.view(probe).at((s + i) & slots);
                    if probe.branch(remembered.end != s + i) {
                        mismatched = text.at(s + i - 1);
                        if probe.branch(pattern.at(i - 1) != mismatched) {
                            break;
                        }
                        i -= 1;
                        probe.writes(1);
                        continue;
                    }
                    let again = suffix.at(i - 1);
                    i -= remembered.length.min(again) as usize;
                    probe.writes(1);
                    // Of two suffixes of different lengths, the longer one goes on as the pattern does and
                    // the other does not.
                    if probe.branch(remembered.length != again) {
                        if probe.branch(i > 0) {
                            mismatched = text.at(s + i - 1);
                        }
                        break;
                    }
                }
                self.memory[(s + m) & slots] = Suffix { end: s + m, length: (m - i) as u32 };
                probe.writes(1);
            }
            let good = good_suffix.at(i);
            if probe.verify(i == 0) {
                found.at(s);
                s += good as usize;
            } else {
                // Negative where the character occurs further right only.
                let (good, bad) = (good as i32, (i as u32).wrapping_sub(last.at(mismatched)) as i32);
                probe.computes(1);
                s += good.max(bad) as u32 as usize;
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm ApostolicoGiancarlo);
