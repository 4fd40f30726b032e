//! Words of the literature on which searches work much.

use std::collections::HashSet;

use crate::letters::Letters;

/// The first letters of the infinite Fibonacci word, in which every prefix has long borders: at some
/// characters of it, the search of D. E. Knuth, J. H. Morris and V. R. Pratt (1977) falls back most often.
pub(crate) fn fibonacci(length: usize, letters: Letters) -> Vec<u8> {
    let (mut before, mut word) = (vec![letters.get(1)], vec![letters.get(0)]);
    while word.len() < length {
        let next = [word.as_slice(), &before].concat();
        before = std::mem::replace(&mut word, next);
    }
    word.truncate(length);
    word
}

/// The first letters of the word of A. Thue (1906) and M. Morse (1921), in which nothing comes three times in
/// a row.
pub(crate) fn thue_morse(length: usize, letters: Letters) -> Vec<u8> {
    (0..length).map(|i| letters.get(i.count_ones() as usize % 2)).collect()
}

/// More letters than this would make the sequence too long before words come again.
const MOST_LETTERS: usize = 4;

/// The first letters of a de Bruijn sequence, in which all words of one length come as evenly as they can:
/// the greedy sequence that prefers the last letter (M. H. Martin, 1934).
pub(crate) fn de_bruijn(length: usize, letters: Letters) -> Vec<u8> {
    let size = letters.size().min(MOST_LETTERS);
    let mut order = 1;
    while size > 1 && size.pow(order) < length {
        order += 1;
    }
    let words = size.pow(order);
    let (mut word, mut seen) = (0, HashSet::from([0]));
    let mut sequence = vec![letters.get(0); order as usize];
    while sequence.len() < length {
        let next = (0..size).rev().map(|letter| (letter, (word * size + letter) % words));
        let Some((letter, next)) = next.into_iter().find(|(_, next)| seen.insert(*next)) else { break };
        word = next;
        sequence.push(letters.get(letter));
    }
    crate::input::repeated(&sequence, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: fn() -> Letters = || Letters::new(2);

    #[test]
    fn words_begin_as_in_the_literature() {
        assert_eq!(fibonacci(13, TWO()), b"abaababaabaab");
        assert_eq!(thue_morse(16, TWO()), b"abbabaabbaababba");
        assert_eq!([fibonacci(1, TWO()), fibonacci(2, Letters::new(1))], [b"a".to_vec(), b"aa".to_vec()]);
    }

    #[test]
    fn no_word_comes_twice_in_a_de_bruijn_sequence() {
        let sequence = de_bruijn(64, TWO());
        let words: HashSet<&[u8]> = sequence.windows(6).collect();
        assert_eq!((sequence.len(), words.len()), (64, 59));
        assert_eq!(de_bruijn(5, Letters::new(1)), b"aaaaa");
    }
}
