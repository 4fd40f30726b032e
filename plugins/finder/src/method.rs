//! The choice of a method, by the lengths of pattern and text, the CPU, and a sample of the text.

use crate::cpu::Instructions;
use crate::decision::Kind;
use crate::packing::Codes;
use crate::sample::Sample;
use crate::text::Text;

pub use crate::packing::PackedPattern;
pub use crate::parities::Parities;
pub use crate::some_characters::Place;

/// How a text is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// All characters of the pattern, which has at most eight, are compared at all alignments.
    AllCharacters,
    /// These characters are compared at all alignments.
    Two([Place; 2]),
    /// The same with three.
    Three([Place; 3]),
    /// The same with four.
    Four([Place; 4]),
    /// The same with eight.
    Eight([Place; 8]),
    /// One or two bits of each character are joined into words, which are compared.
    Packed(PackedPattern),
    /// A few bits of some characters are compared at all alignments.
    Planes(Parities),
    /// One q-gram of each window is looked up.
    Windows(Gram),
    /// Two Way, which is linear in the worst case.
    TwoWay,
}

/// The q-grams of [`Method::Windows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gram {
    /// Eight characters, all q-grams of the pattern.
    Eight,
    /// Sixteen characters, all q-grams of the pattern.
    Sixteen,
    /// Sixteen characters, each second q-gram of the pattern.
    SixteenOfTwo,
    /// Twenty-four characters, all q-grams of the pattern.
    TwentyFour,
    /// Twenty-four characters, each second q-gram of the pattern.
    TwentyFourOfTwo,
    /// This bit of each of thirty-two characters, all q-grams of the pattern.
    Bits(u8),
}

/// Planes and packed words are chosen by a sample in longer texts. On an AMD of family 25 model 1, packed
/// words are chosen in 0.5 us, and 32 candidates in 2 KiB, at which another method gives up, take 0.8 to 1.3
/// us.
pub(crate) const SAMPLED: usize = 2048;
/// Characters are chosen by a sample if the text is longer than this. In a shorter text, a search for four
/// characters from anywhere in the pattern ends before a better choice would pay: measured on an AMD of
/// family 25 model 1, it takes 0.3 to 0.6 of the time in 4 KiB, and 0.5 to 1.2 in 16 KiB.
pub(crate) const CHOSEN_BY_SAMPLE: usize = 16 << 10;
/// In texts of at most this length, patterns of 5 to 8 characters are compared as a whole, because a few
/// candidates of four characters cost more: 0.2 to 0.9 of the time on an AMD of family 25 model 1.
const MOST_TEXT_FOR_ALL: usize = 2048;
/// Planes are used in longer texts than this, because their rounds pass at least seven blocks of 512
/// characters in any text. Not measured.
const LEAST_TEXT_FOR_PLANES: usize = 1024;

/// Least length of a text in which two characters are chosen for a pattern of 3 or 4 characters: in a shorter
/// one, the sample costs more than two characters gain over all. Four times as much where the alternative is
/// windows.
const LEAST_TEXT_FOR_TWO: usize = 1 << 16;
/// From this length on, windows are used instead of two characters. On an AMD of family 25 model 1, they take
/// as long from 64 to 96 characters on in random text of 128 and 250 letters, but less time from 40 on in one
/// of 64 letters.
const FAR_WINDOWS: usize = 60;
/// If two characters match by chance more often than this, more characters are compared: each candidate costs
/// as much as a third character in 8 KiB of text.
const RARE_FOR_TWO: f32 = 1.0 / 8192.0;
/// The same for four characters.
const RARE: f32 = 1.0 / 4096.0;
/// Three characters that match by chance less often than this take less time than every second packed word.
/// Without that word, 24 and 32 of 16 letters took 1.25 times as long, and of a protein 1.13, on an AMD of
/// family 25 model 1.
const VERY_RARE: f32 = RARE / 16.0;
/// From this length on, codes of two bits need only each second word of the text: three words of eight
/// characters, less one, always cover one of two neighbours.
pub(crate) const SECOND_WORDS: usize = 23;
/// Packed words are used if fewer than this number of words in a MiB are expected to match by chance,
/// because each one takes 5 to 10 ns.
const MOST_CHANCES: u32 = 5000;

