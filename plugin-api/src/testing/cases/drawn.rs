//! Cases with random texts and patterns of many lengths.

use super::Case;
use super::draws::{Alphabet, Draws};

/// An alphabet of the greatest bytes, and for a few texts of the least.
fn letters(draws: &mut Draws, size: usize, length: usize) -> Vec<u8> {
    let alphabet = draws.alphabet(size);
    draws.letters(alphabet, length)
}

/// The pattern is drawn from a random text, with alphabets of five sizes.
pub fn alphabets(draws: &mut Draws, m: usize) -> Vec<Case> {
    let mut case = |size| {
        let n = m + 500 + draws.below(500);
        let text = letters(draws, size, n);
        let from = draws.below(n - m + 1);
        (text[from..from + m].to_vec(), text)
    };
    [2, 4, 20, 64, 256].map(&mut case).into()
}

/// A pattern from a random text, or a short one that may not occur in it.
pub fn random(draws: &mut Draws) -> Case {
    let (size, length) = (draws.one_of(&[2, 4, 20, 256]), 1 + draws.below(400));
    let alphabet = draws.alphabet(size);
    let text = draws.letters(alphabet, length);
    if draws.below(2) == 0 {
        return draws.pattern_of(text);
    }
    let length = 1 + draws.below(7);
    (draws.letters(alphabet, length), text)
}

/// Prefixes, suffixes and whole patterns one after the other, so that many occurrences begin or end. Patterns
/// are longer than two machine words.
pub fn pieces(draws: &mut Draws) -> Case {
    let pattern = match draws.below(3) {
        0 => {
            let length = 1 + draws.below(11);
            letters(draws, 2, length)
        }
        1 => {
            let length = 50 + draws.below(90);
            letters(draws, 3, length)
        }
        _ => {
            let length = 1 + draws.below(5);
            draws.letters(Alphabet { first: 0, size: 256 }, length).repeat(1 + draws.below(29))
        }
    };
    let mut text = Vec::new();
    for _ in 0..=draws.below(7) {
        let place = draws.below(pattern.len());
        text.extend_from_slice(match draws.below(3) {
            0 => &pattern[..=place],
            1 => &pattern[place..],
            _ => &pattern,
        });
    }
    (pattern, text)
}
