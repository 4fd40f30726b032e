//! Raita: Horspool that compares the window's last, first and middle character before the rest.
//!
//! Pays on natural language, where neighbouring characters depend on each other, so that distant ones tell more.
//! Preparation O(m + s), 1 KiB of table; O(mn) in the worst case, as many windows as Horspool.
//!
//! Source: T. Raita, Tuning the Boyer-Moore-Horspool string searching algorithm, Software: Practice and Experience
//! 22(10):879-884, 1992.
//! Departure: patterns of one byte, which the paper leaves out, need no care here: all three characters are the same one.

use assay_plugin_api::{
    About, Algorithm, ByteTable, CannotSearch, Found, Hints, Needs, Pattern, Probe, Text, register,
};

use crate::occurrence::fill_shifts;

/// The searcher: for each byte, the distance from its last occurrence in the pattern's first m - 1 bytes to the end.
#[derive(Default)]
pub struct Raita {
    shift: ByteTable<u32>,
}

impl Algorithm for Raita {
    const ABOUT: About = About {
        id: "raita",
        name: "Raita",
        authors: "T. Raita",
        year: 1992,
        reference: "Tuning the Boyer-Moore-Horspool string searching algorithm. Softw. Pract. Exp. 22(10):879-884, 1992",
        doi: "10.1002/spe.4380221006",
        family: "comparison-occurrence",
        idea: "Horspool that compares last, first and middle character before the rest.",
        preparation_time: "O(m+s)",
        space: "O(s)",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    /// Windows in which all three characters matched.
    const EXTRA: &'static [&'static str] = &["#three"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: Hints<'_>, probe: P) -> Result<(), CannotSearch> {
        fill_shifts(&mut self.shift, &pattern[..pattern.len() - 1]);
        probe.table(&self.shift);
        Ok(())
    }

    fn search<P: Probe>(
        &mut self,
        pattern: Pattern<'_, P>,
        text: Text<'_, P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let (first, middle, last) = (pattern.at(0), pattern.at(m / 2), pattern.at(m - 1));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(4);
        while probe.branch(end < n) {
            let s = end + 1 - m;
            let byte = text.at(end);
            probe.writes(1);
            if probe.branch(byte == last && first == text.at(s) && middle == text.at(s + m / 2)) {
                probe.extra(0, || 1);
                let mut i = 1;
                probe.writes(1);
                while probe.branch(i + 1 < m && pattern.at(i) == text.at(s + i)) {
                    i += 1;
                    probe.writes(1);
                }
                if probe.verify(i + 1 >= m) {
                    found.at(s);
                }
            }
            end += shift.at(byte) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Raita);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::testing;

    #[test]
    fn finds_what_a_naive_search_finds() {
        testing::check::<Raita>();
    }
}
