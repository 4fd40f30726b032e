//! Hand-picked cases, each with a reason.

use super::{Case, Cases, Size};

/// The hand-picked cases.
pub fn all() -> Cases {
    Box::new(seeds().into_iter())
}

/// Each hand-picked case with 0 to 34 bytes before and after it, to meet each lane, tail and alignment of
/// vectors. The bytes are one that the pattern does not have, or the first byte of the pattern.
pub fn stretched(size: Size) -> Cases {
    let step = if size == Size::Full { 11 } else { 35 };
    Box::new(seeds().into_iter().enumerate().flat_map(move |(seed, (pattern, text))| {
        let foreign = (0..=255).rev().find(|byte| !pattern.contains(byte)).expect("a seed lacks some byte");
        let paddings = (0..=34).flat_map(|before| (0..=34).map(move |after| (before, after)));
        // Each number of bytes before goes with others after, in every seed.
        let some = paddings.filter(move |(before, after)| (after + 3 * before + seed) % step == 0);
        let fills = [foreign, pattern[0]];
        some.enumerate().map(move |(i, (before, after))| {
            let fill = fills[i % 2];
            let mut stretched = vec![fill; before];
            stretched.extend_from_slice(&text);
            stretched.resize(before + text.len() + after, fill);
            (pattern.clone(), stretched)
        })
    }))
}

/// The hand-picked cases, as a list.
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
        // Near misses: one byte differs at the start, in the middle, at the end.
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
        // Suffixes that occur again in the pattern, after the same byte and after another one.
        ("gcagagag", "gcatcgcagagagtatacagtacg"),
        ("abcxxxabc", "xabcabcxxxabcxxxabc"),
        // Bytes that are not printable: zero, the greatest, and both sides of the sign bit.
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
    // Around the length of a machine word, where bit-parallel algorithms change their method.
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
