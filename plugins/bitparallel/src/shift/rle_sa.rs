//! Run-Length Encoded Shift-And (`rle-sa`).
//!
//! Pays on long patterns over small alphabets, which have long runs of one character.
//! Departures: we have seen the abstract of the paper and the beginning of its text, so the tables are ours.
//! The text is read run by run. Of a pattern with more than 64 runs the first 64 are searched for, and the
//! rest is verified where they occur. The paper asks for at least two distinct characters; one run is
//! searched for as well. One computation = one step: a run.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::{self, WORD, prefix_occurs, rest_occurs};

/// The searcher. The first run has the lowest bit.
#[derive(Default)]
pub struct RunLengthShiftAnd {
    /// For each byte, a 1 for its runs.
    mask: ByteTable<u64>,
    /// For each length, a 1 for the runs that a run of the text with this length can be: those of the same
    /// length, and the first one if it is shorter.
    fits: Table<u64>,
    /// The bit of the last run.
    last: u64,
    /// Length of the last run.
    last_length: usize,
    /// Length of the prefix.
    width: usize,
}

/// The bit of the first run.
const FIRST: u64 = 1;

impl Algorithm for RunLengthShiftAnd {
    const ABOUT: About = About {
        id: "rle-sa",
        name: "Run-Length Encoded Shift-And",
        reference: papers::RUN_LENGTH_ENCODED,
        status: Status::FromAbstract(
            "The abstract and the beginning of the text were seen; the tables are ours.",
        ),
        after: &["sa"],
        idea: "Shift-And with a bit for each run of one character, so that longer patterns fit a word.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 2 KiB, and 8 bytes for each length of a run",
        worst_case: "O(n) as long as 64 runs hold the pattern, else O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let runs = || pattern.chunk_by(|a, b| a == b).take(WORD);
        let lengths = || runs().map(<[u8]>::len);
        let (first, longest) = (lengths().next().unwrap_or(0), lengths().max().unwrap_or(0));
        self.width = lengths().sum();
        self.last_length = lengths().last().unwrap_or(0);
        self.last = FIRST << (runs().count() - 1);
        self.mask.fill(0);
        // One entry more, for all that are longer.
        self.fits.reset(longest + 2, 0);
        self.fits[first..].fill(FIRST);
        for (i, run) in runs().enumerate() {
            self.mask[run[0] as usize] |= FIRST << i;
            self.fits[run.len()] |= FIRST << i;
        }
        probe.table(&self.mask);
        probe.table(&self.fits);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, last) = (pattern.len(), text.len(), self.width, self.last);
        let (mask, fits) = (self.mask.view(probe), self.fits.view(probe));
        let longest = self.fits.len() - 1;
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        let (mut i, mut next, mut state) = (0, text.at(0), 0);
        probe.writes(2);
        while probe.branch(i < n) {
            let (start, character) = (i, next);
            i += 1;
            probe.writes(1);
            while probe.branch(
                i < n && {
                    next = text.at(i);
                    next == character
                },
            ) {
                i += 1;
                probe.writes(1);
            }
            let runs = (state << 1 | FIRST) & mask.at(character);
            probe.computes(1);
            if probe.branch(runs & last != 0) {
                // The last run ends with the text's or before; a pattern of one run, at each of its places.
                let mut end = start + self.last_length;
                let latest = if last == FIRST { i } else { end.min(i) };
                probe.writes(1);
                while prefix_occurs(end <= latest, width == m, probe) {
                    let s = end - width;
                    if probe.branch(s + m <= n) && rest_occurs(pattern, text, s, width, probe) {
                        found.at(s);
                    }
                    end += 1;
                    probe.writes(1);
                }
            }
            state = runs & fits.at((i - start).min(longest));
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm RunLengthShiftAnd);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_the_text_fits_those_of_its_length_and_the_first_if_that_is_shorter() {
        let mut searcher = RunLengthShiftAnd::default();
        searcher.prepare(b"aabaaabb", Off);
        let bits = |runs: &[usize]| runs.iter().fold(0, |bits, run| bits | FIRST << run);
        assert_eq!((searcher.width, searcher.last, searcher.last_length), (8, bits(&[3]), 2));
        assert_eq!(searcher.mask[b'a' as usize], bits(&[0, 2]));
        assert_eq!(*searcher.fits, [&[][..], &[1], &[0, 3], &[0, 2], &[0]].map(bits));
    }
}
