//! Which bits of characters are packed into words, and which words of a pattern are compared.

use crate::sample::Sample;

/// Words of a register, and bits of a word.
pub const WORDS: usize = 16;
/// Words are chosen among the first characters of the pattern, because the choice must be cheap.
const CONSIDERED: usize = 32;

/// Codes of characters, by their lower four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// The code of each.
    pub codes: [u8; 16],
    /// Bits of a code: 1 or 2.
    pub bits: usize,
    /// How rare each code is in the text: 16 times the binary logarithm of 1 / its frequency.
    rareness: [u16; 4],
}

impl Codes {
    /// For a text of which nothing is known.
    pub const UNKNOWN: Codes =
        Codes { codes: [0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0], bits: 2, rareness: [32; 4] };

    /// Codes that are about equally frequent in a text with these characters. They have one bit where it has
    /// two characters.
    pub fn balanced(sample: &Sample) -> Self {
        let counts = sample.by_lower_bits();
        let all: u16 = counts.iter().sum();
        let different = counts.iter().filter(|count| **count > 0).count();
        let bits = if different > 2 { 2 } else { 1 };
        // The most frequent characters come first, and each gets the code that is the rarest so far.
        let mut order: [u16; 16] = core::array::from_fn(|i| counts[i] << 4 | i as u16);
        order.sort_unstable();
        let (mut codes, mut sums) = ([0; 16], [0_u16; 4]);
        for entry in order.into_iter().rev().take(different) {
            let code = (0..1 << bits).min_by_key(|code| sums[*code]).unwrap_or(0);
            codes[usize::from(entry & 15)] = code as u8;
            sums[code] += entry >> 4;
        }
        Codes { codes, bits, rareness: sums.map(|sum| sixteenths(all) - sixteenths(sum.max(1))) }
    }

    /// Characters whose codes fill a word.
    pub fn characters_of_a_word(self) -> usize {
        WORDS / self.bits
    }

    fn of_character(self, character: u8) -> u8 {
        self.codes[usize::from(character & 15)]
    }
}

/// About 16 times the binary logarithm of a number above 0.
fn sixteenths(number: u16) -> u16 {
    let whole = number.ilog2() as u16;
    16 * whole + (((u32::from(number) << 4) >> whole) as u16 & 15)
}

/// The words that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPattern {
    /// How characters are packed.
    pub codes: Codes,
    /// Only words at multiples of this number of characters of the text are compared: 8 or 16.
    pub period: usize,
    /// About how many words of a MiB of text match by chance.
    pub chances: u32,
    /// A word of the text at `p` that matches the `k`-th of these belongs to the alignment `p + k - first`.
    pub first: usize,
    /// Words of the pattern.
    pub words: [u16; WORDS],
    /// 1 for each bit that the pattern covers.
    pub masks: [u16; WORDS],
}

impl PackedPattern {
    /// The words of the pattern that are rarest in texts, among its first 32 characters.
    pub fn rarest(pattern: &[u8], codes: Codes) -> Self {
        let m = pattern.len().min(CONSIDERED);
        let length = codes.characters_of_a_word();
        // If an occurrence always covers one word in two, only each second word is compared.
        let period = if codes.bits == 2 && m >= 3 * length - 1 { 2 * length } else { length };
        let code = |i: usize| codes.of_character(pattern[i]);
        // The i-th word ends with the i-th character.
        let mut known = [(0_u16, 0_u16, 0_u32); CONSIDERED + WORDS];
        let (mut word, mut mask, mut rareness, mut sum) = (0, 0, 0, 0);
        let (mut begin, mut least) = (0, u32::MAX);
        for i in 0..m + length - 1 {
            // The last character of a word has its highest bits.
            (word, mask) = (word >> codes.bits, mask >> codes.bits);
            if i < m {
                word |= u16::from(code(i)) << (WORDS - codes.bits);
                mask |= u16::MAX << (WORDS - codes.bits);
                rareness += codes.rareness[usize::from(code(i))];
            }
            if i >= length {
                rareness -= codes.rareness[usize::from(code(i - length))];
            }
            // Of 2^20 words.
            let chance = (1 << 20 >> (rareness / 16).min(20)) * (32 - u32::from(rareness % 16)) / 32;
            known[i] = (word, mask, chance);
            sum += chance;
            // Each alignment needs one word, so `period` words in a row are chosen.
            if let Some(first) = (i + 1).checked_sub(period) {
                if sum < least {
                    (begin, least) = (first, sum);
                }
                sum -= known[first].2;
            }
        }
        // Unused entries: with a mask of 0, no word of the text can equal 1.
        let (mut words, mut masks) = ([1; WORDS], [0; WORDS]);
        for k in 0..period {
            (words[k], masks[k], _) = known[begin + period - 1 - k];
        }
        PackedPattern {
            codes,
            period,
            chances: least / period as u32,
            first: begin + period - length,
            words,
            masks,
        }
    }

    /// Whether a word is of one character again and again. It occurs more often than the characters say, such
    /// as blanks in indented text.
    pub fn has_run(&self) -> bool {
        let bits = self.codes.bits as u32;
        self.words[..self.period].iter().zip(&self.masks).any(|(word, mask)| {
            let both = mask & mask >> bits;
            both != 0 && (word ^ word >> bits) & both == 0
        })
    }

    /// Whether all bits of all words are compared.
    pub fn whole(&self) -> bool {
        self.masks[..self.period].iter().all(|mask| *mask == u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Bytes;

    fn codes(text: &[u8]) -> Codes {
        Codes::balanced(&Sample::of_text(Bytes(text)))
    }

    #[test]
    fn codes_are_about_equally_frequent() {
        let two = codes(&b"abbab".repeat(100));
        assert_eq!(two.bits, 1);
        assert_ne!(two.of_character(b'a'), two.of_character(b'b'));
        // Half of the characters are `e`, which has a code of its own.
        let text = b"easetele".repeat(100);
        let many = codes(&text);
        assert_eq!(many.bits, 2);
        assert!(b"astl".iter().all(|other| many.of_character(*other) != many.of_character(b'e')));
    }

    #[test]
    fn words_are_whole_where_the_pattern_is_long_enough_and_avoid_frequent_characters() {
        let genome = codes(&b"acgtgcatgacttcag".repeat(50));
        let text: Vec<u8> = (0..64).map(|i| b"acgt"[i * i / 3 % 4]).collect();
        for (m, whole, period) in
            [(14, false, 8), (15, true, 8), (22, true, 8), (23, true, 16), (64, true, 16)]
        {
            let choice = PackedPattern::rarest(&text[..m], genome);
            assert_eq!((choice.whole(), choice.period), (whole, period), "m = {m}");
        }
        let choice = PackedPattern::rarest(
            &[[b'e'; 20], *b"astlstalslatastltals"].concat(),
            codes(&b"easetele".repeat(100)),
        );
        // The first of the words begins after the frequent characters, or shortly before their end.
        assert!(choice.first + 8 >= 20 + choice.period - 8, "{choice:?}");
        assert!(choice.chances < PackedPattern::rarest(&[b'e'; 40], codes(&b"easetele".repeat(100))).chances);
    }
}
