//! Ahmed-Kaykobad-Chowdhury (`akc`).
//!
//! Pays if reading the text is expensive, because no character of it is compared twice.
//! Departures: of the paper its abstract was seen, and what a bibliography says of it: all suffixes of the
//! pattern that were found in the text are remembered, and the shift at the end of each window fits them. Its
//! bounds hold (at most n comparisons, tables of O(m+s)), but the way of finding the shift is ours. The known
//! part of the window is kept as suffixes of the pattern, each with the character that mismatched before it:
//! where such a suffix ends, the pattern must have one of the same length after the same character.
//! Candidates are the places in the pattern where the last of them comes again, from right to left, then its
//! borders.

use assay_plugin_api::prelude::*;

use super::good_suffixes::suffix_lengths;

/// The searcher: where the pattern has its suffixes again, and what is known of the window.
#[derive(Default)]
pub struct AhmedKaykobadChowdhury {
    /// For each byte but the pattern's last, where it occurs last in the pattern, counted from 1; 0 where it
    /// does not.
    last: ByteTable<u32>,
    places: Table<Place>,
    /// What windows ended with, the newest after all others; by its number modulo a power of two.
    known: Table<Known>,
    /// For each place of the pattern, the length of the longest suffix that ends there; used by the
    /// preparation alone.
    suffix: Table<u32>,
}

/// Of a place in the pattern, and of a length.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The length of the longest suffix that ends just before this place.
    suffix: u32,
    /// The place before it with the same suffix, or where there is none, with the same character before it; 0
    /// is none.
    previous: u32,
    /// The last place with a suffix of this length; 0 where there is none.
    last: u32,
    /// The length of the pattern's longest border that is not longer than this length, and not the pattern
    /// itself.
    border: u32,
}

/// A suffix of the pattern in the text, and another character before it than in the pattern.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The place after it.
    end: usize,
    length: u32,
    before: u8,
}

impl Algorithm for AhmedKaykobadChowdhury {
    const ABOUT: About = About {
        id: "akc",
        name: "Ahmed-Kaykobad-Chowdhury",
        reference: Reference {
            authors: &["M. Ahmed", "M. Kaykobad", "R. A. Chowdhury"],
            title: "A New String Matching Algorithm",
            journal: "Int. J. Comput. Math.",
            volume: "80",
            number: "7",
            pages: "825-834",
            year: 2003,
            doi: "10.1080/0020716031000087113",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract was seen, and what a bibliography says of it; how the shift is found is ours.",
        ),
        after: &["ag"],
        idea: "Moves the window to where all that is known of the text fits the pattern, and compares only \
            what is not known.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 32 to 48 bytes for each of m, and 1 KiB",
        worst_case: "O(mn): n comparisons of text characters, but up to m known suffixes for each shift",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    /// Shifts that did not fit what was known.
    const EXTRA: &'static [&'static str] = &["#unfit"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        suffix_lengths(pattern, &mut self.suffix);
        let suffix = &self.suffix;
        self.last.fill(0);
        self.places.reset(m + 1, Place::default());
        for place in 1..m {
            let length = suffix[place - 1];
            self.places[place].suffix = length;
            // A suffix that begins the pattern is a border.
            let last = if length == 0 {
                &mut self.last[pattern[place - 1] as usize]
            } else if length < place as u32 {
                &mut self.places[length as usize].last
            } else {
                continue;
            };
            self.places[place].previous = std::mem::replace(last, place as u32);
        }
        self.places[m].suffix = m as u32;
        for length in 1..=m {
            let border = length < m && suffix[length - 1] as usize == length;
            self.places[length].border = if border { length as u32 } else { self.places[length - 1].border };
        }
        // One more than a window has room for: the search for older ones ends there.
        self.known.reset((m + 1).next_power_of_two(), Known::default());
        probe.table(&self.last);
        probe.table(&self.places);
        probe.table(&self.known);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let slots = self.known.len() - 1;
        // `count` suffixes are known. Those that lie before the window are of no use.
        let (mut s, mut count) = (0, 0_usize);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            // What begins at `i` has matched, or is known to match.
            let (mut i, mut mismatched) = (m, 0);
            probe.writes(1);
            while probe.branch(i > 0) {
                if probe.branch(count > 0) {
                    let known = self.known.view(probe).at((count - 1) & slots);
                    if probe.branch(known.end == s + i) {
                        i = i.saturating_sub(known.length as usize + 1);
                        count -= 1;
                        probe.writes(2);
                        continue;
                    }
                }
                mismatched = text.at(s + i - 1);
                if probe.branch(pattern.at(i - 1) != mismatched) {
                    break;
                }
                i -= 1;
                probe.writes(1);
            }
            if probe.verify(i == 0) {
                found.at(s);
            }
            let newest = Known { end: s + m, length: (m - i) as u32, before: mismatched };
            let shift = self.shift(s, count, newest, pattern, probe);
            self.known[count & slots] = newest;
            count += 1;
            s += shift;
            probe.writes(3);
            probe.jump();
        }
    }
}

