//! Go bytes.Index (`go-index16`, `go-index32`).
//!
//! Pays where the pattern's first character is rare in the text; where it is not, little time is lost before
//! another search takes over.
//! Departures: one search finds all occurrences, and counts its failures from the beginning of the text,
//! while the library's function must be called again after each. Windows are compared by words also where Go
//! has SSE4.2, whose instruction searches 16 characters at once for fewer than 12. One computation = one step
//! of the hash.

use assay_plugin_api::prelude::*;
use assay_shared::candidates::first_character;
use assay_shared::vector::{Kernel, Vector, with_registers};

/// The searcher, with registers of `WIDTH` bytes: what rolling the hash of a long pattern needs.
#[derive(Default)]
pub struct GoIndex<const WIDTH: usize> {
    /// The pattern's hash.
    hash: u32,
    /// The base to the power of m: the weight of the character that leaves the window.
    weight: u32,
}

/// The base of the hash. This and the limits are Go's.
const BASE: u32 = 16_777_619;

/// Longest text in which the windows of a short pattern are compared from the beginning.
const SMALL: usize = 64;

impl<const WIDTH: usize> GoIndex<WIDTH> {
    /// Longest pattern whose windows are compared by words, which are two registers then.
    const SHORT: usize = 2 * WIDTH - 1;

    /// Whether this number of failures is too great before the window at `s`.
    #[inline(always)]
    fn gives_up(m: usize, s: usize, failures: usize) -> bool {
        if m <= Self::SHORT { failures > (s + 16) / 8 } else { failures >= 4 + (s >> 4) }
    }
}

impl<const WIDTH: usize> Algorithm for GoIndex<WIDTH> {
    const ABOUT: About = About {
        id: "go-index",
        name: "Go bytes.Index",
        reference: Reference {
            authors: &["The Go authors"],
            title: "Packages bytes and internal/bytealg",
            howpublished: "Go, 2018",
            url: "https://github.com/golang/go/blob/master/src/bytes/bytes.go",
            year: 2018,
            note: "after Karp, Rabin",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "The program was seen; the SSE4.2 instruction for fewer than 12 characters is left \
                out, and in which year which part came is unknown.",
        ),
        after: &["kr"],
        idea: "Jumps from one first character to the next; after too many failures compares each window by \
            words, or rolls a hash.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs {
        cpu: match WIDTH {
            32 => &["avx2", "popcnt"],
            _ => &[],
        },
        ..Needs::NOTHING
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        self.hash = pattern.iter().fold(0, |hash, &byte| append(hash, byte));
        self.weight = pattern.iter().fold(1, |weight: u32, _| weight.wrapping_mul(BASE));
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        if probe.branch(m > 1 && m <= Self::SHORT && n <= SMALL) {
            by_words(0, pattern, text, found, probe);
        } else {
            with_registers::<WIDTH>(FirstCharacters { searcher: self, pattern, text, found, probe });
        }
    }
}

/// The search from one occurrence of the first character to the next, until too few windows are excluded.
struct FirstCharacters<'a, 'f, const WIDTH: usize, P, F> {
    searcher: &'a GoIndex<WIDTH>,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<const WIDTH: usize, P: Probe, F: Found> Kernel for FirstCharacters<'_, '_, WIDTH, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let FirstCharacters { searcher, pattern, text, found, probe } = self;
        let (m, n) = (pattern.len(), text.len());
        let windows = n + 1 - m;
        let alike = |s: usize, i: usize| pattern.at(i) == text.at(s + i);
        let (mut s, mut failures) = (0, 0);
        probe.writes(2);
        while probe.branch(s < windows) {
            if probe.branch(!alike(s, 0)) {
                // SAFETY: of the trait; s < windows <= n.
                s = unsafe { first_character::<V, P>(pattern, text, s + 1, windows, probe) };
                probe.writes(1);
                probe.jump();
                if probe.branch(s >= windows) {
                    return;
                }
            }
            let occurs = if m == 1 {
                probe.verify(true)
            } else {
                probe.branch(alike(s, 1)) && pattern.occurs(text, s, 0..m)
            };
            if occurs {
                found.at(s);
            } else {
                failures += 1;
                probe.writes(1);
            }
            s += 1;
            probe.writes(1);
            probe.jump();
            if probe.branch(!occurs && s < windows && GoIndex::<WIDTH>::gives_up(m, s, failures)) {
                return if probe.branch(m <= GoIndex::<WIDTH>::SHORT) {
                    by_words(s, pattern, text, found, probe);
                } else {
                    searcher.by_hash(s, pattern, text, found, probe);
                };
            }
        }
    }
}