impl Method {
    /// The method for this pattern of at least one byte in this text, with these instructions.
    pub fn choose<T: Text>(pattern: &[u8], text: T, instructions: Instructions) -> Self {
        let (m, n) = (pattern.len(), text.len());
        let planes = instructions == Instructions::Avx512Planes && n > LEAST_TEXT_FOR_PLANES;
        if m <= 4 {
            // Where all values of four planes are equally frequent, few windows are verified in vain.
            if planes && Kind::Planes.takes(m) && n > SAMPLED {
                let parities = Parities::sampled(text);
                if parities.even {
                    return Method::Planes(parities);
                }
            }
            return Self::few_rare_characters(pattern, text, planes).unwrap_or(Method::AllCharacters);
        }
        if planes && m <= 8 && n > SAMPLED {
            // A pattern of two different characters occurs often, so occurrences should be counted together.
            let parities = Parities::sampled(text);
            if parities.useful == 1 || parities.useful == 2 && m == 5 {
                return Method::AllCharacters;
            }
            return Method::Planes(parities);
        }
        if Kind::Windows.takes(m) && windows_pay(m, n, planes) {
            if m < FAR_WINDOWS
                && let Some(two) = Self::few_rare_characters(pattern, text, planes)
            {
                return two;
            }
            return Self::of_kind(Kind::Windows, pattern, text, instructions);
        }
        Self::of_all_text(pattern, text, instructions, 2)
    }

    /// The method for a search that begins again after each of many occurrences, so it must begin at once: it
    /// fills no table.
    pub(crate) fn without_table<T: Text>(pattern: &[u8], text: T, instructions: Instructions) -> Self {
        match Self::choose(pattern, text, instructions) {
            Method::Windows(_) => Self::of_all_text(pattern, text, instructions, 2),
            chosen => chosen,
        }
    }

    /// The method for a pattern of more than four bytes that looks at all of the text, and compares at least
    /// this number of characters, two or three.
    pub(crate) fn of_all_text<T: Text>(
        pattern: &[u8],
        text: T,
        instructions: Instructions,
        characters: usize,
    ) -> Self {
        let (m, n) = (pattern.len(), text.len());
        if instructions >= Kind::Planes.instructions() && n > LEAST_TEXT_FOR_PLANES {
            return Self::of_kind(Kind::Planes, pattern, text, instructions);
        }
        if n <= MOST_TEXT_FOR_ALL && Kind::AllCharacters.takes(m) {
            return Method::AllCharacters;
        }
        if n <= CHOSEN_BY_SAMPLE {
            return Method::Four(spread(pattern));
        }
        let sample = Sample::of_text(text);
        let (some, chance) = Self::of_rare_characters(pattern, &sample, characters);
        let is_three = matches!(some, Method::Three(_));
        // Every second word takes less time than three characters, if those are not very rare.
        let second_words = m >= SECOND_WORDS && instructions >= Kind::Packed.instructions();
        if matches!(some, Method::Two(_)) || is_three && (!second_words || chance < VERY_RARE) {
            return some;
        }
        if m <= 6 {
            // No packed word is whole.
            return if chance < RARE { some } else { Method::AllCharacters };
        }
        let codes = Codes::balanced(&sample);
        let packed = (instructions >= Kind::Packed.instructions() && Kind::Packed.takes(m))
            .then(|| PackedPattern::rarest(pattern, codes))
            .filter(|choice| choice.chances < MOST_CHANCES);
        match packed {
            Some(choice) if second_words && !choice.has_run() || choice.whole() && !is_three => {
                Method::Packed(choice)
            }
            _ if chance < RARE => some,
            _ if m <= 8 && codes.bits == 1 => Method::AllCharacters,
            Some(choice) => Method::Packed(choice),
            None => some,
        }
    }

    /// Two characters of the pattern, or three of four, if the text is long enough for a sample and they are
    /// rare together: of a protein, three of four take 0.88 of the time of all. As measured without AVX-512;
    /// with planes, nothing was measured yet.
    fn few_rare_characters<T: Text>(pattern: &[u8], text: T, planes: bool) -> Option<Self> {
        let (m, n) = (pattern.len(), text.len());
        let least = if m <= 4 { LEAST_TEXT_FOR_TWO } else { 4 * LEAST_TEXT_FOR_TWO };
        if planes || !Kind::SomeCharacters.takes(m) || n < least {
            return None;
        }
        let mut rarest = Sample::of_text(text).rarest_of(pattern);
        let [a, b] = rarest.take_all();
        if rarest.chance < RARE_FOR_TWO {
            return Some(Method::Two([a, b]));
        }
        let c = rarest.take();
        (m == 4 && rarest.chance < RARE / 2.0).then_some(Method::Three([a, b, c]))
    }

