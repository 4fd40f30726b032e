//! Boyer-Moore: the window is compared from right to left; a mismatch shifts it by the greater of what the mismatched
//! text character and the matched suffix allow.
//!
//! Pays on long patterns and larger alphabets, where most of the text is never read. Preparation O(m + s), 4 (m + 1) bytes
//! and 1 KiB of tables; O(mn) in the worst case (3n comparisons where the pattern does not occur), O(n/m) at best.
//!
//! Source: R. S. Boyer and J. S. Moore, A fast string searching algorithm, Communications of the ACM 20(10):762-772, 1977.
//! Departures: the good suffix rule is the strong one of D. E. Knuth, J. H. Morris and V. R. Pratt (1977): the suffix must
//! come again after *another* character. No fast loop on the last character: see
//! [`tuned_boyer_moore`](crate::tuned_boyer_moore) for that. After an occurrence the pattern's period is the shift.

use assay_plugin_api::{
    About, Algorithm, ByteTable, CannotSearch, Found, Hints, Needs, Pattern, Probe, Table, Text, register,
};

/// The searcher: both shift tables.
#[derive(Default)]
pub struct BoyerMoore {
    /// For each byte, where it occurs last in the pattern, counted from 1; 0 where it does not.
    last: ByteTable<u32>,
    /// For each suffix, by where it begins: the shift after it has matched and the character before it has not.
    good_suffix: Table<u32>,
    /// For each suffix, where its longest border begins; used by the preparation alone.
    border: Vec<usize>,
}

impl Algorithm for BoyerMoore {
    const ABOUT: About = About {
        id: "bm",
        name: "Boyer-Moore",
        authors: "R. S. Boyer, J. S. Moore",
        year: 1977,
        reference: "A fast string searching algorithm. Commun. ACM 20(10):762-772, 1977",
        doi: "10.1145/359842.359859",
        family: "comparison-suffix",
        idea: "Compares from right to left; shifts by the greater of bad-character and good-suffix rule.",
        preparation_time: "O(m+s)",
        space: "O(m+s)",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    /// Shifts in which the bad character rule reached further, and the others after a mismatch.
    const EXTRA: &'static [&'static str] = &["#bad", "#good"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: Hints<'_>, probe: P) -> Result<(), CannotSearch> {
        self.last.fill(0);
        for (place, &byte) in (1..).zip(pattern) {
            self.last[byte as usize] = place;
        }
        self.prepare_good_suffix(pattern);
        probe.table(&self.last);
        probe.table(&self.good_suffix);
        Ok(())
    }

    fn search<P: Probe>(
        &mut self,
        pattern: Pattern<'_, P>,
        text: Text<'_, P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        let (last, good_suffix) = (self.last.view(probe), self.good_suffix.view(probe));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let mut i = m;
            probe.writes(1);
            while probe.branch(i > 0 && pattern.at(i - 1) == text.at(s + i - 1)) {
                i -= 1;
                probe.writes(1);
            }
            let good = good_suffix.at(i);
            if probe.verify(i == 0) {
                found.at(s);
                s += good as usize;
            } else {
                let bad = (i as u32).saturating_sub(last.at(text.at(s + i - 1)));
                s += good.max(bad) as usize;
                probe.extra(usize::from(bad <= good), || 1);
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

impl BoyerMoore {
    fn prepare_good_suffix(&mut self, pattern: &[u8]) {
        let (m, shift, border) = (pattern.len(), &mut self.good_suffix, &mut self.border);
        shift.reset(m + 1, 0);
        border.clear();
        border.resize(m + 1, m + 1);
        // The suffix at `j` comes again at `i`, after another character: the nearest such `i` gives its shift.
        let mut j = m + 1;
        for i in (1..=m).rev() {
            while j <= m && pattern[i - 1] != pattern[j - 1] {
                if shift[j] == 0 {
                    shift[j] = (j - i) as u32;
                }
                j = border[j];
            }
            j -= 1;
            border[i - 1] = j;
        }
        // Where it does not, the longest border of the pattern that fits into the suffix does.
        let mut period = border[0];
        for i in 0..=m {
            if shift[i] == 0 {
                shift[i] = period as u32;
            }
            if i == period {
                period = border[period];
            }
        }
    }
}

register!(algorithm BoyerMoore);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Off, testing};

    #[test]
    fn finds_what_a_naive_search_finds() {
        testing::check::<BoyerMoore>();
    }

    #[test]
    fn a_good_suffix_comes_again_after_another_character() {
        let mut searcher = BoyerMoore::default();
        searcher.prepare(b"gcagagag", Hints::default(), Off).unwrap();
        assert_eq!(*searcher.good_suffix, [7, 7, 7, 7, 2, 7, 4, 7, 1]);
    }
}
