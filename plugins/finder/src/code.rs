//! Which bits tell the characters of a text apart.
//!
//! A parity of some bits of a character is 0 or 1. It tells most where both are equally frequent, and two parities
//! tell most where all four pairs are. With the numbers of characters of a sample by five bits, one Walsh-Hadamard
//! transform gives, for each of the 32 parities, how many more zeros than ones it has: the squares of three of them
//! say how often two characters of the text agree in two parities.

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
        let mut difference = [0_i32; 32];
        lines(text, |bytes| {
            for byte in bytes {
                difference[usize::from(folded(byte))] += 1;
            }
        });
        let mut half = 1;
        while half < 32 {
            for i in (0..32).filter(|i| i & half == 0) {
                let (a, b) = (difference[i], difference[i + half]);
                (difference[i], difference[i + half]) = (a + b, a - b);
            }
            half *= 2;
        }
        text.computes(5 * 32);
        // The parities with the least differences, and of these the best pair.
        let mut order: [u8; 31] = core::array::from_fn(|i| i as u8 + 1);
        const TRIED: usize = 8;
        let square = |mask: u8| difference[usize::from(mask)].pow(2);
        order.select_nth_unstable_by_key(TRIED - 1, |&mask| square(mask));
        let tried = &order[..TRIED];
        let mut best = (i32::MAX, [0; 2]);
        for (i, &a) in tried.iter().enumerate() {
            for &b in &tried[..i] {
                best = best.min((square(a) + square(b) + square(a ^ b), [a, b]));
            }
        }
        let all = difference[0].pow(2);
        if 5 * best.0 > 3 * all {
            // A single bit where it tells as much, because then reads need no multiplication.
            let bits = |mask: u8| unfolded(mask).count_ones();
            let least = (1..32).min_by_key(|&mask| (square(mask), bits(mask))).unwrap_or(1);
            Code::One([unfolded(least)])
        } else {
            Code::Two(best.1.map(unfolded))
        }
    }
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
