//! Cases with bytes that faulty algorithms mistake for signed numbers, for the end of a string, or for
//! letters of the pattern.

use super::Case;
use super::draws::{Alphabet, Draws};

fn length(draws: &mut Draws, m: usize) -> usize {
    m + draws.below(2 * m.min(300) + 300)
}

/// The pattern is a factor of a text of all bytes.
pub fn all_bytes(draws: &mut Draws, m: usize) -> Vec<Case> {
    let n = length(draws, m);
    let text = draws.letters(Alphabet { first: 0, size: 256 }, n);
    let from = draws.below(n - m + 1);
    vec![(text[from..from + m].to_vec(), text)]
}

/// The pattern is a factor of a text of bytes from 128 up, of the two bytes 127 and 128, or of the bytes 0
/// and 255.
pub fn high_bytes(draws: &mut Draws, m: usize) -> Vec<Case> {
    let alphabets = [
        Alphabet { first: 128, size: 128 },
        Alphabet { first: 127, size: 2 },
        Alphabet { first: 255, size: 2 },
    ];
    let mut case = |alphabet| {
        let n = length(draws, m);
        let text = draws.letters(alphabet, n);
        let from = draws.below(n - m + 1);
        (text[from..from + m].to_vec(), text)
    };
    alphabets.map(&mut case).into()
}

/// Patterns with a zero byte, in texts that agree with them up to this byte and differ after it or at it; and
/// patterns of zeros with one other byte.
pub fn zero_bytes(draws: &mut Draws, m: usize) -> Vec<Case> {
    let two = Alphabet { first: 1, size: 2 };
    let mut pattern = draws.letters(two, m);
    let zero = draws.below(m);
    pattern[zero] = 0;
    let differs: Vec<u8> =
        pattern.iter().enumerate().map(|(i, &byte)| if i > zero { byte ^ 3 } else { byte }).collect();
    let without: Vec<u8> = pattern.iter().map(|&byte| byte.max(1)).collect();
    let around = draws.letters(Alphabet { first: 0, size: 3 }, m.min(60));
    let mut zeros = vec![0; m];
    zeros[draws.below(m)] = draws.one_of(&[0, 1]);
    vec![
        (pattern.clone(), [&differs[..], &around, &differs].concat()),
        (pattern.clone(), [&without[..], &around, &pattern].concat()),
        (pattern.clone(), [&pattern[..], &around, &without].concat()),
        (zeros.clone(), [vec![0; m], zeros, vec![0; m.min(90)]].concat()),
    ]
}

/// Texts with no letter of the pattern, and with all of its letters but one.
pub fn foreign_letters(draws: &mut Draws, m: usize) -> Vec<Case> {
    let alphabet = Alphabet { first: b'a', size: 20 };
    let pattern = draws.letters(alphabet, m);
    let n = length(draws, m);
    let foreign = draws.letters(Alphabet { first: b'A', size: 20 }, n);
    let text = draws.letters(alphabet, n);
    let mut strange = pattern.clone();
    strange[draws.below(m)] = draws.one_of(&[b'!', 0, 255]);
    vec![(pattern, foreign), (strange, text)]
}
