//! Volnitsky (`volnitsky`).
//!
//! Pays on large alphabets, in texts much longer than the time that the table of 64 KiB takes to empty.
//! Departures: a bigram is its own place in the table, and the next cells are tried in order; the author
//! leaves both open. One write is the place in the text, or that in the chain.

use assay_plugin_api::prelude::*;

/// The searcher: where each bigram may occur in the pattern, without saying which one it is.
#[derive(Default)]
pub struct Volnitsky {
    /// From a bigram's cell to the next empty one: places in the pattern, counted from 1. At most 255 cells
    /// are not empty.
    places: HashTable<u8, 16>,
}

impl Algorithm for Volnitsky {
    const ABOUT: About = About {
        id: "volnitsky",
        name: "Volnitsky",
        reference: Reference {
            authors: &["L. Volnitsky"],
            title: "Substring search algorithm",
            howpublished: "web page volnitsky.com/project/str_search",
            year: 2011,
            ..Reference::UNKNOWN
        },
        status: Status::FromAnotherImplementation(
            "Written from what ClickHouse says of its own search; the author's page was not seen, and the \
                order in which cells are tried is ours.",
        ),
        idea: "Places of all bigrams of the pattern in a hash table without keys; looks at a bigram every m \
            - 1 bytes.",
        preparation_time: "O(m^2), O(m) while few bigrams meet",
        space: "O(1): 64 KiB",
        worst_case: "O(m^2 n)",
        average_case: "O(n/m) while the pattern's bigrams are rare in the text",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, max_pattern: 256, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.places.fill(0);
        // From the last bigram on, so that a chain leads from the leftmost window to the right.
        for (i, pair) in pattern.windows(2).enumerate().rev() {
            let mut cell = usize::from(u16::from_le_bytes([pair[0], pair[1]]));
            while *self.places.at_mut(cell) != 0 {
                cell += 1;
            }
            *self.places.at_mut(cell) = (i + 1) as u8;
        }
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, places) = (pattern.len(), text.len(), self.places.view(probe));
        assert!((2..=256).contains(&m), "a pattern shorter or longer than bytes can tell places in");
        // The bigram that is looked at: each window holds just one of these.
        let mut i = m - 2;
        probe.writes(1);
        while probe.branch(i + 1 < n) {
            probe.computes(1);
            // SAFETY: i + 1 < n.
            let mut cell = unsafe { text.gram_unchecked::<2>(i) } as usize;
            let mut place = usize::from(places.at(cell));
            while probe.branch(place != 0) {
                // A position is at most m - 1, because the pattern has m - 1 bigrams.
                let s = i + 1 - place;
                if probe.branch(s <= n - m) && pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                cell += 1;
                place = usize::from(places.at(cell));
                probe.writes(2);
            }
            i += m - 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Volnitsky);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bigram_that_occurs_again_is_in_the_next_cell_and_cells_go_on_at_the_front() {
        let mut searcher = Volnitsky::default();
        searcher.prepare(b"abab", Off);
        let at = usize::from(u16::from_le_bytes(*b"ab"));
        assert_eq!(searcher.places[at..at + 3], [3, 1, 0]);
        searcher.prepare(&[255; 4], Off);
        assert_eq!((searcher.places[65535], &searcher.places[..3]), (3, &[2, 1, 0][..]));
    }
}
