//! Cases with all lengths of patterns and texts.

use super::draws::Draws;
use super::{Case, Size};

/// The pattern lengths of a plan.
pub fn pattern_lengths(size: Size) -> Vec<usize> {
    let powers =
        |to: u32| (7..=to).flat_map(|power| [-1, 0, 1].map(|by| (1_usize << power).wrapping_add_signed(by)));
    match size {
        Size::Quick => {
            let short = (1..=10).chain([12, 15, 16, 17, 24, 29, 31, 32, 33, 40, 48, 63, 64, 65]);
            short.chain([100, 127, 129, 256]).collect()
        }
        Size::Full => (1..=65).chain([80, 100]).chain(powers(12)).collect(),
    }
}

/// Texts of m to 3m bytes, of one letter and of two. A short pattern is tried with all of these lengths, a
/// long one with those near m, 2m and 3m.
pub fn tiny_texts(draws: &mut Draws, m: usize) -> Vec<Case> {
    let near =
        |n: usize| [m, 2 * m, 3 * m].iter().any(|near| near.abs_diff(n) <= if m <= 64 { 1 } else { 0 });
    let lengths = (m..=3 * m).filter(|n| m <= 9 || near(*n) || (m <= 64 && n - m <= 9));
    let mut cases = Vec::new();
    for n in lengths {
        // Of long patterns, those of one letter are compared byte by byte in every window.
        if m <= 64 || n == m {
            cases.push((vec![b'a'; m], vec![b'a'; n]));
        }
        let two = draws.alphabet(2);
        let text = draws.letters(two, n);
        let from = draws.below(n - m + 1);
        cases.push((text[from..from + m].to_vec(), text));
    }
    cases
}

/// A pattern as long as the text, one that is longer, a prefix and a suffix of the text, and a pattern that
/// does not occur.
pub fn lengths(draws: &mut Draws, m: usize) -> Vec<Case> {
    let four = draws.alphabet(4);
    let n = m + 1 + draws.below(1000);
    let text = draws.letters(four, n);
    let short = text[..m].to_vec();
    vec![
        (short.clone(), short.clone()),
        (short.clone(), text[..m - 1].to_vec()),
        (short, text.clone()),
        (text[n - m..].to_vec(), text.clone()),
        (vec![four.first.wrapping_sub(1); m], text),
    ]
}