    /// As few characters of the pattern as are rare together, but at least `least`, and about how often all
    /// of them match by chance.
    fn of_rare_characters(pattern: &[u8], sample: &Sample, least: usize) -> (Self, f32) {
        let mut rarest = sample.rarest_of(pattern);
        let [a, b] = rarest.take_all();
        if least <= 2 && rarest.chance < RARE_FOR_TWO {
            return (Method::Two([a, b]), rarest.chance);
        }
        let c = rarest.take();
        if rarest.chance < RARE / 2.0 {
            return (Method::Three([a, b, c]), rarest.chance);
        }
        let d = rarest.take();
        if rarest.chance < RARE || pattern.len() < 8 {
            return (Method::Four([a, b, c, d]), rarest.chance);
        }
        let [e, f, g, h] = rarest.take_all();
        (Method::Eight([a, b, c, d, e, f, g, h]), rarest.chance)
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Method::AllCharacters => Kind::AllCharacters,
            Method::Two(_) | Method::Three(_) | Method::Four(_) | Method::Eight(_) => Kind::SomeCharacters,
            Method::Packed(_) => Kind::Packed,
            Method::Planes(_) => Kind::Planes,
            Method::Windows(_) => Kind::Windows,
            Method::TwoWay => Kind::TwoWay,
        }
    }

    /// The method of this kind.
    ///
    /// # Panics
    /// If the kind can't search patterns of this length, or if the CPU lacks the instructions.
    pub fn of_kind<T: Text>(kind: Kind, pattern: &[u8], text: T, instructions: Instructions) -> Self {
        let m = pattern.len();
        assert!(kind.takes(m), "a pattern of {m} bytes for {kind:?}");
        assert!(instructions >= kind.instructions(), "{kind:?} without its instructions");
        let sampled = text.len() > SAMPLED;
        let parities = || if sampled { Parities::sampled(text) } else { Parities::UNKNOWN };
        match kind {
            Kind::AllCharacters => Method::AllCharacters,
            Kind::TwoWay => Method::TwoWay,
            Kind::Packed => {
                let codes = if sampled { Codes::balanced(&Sample::of_text(text)) } else { Codes::UNKNOWN };
                Method::Packed(PackedPattern::rarest(pattern, codes))
            }
            Kind::Planes => Method::Planes(parities()),
            Kind::Windows => Method::Windows(match pattern {
                [start @ .., _] if instructions >= Instructions::Avx512 && of_two_characters(start) => {
                    match parities() {
                        Parities { masks: [mask, ..], useful: 1, .. } if mask.is_power_of_two() => {
                            Gram::Bits(mask)
                        }
                        _ => Gram::by_length(pattern.len()),
                    }
                }
                _ => Gram::by_length(pattern.len()),
            }),
            Kind::SomeCharacters if text.len() <= CHOSEN_BY_SAMPLE => Method::Four(spread(pattern)),
            Kind::SomeCharacters => Self::of_rare_characters(pattern, &Sample::of_text(text), 2).0,
        }
    }
}

/// `K` characters of the pattern from the first to the last, as far apart as they can be.
pub fn spread<const K: usize>(pattern: &[u8]) -> [Place; K] {
    core::array::from_fn(|k| {
        let offset = k * (pattern.len() - 1) / (K - 1);
        Place { offset, byte: pattern[offset] }
    })
}

/// Whether a pattern begins with 63 characters, at most two different ones.
fn of_two_characters(pattern: &[u8]) -> bool {
    pattern.first_chunk::<63>().is_some_and(|start| {
        let other = start.iter().find(|byte| **byte != start[0]);
        start.iter().all(|byte| *byte == start[0] || Some(byte) == other)
    })
}

impl Gram {
    /// Its characters, and the distance of the pattern's q-grams that are in the table.
    pub(crate) fn shape(self) -> (usize, usize) {
        match self {
            Gram::Eight => (8, 1),
            Gram::Sixteen => (16, 1),
            Gram::SixteenOfTwo => (16, 2),
            Gram::TwentyFour => (24, 1),
            Gram::TwentyFourOfTwo => (24, 2),
            Gram::Bits(_) => (32, 1),
        }
    }

    /// A longer pattern has more q-grams, so each must be rarer in texts; and its table takes longer to fill.
    /// On an AMD of family 25 model 1, 16 characters take less time than 8 from 400 on in English and in a
    /// binary text, and each second q-gram less than all from 2,000 on everywhere.
    fn by_length(m: usize) -> Self {
        match m {
            ..400 => Gram::Eight,
            400..2000 => Gram::Sixteen,
            _ => Gram::SixteenOfTwo,
        }
    }
}

