//! How frequent characters are in a few places of a text.

use crate::some_characters::Place;
use crate::text::Text;

/// Bytes that are looked at in each place.
pub const LINE: usize = 64;
/// Number of places.
const LINES: usize = 4;

/// Calls `visit` with the bytes of each place of a text of at least [`LINE`] bytes.
#[inline(always)]
pub fn lines(text: impl Text, mut visit: impl FnMut([u8; LINE])) {
    let step = (text.len() - LINE) / (LINES - 1);
    for line in 0..LINES {
        // SAFETY: the last line ends where the text does, or before.
        visit(unsafe { text.read::<LINE>(line * step) });
    }
}

/// Numbers of the characters of a sample.
#[derive(Clone, Debug)]
pub struct Frequencies([u16; 256]);

impl Frequencies {
    /// For texts too short for a sample: letters and the blank are frequent, in the order of English.
    pub fn unknown() -> Self {
        let mut counts = [1; 256];
        for (i, letter) in b" etaoinshrdlucmfwygpbvkxjqz".iter().enumerate() {
            counts[usize::from(*letter)] = 32 - i as u16;
        }
        Frequencies(counts)
    }

    /// Of the characters of a text of at least [`LINE`] bytes.
    pub fn of(text: impl Text) -> Self {
        let mut counts = [0; 256];
        lines(text, |bytes| {
            for byte in bytes {
                counts[usize::from(byte)] += 1;
            }
        });
        Frequencies(counts)
    }

    /// The places of `K` rare characters of the pattern, different ones if it has so many, and the logarithm (base 2)
    /// of how often all of them match by chance.
    pub fn rarest<const K: usize>(&self, pattern: &[u8]) -> ([Place; K], f32) {
        /// Places of a long pattern that are considered.
        const CONSIDERED: usize = 48;
        let m = pattern.len();
        let considered = m.min(CONSIDERED);
        let mut places = [Place::default(); K];
        let mut taken = 0_u64;
        let mut chance = 0.0;
        for k in 0..K {
            let mut best = (u32::MAX, 0);
            for i in 0..considered {
                let byte = pattern[i * (m - 1) / (considered - 1).max(1)];
                let repeats = places[..k].iter().filter(|place| place.byte == byte).count() as u32;
                // A character that is compared already says less the second time.
                let cost = (u32::from(self.0[usize::from(byte)]) + 1) * (1 + 4 * repeats);
                if taken >> i & 1 == 0 && cost < best.0 {
                    best = (cost, i);
                }
            }
            let (cost, i) = best;
            taken |= 1 << i;
            let offset = i * (m - 1) / (considered - 1).max(1);
            places[k] = Place { offset, byte: pattern[offset] };
            if cost < u32::MAX {
                chance += (cost as f32 / (LINE * LINES) as f32).min(1.0).log2();
            }
        }
        (places, chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Bytes;

    #[test]
    fn the_rarest_characters_are_taken_and_each_place_once() {
        let text = [b"aaaaaaab".repeat(100), b"c".to_vec()].concat();
        let frequencies = Frequencies::of(Bytes(&text));
        let (places, chance) = frequencies.rarest::<3>(b"abcab");
        let offsets = places.map(|place| place.offset);
        assert_eq!((offsets[0], places[1].byte), (2, b'b'), "{places:?}");
        assert!(offsets[0] != offsets[1] && offsets[1] != offsets[2] && offsets[0] != offsets[2]);
        assert!(chance < -8.0, "{chance}");
        let (places, _) = Frequencies::unknown().rarest::<2>(&[b'e'; 1000]);
        assert!(places[0].offset != places[1].offset && places.iter().all(|place| place.offset < 1000));
    }
}
