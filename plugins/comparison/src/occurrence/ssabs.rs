//! SSABS (`ssabs`).
//!
//! Pays where Quick Search does; last and first character depend less on each other than neighbours do.
//! Departures: the last window has no character after it, so it is compared apart. Patterns of one byte need
//! no care: first and last character are the same one.

use assay_plugin_api::prelude::*;

use super::backward::occurs_backward;
use crate::shifts::fill_shifts;

/// The searcher: for each byte, the distance from its last occurrence in the pattern to the character after
/// the window.
#[derive(Default)]
pub struct Ssabs {
    shift: ByteTable<u32>,
}

impl Algorithm for Ssabs {
    const ABOUT: About = About {
        id: "ssabs",
        name: "SSABS",
        reference: Reference {
            authors: &["S. S. Sheik", "S. K. Aggarwal", "A. Poddar", "N. Balakrishnan", "K. Sekar"],
            title: "A FAST Pattern Matching Algorithm",
            journal: "J. Chem. Inf. Comput. Sci.",
            volume: "44",
            number: "4",
            pages: "1251-1256",
            year: 2004,
            doi: "10.1021/ci030463z",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search; the last window is compared apart."),
        after: &["qs", "raita"],
        idea: "Compares last and first character before the rest, and shifts as Quick Search.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.shift, pattern);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        // SAFETY: i < m, and windows are compared that end in the text.
        let alike = |s, i| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        let mut compare = |s| {
            if probe.branch(alike(s, m - 1) && alike(s, 0))
                && occurs_backward(pattern, text, s, 1..m - 1, probe)
            {
                found.at(s);
            }
        };
        // The place after the window.
        let mut after = m;
        probe.writes(1);
        while probe.branch(after < n) {
            compare(after - m);
            after += shift.at(text.at(after)) as usize;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(after == n) {
            compare(n - m);
        }
    }
}

register!(algorithm Ssabs);
