//! Paired-byte Horspool of the GNU C Library (`glibc-h2`).
//!
//! Pays as a baseline: it is the method of glibc's `memmem` and `strstr`, which many programs call.
//! Departures: one search finds all occurrences, while the library's function must be called again after
//! each. One computation = the hash of a pair.

use assay_plugin_api::prelude::*;

use super::skip_two_way::SkipTwoWay;

/// The searcher: what the pattern's length asks for.
#[derive(Default)]
pub struct GlibcH2 {
    /// For each hash of a pair, the position of the second character of the last such pair in the pattern; 0
    /// if there is none.
    place: ByteTable<u8>,
    /// Distance from the last pair to the one before it with the same hash, or to the pattern's first
    /// character.
    after_match: usize,
    /// The pattern's length.
    length: usize,
    long: SkipTwoWay,
}

/// Longest pattern whose positions fit a byte.
const LONGEST: usize = 256;

impl Algorithm for GlibcH2 {
    const ABOUT: About = About {
        id: "glibc-h2",
        name: "Paired-byte Horspool of the GNU C Library",
        reference: Reference {
            authors: &["W. Dijkstra"],
            title: "memmem and strstr",
            howpublished: "GNU C Library",
            year: 2018,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Written from what the author's patches for newlib and glibc say of it, not from the source; the \
                year is from memory, and one search finds all occurrences.",
        ),
        after: &["hor", "tw"],
        idea: "Horspool by a hash of two bytes, eight bytes compared first; pairs rolled for m = 2, Two-Way \
            beyond m = 256.",
        preparation_time: "O(m)",
        space: "O(1): 256 bytes, or 1 KiB beyond m = 256",
        worst_case: "O(n): m is at most 256 where windows are compared again",
        average_case: "O(n/m)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let m = pattern.len();
        self.length = m;
        if m > LONGEST {
            self.long.prepare(pattern, probe);
        } else if m > 2 {
            self.place.fill(0);
            for i in 1..m - 1 {
                self.place[usize::from(hash([pattern[i - 1], pattern[i]]))] = i as u8;
            }
            let last = &mut self.place[usize::from(hash([pattern[m - 2], pattern[m - 1]]))];
            self.after_match = m - 1 - usize::from(*last);
            *last = (m - 1) as u8;
            probe.table(&self.place);
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        match pattern.len() {
            2 => pairs(pattern, text, found, probe),
            3..=LONGEST => self.hashed(pattern, text, found, probe),
            _ => self.long.search(pattern, text, found, probe),
        }
    }
}

impl GlibcH2 {
    fn hashed<P: Probe>(&self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, places) = (pattern.len(), text.len(), self.place.view(probe));
        assert_eq!(m, self.length, "the table of another pattern");
        // The windows' first eight characters are compared, until that was in vain: then others.
        let mut eight = (m >= 16).then(|| pattern.kept_gram::<8>(0));
        let (mut s, mut offset) = (0, 0);
        probe.writes(3);
        while probe.branch(s + m <= n) {
            // As if the last pair stood where the pattern begins, until there is one that the pattern has.
            let mut place = 0;
            probe.writes(1);
            while probe.branch(place == 0 && s + m <= n) {
                s += m - 1;
                probe.computes(1);
                // SAFETY: s was at most n - m before, and m >= 3.
                place =
                    usize::from(places.at(hash(unsafe { [text.at_unchecked(s - 1), text.at_unchecked(s)] })));
                probe.writes(2);
                // Where the last pair agrees, the window stays.
                if place < m - 1 {
                    probe.jump();
                }
            }
            s -= place;
            probe.writes(1);
            if probe.branch(place < m - 1) {
                continue;
            }
            // SAFETY: the window ends at n at most, and an offset is at most m - 8 where there is one.
            let read = || unsafe { text.gram_unchecked::<8>(s + offset) };
            if probe.branch(eight.is_none_or(|eight| eight.equals(read()))) {
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                if let Some(eight) = &mut eight {
                    offset = if offset >= 8 { offset } else { m - 1 } - 8;
                    *eight = pattern.kept_gram(offset);
                    probe.writes(2);
                }
            }
            s += self.after_match;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// A pair that is rolled through the text.
fn pairs<P: Probe>(pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
    let append = |pair: u16, byte: u8| pair << 8 | u16::from(byte);
    let wanted = append(append(0, pattern.at(0)), pattern.at(1));
    let (mut pair, mut i) = (u16::from(text.at(0)), 1);
    probe.writes(2);
    while probe.branch(i < text.len()) {
        probe.computes(1);
        pair = append(pair, text.at(i));
        if probe.verify(pair == wanted) {
            found.at(i - 1);
        }
        i += 1;
        probe.writes(2);
        probe.jump();
    }
}

/// The hash of two adjacent characters.
#[inline(always)]
fn hash([first, second]: [u8; 2]) -> u8 {
    second.wrapping_sub(first << 3)
}

register!(algorithm GlibcH2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_where_it_stands_last_and_after_it_where_it_stood_before() {
        let mut searcher = GlibcH2::default();
        searcher.prepare(b"abcabxab", Off);
        let place = |pair: &[u8; 2]| searcher.place[usize::from(hash(*pair))];
        assert_eq!([b"ab", b"xa", b"bc", b"zz"].map(place), [7, 6, 2, 0]);
        assert_eq!(searcher.after_match, 3);
    }
}
