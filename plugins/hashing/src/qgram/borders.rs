//! Borders of the pattern's prefixes.

use assay_plugin_api::prelude::*;

/// Fills in the length of the longest border of each prefix, which is shorter than the prefix: entry `i` is that of the first `i`
/// characters.
pub(super) fn borders(pattern: &[u8], lengths: &mut Table<u32>) {
    lengths.reset(pattern.len() + 1, 0);
    let mut border = 0;
    for i in 1..pattern.len() {
        while border > 0 && pattern[border] != pattern[i] {
            border = lengths[border] as usize;
        }
        border += usize::from(pattern[border] == pattern[i]);
        lengths[i + 1] = border as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_the_longest_proper_one() {
        let mut lengths = Table::default();
        borders(b"aabaaab", &mut lengths);
        assert_eq!(*lengths, [0, 0, 1, 0, 1, 2, 2, 3]);
        borders(b"a", &mut lengths);
        assert_eq!(*lengths, [0, 0]);
    }
}
