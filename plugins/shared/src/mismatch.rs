//! The comparison of Boyer and Moore's search: from right to left, until two characters differ.

use assay_plugin_api::prelude::*;

/// Compares the pattern's characters from `start` on with those of the window at `s`, the last one first.
/// Returns where the part begins that matches, and the text's character that mismatched before it; if all
/// match, that is `start`, and the character says nothing.
///
/// Pattern and text are references, because copies of these views in each window made `msh` take 1.2 of the
/// time.
#[inline(always)]
pub fn last_mismatch<P: Probe>(
    pattern: &Pattern<P>,
    text: &Text<P>,
    s: usize,
    start: usize,
    probe: P,
) -> (usize, u8) {
    let (mut i, mut mismatched) = (pattern.len(), 0);
    probe.writes(1);
    while probe.branch(
        i > start && {
            mismatched = text.at(s + i - 1);
            pattern.at(i - 1) == mismatched
        },
    ) {
        i -= 1;
        probe.writes(1);
    }
    (i, mismatched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mismatch_furthest_right_is_found_and_none_before_the_start() {
        let (pattern, text) = (Pattern::new(b"abcd", Off), Text::new(b"xabxdaxcd", Off));
        assert_eq!(last_mismatch(&pattern, &text, 1, 0, Off), (3, b'x'));
        assert_eq!(last_mismatch(&pattern, &text, 5, 0, Off), (2, b'x'));
        assert_eq!(last_mismatch(&pattern, &text, 5, 2, Off).0, 2);
        assert_eq!(last_mismatch(&Pattern::new(b"axcd", Off), &text, 5, 0, Off).0, 0);
    }
}
