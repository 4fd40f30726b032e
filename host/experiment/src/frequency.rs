//! Rare and common patterns of a text. A sample of patterns is drawn, and one pass over the text counts all
//! of them with a rolling hash (R. M. Karp, M. O. Rabin, 1987).

use std::collections::HashMap;
use std::ops::Range;

use rand::{Rng, RngExt};

/// How many positions are drawn, unless patterns are very long. A tenth of them, 100 patterns, is then
/// chosen, which is enough variety for the repetitions of a cell.
const SAMPLE: usize = 1000;
/// In at most how many bytes of the text the patterns are counted, so that counting takes a fraction of a
/// second for each length.
const COUNTED: usize = 16 << 20;
/// In how many stretches of a longer text the patterns are counted. They are spread over the text, because
/// its parts may differ.
const STRETCHES: usize = 16;
/// The share of the sample that counts as rare, and as common: one in this many.
const PART: usize = 10;

/// How many low bits of a hash the filter uses. Its 64 KiB fit into the second-level cache, and with a sample
/// of 1000 it lets through one window in 65 that is not in the sample.
const FILTER: u32 = 16;

/// Which patterns of a sample are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frequency {
    /// The patterns that occur least.
    Rare,
    /// The patterns that occur most.
    Common,
}

/// Positions of different patterns of this length that are rare or common: a tenth of the patterns at a
/// sample of positions. The text must be at least as long as a pattern.
pub(crate) fn choose(frequency: Frequency, length: usize, text: &[u8], rng: &mut impl Rng) -> Vec<usize> {
    // Hashing the sample reads each of its patterns once. It should not read more than counting does.
    let sample = SAMPLE.min(COUNTED / length).max(1);
    let sample: Vec<usize> = (0..sample).map(|_| rng.random_range(0..=text.len() - length)).collect();
    let mut ascending = counted(&sample, length, text);
    ascending.sort_by_key(|(_, count)| *count);
    let tenth = ascending.len().div_ceil(PART);
    let chosen = match frequency {
        Frequency::Rare => &ascending[..tenth],
        Frequency::Common => &ascending[ascending.len() - tenth..],
    };
    chosen.iter().map(|(position, _)| *position).collect()
}

/// The different patterns at these positions, each by its first position, with their number of occurrences in
/// the stretches of the text in which patterns are counted.
fn counted(sample: &[usize], length: usize, text: &[u8]) -> Vec<(usize, u64)> {
    let mut numbers = HashMap::<u64, usize>::new();
    let mut counts: Vec<(usize, u64)> = Vec::new();
    // Nearly all windows of the text are not in the sample. A flag for the low bits of each hash in the
    // sample rules out most of them without a look-up in the map.
    let mut filter = vec![false; 1 << FILTER];
    for &position in sample {
        let hash = Rolling::new(&text[position..][..length]).hash;
        filter[low_bits(hash)] = true;
        numbers.entry(hash).or_insert_with(|| {
            counts.push((position, 0));
            counts.len() - 1
        });
    }
    let mut look = |hash: u64| {
        if filter[low_bits(hash)]
            && let Some(number) = numbers.get(&hash)
        {
            counts[*number].1 += 1;
        }
    };
    for stretch in stretches(text.len()) {
        let stretch = &text[stretch];
        let Some(first) = stretch.get(..length) else { continue };
        let mut window = Rolling::new(first);
        look(window.hash);
        for (&leaves, &enters) in stretch.iter().zip(&stretch[length..]) {
            window.roll(leaves, enters);
            look(window.hash);
        }
    }
    counts
}

/// The low bits of a hash, by which the filter knows it.
fn low_bits(hash: u64) -> usize {
    (hash & ((1 << FILTER) - 1)) as usize
}

