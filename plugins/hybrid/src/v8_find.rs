//! V8 string search (`v8-find`).
//!
//! Pays where little is known of pattern and text: each stage prepares more than the one before it, and
//! begins only where that one does badly.
//! Departures: all tables are prepared before the search, where V8 fills them when a stage begins; one search
//! finds all occurrences, with one count of its work, while V8 begins a new count in each call. Characters of
//! two bytes are left out.

use assay_plugin_api::prelude::*;
use assay_shared::candidates::first_character;
use assay_shared::vector::{Kernel, Vector, with_registers};

use crate::escalation::Escalation;

/// The searcher: what the later stages need.
#[derive(Default)]
pub struct V8Find {
    stages: Escalation,
}

/// Shortest pattern for which there are later stages. A shorter one never shifts far enough. This and the
/// other limits are V8's.
pub(crate) const STAGED: usize = 7;

impl Algorithm for V8Find {
    const ABOUT: About = About {
        id: "v8-find",
        name: "V8 string search",
        reference: Reference {
            authors: &["The V8 project authors"],
            title: "src/strings/string-search.h",
            howpublished: "V8, 2011",
            url: "https://github.com/v8/v8/blob/main/src/strings/string-search.h",
            year: 2011,
            note: "after Horspool, Boyer and Moore",
            ..Reference::UNKNOWN
        },
        status: Status::FromAnotherImplementation(
            "A copy of the program in WebKit of 2024 was seen, not V8's own file.",
        ),
        after: &["bm", "hor"],
        idea: "Jumps from one first character to the next, then Horspool, then Boyer-Moore, each begun where \
            the one before has worked too much.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB and tables of at most 250 characters",
        worst_case: "O(mn)",
        average_case: "O(n), O(n/m) after the first stage",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.stages.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        with_registers::<0>(FirstStage { stages: &self.stages, pattern, text, found, probe });
    }
}

/// The search from one occurrence of the first character to the next.
struct FirstStage<'a, 'f, P, F> {
    stages: &'a Escalation,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<P: Probe, F: Found> Kernel for FirstStage<'_, '_, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let FirstStage { stages, pattern, text, found, probe } = self;
        let (m, staged) = (pattern.len(), pattern.len() >= STAGED);
        let windows = text.len() + 1 - m;
        // Characters that were compared and calls that were made, less a bonus.
        let mut badness = -10 - 4 * m as isize;
        let mut s = 0;
        probe.writes(2);
        while probe.branch(s < windows) {
            if staged {
                badness += 1;
                probe.writes(1);
                if probe.branch(badness > 0) {
                    return stages.search(s, pattern, text, found, probe);
                }
            }
            // SAFETY: of the trait; s < windows, of which there are as many as characters at most.
            let next = unsafe { first_character::<V, P>(pattern, text, s, windows, probe) };
            if next > s {
                probe.jump();
            }
            s = next;
            probe.writes(1);
            if probe.branch(s >= windows) {
                return;
            }
            let mut i = 1;
            probe.writes(1);
            while probe.branch(i < m && pattern.at(i) == text.at(s + i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i >= m) {
                found.at(s);
            } else if staged {
                badness += i as isize;
                probe.writes(1);
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm V8Find);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Checked, testing::search};

    /// Texts in which each stage finds some of the occurrences, with patterns that have a period, and longer
    /// ones than the tables.
    #[test]
    fn each_stage_finds_what_the_one_before_it_has_left() {
        for unit in [&b"a"[..], b"ab", b"aab", b"abcabcabd"] {
            for m in [7, 20, 250, 251, 600] {
                for broken in [0, m / 3, m - 2, m] {
                    let mut pattern: Vec<u8> = unit.iter().copied().cycle().take(m).collect();
                    if let Some(byte) = pattern.get_mut(broken) {
                        *byte = b'x';
                    }
                    let uniform: Vec<u8> = unit.iter().copied().cycle().take(3000).collect();
                    let text = [&pattern[..], &[b'z'; 90], &pattern, &uniform, &pattern, &uniform, &pattern]
                        .concat();
                    let expected: Vec<_> =
                        (0..=text.len() - m).filter(|&s| text[s..].starts_with(&pattern)).collect();
                    assert_eq!(search::<V8Find, Checked>(&pattern, &text), Ok(expected), "{m}, {broken}");
                }
            }
        }
    }
}
