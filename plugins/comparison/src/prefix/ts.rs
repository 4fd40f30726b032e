//! Tailed Substring (`ts`).
//!
//! Pays on larger alphabets without memory for a table of shifts: windows move by one until a single
//! character matches.
//! Departures: none. Each round tests this character of two windows. Reads are unchecked.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct TailedSubstring;

impl Algorithm for TailedSubstring {
    const ABOUT: About = About {
        id: "ts",
        name: "Tailed Substring",
        reference: Reference {
            authors: &["D. Cantone", "S. Faro"],
            title: "Searching for a substring with constant extra-space complexity",
            booktitle: "FUN with Algorithms 2004",
            pages: "118-131",
            year: 2004,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search, without a change."),
        after: &["bf", "hor"],
        idea: "Finds, while it searches, the longest part of the pattern whose last character does not come \
            before in it, and shifts by its length where that character matches.",
        preparation_time: "none",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        // The first window from the one at `s` on that has the pattern's character `i`, if one is left.
        let next = |s: usize, i: usize| {
            let (mut at, last) = (s + i, n - m + i);
            let differs = |at| {
                probe.branch(true);
                // SAFETY: windows begin at n - m at most, where m <= n, and i < m.
                let differs = probe.branch(unsafe { pattern.at_unchecked(i) != text.at_unchecked(at) });
                if differs {
                    probe.writes(1);
                    probe.jump();
                }
                differs
            };
            // Two windows a round.
            while at < last {
                if !differs(at) {
                    return Some(at - i);
                }
                if !differs(at + 1) {
                    return Some(at + 1 - i);
                }
                at += 2;
            }
            if at == last && !differs(at) {
                return Some(at - i);
            }
            probe.branch(false);
            None
        };
        // The longest part that is known, by its last character and its length; and the pattern's prefix in
        // which each window looks for a longer one.
        let (mut s, mut tail, mut length, mut prefix) = (0, m - 1, 1, m);
        probe.writes(4);
        while prefix > length {
            let Some(window) = next(s, prefix - 1) else { return };
            if pattern.occurs(text, window, 0..m) {
                found.at(window);
            }
            let part = part_with_tail(pattern, prefix - 1, probe);
            if probe.branch(part > length) {
                (tail, length) = (prefix - 1, part);
                probe.writes(2);
            }
            s = window + part;
            prefix -= 1;
            probe.writes(2);
            probe.jump();
        }
        probe.branch(false);
        assert!(tail < m, "the tail is one of the pattern's characters");
        while let Some(window) = next(s, tail) {
            if pattern.occurs(text, window, 0..m) {
                found.at(window);
            }
            s = window + length;
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