/// The stretches of a text of this length in which patterns are counted.
fn stretches(length: usize) -> impl Iterator<Item = Range<usize>> {
    let (count, size) = if length <= COUNTED { (1, length) } else { (STRETCHES, COUNTED / STRETCHES) };
    (0..count).map(move |i| {
        let start = (i as u128 * (length - size) as u128 / (count - 1).max(1) as u128) as usize;
        start..start + size
    })
}

/// The hash of a window that moves over a text: a polynomial modulo a prime of 61 bits. With 16 Mi windows
/// and a thousand patterns, a window and a different pattern have the same hash in about one of 10^8 texts.
struct Rolling {
    hash: u64,
    /// The factor of the letter that leaves the window next.
    leaving: u64,
}

/// The prime modulus, 2^61 - 1, with which a remainder takes only shifts and additions.
const PRIME: u64 = (1 << 61) - 1;
/// The base of the polynomial: an arbitrary number with bits all over the word.
const BASE: u64 = 0x1235_79bd_f024_68ac;

impl Rolling {
    fn new(window: &[u8]) -> Self {
        let hash = window.iter().fold(0, |hash, &letter| modulo(times(hash, BASE) + u64::from(letter)));
        let leaving = window.iter().fold(1, |power, _| times(power, BASE));
        Rolling { hash, leaving }
    }

    fn roll(&mut self, leaves: u8, enters: u8) {
        let gone = times(u64::from(leaves), self.leaving);
        self.hash = modulo(times(self.hash, BASE) + u64::from(enters) + (PRIME - gone));
    }
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    modulo((product as u64 & PRIME) + (product >> 61) as u64)
}

fn modulo(number: u64) -> u64 {
    number % PRIME
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    proptest! {
        #[test]
        fn a_sample_is_counted_as_by_a_naive_search(
            text in prop::collection::vec(b'a'..=b'c', 30..300), length in 1..9usize, seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let sample: Vec<usize> = (0..20).map(|_| rng.random_range(0..=text.len() - length)).collect();
            let counts = counted(&sample, length, &text);
            for (position, count) in &counts {
                let pattern = &text[*position..][..length];
                let naive = text.windows(length).filter(|window| *window == pattern).count();
                prop_assert_eq!(*count, naive as u64);
            }
            let mut different: Vec<&[u8]> = sample.iter().map(|place| &text[*place..][..length]).collect();
            different.sort_unstable();
            different.dedup();
            prop_assert_eq!(counts.len(), different.len());
        }
    }

    #[test]
    fn of_ten_letters_the_rarest_is_rare_and_the_most_frequent_is_common() {
        // The letter of number i occurs i + 1 times in 55.
        let letters = (0..10u8).flat_map(|i| std::iter::repeat_n(b'a' + i, usize::from(i) + 1));
        let text: Vec<u8> = letters.collect::<Vec<_>>().repeat(20);
        let letter = |choice| {
            let chosen = choose(choice, 1, &text, &mut ChaCha8Rng::seed_from_u64(3));
            chosen.into_iter().map(|position| text[position]).collect::<Vec<_>>()
        };
        assert_eq!((letter(Frequency::Rare), letter(Frequency::Common)), (vec![b'a'], vec![b'j']));
    }

    #[test]
    fn a_long_text_is_looked_at_from_begin_to_end_in_parts() {
        assert!(stretches(COUNTED).eq(std::iter::once(0..COUNTED)));
        let length = (1 << 30) + 17;
        let parts: Vec<Range<usize>> = stretches(length).collect();
        assert_eq!(parts.iter().map(Range::len).sum::<usize>(), COUNTED);
        assert_eq!((parts[0].start, parts[15].end), (0, length));
        assert!(parts.windows(2).all(|pair| pair[0].end < pair[1].start));
    }

    #[test]
    fn a_pattern_longer_than_a_stretch_is_as_frequent_as_any() {
        let text = vec![b'x'; COUNTED + 1];
        assert_eq!(choose(Frequency::Rare, 2 << 20, &text, &mut ChaCha8Rng::seed_from_u64(1)).len(), 1);
    }
}
