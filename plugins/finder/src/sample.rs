//! How frequent characters are in a few places of a text.

use crate::some_characters::Place;
use crate::text::{Bytes, LINE, Text};
use crate::vector::Vector;

/// Number of places that a sample reads, a line of the caches in each.
const LINES: usize = 4;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
type Register = crate::vector::Bytes16;
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
type Register = crate::vector::Plain16;

/// Calls `visit` with the bytes of each place of a text.
///
/// # Panics
/// If the text has less than [`LINE`] bytes.
#[inline(always)]
pub fn lines(text: impl Text, mut visit: impl FnMut([u8; LINE])) {
    assert!(text.len() >= LINE, "a text of at least {LINE} bytes");
    let step = (text.len() - LINE) / (LINES - 1);
    for line in 0..LINES {
        // SAFETY: the last line ends where the text does, or before.
        visit(unsafe { text.read::<LINE>(line * step) });
    }
}

/// The characters of a few places of a text.
#[derive(Clone, Debug)]
pub struct Sample([u8; LINES * LINE]);

impl Sample {
    /// Of a text.
    ///
    /// # Panics
    /// If it has less than [`LINE`] bytes.
    pub fn of_text(text: impl Text) -> Self {
        let mut bytes = [[0; LINE]; LINES];
        let mut places = bytes.iter_mut();
        lines(text, |line| {
            if let Some(place) = places.next() {
                *place = line;
            }
        });
        Sample(*bytes.as_flattened().first_chunk().expect("all lines"))
    }

    /// How many of its characters are this one. For some characters of a pattern, that takes less time than a
    /// table of all characters.
    pub fn count(&self, character: u8) -> u32 {
        let text = Bytes(&self.0);
        // SAFETY: the program is compiled for the instructions; the sample is a multiple of the lanes,
        // and each lane counts fewer blocks than it can.
        unsafe {
            let (character, mut zeros) = (Register::splat(character), Register::splat(0));
            for block in 0..LINES * LINE / Register::LANES {
                let block = Register::load(text, block * Register::LANES);
                zeros = zeros.count_zeros(block.differences(character));
            }
            zeros.sum() as u32
        }
    }

    /// How many of its characters have each value of the lower four bits.
    pub fn by_lower_bits(&self) -> [u16; 16] {
        let lower = Sample(self.0.map(|byte| byte & 15));
        core::array::from_fn(|bits| lower.count(bits as u8) as u16)
    }

    /// The characters of a pattern, the rarest first.
    pub fn rarest_of(&self, pattern: &[u8]) -> Rarest {
        let m = pattern.len();
        let considered = m.min(CONSIDERED);
        let (mut costs, mut places) = ([u32::MAX; CONSIDERED], [Place::default(); CONSIDERED]);
        for i in 0..considered {
            let offset = i * (m - 1) / (considered - 1).max(1);
            let byte = pattern[offset];
            costs[i] = self.count(byte) + 1;
            places[i] = Place { offset, byte };
        }
        Rarest { costs, places, chance: 1.0 }
    }
}

/// Places of a long pattern that are considered.
const CONSIDERED: usize = 16;

/// Characters of a pattern, the rarest first. No place is taken twice while others are left, and a character
/// that was taken counts as four times as frequent.
#[derive(Clone, Debug)]
pub struct Rarest {
    /// What each place costs: about how often it matches. The greatest number if it was taken, or is none.
    costs: [u32; CONSIDERED],
    places: [Place; CONSIDERED],
    /// About how often all of those that were taken match by chance.
    pub chance: f32,
}

impl Rarest {
    /// Takes the next one.
    pub fn take(&mut self) -> Place {
        let mut rarest = 0;
        for i in 1..CONSIDERED {
            rarest = if self.costs[i] < self.costs[rarest] { i } else { rarest };
        }
        let (cost, place) = (self.costs[rarest], self.places[rarest]);
        if cost < u32::MAX {
            self.chance *= (cost as f32 / (LINES * LINE) as f32).min(1.0);
        }
        // A character that is compared already says less the second time.
        for (cost, other) in self.costs.iter_mut().zip(&self.places) {
            *cost = if other.byte == place.byte && *cost < u32::MAX { cost.saturating_mul(4) } else { *cost };
        }
        self.costs[rarest] = u32::MAX;
        place
    }

    /// Takes the next `K`.
    pub fn take_all<const K: usize>(&mut self) -> [Place; K] {
        core::array::from_fn(|_| self.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_characters_are_taken_and_each_place_once() {
        let text = [b"aaaaaaab".repeat(100), b"c".to_vec()].concat();
        let sample = Sample::of_text(Bytes(&text));
        let mut rarest = sample.rarest_of(b"abcab");
        let (places, chance) = (rarest.take_all::<3>(), rarest.chance);
        let offsets = places.map(|place| place.offset);
        assert_eq!((offsets[0], places[1].byte), (2, b'b'), "{places:?}");
        assert!(offsets[0] != offsets[1] && offsets[1] != offsets[2] && offsets[0] != offsets[2]);
        assert!(chance < 1.0 / 256.0, "{chance}");
        let places = sample.rarest_of(&[b'e'; 1000]).take_all::<2>();
        assert!(places[0].offset != places[1].offset && places.iter().all(|place| place.offset < 1000));
    }
}
