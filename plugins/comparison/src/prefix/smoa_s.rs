//! Crochemore's algorithm simplified (`smoa-s`).
//!
//! Pays on patterns too long to be prepared, where no memory may depend on their length.
//! Departures: of the paper's algorithms, the first, which searches for the whole pattern. Of the paper its
//! abstract was seen. A program by others (rmatch) for the authors' string range matching, which is built on
//! the same search, updates the greatest suffix and shifts as this does. Reads are unchecked.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct SimplifiedCrochemore;

impl Algorithm for SimplifiedCrochemore {
    const ABOUT: About = About {
        id: "smoa-s",
        name: "Crochemore's algorithm simplified",
        reference: Reference {
            authors: &["J. Kärkkäinen", "D. Kempa", "S. J. Puglisi"],
            title: "Crochemore's String Matching Algorithm: Simplification, Extensions, Applications",
            booktitle: "PSC 2013",
            year: 2013,
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract was seen and the paper was not; how the greatest suffix is updated is our reading.",
        ),
        after: &["smoa"],
        idea: "Keeps the greatest suffix of the matched prefix; shifts by its period if that is the prefix's \
            and short, else by a third of the prefix.",
        preparation_time: "none",
        space: "O(1)",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        // The window's first `i` characters match. Their greatest suffix begins at `start` and has the period
        // `period`.
        let (mut s, mut i, mut start, mut period) = (0, 0, 0, 1);
        probe.writes(4);
        while probe.branch(s <= n - m) {
            while probe.branch(i < m && alike(s, i)) {
                i += 1;
                probe.writes(1);
                if probe.branch(i > 1) {
                    (start, period) = with_last(pattern, i, start, period, probe);
                }
            }
            if probe.verify(i == m) {
                found.at(s);
            }
            if probe.branch(3 * period <= i && pattern_repeats(pattern, start, period, probe)) {
                // The rest has the same greatest suffix, shorter by a period.
                s += period;
                i -= period;
                probe.writes(2);
            } else {
                s += i / 3 + 1;
                (i, start, period) = (0, 0, 1);
                probe.computes(1);
                probe.writes(4);
            }
            probe.jump();
        }
    }
}

/// Whether the pattern's first `length` characters come again a period later.
#[inline(always)]
fn pattern_repeats<P: Probe>(pattern: Pattern<P>, length: usize, period: usize, probe: P) -> bool {
    let mut i = 0;
    probe.writes(1);
    while probe.branch(i < length && pattern.at(i) == pattern.at(period + i)) {
        i += 1;
        probe.writes(1);
    }
    i == length
}

/// The greatest suffix of the pattern's first `length` characters, at least two, from that of all but the
/// last of them.
#[inline(always)]
fn with_last<P: Probe>(
    pattern: Pattern<P>,
    length: usize,
    mut start: usize,
    mut period: usize,
    probe: P,
) -> (usize, usize) {
    let mut i = length - 1;
    probe.writes(1);
    while probe.branch(i < length) {
        let (old, new) = (pattern.at(i - period), pattern.at(i));
        if probe.branch(new > old) {
            // What was read of an unfinished period is greater with this character, and is looked through
            // again.
            i -= (i - start) % period;
            (start, period) = (i, 1);
            probe.computes(1);
            probe.writes(3);
        } else if probe.branch(new < old) {
            period = i + 1 - start;
            probe.writes(1);
        }
        i += 1;
        probe.writes(1);
    }
    (start, period)
}

register!(algorithm SimplifiedCrochemore);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_suffix_grows_with_the_prefix() {
        let word = b"abacabadabacabacabacab";
        let (mut start, mut period) = (0, 1);
        for length in 2..=word.len() {
            (start, period) = with_last(Pattern::new(word, Off), length, start, period, Off);
            let prefix = &word[..length];
            let greatest = (0..length).max_by_key(|&start| &prefix[start..]).unwrap();
            let suffix = &prefix[greatest..];
            let shortest = (1..=suffix.len()).find(|&p| suffix[p..] == suffix[..suffix.len() - p]).unwrap();
            assert_eq!((start, period), (greatest, shortest), "of {length}");
        }
    }
}
