//! Characters of a pattern that should be rare in a text that is not known yet.

use assay_plugin_api::prelude::*;

use crate::place::Place;

/// Number of the pattern's first characters to choose from: 256, because an offset is kept as a byte.
const CHOICE: usize = 256;

/// Characters of texts, frequent ones first: what separates words, then letters by their frequency in
/// English, then digits and capitals. Of other bytes some are frequent in other files, zero above all.
const FREQUENT: &[u8] = b" etaoinsrhldcu\nmfpgwybv\0,.k0x1\t2-_3\"'(4)5;=6:789/j*q\
    TSIAEzCRNLOPDMBFHUGWVYKJQXZ<>\r\xff[]{}&|+!#?$%@\\^~`";

/// For each byte, the greater the more frequent it should be; 0 for those that are hardly ever seen.
static RANK: [u8; 256] = {
    let mut rank = [0; 256];
    let mut i = 0;
    while i < FREQUENT.len() {
        rank[FREQUENT[i] as usize] = (FREQUENT.len() - i) as u8;
        i += 1;
    }
    rank
};

/// The two characters of the pattern that should be rarest, different ones if possible, the rarest first;
/// one, where the pattern has no more.
pub fn rarest_pair(pattern: &[u8], pair: &mut Table<Place>) {
    let places = || {
        let places = (0..).zip(&pattern[..pattern.len().min(CHOICE)]);
        places.map(|(offset, &byte)| Place { offset, byte })
    };
    let rarest = places().min_by_key(|place| frequency(place.byte)).expect("a pattern");
    let others = places().filter(|place| place.offset != rarest.offset);
    let second = others.min_by_key(|place| (place.byte == rarest.byte, frequency(place.byte)));
    pair.reset(0, Place::default());
    pair.push(rarest);
    if let Some(second) = second {
        pair.push(second);
    }
}

/// The greater, the more frequent a character should be.
pub fn frequency(byte: u8) -> u8 {
    RANK[byte as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frequent_character_is_named_once_and_others_are_rarer() {
        let mut named = FREQUENT.to_vec();
        named.sort_unstable();
        named.dedup();
        assert_eq!(named.len(), FREQUENT.len());
        assert!(frequency(b' ') > frequency(b'e') && frequency(b'`') > frequency(0x80));
    }
}
