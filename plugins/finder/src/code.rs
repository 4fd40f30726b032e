//! Which bits tell the characters of a text apart.
//!
//! A parity of some bits of a character is 0 or 1. It tells most where both are equally frequent, and two parities
//! tell most where all four pairs are. With the numbers of characters of a sample by five bits, one Walsh-Hadamard
//! transform gives, for each of the 32 parities, how many more zeros than ones it has. The squares of three of them say
//! how often two characters of the text agree in two parities: of either parity, and of both added.

use crate::sample::lines;
use crate::text::Text;

/// Parities of the characters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// One, because the text has two characters, or nearly so.
    One([u8; 1]),
    /// Two.
    Two([u8; 2]),
}

impl Code {
    /// For a text of which nothing is known.
    pub const UNKNOWN: Code = Code::Two([0b1_0101, 0b1_0011]);

    /// For the characters of a text of at least [`LINE`](crate::sample::LINE) bytes.
    pub fn of(text: impl Text) -> Self {
        // Four counters for each, because one that was just counted up must be waited for.
        let mut counters = [[0_u16; 32]; 4];
        lines(text, |bytes| {
            for bytes in bytes.as_chunks::<4>().0 {
                for (counters, byte) in counters.iter_mut().zip(bytes) {
                    counters[usize::from(folded(*byte))] += 1;
                }
            }
        });
        let [a, b, c, d] = counters;
        let difference: [i32; 32] = core::array::from_fn(|i| i32::from(a[i] + b[i] + c[i] + d[i]));
        let difference = transformed::<1>(difference);
        let difference = transformed::<2>(difference);
        let difference = transformed::<4>(difference);
        let difference = transformed::<8>(difference);
        let difference = transformed::<16>(difference);
        text.computes(5 * 32);
        let square = |mask: usize| difference[mask].pow(2);
        // The parity that tells most, with a single bit where that tells as much, because then a bit need only be read;
        // and the one that tells most beside it.
        let bits = |mask: usize| unfolded(mask as u8).count_ones();
        let first = (1..32).min_by_key(|&mask| (square(mask), bits(mask))).unwrap_or(1);
        let together = |mask: usize| square(mask) + square(mask ^ first);
        let second = (1..32).filter(|mask| *mask != first).min_by_key(|&mask| together(mask)).unwrap_or(2);
        // Of two characters, all that a second parity can tell is told by the first.
        if 5 * (square(first) + together(second)) > 3 * square(0) {
            Code::One([unfolded(first as u8)])
        } else {
            Code::Two([first, second].map(|mask| unfolded(mask as u8)))
        }
    }
}

/// A step of the transform: sums and differences of numbers that are `HALF` apart.
fn transformed<const HALF: usize>(numbers: [i32; 32]) -> [i32; 32] {
    core::array::from_fn(|i| {
        if i & HALF == 0 { numbers[i] + numbers[i + HALF] } else { numbers[i - HALF] - numbers[i] }
    })
}

/// Five bits of a character; the upper three are added to the lower ones.
fn folded(character: u8) -> u8 {
    (character ^ character >> 5) & 31
}

/// The bits of a character whose parity is that of the bits of `mask` of the folded character.
fn unfolded(mask: u8) -> u8 {
    mask ^ (mask & 7) << 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Bytes;

    fn parity(character: u8, mask: u8) -> u32 {
        (character & mask).count_ones() % 2
    }

    #[test]
    fn a_parity_of_folded_bits_is_one_of_the_character() {
        for character in 0..=255 {
            for mask in 0..32 {
                assert_eq!(parity(folded(character), mask), parity(character, unfolded(mask)));
            }
        }
    }

    #[test]
    fn two_characters_are_told_apart_by_one_parity_and_four_by_two() {
        for (a, b) in [(b'a', b'b'), (b'a', b'A'), (0, 128), (255, 127)] {
            let text: Vec<u8> = (0..1000).map(|i| if i * i % 7 < 3 { a } else { b }).collect();
            let Code::One([mask]) = Code::of(Bytes(&text)) else { panic!("{a} and {b}") };
            assert_ne!(parity(a, mask), parity(b, mask));
        }
        let text: Vec<u8> = (0..1000).map(|i: usize| b"ACGT"[(i.wrapping_mul(40_503) >> 7) % 4]).collect();
        let Code::Two(masks) = Code::of(Bytes(&text)) else { panic!("four characters") };
        let mut codes = b"ACGT".map(|character| masks.map(|mask| parity(character, mask)));
        codes.sort();
        assert_eq!(codes, [[0, 0], [0, 1], [1, 0], [1, 1]]);
    }

    #[test]
    fn a_text_of_one_character_has_a_code_too() {
        assert!(matches!(Code::of(Bytes(&[b'a'; 64])), Code::One(_)));
    }
}
