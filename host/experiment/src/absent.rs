//! Absent patterns: they occur in none of the texts that are searched, and are made of the letters of the
//! first text.

use memchr::memmem;
use rand::{Rng, RngExt};

/// How many patterns are made for each length. Repetitions share them, because making one for each of many
/// repetitions would take a search of the whole text each.
const MADE: usize = 100;
/// After this many random changes, the next absent pattern in the order of the letters is taken instead. If
/// only a few patterns are absent, random changes might take very long to find one.
const CHANGES: usize = 1000;

/// Makes absent patterns of one length.
struct AbsentMaker<'a> {
    texts: &'a [&'a [u8]],
    length: usize,
    /// The different letters of the first text, ascending.
    letters: &'a [u8],
    /// Which patterns of these letters occur. `None` if there are more than twice as many as positions in the
    /// texts: then at least half of them are absent, and it is cheaper to search for each.
    occurring: Option<OccurringPatterns>,
}

/// The set of patterns that occur. Each pattern has a number, whose digits are its letters.
struct OccurringPatterns {
    bits: Vec<u64>,
    count: usize,
}

/// The different letters of a text, ascending.
pub(crate) fn letters(text: &[u8]) -> Vec<u8> {
    let mut occurs = [false; 256];
    text.iter().for_each(|letter| occurs[usize::from(*letter)] = true);
    (0..=u8::MAX).filter(|letter| occurs[usize::from(*letter)]).collect()
}

/// Makes absent patterns of this length. Each begins as a substring of the first text; then letters at random
/// positions are changed until the pattern does not occur. `None` if all patterns of these letters occur. The
/// first text must be at least as long as the pattern.
pub(crate) fn make(
    length: usize,
    texts: &[&[u8]],
    letters: &[u8],
    rng: &mut impl Rng,
) -> Option<Vec<Vec<u8>>> {
    let occurring = OccurringPatterns::new(texts, length, letters);
    let maker = AbsentMaker { texts, length, letters, occurring };
    if maker.occurring.as_ref().is_some_and(OccurringPatterns::is_full) {
        return None;
    }
    Some((0..MADE).map(|_| maker.make(rng)).collect())
}

impl AbsentMaker<'_> {
    /// One absent pattern.
    fn make(&self, rng: &mut impl Rng) -> Vec<u8> {
        let start = rng.random_range(0..=self.texts[0].len() - self.length);
        let mut pattern = self.texts[0][start..][..self.length].to_vec();
        // If the patterns are not numbered, at least half of them are absent, so random changes find one
        // soon.
        for change in 0.. {
            if let (CHANGES.., Some(occurring)) = (change, &self.occurring) {
                return occurring.next_absent(&pattern, self.letters);
            }
            let place = rng.random_range(0..self.length);
            pattern[place] = self.letters[rng.random_range(0..self.letters.len())];
            if self.is_absent(&pattern) {
                break;
            }
        }
        pattern
    }

    /// Whether a pattern of the letters occurs in no text.
    fn is_absent(&self, pattern: &[u8]) -> bool {
        match &self.occurring {
            Some(occurring) => !occurring.has(number(pattern, self.letters)),
            None => self.texts.iter().all(|text| memmem::find(text, pattern).is_none()),
        }
    }
}

/// The number of a pattern, whose digits are its letters.
fn number(pattern: &[u8], letters: &[u8]) -> usize {
    pattern.iter().fold(0, |number, letter| number * letters.len() + digit(*letter, letters))
}

fn digit(letter: u8, letters: &[u8]) -> usize {
    letters.binary_search(&letter).expect("it is a letter of the text")
}

