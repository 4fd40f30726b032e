//! Two-Way with last-byte table (`musl-tw`).
//!
//! Pays where Two Way does, on larger alphabets: windows are passed without a comparison if their last
//! character does not occur in the pattern, or only far from its end.
//! Departures: the table itself marks absent characters, instead of a set of bits beside it. Short patterns,
//! which the library hands to other code, are searched for as well, and the beginning of the text is not
//! searched for the first character. Reads are unchecked.

use assay_plugin_api::prelude::*;
use assay_shared::factorisation::{Factorisation, compare};
use assay_shared::papers;

use crate::shifts::fill_distances;

/// The searcher: a critical factorisation, and how far each byte's last occurrence in the pattern is from its
/// end.
#[derive(Default)]
pub struct LastByteTwoWay {
    parts: Factorisation,
    /// For a byte that does not occur in the pattern, the pattern's length.
    shift: ByteTable<u32>,
}

impl Algorithm for LastByteTwoWay {
    const ABOUT: About = About {
        id: "musl-tw",
        name: "Two-Way with last-byte table",
        reference: papers::MUSL_MEMMEM,
        status: Status::FromAuthorsProgram(
            "Written from musl's program; the table marks absent characters itself, and short patterns are \
                searched for as well.",
        ),
        after: &["tw"],
        idea: "Two Way that first looks up how far the window's last character is from where it matches.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(n)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.parts = Factorisation::new(pattern);
        fill_distances(&mut self.shift, pattern);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(self.parts.periodic) {
            self.scan::<true, P>(pattern, text, found, probe);
        } else {
            self.scan::<false, P>(pattern, text, found, probe);
        }
    }
}

impl LastByteTwoWay {
    #[inline(always)]
    fn scan<const PERIODIC: bool, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let parts = Factorisation { periodic: PERIODIC, ..self.parts };
        let (m, n, shifts) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(parts.fits(m) && m <= n, "prepared for another pattern");
        // The window's first `memory` characters are known to match: none of a pattern without a period.
        let (mut end, mut memory) = (m - 1, 0);
        let moves = || probe.writes(if PERIODIC { 2 } else { 1 });
        moves();
        while probe.branch(end < n) {
            // SAFETY: the condition.
            let shift = shifts.at(unsafe { text.at_unchecked(end) }) as usize;
            if probe.branch(shift > 0) {
                // Less than the memory would waste what is forgotten now.
                end += if PERIODIC { shift.max(memory) } else { shift };
                memory = 0;
                moves();
                probe.jump();
                continue;
            }
            // SAFETY: the factorisation fits, and the window ends at end < n, not before m - 1.
            end += unsafe { compare(&parts, end + 1 - m, &mut memory, (pattern, text), found, probe) };
            moves();
            probe.jump();
        }
    }
}

register!(algorithm LastByteTwoWay);
