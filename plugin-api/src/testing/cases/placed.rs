//! Cases with the pattern at certain places of a random text.

use super::Case;
use super::draws::{Alphabet, Draws};

/// A random alphabet, a pattern over it, and the length of the text to put around the pattern.
fn drawn(draws: &mut Draws, m: usize) -> (Alphabet, Vec<u8>, usize) {
    let size = draws.one_of(&[2, 4, 20, 256]);
    let alphabet = draws.alphabet(size);
    let pattern = draws.letters(alphabet, m);
    let rest = draws.below(2 * m.min(200) + 64);
    (alphabet, pattern, rest)
}

/// The pattern at the start of the text.
pub fn start(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, rest) = drawn(draws, m);
    let text = [&pattern[..], &draws.letters(alphabet, rest)].concat();
    vec![(pattern, text)]
}

/// The pattern a few bytes after the start.
pub fn near_start(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, rest) = drawn(draws, m);
    let few = 1 + draws.below(9);
    let text = [&draws.letters(alphabet, few)[..], &pattern, &draws.letters(alphabet, rest)].concat();
    vec![(pattern, text)]
}

/// The pattern at the end of the text, and at both ends.
pub fn end(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, rest) = drawn(draws, m);
    let rest = draws.letters(alphabet, rest);
    let texts = [[&rest[..], &pattern].concat(), [&pattern[..], &rest, &pattern].concat()];
    texts.map(|text| (pattern.clone(), text)).into()
}

/// The pattern a few bytes before the end.
pub fn near_end(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, rest) = drawn(draws, m);
    let few = 1 + draws.below(9);
    let text = [&draws.letters(alphabet, rest)[..], &pattern, &draws.letters(alphabet, few)].concat();
    vec![(pattern, text)]
}

/// The text begins with the pattern's end: with its last byte, with half of it, with nearly all.
pub fn before_start(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, _) = drawn(draws, m);
    let text = |ended: usize, draws: &mut Draws| {
        let rest = m + draws.below(m.min(200) + 40);
        [&pattern[m - ended..], &draws.letters(alphabet, rest)].concat()
    };
    [1.min(m - 1), m / 2, m - 1].map(|ended| (pattern.clone(), text(ended, draws))).into()
}

/// The text ends with the pattern's begin: with its first byte, with half of it, with nearly all.
pub fn past_end(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, _) = drawn(draws, m);
    let text = |begun: usize, draws: &mut Draws| {
        let rest = m + draws.below(m.min(200) + 40);
        [&draws.letters(alphabet, rest)[..], &pattern[..begun]].concat()
    };
    [1.min(m - 1), m / 2, m - 1].map(|begun| (pattern.clone(), text(begun, draws))).into()
}

/// Windows with one byte changed: each of a short pattern in turn, of a long one those near its ends and near
/// the lengths of machine words and vectors; and the first and the last window of a text, with the last or
/// the first byte changed.
pub fn nearly(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, pattern, _) = drawn(draws, m);
    let changed = |place: usize| {
        let mut window = pattern.clone();
        window[place] = window[place].wrapping_add(1);
        window
    };
    let near = [0, 8, 16, 32, 64, 128, m / 2, m];
    let places = (0..m).filter(|place| {
        m <= 40 || near.iter().any(|near| near.abs_diff(*place) <= if m <= 300 { 4 } else { 1 })
    });
    let windows = places.flat_map(changed).collect();
    let around = draws.letters(alphabet, m);
    let [last, first, middle] = [m - 1, 0, m / 2].map(changed);
    let texts = [
        windows,
        [&last[..], &around, &last].concat(),
        [&first[..], &pattern, &first].concat(),
        [&middle[..], &around, &middle].concat(),
    ];
    texts.map(|text| (pattern.clone(), text)).into()
}

/// Patterns with a border, each beginning within the one before.
pub fn overlapping(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (alphabet, mut pattern, rest) = drawn(draws, m);
    let border = draws.below(m);
    for i in m - border..m {
        pattern[i] = pattern[i - (m - border)];
    }
    let mut text = draws.letters(alphabet, rest.min(20));
    text.extend_from_slice(&pattern);
    for _ in 0..draws.one_of(&[1, 2, 5]) {
        text.extend_from_slice(&pattern[border..]);
    }
    vec![(pattern, text)]
}

/// Patterns one after the other, with the begin or the end of one between them.
pub fn consecutive(draws: &mut Draws, m: usize) -> Vec<Case> {
    let (_, pattern, _) = drawn(draws, m);
    let (begun, ended) = (draws.below(m), draws.below(m));
    let texts = [
        pattern.repeat(2 + draws.below(3)),
        [&pattern[..], &pattern[..begun], &pattern, &pattern[ended..], &pattern].concat(),
    ];
    texts.map(|text| (pattern.clone(), text)).into()
}
