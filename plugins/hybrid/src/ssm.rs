//! Al-Ssulami hybrid with a pivot (`ssm`).
//!
//! Pays where some character of the pattern comes back late in it: after each test, the window moves by that
//! distance at least.
//! Departures: of a pattern of one byte that byte is the pivot.

use assay_plugin_api::prelude::*;
use assay_shared::shifts::fill_shifts;

/// The searcher: Horspool's shifts, and the pivot, the position of the pattern that is farthest after the
/// one before it with the same character.
#[derive(Default)]
pub struct PivotHybrid {
    shift: ByteTable<u32>,
    pivot: usize,
    /// That distance, counted from before the pattern where the character is new.
    distance: usize,
}

impl Algorithm for PivotHybrid {
    const ABOUT: About = About {
        id: "ssm",
        name: "Al-Ssulami hybrid with a pivot",
        reference: Reference {
            authors: &["A. M. Al-Ssulami"],
            title: "Hybrid string matching algorithm with a pivot",
            journal: "J. Inf. Sci.",
            volume: "41",
            number: "1",
            pages: "82-88",
            year: 2015,
            doi: "10.1177/0165551514555668",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search; patterns of one byte are ours."),
        after: &["hor"],
        idea: "Horspool's shifts until the pivot matches, the character that comes back latest; then by that \
            distance if it is more.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        // For each byte, the position after its last one.
        let mut behind = [0; 256];
        self.distance = 0;
        for (i, &byte) in pattern.iter().enumerate() {
            let distance = i + 1 - std::mem::replace(&mut behind[byte as usize], i + 1);
            if distance >= self.distance {
                (self.pivot, self.distance) = (i, distance);
            }
        }
        fill_shifts(&mut self.shift, &pattern[..pattern.len() - 1]);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let (distance, byte, behind) = (self.distance, pattern.kept(self.pivot), m - 1 - self.pivot);
        // The window's last character.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            // SAFETY: the loop's condition, and `end` is m - 1 at least.
            let (last, pivot) = unsafe { (text.at_unchecked(end), text.at_unchecked(end - behind)) };
            let mut step = shift.at(last) as usize;
            if probe.branch(byte.equals(pivot)) {
                let s = end + 1 - m;
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                step = step.max(distance);
                probe.writes(1);
            }
            end += step;
            probe.writes(2);
            probe.jump();
        }
    }
}

register!(algorithm PivotHybrid);
