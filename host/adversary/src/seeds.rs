//! The inputs with which a search begins: patterns and texts of the literature.

use assay_stats::draws::Draws;

use crate::input::{InputSize, SearchInput, repeated};
use crate::letters::Letters;
use crate::words::{de_bruijn, fibonacci, thue_morse};

/// The inputs of this size, each once: each pattern in the texts that suit it.
pub(crate) fn seeds(size: InputSize, letters: Letters, draws: &mut Draws) -> Vec<SearchInput> {
    let mut seeds: Vec<SearchInput> = Vec::new();
    for (pattern, word) in patterns(size, letters, draws) {
        for block in texts(&pattern, word, letters) {
            let seed = SearchInput::fitted(pattern.clone(), block, size);
            if !seeds.contains(&seed) {
                seeds.push(seed);
            }
        }
    }
    seeds
}

/// Patterns, each with a long word of its kind.
fn patterns(size: InputSize, letters: Letters, draws: &mut Draws) -> Vec<(Vec<u8>, Vec<u8>)> {
    let InputSize { pattern: m, text: n } = size;
    let [a, b, c] = [0, 1, 2].map(|number| letters.get(number));
    // Runs with another letter at an end or in the middle, and small periods.
    let with_b_at = |place: usize| {
        let mut word = vec![a; m];
        word[place] = b;
        word
    };
    let periodic =
        [vec![a], with_b_at(m - 1), with_b_at(0), with_b_at(m / 2), with_b_at(m.saturating_sub(2))];
    let periods = [&[a, b][..], &[a, a, b], &[a, b, b], &[a, b, c], &[a, a, a, b]].map(<[u8]>::to_vec);
    let mut broken = repeated(&[a, b], m);
    broken[m - 1] = c;
    let periodic = periodic.into_iter().chain(periods);
    let mut patterns: Vec<_> = periodic.map(|word| (repeated(&word, m), word)).collect();
    patterns.push((broken, vec![a, b]));
    // Words without a period: the text is a longer one.
    let words = [fibonacci(n, letters), thue_morse(n, letters), de_bruijn(n, letters)];
    let alphabet: Vec<u8> = (0..letters.size()).map(|number| letters.get(number)).collect();
    let random: Vec<u8> = (0..n).map(|_| letters.draw(draws)).collect();
    for word in words.into_iter().chain([repeated(&alphabet, n), random]) {
        let end = word[n - m..].to_vec();
        let backwards: Vec<u8> = word[..m].iter().rev().copied().collect();
        patterns.extend([word[..m].to_vec(), end, backwards].map(|pattern| (pattern, word.clone())));
    }
    patterns
}

/// Texts for a pattern, by what they repeat: the word, one letter, the pattern, and near misses, in which
/// each window that agrees with much of the pattern differs somewhere.
fn texts(pattern: &[u8], word: Vec<u8>, letters: Letters) -> Vec<Vec<u8>> {
    let m = pattern.len();
    let other = |letter: u8| if letter == letters.get(0) { letters.get(1) } else { letters.get(0) };
    let mut near_misses: Vec<Vec<u8>> = [0, m / 2, m - 1]
        .into_iter()
        .map(|place| {
            let mut near = pattern.to_vec();
            near[place] = other(near[place]);
            near
        })
        .collect();
    if m > 1 {
        near_misses.extend([&pattern[1..], &pattern[..m - 1]].map(<[u8]>::to_vec));
    }
    let one_letter = [letters.get(0), letters.get(1), pattern[0], pattern[m - 1]].map(|letter| vec![letter]);
    let reversed = pattern.iter().rev().copied().collect();
    one_letter.into_iter().chain([word, pattern.to_vec(), reversed]).chain(near_misses).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_have_the_size_and_hold_known_worst_cases() {
        let size = InputSize { pattern: 8, text: 64 };
        let seeds = seeds(size, Letters::new(4), &mut Draws::new(0));
        assert!(seeds.iter().all(|seed| seed.pattern.len() == 8 && seed.text().len() == 64));
        let has = |pattern: &[u8], block: &[u8]| {
            seeds.iter().any(|seed| seed.pattern == pattern && seed.text() == repeated(block, 64))
        };
        assert!(has(b"aaaaaaab", b"a") && has(b"baaaaaaa", b"a") && has(b"abababac", b"ab"));
        assert!(has(b"abaababa", &fibonacci(64, Letters::new(2))) && has(b"aaaaaaaa", b"aaaaaaab"));
    }

    #[test]
    fn the_least_sizes_and_alphabets_have_seeds() {
        for (m, n) in [(1, 1), (1, 3), (2, 2), (3, 100)] {
            for alphabet in [1, 2, 27, 256] {
                let size = InputSize { pattern: m, text: n };
                assert!(!seeds(size, Letters::new(alphabet), &mut Draws::new(0)).is_empty());
            }
        }
    }
}
