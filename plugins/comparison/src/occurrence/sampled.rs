//! Statistics from a sample of the text: how often its characters occur, and which of the pattern's are rare.

use assay_plugin_api::prelude::*;

/// Number of the text's first bytes that are looked at: as many as in SMART.
pub(crate) const SAMPLE: usize = 100;

/// How often each byte occurs in the sample.
pub(crate) fn frequencies(sample: &[u8]) -> [u32; 256] {
    let mut frequency = [0; 256];
    for &byte in &sample[..sample.len().min(SAMPLE)] {
        frequency[byte as usize] += 1;
    }
    frequency
}

/// A place of the pattern, and its character.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub byte: u8,
    pub at: u32,
}

/// Orders the pattern's places by how rare their characters are, rarest first, and from right to left where
/// they are equally rare.
pub(crate) fn rarest_first(pattern: &[u8], sample: &[u8], order: &mut Table<Place>) {
    let frequency = frequencies(sample);
    let rank = |byte: u8| frequency[byte as usize] as usize;
    // Where the places of a frequency begin.
    let mut next = [0; SAMPLE + 2];
    for &byte in pattern {
        next[rank(byte) + 1] += 1;
    }
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    order.reset(pattern.len(), Place::default());
    for (at, &byte) in pattern.iter().enumerate().rev() {
        order[next[rank(byte)]] = Place { byte, at: at as u32 };
        next[rank(byte)] += 1;
    }
}

/// How many of the window's characters match, compared in this order until two differ.
///
/// # Safety
/// The window of `m` characters at `s` must lie in the text, and the places of the order in the window.
#[inline(always)]
pub(crate) unsafe fn alike<P: Probe>(
    order: TableView<Place, P>,
    m: usize,
    text: Text<P>,
    s: usize,
    probe: P,
) -> usize {
    let mut i = 0;
    probe.writes(1);
    // SAFETY: the caller's promise.
    let byte_at = |place: Place| unsafe { text.at_unchecked(s + place.at as usize) };
    while probe.branch(i < m && order.character_at(i).byte == byte_at(order.at(i))) {
        i += 1;
        probe.writes(1);
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_characters_come_first_and_right_ones_before_left_ones() {
        let mut order = Table::default();
        let mut places = |pattern: &[u8], sample: &[u8]| {
            rarest_first(pattern, sample, &mut order);
            order.iter().map(|place| place.at).collect::<Vec<_>>()
        };
        assert_eq!(places(b"abcab", b"aabxaab"), [2, 4, 1, 3, 0]);
        assert_eq!(places(b"abcab", b""), [4, 3, 2, 1, 0]);
        assert_eq!(places(b"ab", &[b'b'; SAMPLE + 5]), [0, 1]);
    }
}