/// Whether a look at each window, and the table, take less time than a look at each character.
pub(crate) fn windows_pay(m: usize, n: usize, planes: bool) -> bool {
    // Times in nanoseconds, as measured on an Intel of family 6 model 207; only their ratios matter.
    let window = 0.8 + m as f32 / 1000.0;
    let windows = 300.0 + m as f32 + n as f32 / (m - 7) as f32 * window;
    // Planes take the same time on each text, but common q-grams may make windows give up. So windows must be
    // a quarter faster than planes.
    let (character, margin) = if planes { (0.0165, 1.25) } else { (0.038, 1.0) };
    // What the choice of another method takes, where there is one.
    let choice = if !planes && n <= CHOSEN_BY_SAMPLE { 0.0 } else { 150.0 };
    margin * windows < choice + n as f32 * character
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random;
    use crate::text::Bytes;

    #[test]
    fn two_characters_are_compared_where_a_sample_says_that_they_are_rare() {
        let bytes: Vec<u8> = (0..=255).collect();
        let (four, all) = (random(b"acgt").repeat(4), random(&bytes).repeat(4));
        let choose = |text: &[u8], m: usize, n: usize| {
            Method::choose(&text[100..100 + m], Bytes(&text[..n]), Instructions::Sse2)
        };
        for (m, n) in
            [(3, LEAST_TEXT_FOR_TWO), (4, LEAST_TEXT_FOR_TWO), (12, LEAST_TEXT_FOR_TWO), (50, 1 << 18)]
        {
            let chosen = choose(&all, m, n);
            assert!(matches!(chosen, Method::Two(_)), "m = {m}, n = {n}: {chosen:?}");
            let chosen = choose(&four, m, n);
            assert!(!matches!(chosen, Method::Two(_)), "m = {m}, n = {n}: {chosen:?}");
        }
        assert_eq!(choose(&all, 3, LEAST_TEXT_FOR_TWO - 1), Method::AllCharacters);
        assert_eq!(choose(&all, 50, (1 << 18) - 1).kind(), Kind::Windows);
        assert_eq!(choose(&all, FAR_WINDOWS, 1 << 18).kind(), Kind::Windows);
    }

    #[test]
    fn the_method_depends_on_pattern_text_and_instructions() {
        use Instructions::{Avx2, Avx512Planes, Sse2};
        let bytes: Vec<u8> = (0..=255).collect();
        let (two, four, all) = (random(b"ab"), random(b"acgt"), random(&bytes));
        let (sixteen, letters) = (random(b"abcdefghijklmnop"), random(b"abcdefghijklmnopqrstuvwxyz"));
        for (text, m, instructions, kind) in [
            (&all, 1, Avx512Planes, Kind::AllCharacters),
            (&all, 4, Avx512Planes, Kind::Planes),
            (&four, 4, Avx512Planes, Kind::AllCharacters),
            (&two, 8, Avx512Planes, Kind::AllCharacters),
            (&two, 9, Avx512Planes, Kind::Planes),
            (&four, 8, Avx512Planes, Kind::Planes),
            (&four, 6, Avx2, Kind::AllCharacters),
            (&four, 16, Avx2, Kind::Packed),
            (&two, 16, Avx2, Kind::Packed),
            (&all, 16, Avx2, Kind::SomeCharacters),
            (&all, SECOND_WORDS, Avx2, Kind::SomeCharacters),
            (&letters, 4, Avx2, Kind::SomeCharacters),
            (&four, 4, Avx2, Kind::AllCharacters),
            (&sixteen, SECOND_WORDS, Avx2, Kind::Packed),
            (&sixteen, SECOND_WORDS, Sse2, Kind::SomeCharacters),
            (&two, 8, Sse2, Kind::AllCharacters),
            (&four, 16, Sse2, Kind::SomeCharacters),
            (&all, 500, Sse2, Kind::Windows),
        ] {
            let chosen = Method::choose(&text[100..100 + m], Bytes(text), instructions);
            assert_eq!(chosen.kind(), kind, "m = {m} with {}: {chosen:?}", instructions.name());
        }
        // A run of one character occurs more often than the sample says.
        let run = Method::choose(b"abcdefghaaaaaaaaaaaaaaaaaaaaaa", Bytes(&sixteen), Avx2);
        assert_eq!(run.kind(), Kind::SomeCharacters, "{run:?}");
        let chosen = Method::choose(&four[..8], Bytes(&four[..MOST_TEXT_FOR_ALL]), Avx2);
        assert_eq!(chosen.kind(), Kind::AllCharacters);
        // In short texts, no characters are chosen by a sample.
        for length in [1000, CHOSEN_BY_SAMPLE] {
            let chosen = Method::choose(&four[..16], Bytes(&four[..length]), Avx2);
            assert_eq!(chosen.kind(), Kind::SomeCharacters, "{length} bytes");
        }
    }
}
