//! Improved Occurrence Matcher (`iom`).
//!
//! Pays on small alphabets, where Quick Search shifts little: a character further right allows more.
//! Departures: where the characters beyond the window don't lie in the text, shifts are those of Quick
//! Search. The window's last character is compared first, then the others from left to right.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::shifts::fill_shifts;

/// The searcher: for each byte, the shift by the character at a position after the window. This position is
/// as far right as the known last character of the window allows, because that character excludes all smaller
/// shifts.
#[derive(Default)]
pub struct ImprovedOccurrence {
    /// If the last character matched: its distance to its occurrence before in the pattern, and the shifts.
    again: (usize, ByteTable<u32>),
    /// If it did not match: the distance to another character before it in the pattern, and the shifts.
    other: (usize, ByteTable<u32>),
}

impl Algorithm for ImprovedOccurrence {
    const ABOUT: About = About {
        id: "iom",
        name: "Improved Occurrence Matcher",
        reference: papers::OCCURRENCE_HEURISTICS,
        status: Status::FromPaper("The paper's shifts; the order of the comparisons is ours."),
        after: &["qs"],
        idea: "Quick Search that looks further right for its shift, the further the more the window's last \
            character rules out.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/2m windows at best",
        ..About::UNKNOWN
    };

    /// Shifts go up to 2m.
    const NEEDS: Needs = Needs { max_pattern: i32::MAX as usize, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        let before = |wanted: bool| {
            let last = pattern[m - 1];
            pattern[..m - 1].iter().rev().position(|&byte| (byte == last) == wanted).map_or(m, |i| i + 1)
        };
        for (wanted, (distance, shift)) in [(true, &mut self.again), (false, &mut self.other)] {
            *distance = before(wanted);
            fill_shifts(shift, pattern);
            shift.iter_mut().for_each(|shift| *shift += *distance as u32 - 1);
            probe.table(shift);
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let ((again, again_shift), (other, other_shift)) = (&self.again, &self.other);
        let (again_shift, other_shift) = (again_shift.view(probe), other_shift.view(probe));
        let furthest = (*again).max(*other);
        let last = |end| pattern.at(m - 1) == text.at(end);
        let mut rest = |end| {
            if pattern.occurs(text, end + 1 - m, 0..m - 1) {
                found.at(end + 1 - m);
            }
        };
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end + furthest < n) {
            if probe.branch(last(end)) {
                rest(end);
                end += again_shift.at(text.at(end + again)) as usize;
            } else {
                end += other_shift.at(text.at(end + other)) as usize;
            }
            probe.writes(1);
            probe.jump();
        }
        while probe.branch(end < n) {
            if probe.branch(last(end)) {
                rest(end);
            }
            if probe.branch(end + 1 == n) {
                break;
            }
            end += other_shift.at(text.at(end + 1)) as usize - (other - 1);
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm ImprovedOccurrence);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_looked_at_is_the_nearest_that_the_last_one_does_not_decide() {
        let mut searcher = ImprovedOccurrence::default();
        for (pattern, again, other) in [(&b"abcb"[..], 2, 1), (b"abbb", 1, 3), (b"abcd", 4, 1), (b"aa", 1, 2)]
        {
            searcher.prepare(pattern, Off);
            assert_eq!((searcher.again.0, searcher.other.0), (again, other), "{}", pattern.escape_ascii());
        }
        searcher.prepare(b"abcb", Off);
        assert_eq!([b'b', b'c', b'a', b'x'].map(|byte| searcher.again.1[byte as usize]), [2, 3, 5, 6]);
    }
}