/// Compares the windows from `s` on, each by the longest word that fits into the pattern: its first
/// characters, then its last ones.
#[inline(always)]
fn by_words<P: Probe>(s: usize, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
    match pattern.len() {
        2..4 => by_words_of::<2, P>(s, pattern, text, found, probe),
        4..8 => by_words_of::<4, P>(s, pattern, text, found, probe),
        8..16 => by_words_of::<8, P>(s, pattern, text, found, probe),
        16..32 => by_words_of::<16, P>(s, pattern, text, found, probe),
        _ => by_words_of::<32, P>(s, pattern, text, found, probe),
    }
}

#[inline(always)]
fn by_words_of<const LENGTH: usize, P: Probe>(
    mut s: usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    assert!((LENGTH..2 * LENGTH).contains(&m) && m <= n, "a pattern of another length");
    // SAFETY: called for windows, and a word of one of its two ends.
    let alike = |s: usize, i: usize| unsafe {
        let word: [u8; LENGTH] = std::array::from_fn(|k| pattern.at_unchecked(i + k));
        word == text.block_unchecked::<LENGTH>(s + i)
    };
    probe.writes(1);
    while probe.branch(s <= n - m) {
        let occurs = if m == LENGTH {
            probe.verify(alike(s, 0))
        } else {
            probe.branch(alike(s, 0)) && probe.verify(alike(s, m - LENGTH))
        };
        if occurs {
            found.at(s);
        }
        s += 1;
        probe.writes(1);
        probe.jump();
    }
}

impl<const WIDTH: usize> GoIndex<WIDTH> {
    /// Karp-Rabin from the window at `s` on, which must be there.
    fn by_hash<P: Probe>(
        &self,
        mut s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, weight) = (pattern.len(), text.len(), self.weight);
        let mut hash = (s..s + m).fold(0, |hash, i| {
            probe.computes(1);
            probe.writes(1);
            append(hash, text.at(i))
        });
        probe.writes(1);
        loop {
            if probe.branch(hash == self.hash) && pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            if !probe.branch(s < n - m) {
                return;
            }
            hash = append(hash, text.at(s + m)).wrapping_sub(weight.wrapping_mul(u32::from(text.at(s))));
            s += 1;
            probe.computes(1);
            probe.writes(2);
            probe.jump();
        }
    }
}

/// The hash of a text that is longer by one character.
#[inline(always)]
fn append(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(BASE).wrapping_add(u32::from(byte))
}

register!(algorithm GoIndex, w: [16, 32]);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::probe::CountingReading;
    use assay_plugin_api::testing::{Candidate, Subject};
    use assay_plugin_api::{Checked, Field, testing::search};

    /// Patterns of all classes of length, each with enough failures that the search is given up.
    #[test]
    fn occurrences_are_found_before_and_after_the_search_for_first_characters_is_given_up() {
        for m in [2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 200] {
            let pattern = [&vec![b'a'; m - 1][..], b"b"].concat();
            let near = [&vec![b'a'; m - 1][..], b"c"].concat();
            let text =
                [&b"xyz".repeat(9)[..], &pattern, &near.repeat(90), &pattern, &near, &pattern].concat();
            let expected: Vec<_> =
                (0..=text.len() - m).filter(|&s| text[s..].starts_with(&pattern)).collect();
            assert_eq!(expected.len(), 3);
            assert_eq!(search::<GoIndex<16>, Checked>(&pattern, &text), Ok(expected), "{m}");
        }
    }

    #[test]
    fn a_long_pattern_is_left_to_the_hash_after_one_failure_in_16_windows() {
        assert!(!GoIndex::<16>::gives_up(32, 16, 4) && GoIndex::<16>::gives_up(32, 16, 5));
        assert!(!GoIndex::<16>::gives_up(31, 16, 4) && GoIndex::<16>::gives_up(31, 16, 5));
        let (pattern, text) = ([&[b'a'; 99][..], b"b"].concat(), [b'a'; 1000]);
        let mut subject = Subject::<GoIndex<16>, CountingReading>::default();
        subject.prepare(&pattern, &text).unwrap().count(&text).unwrap();
        // Four failures, then the hash of the window at 4 and those after it.
        let computations = subject.measurements().fields[Field::Computations as usize];
        assert_eq!(computations, Some(1000 - 4));
    }
}
