//! Changes of an input, and crosses of two.

use assay_stats::draws::Draws;

use crate::input::{InputSize, SearchInput};
use crate::letters::Letters;

/// Changes an input at one place or at several. One change in three is followed by another, because some
/// traps need two at a time.
pub(crate) fn mutated(
    input: &SearchInput,
    size: InputSize,
    letters: Letters,
    draws: &mut Draws,
) -> SearchInput {
    let mut changed = input.clone();
    loop {
        changed = mutated_once(&changed, size, letters, draws);
        if draws.below(3) > 0 {
            return changed;
        }
    }
}

fn mutated_once(input: &SearchInput, size: InputSize, letters: Letters, draws: &mut Draws) -> SearchInput {
    let letter = letters.draw_for(input, draws);
    let (mut pattern, mut block) = (input.pattern.clone(), input.block.clone());
    match draws.below(14) {
        0..4 => change(&mut pattern, letter, draws),
        4..8 => change(&mut block, letter, draws),
        8 => block.clone_from(&pattern),
        // Near misses: all of the pattern but one character, or an end of it.
        9 => {
            block.clone_from(&pattern);
            *any(&mut block, draws) = letter;
        }
        10 => {
            let place = draws.below(pattern.len());
            block = match draws.below(2) {
                0 => [&pattern[..place], &[letter][..]].concat(),
                _ => [&[letter][..], &pattern[place..]].concat(),
            };
        }
        11 => {
            let (from, to) = piece(&pattern, draws);
            block.extend_from_slice(&pattern[from..to]);
        }
        // The text as it is, so that the pattern occurs, perhaps but for one character.
        12 => {
            let from = draws.below(block.len());
            pattern = block.iter().copied().cycle().skip(from).take(size.pattern).collect();
            if draws.below(2) == 0 {
                *any(&mut pattern, draws) = letter;
            }
        }
        _ => {
            let other = letters.draw_for(input, draws);
            exchange(&mut pattern, letter, other);
            exchange(&mut block, letter, other);
        }
    }
    if pattern.len() > size.pattern && draws.below(2) == 0 {
        pattern.drain(..pattern.len() - size.pattern);
    }
    SearchInput::fitted(pattern, block, size)
}

/// Changes a word, which keeps at least one character.
fn change(word: &mut Vec<u8>, letter: u8, draws: &mut Draws) {
    let place = draws.below(word.len());
    let (from, to) = piece(word, draws);
    match draws.below(12) {
        0..3 => word[place] = letter,
        3 => word.insert(place, letter),
        4 => word.insert(place, word[place]),
        5 if word.len() > 1 => _ = word.remove(place),
        6 => {
            let copy = word[from..to].to_vec();
            word.splice(place..place, copy);
        }
        7 => {
            let copy = word[from..to].to_vec();
            for (old, new) in word[place..].iter_mut().zip(copy) {
                *old = new;
            }
        }
        8 => word.rotate_left(place),
        9 => word[from..to].fill(letter),
        10 => *word = word[from..to].to_vec(),
        _ => word[from..to].reverse(),
    }
}

/// The ends of a piece of a word, which has at least one character.
fn piece(word: &[u8], draws: &mut Draws) -> (usize, usize) {
    let (one, other) = (draws.below(word.len()), draws.below(word.len()));
    (one.min(other), one.max(other) + 1)
}

/// Any character of a word.
fn any<'a>(word: &'a mut [u8], draws: &mut Draws) -> &'a mut u8 {
    let place = draws.below(word.len());
    &mut word[place]
}

/// Exchanges two letters everywhere.
fn exchange(word: &mut [u8], one: u8, other: u8) {
    for letter in word {
        if *letter == one {
            *letter = other;
        } else if *letter == other {
            *letter = one;
        }
    }
}

/// An input with something of both: the pattern of one and the text of the other, or pieces of each.
pub(crate) fn crossed(
    one: &SearchInput,
    other: &SearchInput,
    size: InputSize,
    draws: &mut Draws,
) -> SearchInput {
    let place = draws.below(one.pattern.len());
    let joined = |from: &SearchInput| [&from.block[..], &other.block].concat();
    let (pattern, block) = match draws.below(3) {
        0 => (one.pattern.clone(), other.block.clone()),
        1 => (one.pattern.clone(), joined(one)),
        _ => {
            let rest = &other.pattern[place.min(other.pattern.len())..];
            ([&one.pattern[..place], rest].concat(), one.block.clone())
        }
    };
    SearchInput::fitted(if pattern.is_empty() { one.pattern.clone() } else { pattern }, block, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_keep_their_size_and_alphabet_and_are_the_same_for_the_same_seed() {
        for (m, n, alphabet) in [(1, 1, 1), (1, 9, 2), (5, 40, 3), (8, 8, 256)] {
            let (size, letters) = (InputSize { pattern: m, text: n }, Letters::new(alphabet));
            let begin = SearchInput::fitted(vec![letters.get(0)], vec![letters.get(1)], size);
            let line = |seed| {
                let mut draws = Draws::new(seed);
                let (mut input, mut line) = (begin.clone(), Vec::new());
                for _ in 0..500 {
                    let next = mutated(&input, size, letters, &mut draws);
                    input = crossed(&next, &input, size, &mut draws);
                    line.push(input.clone());
                }
                line
            };
            let (first, again) = (line(1), line(1));
            assert_eq!(first, again);
            let last = letters.get(255);
            for input in &first {
                assert_eq!((input.pattern.len(), input.text().len()), (m, n));
                assert!(!input.block.is_empty() && input.block.len() <= n, "{input:?}");
                let all = input.pattern.iter().chain(&input.block);
                assert!(all.copied().all(|letter| (letters.get(0)..=last).contains(&letter)), "{input:?}");
            }
            assert!(n == 1 || first != line(2), "another seed draws others");
        }
    }
}
