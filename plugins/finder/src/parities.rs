//! Which bits distinguish the characters of a text.
//!
//! A parity of some bits of a character is 0 or 1. It distinguishes most where both are equally frequent, and
//! two parities distinguish most where all four pairs are; and so on. With the numbers of characters of a
//! sample by five bits, one Walsh-Hadamard transform gives, for each of the 32 parities, how many more zeros
//! than ones it has. The squares of three of them say how often two characters of the text agree in two
//! parities: of either parity, and of both added.

use crate::sample::lines;
use crate::text::Text;

/// Number of parities.
pub const PARITIES: usize = 4;

/// Parities of the characters of a text, by the bits of a character whose parity each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parities {
    /// The bits of the parity that distinguishes most, and of those that distinguish most in addition to it.
    pub masks: [u8; PARITIES],
    /// How many of them add to those before: one in a text of two characters, two in a text of four.
    pub useful: usize,
    /// Whether the sixteen values of all four are about equally frequent.
    pub even: bool,
}

impl Parities {
    /// For a text of which nothing is known.
    pub const UNKNOWN: Parities =
        Parities { masks: [0b1_0101, 0b1_0011, 0b0_0110, 0b0_1001], useful: PARITIES, even: false };

    /// For the characters of a text of at least 64 bytes.
    pub fn sampled(text: impl Text) -> Self {
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
        // Of each parity: the squares of its difference, and of those of its sums with the ones that were
        // chosen.
        let mut squares = difference.map(|difference| difference.pow(2));
        let mut parities = Parities { masks: [0; PARITIES], useful: PARITIES, even: false };
        // Number of pairs of characters of the text that agree in all that were chosen, in units of 1 / 2^k
        // of all pairs.
        let mut agreeing = squares[0];
        for k in 0..PARITIES {
            let best = (1..32).map(|mask| squares[mask] << 8 | TIES[mask]).min().unwrap_or(1) as usize & 31;
            parities.masks[k] = unfolded(best as u8);
            if parities.useful == PARITIES && 10 * (agreeing + squares[best]) > 16 * agreeing {
                parities.useful = k.max(1);
            }
            agreeing += squares[best];
            squares = core::array::from_fn(|mask| squares[mask] + squares[mask ^ best]);
        }
        parities.even = 10 * agreeing < 13 * difference[0].pow(2);
        parities
    }
}

/// Which of two equally good parities is taken: the one of fewer bits of the character, because a single bit
/// need only be read, and then the one with the lesser mask. The mask is in the lower five bits.
const TIES: [i32; 32] = {
    let mut ties = [0; 32];
    let mut mask = 0;
    while mask < 32 {
        ties[mask] = ((unfolded(mask as u8).count_ones() as i32) << 5) | mask as i32;
        mask += 1;
    }
    ties
};

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
const fn unfolded(mask: u8) -> u8 {
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

    /// The parities of a character, those that are useful.
    fn values(parities: Parities, character: u8) -> Vec<u32> {
        parities.masks[..parities.useful].iter().map(|mask| parity(character, *mask)).collect()
    }

    #[test]
    fn as_many_parities_are_useful_as_distinguish_all_characters() {
        for (characters, useful) in
            [(&b"ab"[..], 1), (b"aA", 1), (&[0, 128], 1), (b"ACGT", 2), (b"abcdefgh", 3)]
        {
            let draw = |i: usize| characters[(i.wrapping_mul(40_503) >> 7) % characters.len()];
            let text: Vec<u8> = (0..1000).map(draw).collect();
            let parities = Parities::sampled(Bytes(&text));
            assert_eq!(parities.useful, useful, "{characters:?}");
            let mut all: Vec<_> = characters.iter().map(|&character| values(parities, character)).collect();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), characters.len(), "{characters:?}");
        }
        let text: Vec<u8> = (0..4000_usize).map(|i| (i.wrapping_mul(40_503) >> 5) as u8).collect();
        assert!(matches!(Parities::sampled(Bytes(&text)), Parities { useful: PARITIES, even: true, .. }));
    }

    #[test]
    fn a_text_of_one_character_has_parities_too() {
        assert!(matches!(Parities::sampled(Bytes(&[b'a'; 64])), Parities { useful: 1, even: false, .. }));
    }
}