impl AhmedKaykobadChowdhury {
    /// How far the window at `s` moves, which ended with `newest`; `count` older ones are known besides.
    #[inline(always)]
    fn shift<P: Probe>(&self, s: usize, count: usize, newest: Known, pattern: Pattern<P>, probe: P) -> usize {
        let (m, length) = (pattern.len(), newest.length as usize);
        let places = self.places.view(probe);
        let fits = |place: usize| {
            let shift = m - place;
            let fits = self.fit(s + shift, count, pattern, probe);
            probe.extra(0, || u64::from(!fits));
            fits
        };
        let mut place = if probe.branch(length == 0) {
            self.last.view(probe).at(newest.before)
        } else {
            places.at(length).last
        } as usize;
        probe.writes(1);
        while probe.branch(place > 0) {
            if probe.branch((length == 0 || pattern.at(place - length - 1) == newest.before) && fits(place)) {
                return m - place;
            }
            place = places.at(place).previous as usize;
            probe.writes(1);
        }
        place = places.at(length).border as usize;
        probe.writes(1);
        while probe.branch(place > 0 && !fits(place)) {
            place = places.at(place - 1).border as usize;
            probe.writes(1);
        }
        m - place
    }

    /// Whether what is known of the window at `s` fits the pattern.
    #[inline(always)]
    fn fit<P: Probe>(&self, s: usize, mut count: usize, pattern: Pattern<P>, probe: P) -> bool {
        let (places, slots) = (self.places.view(probe), self.known.len() - 1);
        while probe.branch(count > 0) {
            count -= 1;
            let Known { end, length, before } = self.known.view(probe).at(count & slots);
            if probe.branch(end <= s) {
                break;
            }
            let place = end - s;
            let suffix = places.at(place).suffix as usize;
            probe.writes(1);
            let same = if (length as usize) < place {
                suffix == length as usize && pattern.at(place - suffix - 1) == before
            } else {
                suffix == place
            };
            if probe.branch(!same) {
                return false;
            }
        }
        true
    }
}

register!(algorithm AhmedKaykobadChowdhury);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Counters, Counting, Field};

    #[test]
    fn no_character_of_the_text_is_compared_twice() {
        let text: Vec<u8> = (0..2000_u32).map(|i| b'a' + (i.count_ones() % 3 % 2) as u8).collect();
        for pattern in [&text[100..101], &text[300..307], &text[500..540], b"aaaa", b"abab", b"aab"] {
            let mut searcher = AhmedKaykobadChowdhury::default();
            searcher.prepare(pattern, Off);
            let (counters, mut found) = (Counters::default(), 0);
            let probe = Counting::new(&counters);
            struct Number<'a>(&'a mut u64);
            impl Found for Number<'_> {
                fn at(&mut self, _: usize) {
                    *self.0 += 1;
                }
            }
            searcher.search(
                Pattern::new(pattern, probe),
                Text::new(&text, probe),
                &mut Number(&mut found),
                probe,
            );
            assert!(counters.get(Field::TextBytesRead) <= text.len() as u64);
            assert_eq!(
                found as usize,
                text.windows(pattern.len()).filter(|window| *window == pattern).count()
            );
        }
    }
}
