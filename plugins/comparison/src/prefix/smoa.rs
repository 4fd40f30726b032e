//! String Matching on Ordered Alphabets (`smoa`).
//!
//! Pays if the memory may not depend on the pattern, and no time may be spent on it before the search.
//! Departures: after the shift by a period, the character of the text that mismatched is known to match as
//! well, and is not compared again; after the last window there is no such character. Reads are unchecked.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct OrderedAlphabets;

impl Algorithm for OrderedAlphabets {
    const ABOUT: About = About {
        id: "smoa",
        name: "String Matching on Ordered Alphabets",
        reference: Reference {
            authors: &["M. Crochemore"],
            title: "String-matching on ordered alphabets",
            journal: "Theor. Comput. Sci.",
            volume: "92",
            number: "1",
            pages: "33-47",
            year: 1992,
            doi: "10.1016/0304-3975(92)90134-2",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; a character that is known to \
                match after a shift is not compared again, which is ours.",
        ),
        idea: "Shifts by the period of what was read of a window, or a lower bound of it, found through its \
            greatest suffix.",
        preparation_time: "none",
        space: "O(1)",
        worst_case: "O(n): 6n + 5 comparisons",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        // The window's first `i` characters match, and the greatest suffix of the first ones is known.
        let (mut s, mut i, mut suffix) = (0, 0, GreatestSuffix::OF_ONE);
        probe.writes(2 + GreatestSuffix::WRITES);
        while probe.branch(s <= n - m) {
            while probe.branch(i < m && alike(s, i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.branch(i == 0) {
                s += 1;
                probe.writes(1);
                probe.jump();
                continue;
            }
            if probe.verify(i == m) {
                found.at(s);
                if probe.branch(s == n - m) {
                    return;
                }
            }
            // With the character that mismatched, or the one after the window, which is in the text because
            // this is not the last window.
            let read = i + 1;
            // SAFETY: so it is.
            unsafe { suffix.extend(text, s, read, probe) };
            let GreatestSuffix { start, candidate, period, .. } = suffix;
            // SAFETY: the period is that of a suffix that begins at `start`, so start + period <= read.
            if probe.branch(start <= period && unsafe { repeats(text, s, start, period, probe) }) {
                s += period;
                i = read - period;
                if probe.branch(candidate - start > period) {
                    suffix.candidate -= period;
                    probe.writes(1);
                } else {
                    suffix = GreatestSuffix::OF_ONE;
                    probe.writes(GreatestSuffix::WRITES);
                }
            } else {
                // The period of what was read is greater than that.
                s += start.max(candidate.min(read - start)) + 1;
                (i, suffix) = (0, GreatestSuffix::OF_ONE);
                probe.computes(1);
                probe.writes(GreatestSuffix::WRITES);
            }
            probe.writes(2);
            probe.jump();
        }
    }
}

/// Whether the `length` characters of the text at `s` come again a period later.
///
/// # Safety
/// The text must have these characters.
#[inline(always)]
unsafe fn repeats<P: Probe>(text: Text<P>, s: usize, length: usize, period: usize, probe: P) -> bool {
    let mut i = 0;
    probe.writes(1);
    // SAFETY: the caller's promise.
    while probe.branch(i < length && unsafe { text.at_unchecked(s + i) == text.at_unchecked(s + period + i) })
    {
        i += 1;
        probe.writes(1);
    }
    i == length
}

/// The greatest suffix of a word that grows.
#[derive(Clone, Copy)]
struct GreatestSuffix {
    /// Where it begins.
    start: usize,
    /// Where a suffix begins that may become greater: whole periods after `start`.
    candidate: usize,
    /// How many of its characters are those of the greatest one.
    agreed: usize,
    /// The greatest suffix's period.
    period: usize,
}

impl GreatestSuffix {
    /// That of one character.
    const OF_ONE: Self = GreatestSuffix { start: 0, candidate: 1, agreed: 0, period: 1 };

    /// Variables that are set with it.
    const WRITES: u64 = 4;

    /// Goes on to that of the `length` characters of the text at `s`.
    ///
    /// # Safety
    /// They lie in the text.
    #[inline(always)]
    unsafe fn extend<P: Probe>(&mut self, text: Text<P>, s: usize, length: usize, probe: P) {
        // SAFETY: the suffix begins before the candidate, which ends before `length`.
        let at = |i| unsafe { text.at_unchecked(i) };
        while probe.branch(self.candidate + self.agreed < length) {
            let (old, new) = (at(s + self.start + self.agreed), at(s + self.candidate + self.agreed));
            if probe.branch(new == old) {
                if probe.branch(self.agreed + 1 == self.period) {
                    self.candidate += self.period;
                    self.agreed = 0;
                    probe.writes(2);
                } else {
                    self.agreed += 1;
                    probe.writes(1);
                }
            } else if probe.branch(new < old) {
                self.candidate += self.agreed + 1;
                self.agreed = 0;
                self.period = self.candidate - self.start;
                probe.writes(3);
            } else {
                *self =
                    GreatestSuffix { start: self.candidate, candidate: self.candidate + 1, ..Self::OF_ONE };
                probe.writes(Self::WRITES);
            }
        }
    }
}

register!(algorithm OrderedAlphabets);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_suffix_grows_with_the_word() {
        let word = b"abacabadabacabaca";
        let mut suffix = GreatestSuffix::OF_ONE;
        for length in 1..=word.len() {
            // SAFETY: the word has these characters.
            unsafe { suffix.extend(Text::new(word, Off), 0, length, Off) };
            let greatest = (0..length).max_by_key(|&start| &word[start..length]).unwrap();
            assert_eq!(suffix.start, greatest, "of {length}");
        }
    }
}
