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

/// Numbers of the characters of a sample of `LINES * LINE` bytes.
#[derive(Clone, Debug)]
pub struct Frequencies(pub [u8; 256]);

impl Frequencies {
    /// Of the characters of a text of at least [`LINE`] bytes.
    pub fn sampled(text: impl Text) -> Self {
        let mut counts = [0_u8; 256];
        lines(text, |bytes| {
            for byte in bytes {
                let count = &mut counts[usize::from(byte)];
                *count = count.saturating_add(1);
            }
        });
        Frequencies(counts)
    }

    /// The places of `K` rare characters of the pattern, different ones if it has so many, and about how
    /// often all of them match by chance.
    pub fn rarest<const K: usize>(&self, pattern: &[u8]) -> ([Place; K], f32) {
        /// Places of a long pattern that are considered.
        const CONSIDERED: usize = 16;
        let m = pattern.len();
        let considered = m.min(CONSIDERED);
        let mut costs = [(u32::MAX, Place::default()); CONSIDERED];
        for (i, cost) in costs.iter_mut().enumerate().take(considered) {
            let offset = i * (m - 1) / (considered - 1).max(1);
            let byte = pattern[offset];
            *cost = (u32::from(self.0[usize::from(byte)]) + 1, Place { offset, byte });
        }
        let mut chance = 1.0;
        let places = core::array::from_fn(|_| {
            let rarest = (0..considered).min_by_key(|&i| costs[i].0).unwrap_or(0);
            let (cost, place) = costs[rarest];
            if cost < u32::MAX {
                chance *= (cost as f32 / (LINES * LINE) as f32).min(1.0);
            }
            costs[rarest].0 = u32::MAX;
            // A character that is compared already says less the second time.
            for (cost, other) in &mut costs {
                if other.byte == place.byte && *cost < u32::MAX {
                    *cost *= 4;
                }
            }
            place
        });
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
        let frequencies = Frequencies::sampled(Bytes(&text));
        let (places, chance) = frequencies.rarest::<3>(b"abcab");
        let offsets = places.map(|place| place.offset);
        assert_eq!((offsets[0], places[1].byte), (2, b'b'), "{places:?}");
        assert!(offsets[0] != offsets[1] && offsets[1] != offsets[2] && offsets[0] != offsets[2]);
        assert!(chance < 1.0 / 256.0, "{chance}");
        let (places, _) = frequencies.rarest::<2>(&[b'e'; 1000]);
        assert!(places[0].offset != places[1].offset && places.iter().all(|place| place.offset < 1000));
    }
}
