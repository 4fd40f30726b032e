//! Every method with all instructions of this CPU against a naive search.

use std::io::{self, Write};

use crate::Finder;
use crate::cpu::{Available, Instructions};
use crate::decision::Kind;
use crate::draws::Draws;
use crate::found::{Count, Found};
use crate::part::Part;
use crate::search::search_by;
use crate::text::Bytes;

/// All positions.
#[derive(Default)]
struct All(Vec<usize>);

impl Found for All {
    const POSITIONS: bool = true;

    fn at(&mut self, position: usize) {
        self.0.push(position);
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}

/// 64 Ki characters of an alphabet at random.
pub fn random(characters: &[u8]) -> Vec<u8> {
    let mut draws = Draws(7);
    (0..1 << 16).map(|_| characters[draws.below(characters.len())]).collect()
}

fn naive(pattern: &[u8], text: &[u8]) -> Vec<usize> {
    (0..(text.len() + 1).saturating_sub(pattern.len())).filter(|&s| text[s..].starts_with(pattern)).collect()
}

/// The positions that are at least `m` after the one before.
fn without_overlaps(positions: &[usize], m: usize) -> Vec<usize> {
    let mut end = 0;
    let apart = positions.iter().filter(|position| {
        let apart = **position >= end;
        if apart {
            end = **position + m;
        }
        apart
    });
    apart.copied().collect()
}

/// Compares all that there is for this pattern and text, at several places of memory.
fn compare(pattern: &[u8], text: &[u8], offset: usize) {
    // What lies around the text must not matter: it is the pattern.
    let mut memory = pattern.repeat(1 + 64 / pattern.len());
    memory.truncate(64);
    memory.rotate_left(offset);
    memory.truncate(offset);
    memory.extend_from_slice(text);
    memory.extend_from_slice(pattern);
    let text = &memory[offset..offset + text.len()];
    let expected = naive(pattern, text);
    let said = |what: &str| format!("{what}: {pattern:?} in {} bytes at {offset}", text.len());
    for available in Available::all() {
        let instructions = available.get();
        for kind in Kind::ALL {
            if !kind.takes(pattern.len()) || instructions < kind.instructions() {
                continue;
            }
            let what = format!("{kind:?} with {}", instructions.name());
            let (mut all, mut count) = (All::default(), Count::default());
            search_by(kind, pattern, Bytes(text), available, &mut all);
            search_by(kind, pattern, Bytes(text), available, &mut count);
            assert_eq!(all.0, expected, "{}", said(&what));
            assert_eq!(count.0, expected.len() as u64, "{}", said(&what));
            let mut part = Part::new(pattern.len());
            let end = text.len().min(Part::LONGEST + pattern.len() - 1);
            search_by(kind, pattern, Bytes(&text[..end]), available, &mut part);
            let mut first = without_overlaps(&expected, pattern.len());
            first.retain(|position| position + pattern.len() <= end);
            first.truncate(Part::MOST);
            let found: Vec<usize> = std::iter::from_fn(|| part.take()).collect();
            assert_eq!(found, first, "a part: {}", said(&what));
        }
        let finder = Finder::new(pattern).with_instructions(instructions);
        let what = instructions.name();
        assert_eq!(finder.find(text), expected.first().copied(), "find with {}", said(what));
        assert_eq!(finder.rfind(text), expected.last().copied(), "rfind with {}", said(what));
        assert_eq!(finder.count(text), expected.len() as u64, "count with {}", said(what));
        let positions: Vec<usize> = finder.find_iter(text).collect();
        assert_eq!(positions, without_overlaps(&expected, pattern.len()), "find_iter with {}", said(what));
    }
}

/// Says which instructions can't be tried. Not by a macro, whose output is kept back where a test succeeds.
fn name_what_is_left_out() {
    for instructions in Instructions::ALL.into_iter().filter(|one| one.available().is_none()) {
        let name = instructions.name();
        _ = writeln!(io::stderr(), "skipped: tests of the search library with {name}, which this CPU lacks");
    }
}

#[test]
fn all_methods_find_what_a_naive_search_finds() {
    name_what_is_left_out();
    let mut draws = Draws(1);
    for round in 0..1500 {
        let letters = [1, 2, 3, 4, 20, 256][draws.below(6)];
        let m = match draws.below(4) {
            0 => 1 + draws.below(8),
            1 => 1 + draws.below(70),
            2 => 40 + draws.below(100),
            _ => 1 + draws.below(600),
        };
        let n = match draws.below(4) {
            0 => m + draws.below(5),
            1 => m + draws.below(200),
            // From here on two or three characters are compared of patterns of three or four.
            2 if round % 4 == 0 => (1 << 16) + draws.below(6000),
            _ => m + draws.below(6000),
        };
        let mut text: Vec<u8> = (0..n).map(|_| draws.below(letters) as u8 ^ b'a').collect();
        if round % 5 == 0 {
            // A period, with an error now and then.
            let period = 1 + draws.below(20);
            for i in period..n {
                text[i] = text[i - period];
            }
            text[draws.below(n)] = b'!';
        }
        let at = draws.below(n - m + 1);
        let mut pattern = text[at..at + m].to_vec();
        if round % 7 == 0 {
            pattern[draws.below(m)] ^= 1;
        }
        compare(&pattern, &text, draws.below(64));
    }
}

#[test]
fn texts_around_the_size_of_blocks_are_searched_to_their_ends() {
    for block in [16, 32, 64, 128, 512, 1024, 2048, 3072] {
        for n in block - 2..block + 3 {
            for m in [1, 2, 4, 5, 8, 13, 48, 64, 65] {
                if m <= n {
                    let mut text: Vec<u8> = (0..n).map(|i| (i % 7) as u8).collect();
                    let pattern = vec![9; m];
                    text[..m].fill(9);
                    text[n - m..].fill(9);
                    compare(&pattern, &text, n % 64);
                }
            }
        }
    }
}

/// A sample looks at four places of a text. Here, what it sees there is not what the rest has.
#[test]
fn a_text_that_misleads_the_sample_is_searched_to_its_end() {
    let mut draws = Draws(3);
    for (m, n) in [(3, 300_000), (5, 70_000), (8, 70_000), (12, 70_000), (30, 70_000), (45, 300_000)] {
        let letters: Vec<u8> = (b'A'..=b'P').collect();
        let mut text: Vec<u8> = (0..n).map(|_| letters[draws.below(4)]).collect();
        for place in 0..4 {
            let begin = place * (n - 64) / 3;
            for byte in &mut text[begin..begin + 64] {
                *byte = letters[4 + draws.below(12)];
            }
        }
        let at = 1000 + draws.below(n / 4);
        let mut pattern = text[at..at + m].to_vec();
        compare(&pattern, &text, 7);
        pattern[m / 2] = b'z';
        compare(&pattern, &text, 0);
    }
}

#[test]
fn the_functions_agree_with_those_of_memchr() {
    let mut draws = Draws(2);
    let cases: [(&[u8], &[u8]); 6] =
        [(b"", b""), (b"", b"abc"), (b"a", b""), (b"abc", b"ab"), (b"aa", b"aaaaa"), (b"abc", b"abcabc")];
    for (needle, haystack) in cases {
        agree(needle, haystack);
    }
    for _ in 0..300 {
        let n = draws.below(500);
        let haystack: Vec<u8> = (0..n).map(|_| b'a' + draws.below(3) as u8).collect();
        let needle: Vec<u8> = (0..draws.below(9)).map(|_| b'a' + draws.below(3) as u8).collect();
        agree(&needle, &haystack);
    }
}

/// An iterator goes from occurrences one by one to parts of the text and back.
#[test]
fn an_iterator_finds_all_occurrences_where_they_are_close_and_where_they_are_far() {
    let mut draws = Draws(8);
    for m in [1, 2, 5, 12, 70] {
        let mut haystack: Vec<u8> = (0..1 << 18).map(|_| b'a' + draws.below(20) as u8).collect();
        let needle: Vec<u8> = haystack[..m].to_vec();
        for (part, distance) in [(0, 40), (1, 900), (3, 17)] {
            let begin = part << 16;
            for at in (begin..begin + (1 << 16) - m).step_by(distance + m) {
                haystack[at..at + m].copy_from_slice(&needle);
            }
        }
        for available in Available::all() {
            let mut found = Finder::new(&needle).with_instructions(available.get()).find_iter(&haystack);
            for (i, theirs) in memchr::memmem::find_iter(&haystack, &needle).enumerate() {
                let (least, most) = found.size_hint();
                assert!(least <= most.unwrap() && most.unwrap() > 0, "{m}: {least} to {most:?}");
                assert_eq!(
                    found.next(),
                    Some(theirs),
                    "occurrence {i} of {m} with {}",
                    available.get().name()
                );
            }
            assert_eq!((found.size_hint().0, found.next()), (0, None));
        }
    }
}

fn agree(needle: &[u8], haystack: &[u8]) {
    use memchr::memmem;
    let finder = Finder::new(needle);
    assert_eq!(finder.needle(), needle);
    assert_eq!(finder.find(haystack), memmem::find(haystack, needle), "{needle:?} in {haystack:?}");
    assert_eq!(crate::find(haystack, needle), memmem::find(haystack, needle));
    assert_eq!(finder.rfind(haystack), memmem::rfind(haystack, needle), "{needle:?} in {haystack:?}");
    assert_eq!(crate::rfind(haystack, needle), memmem::rfind(haystack, needle));
    let theirs: Vec<usize> = memmem::find_iter(haystack, needle).collect();
    assert_eq!(finder.find_iter(haystack).collect::<Vec<_>>(), theirs, "{needle:?} in {haystack:?}");
    assert_eq!(crate::find_iter(haystack, needle).collect::<Vec<_>>(), theirs);
}
