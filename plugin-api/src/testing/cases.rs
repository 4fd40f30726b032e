//! The cases that algorithms are tried on: hand-picked ones, each for a reason, and generated ones.

use super::Case;

/// Each hand-picked case with 0 to 34 bytes before and after it, so that every lane, tail and alignment is met: once with a byte that
/// the pattern lacks, and once with its own first byte.
pub fn stretched() -> impl Iterator<Item = Case> {
    seeds().into_iter().flat_map(|(pattern, text)| {
        let foreign = (0..=255).rev().find(|byte| !pattern.contains(byte)).expect("a seed lacks some byte");
        let paddings = (0..=34).flat_map(|before| (0..=34).map(move |after| (before, after)));
        let fills = [foreign, pattern[0]];
        paddings.enumerate().map(move |(i, (before, after))| {
            let fill = fills[i % 2];
            let mut stretched = vec![fill; before];
            stretched.extend_from_slice(&text);
            stretched.resize(before + text.len() + after, fill);
            (pattern.clone(), stretched)
        })
    })
}

/// The hand-picked cases.
pub fn seeds() -> Vec<Case> {
    let plain: &[(&str, &str)] = &[
        // One byte: everywhere, nowhere, at either end.
        ("a", "a"),
        ("a", "aaaa"),
        ("a", "bbbb"),
        ("a", "abba"),
        // Text and pattern alike, and texts that are too short.
        ("ab", "ab"),
        ("abc", "ab"),
        ("abcdefgh", "abcdefgh"),
        // In the first window, in the last, in both.
        ("abc", "abcxx"),
        ("abc", "xxabc"),
        ("abc", "abcabc"),
        ("abcdefghijklmnop", "abcdefghijklmnopqabcdefghijklmnop"),
        // Nearly: a byte wrong at the start, in the middle, at the end.
        ("abcde", "xbcdeabxdeabcdx"),
        ("aaaab", "aaaaaaaaaa"),
        ("baaaa", "aaaaaaaaaa"),
        ("aabaa", "aaaaaaaaaaa"),
        // Overlaps and borders.
        ("aa", "aaaaa"),
        ("aba", "abababa"),
        ("abab", "abababab"),
        ("abcab", "abcabcabcab"),
        ("abacaba", "abacabacabadabacaba"),
        ("aabaab", "aabaabaabaab"),
        // Periods: whole, broken at the end, broken in the middle.
        ("abcabcabc", "abcabcabcabcabc"),
        ("abcabcabd", "abcabcabcabcabdabcabcabd"),
        ("abababbab", "abababababbababababbab"),
        // Fibonacci words: every prefix has long borders.
        ("abaababa", "abaababaabaababaababaabaababaabaab"),
        // Good suffixes that come again with the same and with another byte before them.
        ("gcagagag", "gcatcgcagagagtatacagtacg"),
        ("abcxxxabc", "xabcabcxxxabcxxxabc"),
        // Bytes that are no text: zero, the greatest, either side of the sign bit.
        ("\0", "\0\0a\0"),
        ("\0\0a", "\0\0\0a\0"),
        ("a\0", "a\0a\0"),
        ("\u{7f}\u{80}", "\u{7f}\u{80}\u{7f}"),
    ];
    let mut seeds: Vec<Case> = plain.iter().map(|&(x, y)| (x.into(), y.into())).collect();
    seeds.extend([
        (vec![255], vec![255, 254, 255]),
        (vec![255, 0, 255], vec![255, 0, 255, 0, 255]),
        (vec![128, 127], vec![127, 128, 127, 128, 127]),
    ]);
    // Around the length of a machine word, where bit-parallel algorithms change their ways.
    for length in [31, 32, 33, 63, 64, 65, 129] {
        let letters: Vec<u8> = (0..length).map(|i| b'a' + (i * i % 23) as u8).collect();
        let mut wrong_at_the_end = letters.clone();
        wrong_at_the_end[length - 1] = b'~';
        seeds.extend([
            (letters.clone(), [&wrong_at_the_end[..], &letters, &letters].concat()),
            (vec![b'a'; length], vec![b'a'; length + 3]),
            (b"ab".repeat(length)[..length].to_vec(), b"ab".repeat(length)),
        ]);
    }
    seeds
}

