//! Run-Length Encoded BNDM (`rle-bndm`).
//!
//! Pays on long patterns over small alphabets, which have long runs of one character.
//! Departures: we have seen the abstract of the paper and the beginning of its text, so the tables are ours.
//! The window is read run by run; only its last run may be a part of one of the pattern's. Of a pattern with
//! more than 64 runs the first 64 are searched for, and the rest is verified where they occur. The paper asks
//! for at least two distinct characters; one run is searched for as well. One computation = one step: a run.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::factors::PREFIX;
use crate::word::{self, WORD, prefix_occurs, rest_occurs};

/// The searcher. The first run has the highest bit.
#[derive(Default)]
pub struct RunLengthBndm {
    /// For each byte, a 1 for its runs.
    mask: ByteTable<u64>,
    /// For each length, a 1 for the runs that are at least as long.
    at_least: Table<u64>,
    /// For each length, a 1 for the runs that are exactly as long.
    exactly: Table<u64>,
    /// Length of the first run.
    first: usize,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for RunLengthBndm {
    const ABOUT: About = About {
        id: "rle-bndm",
        name: "Run-Length Encoded BNDM",
        reference: papers::RUN_LENGTH_ENCODED,
        status: Status::FromAbstract(
            "The abstract and the beginning of the text were seen; the tables are ours.",
        ),
        after: &["bndm"],
        idea: "BNDM with a bit for each run of one character, so that longer patterns fit a word.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 2 KiB, and 16 bytes for each length of a run",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s, as long as 64 runs hold the pattern",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let runs = || pattern.chunk_by(|a, b| a == b).take(WORD);
        self.width = runs().map(<[u8]>::len).sum();
        self.first = runs().next().map_or(0, <[u8]>::len);
        let longest = runs().map(<[u8]>::len).max().unwrap_or(0);
        self.mask.fill(0);
        // One entry more: a run of the text is read until it is longer than all of the pattern.
        self.at_least.reset(longest + 2, 0);
        self.exactly.reset(longest + 2, 0);
        for (i, run) in runs().enumerate() {
            self.mask[run[0] as usize] |= PREFIX >> i;
            self.exactly[run.len()] |= PREFIX >> i;
        }
        for length in (0..=longest).rev() {
            self.at_least[length] = self.exactly[length] | self.at_least[length + 1];
        }
        probe.table(&self.mask);
        probe.table(&self.at_least);
        probe.table(&self.exactly);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, first) = (pattern.len(), text.len(), self.width, self.first);
        let (mask, at_least, exactly) =
            (self.mask.view(probe), self.at_least.view(probe), self.exactly.view(probe));
        let unknown = self.exactly.len() - 1;
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        // The run before position `end` of the window at `s`: its character, and where it begins in the
        // window or becomes longer than all of the pattern.
        let run = |s: usize, end: usize| {
            let character = text.at(s + end - 1);
            let (mut i, least) = (end - 1, end.saturating_sub(unknown));
            probe.writes(1);
            while probe.branch(i > least && text.at(s + i - 1) == character) {
                i -= 1;
                probe.writes(1);
            }
            (character, i)
        };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (character, mut i) = run(s, width);
            let runs = mask.at(character);
            let (mut state, mut shift, mut occurs) = (runs & at_least.at(width - i), width, false);
            probe.computes(1);
            probe.writes(4);
            if probe.branch(runs & PREFIX != 0) {
                // The last characters are a prefix of as many as the first run has. All may be the pattern.
                occurs = width == first && i == 0;
                shift = width - first.min(width - i).min(width - 1);
                probe.writes(2);
            }
            // The last run may be a part of the pattern's, the others may not.
            let mut whole = !0;
            while probe.branch(state & whole != 0 && i > 0) {
                let end = i;
                let (character, begin) = run(s, end);
                i = begin;
                let runs = (state & whole) << 1 & mask.at(character);
                probe.computes(1);
                if probe.branch(runs & PREFIX != 0 && end - i >= first) {
                    occurs = end == first;
                    if !occurs {
                        shift = end - first;
                    }
                    probe.writes(1);
                }
                state = runs & at_least.at(end - i);
                whole = exactly.at(end - i);
                probe.writes(3);
            }
            if prefix_occurs(occurs, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm RunLengthBndm);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_known_by_its_character_and_its_length() {
        let mut searcher = RunLengthBndm::default();
        searcher.prepare(b"aabaaabb", Off);
        let bits = |runs: &[usize]| runs.iter().fold(0, |bits, run| bits | PREFIX >> run);
        assert_eq!((searcher.first, searcher.width), (2, 8));
        assert_eq!(searcher.mask[b'a' as usize], bits(&[0, 2]));
        assert_eq!(searcher.mask[b'b' as usize], bits(&[1, 3]));
        assert_eq!(*searcher.exactly, [&[][..], &[1], &[0, 3], &[2], &[]].map(bits));
        assert_eq!(*searcher.at_least, [&[0, 1, 2, 3][..], &[0, 1, 2, 3], &[0, 2, 3], &[2], &[]].map(bits));
    }

    #[test]
    fn a_pattern_of_many_runs_is_cut_after_those_that_a_word_holds() {
        let mut searcher = RunLengthBndm::default();
        searcher.prepare(&b"aab".repeat(40), Off);
        assert_eq!(searcher.width, 32 * 3);
    }
}
