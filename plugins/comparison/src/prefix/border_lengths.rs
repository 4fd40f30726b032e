//! Lengths of the longest borders of all prefixes of a pattern.

/// Fills in, for each length of a prefix, that of its longest border; the prefix's period is the difference.
pub(super) fn fill_border_lengths(pattern: &[u8], borders: &mut Vec<usize>) {
    borders.clear();
    borders.resize(pattern.len() + 1, 0);
    let mut border = 0;
    for i in 1..pattern.len() {
        while border > 0 && pattern[border] != pattern[i] {
            border = borders[border];
        }
        border += usize::from(pattern[border] == pattern[i]);
        borders[i + 1] = border;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_a_prefix_and_a_suffix() {
        let mut borders = Vec::new();
        fill_border_lengths(b"abaabab", &mut borders);
        assert_eq!(borders, [0, 0, 0, 1, 1, 2, 3, 2]);
    }
}
