//! Scout (`scout`).
//!
//! Pays where the pattern has a character that is rare in the text: once it mismatches, it is searched for
//! alone, and nothing is prepared.
//! Departures: the authors' program also jumps where characters between the one that matched and the scout's
//! place are unknown; then it misses occurrences, for example `aabaaa` in `aaaabaabaaa`. Here it jumps only
//! over characters that the scout has seen. The program stops at the first occurrence; this search goes on at
//! the next window and keeps the scout. We have seen the program and the abstract, not the text of the paper.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct Scout;

impl Algorithm for Scout {
    const ABOUT: About = About {
        id: "scout",
        name: "Scout",
        reference: Reference {
            authors: &["A. Natrajan", "M. Anand"],
            title: "Scout Algorithm For Fast Substring Matching",
            arxiv: "2011.04010",
            year: 2020,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "The program and the abstract were seen; a jump with which the program misses \
                occurrences is left out.",
        ),
        after: &["bf"],
        idea: "Brute force whose character that mismatched runs ahead as a scout: to its next place in the \
            text the window moves.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    /// Scouts that were sent ahead, and windows that moved to the scout because its character matched before.
    const EXTRA: &'static [&'static str] = &["#scouts", "#leaps"];

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        let last = n - m;
        // The text has the scout's character at `place`, and nowhere from `seen` up to there.
        let (mut s, mut scout, mut seen, mut place) = (0, pattern.at(0), 0, 0);
        probe.writes(4);
        'windows: while probe.branch(s <= last) {
            let mut i = 0;
            probe.writes(1);
            while probe.branch(i < m) {
                let character = pattern.at(i);
                if !probe.branch(character == text.at(s + i)) {
                    break;
                }
                // If this character is the scout's, its next place in the text is where the scout stands.
                if probe.branch(character == scout && s + i + 1 >= seen && s + i + 1 < place) {
                    s = place - i;
                    probe.writes(1);
                    probe.jump();
                    probe.extra(1, || 1);
                    continue 'windows;
                }
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i == m) {
                found.at(s);
                s += 1;
                probe.writes(1);
                probe.jump();
                continue;
            }
            scout = pattern.at(i);
            seen = s + i;
            place = seen + 1;
            probe.writes(3);
            probe.extra(0, || 1);
            while probe.branch(place <= last + i && pattern.at(i) != text.at(place)) {
                place += 1;
                probe.writes(1);
            }
            s = place - i;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Scout);

#[cfg(test)]
mod tests {
    use assay_plugin_api::Checked;

    use super::*;

    #[test]
    fn an_occurrence_that_the_published_program_misses_is_found() {
        let mut found = Vec::new();
        let (pattern, text) = (Pattern::new(b"aabaaa", Checked), Text::new(b"aaaabaabaaa", Checked));
        Scout.search(pattern, text, &mut found, Checked);
        assert_eq!(found, [5]);
    }
}
