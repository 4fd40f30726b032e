//! How far a window moves by the suffix of the pattern that has matched: what searches from right to left share.

use assay_plugin_api::prelude::*;

/// The strong rule: the suffix comes again after *another* character.
#[derive(Default)]
pub(crate) struct GoodSuffixes {
    /// For each suffix, by where it begins: the shift after it has matched and the character before it has not. That of the
    /// whole pattern is its period.
    pub shift: Table<u32>,
    /// For each suffix, where its longest border begins; used by the preparation alone.
    border: Vec<usize>,
}

impl GoodSuffixes {
    pub fn prepare(&mut self, pattern: &[u8]) {
        let (m, shift, border) = (pattern.len(), &mut self.shift, &mut self.border);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_suffix_comes_again_after_another_character() {
        let mut good = GoodSuffixes::default();
        good.prepare(b"gcagagag");
        assert_eq!(*good.shift, [7, 7, 7, 7, 2, 7, 4, 7, 1]);
    }
}