impl OccurringPatterns {
    /// The patterns of this length that occur in any of the texts; `None` if there are too many patterns to
    /// number.
    fn new(texts: &[&[u8]], length: usize, letters: &[u8]) -> Option<Self> {
        let count = letters.len().checked_pow(u32::try_from(length).ok()?)?;
        if count > 2 * texts.iter().map(|text| text.len()).sum::<usize>() {
            return None;
        }
        let mut numbers = OccurringPatterns { bits: vec![0; count.div_ceil(64)], count };
        let mut digits = [None; 256];
        letters.iter().zip(0..).for_each(|(letter, digit)| digits[usize::from(*letter)] = Some(digit));
        // A number modulo this is the number without its first digit.
        let rest = count / letters.len();
        // Patterns have only the letters of the first text, so other letters separate the pieces in which
        // they can occur.
        for piece in texts.iter().flat_map(|text| text.split(|letter| digits[usize::from(*letter)].is_none()))
        {
            let mut number = 0;
            for (i, digit) in piece.iter().filter_map(|letter| digits[usize::from(*letter)]).enumerate() {
                number = number % rest * letters.len() + digit;
                if i + 1 >= length {
                    numbers.bits[number / 64] |= 1 << (number % 64);
                }
            }
        }
        Some(numbers)
    }

    fn has(&self, number: usize) -> bool {
        self.bits[number / 64] >> (number % 64) & 1 == 1
    }

    fn is_full(&self) -> bool {
        (0..self.count).all(|number| self.has(number))
    }

    /// The first absent pattern after this one in the order of the numbers, which begins anew after the last.
    fn next_absent(&self, pattern: &[u8], letters: &[u8]) -> Vec<u8> {
        let start = number(pattern, letters);
        let mut all = (start..self.count).chain(0..start);
        let mut number = all.find(|number| !self.has(*number)).expect("not all occur");
        let mut next = pattern.to_vec();
        for letter in next.iter_mut().rev() {
            *letter = letters[number % letters.len()];
            number /= letters.len();
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn made(length: usize, text: &[u8]) -> Option<Vec<Vec<u8>>> {
        make(length, &[text], &letters(text), &mut ChaCha8Rng::seed_from_u64(7))
    }

    proptest! {
        #[test]
        fn what_is_made_is_absent_from_all_texts_and_has_the_letters_of_the_first(
            text in prop::collection::vec(b'a'..=b'd', 10..400),
            other in prop::collection::vec(b'a'..=b'e', 0..400), length in 1..10usize,
        ) {
            let letters = letters(&text);
            let all = letters.len().pow(length as u32);
            let made_of = |word: &&[u8]| word.iter().all(|letter| letters.contains(letter));
            let mut occurring: Vec<&[u8]> =
                text.windows(length).chain(other.windows(length)).filter(made_of).collect();
            occurring.sort_unstable();
            occurring.dedup();
            let made = make(length, &[&text, &other], &letters, &mut ChaCha8Rng::seed_from_u64(7));
            prop_assert_eq!(made.is_none(), occurring.len() == all);
            for pattern in made.unwrap_or_default() {
                prop_assert_eq!(pattern.len(), length);
                prop_assert!(!text.windows(length).chain(other.windows(length)).any(|window| window == pattern));
                prop_assert!(made_of(&pattern.as_slice()));
            }
        }
    }

    #[test]
    fn the_only_absent_pattern_is_found() {
        // All words of 13 bits except the one of ones, each followed by a 0, so 13 ones never stand together.
        let words = (0..(1 << 13) - 1).map(|word: u32| format!("{word:013b}0"));
        let text = words.collect::<String>();
        let occurring = OccurringPatterns::new(&[text.as_bytes()], 13, b"01").unwrap();
        let absent: Vec<usize> = (0..1 << 13).filter(|number| !occurring.has(*number)).collect();
        assert_eq!(absent, [(1 << 13) - 1]);
        assert!(made(13, text.as_bytes()).unwrap().iter().all(|pattern| *pattern == [b'1'; 13]));
    }

    #[test]
    fn of_one_letter_nothing_is_absent() {
        assert_eq!((made(1, b"aaaa"), made(3, b"aaaa")), (None, None));
        assert_eq!(letters(b"banana"), b"abn");
    }
}
