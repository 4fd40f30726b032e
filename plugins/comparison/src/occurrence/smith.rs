//! Smith.
//!
//! Pays where the alphabet is small, and one of two shifts is more often a long one.
//! Departures: the characters of the pattern are not ordered by how rare they are, but compared from left to right. The last
//! window has no character behind it, so it is compared apart.

use assay_plugin_api::prelude::*;

use crate::shifts::fill_shifts;

/// The searcher: the shifts of Horspool and those of Quick Search.
#[derive(Default)]
pub struct Smith {
    /// By the window's last character.
    last: ByteTable<u32>,
    /// By the character behind the window.
    behind: ByteTable<u32>,
}

impl Algorithm for Smith {
    const ABOUT: About = About {
        id: "smith",
        name: "Smith",
        authors: "P. D. Smith",
        year: 1991,
        reference: "Experiments with a very fast substring search algorithm. Softw. Pract. Exp. 21(10):1065-1074, 1991",
        idea: "Takes the greater of Horspool's and Quick Search's shift.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.last, &pattern[..pattern.len() - 1]);
        fill_shifts(&mut self.behind, pattern);
        probe.table(&self.last);
        probe.table(&self.behind);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, behind) = (self.last.view(probe), self.behind.view(probe));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end + 1 < n) {
            let s = end + 1 - m;
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            end += last.at(text.at(end)).max(behind.at(text.at(end + 1))) as usize;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(end + 1 == n) && pattern.occurs(text, n - m, 0..m) {
            found.at(n - m);
        }
    }
}

register!(algorithm Smith);
