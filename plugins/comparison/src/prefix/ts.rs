//! Tailed Substring.
//!
//! Pays on larger alphabets without memory for a table of shifts: windows move by one until a single character matches.
//! Departures: none. Reads of that character are unchecked.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct TailedSubstring;

impl Algorithm for TailedSubstring {
    const ABOUT: About = About {
        id: "ts",
        name: "Tailed Substring",
        authors: "D. Cantone, S. Faro",
        year: 2004,
        reference: "Searching for a substring with constant extra-space complexity. FUN with Algorithms 2004, pp. 118-131",
        idea: "Finds, while it searches, the longest part of the pattern whose last character does not come before in it, and \
            shifts by its length where that character matches.",
        preparation_time: "none",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        // The longest part that is known, by its last character and its length; and the pattern's prefix in which each
        // window looks for a longer one.
        let (mut s, mut tail, mut length, mut prefix) = (0, m - 1, 1, m);
        probe.writes(4);
        while probe.branch(prefix > length && s <= n - m) {
            if probe.branch(!alike(s, prefix - 1)) {
                s += 1;
                probe.writes(1);
                probe.jump();
                continue;
            }
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            let part = part_with_tail(pattern, prefix - 1, probe);
            if probe.branch(part > length) {
                (tail, length) = (prefix - 1, part);
                probe.writes(2);
            }
            s += part;
            prefix -= 1;
            probe.writes(2);
            probe.jump();
        }
        assert!(tail < m, "the tail is one of the pattern's characters");
        while probe.branch(s <= n - m) {
            if probe.branch(!alike(s, tail)) {
                s += 1;
            } else {
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                s += length;
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Length of the longest part of the pattern that ends at `tail` and has its last character nowhere else.
#[cold]
#[inline(never)]
fn part_with_tail<P: Probe>(pattern: Pattern<P>, tail: usize, probe: P) -> usize {
    let mut i = tail;
    probe.writes(1);
    while probe.branch(i > 0 && pattern.at(i - 1) != pattern.at(tail)) {
        i -= 1;
        probe.writes(1);
    }
    tail + 1 - i
}

register!(algorithm TailedSubstring);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_goes_back_to_where_its_tail_comes_before() {
        let pattern = Pattern::new(b"abcab", Off);
        assert_eq!([0, 1, 2, 3, 4].map(|tail| part_with_tail(pattern, tail, Off)), [1, 2, 3, 3, 3]);
    }
}