/// Generated cases, the same for the same seed: patterns of random texts over alphabets of several sizes, of periodic texts,
/// and of texts that are put together from pieces of the pattern. Some patterns are longer than their text.
pub fn generated(seed: u64, count: usize) -> impl Iterator<Item = Case> {
    let mut draws = Draws(seed);
    (0..count).map(move |i| match i % 3 {
        0 => random(&mut draws),
        1 => periodic(&mut draws),
        _ => adversarial(&mut draws),
    })
}

/// Three cases of a pattern length: what a text of four letters begins with, what it ends with, and what it lacks. The text
/// is as long as it is to be, or as the pattern.
pub fn of_length(pattern_length: usize, text_length: usize) -> [Case; 3] {
    let text = Draws(1).letters(4, text_length.max(pattern_length));
    let patterns = [&text[..pattern_length], &text[text.len() - pattern_length..], &vec![0; pattern_length]];
    patterns.map(|pattern| (pattern.to_vec(), text.clone()))
}

/// What lies behind a text to tempt who looks too far: the bytes with which the longest prefix of the pattern that ends the
/// text would become an occurrence, and then the whole pattern.
pub fn continuation<'a>(pattern: &'a [u8], text: &[u8]) -> impl Iterator<Item = &'a u8> + Clone + use<'a> {
    let begun = (0..pattern.len()).rev().find(|&length| text.ends_with(&pattern[..length])).unwrap_or(0);
    pattern[begun..].iter().chain(pattern)
}

/// A linear congruential generator with the constants of D. E. Knuth's MMIX; its upper half is drawn from.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as usize % bound
    }

    /// The last letters of all bytes: what treats bytes as signed, or as text, is found out.
    fn letters(&mut self, alphabet: usize, length: usize) -> Vec<u8> {
        (0..length).map(|_| 255 - self.below(alphabet) as u8).collect()
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A pattern of the text, from anywhere in it, and in one case of three with one byte changed.
    fn pattern_of(&mut self, text: Vec<u8>) -> Case {
        let (from, to) = (self.below(text.len()), self.below(text.len()));
        let mut pattern = text[from.min(to)..=from.max(to)].to_vec();
        if self.below(3) == 0 {
            let place = self.below(pattern.len());
            pattern[place] = self.below(256) as u8;
        }
        (pattern, text)
    }
}

/// Short patterns too, which occur often, and some that the text may lack.
fn random(draws: &mut Draws) -> Case {
    let (alphabet, length) = (draws.one_of(&[2, 4, 20, 256]), 1 + draws.below(400));
    let text = draws.letters(alphabet, length);
    if draws.below(2) == 0 {
        return draws.pattern_of(text);
    }
    let length = 1 + draws.below(7);
    (draws.letters(alphabet, length), text)
}

/// `a^n b` repeated, `(ab)^n`, `(aab)^n` and Fibonacci words, cut anywhere.
fn periodic(draws: &mut Draws) -> Case {
    let block = match draws.below(4) {
        0 => [vec![b'a'; draws.below(90)], vec![b'b']].concat(),
        1 => b"ab".to_vec(),
        2 => b"aab".to_vec(),
        _ => fibonacci(300),
    };
    let length = 1 + draws.below(300);
    draws.pattern_of(block.repeat(length)[..length].to_vec())
}

fn fibonacci(length: usize) -> Vec<u8> {
    let (mut previous, mut word) = (b"b".to_vec(), b"a".to_vec());
    while word.len() < length {
        let next = [&word[..], &previous].concat();
        previous = std::mem::replace(&mut word, next);
    }
    word
}

/// Prefixes, suffixes and whole patterns one after the other, which begin or end an occurrence as often as can be.
/// Patterns reach beyond two machine words.
fn adversarial(draws: &mut Draws) -> Case {
    let pattern = match draws.below(3) {
        0 => {
            let length = 1 + draws.below(11);
            draws.letters(2, length)
        }
        1 => {
            let length = 50 + draws.below(90);
            draws.letters(3, length)
        }
        _ => {
            let length = 1 + draws.below(5);
            draws.letters(256, length).repeat(1 + draws.below(29))
        }
    };
    let mut text = Vec::new();
    for _ in 0..=draws.below(7) {
        let place = draws.below(pattern.len());
        text.extend_from_slice(match draws.below(3) {
            0 => &pattern[..=place],
            1 => &pattern[place..],
            _ => &pattern,
        });
    }
    (pattern, text)
}
