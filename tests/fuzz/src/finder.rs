//! A search of `assay-finder`, with every set of instructions that this CPU has, against memchr.

use assay_finder::Finder;
use assay_finder::cpu::Available;
use assay_finder::decision::Kind;
use assay_finder::found::{Count, Found};
use assay_finder::search::search_by;
use assay_finder::text::Bytes;
use memchr::memmem;

/// Text and pattern that an input describes.
struct Case {
    /// The first byte of the text has this place in its memory, which begins at a multiple of 16.
    offset: usize,
    needle: Vec<u8>,
    haystack: Vec<u8>,
}

/// Searches as the input says: its first two bytes choose the instructions and the method, and the rest describes
/// pattern and text. All functions of a [`Finder`] must return what memchr returns. A read outside of the text ends in
/// memory that was not allocated, where the address sanitizer finds it.
pub fn finder(input: &[u8]) {
    let Some(([instructions, method], rest)) = input.split_first_chunk() else { return };
    let Some(case) = case(rest) else { return };
    let available: Vec<Available> = Available::all().collect();
    let available = available[usize::from(*instructions) % available.len()];
    let what = format!(
        "{} in {} bytes at {} with {}",
        case.needle.len(),
        case.haystack.len(),
        case.offset,
        available.get().name()
    );
    // Exactly as long as text or pattern, so that memory ends where they do.
    let needle = case.needle.into_boxed_slice();
    let mut memory = Vec::with_capacity(case.offset + case.haystack.len());
    // What lies before the text looks like the pattern.
    memory.extend(needle.iter().copied().chain([0]).cycle().take(case.offset));
    memory.extend_from_slice(&case.haystack);
    let memory = memory.into_boxed_slice();
    let haystack = &memory[case.offset..];

    let theirs = memmem::Finder::new(&needle);
    let mut expected = Vec::new();
    let mut begin = 0;
    while let Some(at) = haystack.get(begin..).and_then(|text| theirs.find(text)) {
        expected.push(begin + at);
        begin += at + 1;
    }
    let finder = Finder::new(&needle).with_instructions(available.get());
    assert_eq!(finder.find(haystack), expected.first().copied(), "find: {what}");
    assert_eq!(finder.rfind(haystack), memmem::rfind(haystack, &needle), "rfind: {what}");
    assert_eq!(finder.count(haystack), expected.len() as u64, "count: {what}");
    assert!(finder.find_iter(haystack).eq(theirs.find_iter(haystack)), "find_iter: {what}");

    let kind = Kind::ALL[usize::from(*method) % Kind::ALL.len()];
    let has_instructions = available.get() >= kind.instructions();
    if kind.takes(needle.len()) && has_instructions {
        let (mut all, mut count) = (All(Vec::new()), Count::default());
        search_by(kind, &needle, Bytes(haystack), available, &mut all);
        search_by(kind, &needle, Bytes(haystack), available, &mut count);
        assert_eq!(all.0, expected, "{kind:?}: {what}");
        assert_eq!(count.0, expected.len() as u64, "{kind:?} counts: {what}");
    }
}

/// Reads a case: a text that repeats some bytes of the input, with errors; its pattern is a part of it, maybe with an
/// error, or else bytes of the input.
///
/// Texts have up to 252 KiB, because methods change at 1, 2, 16 and 64 KiB, and the longest q-grams are for patterns
/// of 2,000 bytes. Most are shorter, because they take less time.
fn case(input: &[u8]) -> Option<Case> {
    let ([offset, letters, size, errors, length_low, length_high, place], rest) =
        input.split_first_chunk()?;
    let number = |byte: &u8| usize::from(*byte);
    // Few letters make patterns occur, and periods.
    let letters = [0xff, 0x01, 0x03, 0x0f, 0x80, 0x21][number(letters) % 6];
    let length = match number(size) {
        ..32 => rest.len(),
        size => (32 + size % 32) << (size / 21),
    };
    let mut haystack: Vec<u8> = rest.iter().copied().cycle().take(length).collect();
    haystack.iter_mut().for_each(|byte| *byte &= letters);
    let n = haystack.len();
    let error = |bytes: &mut [u8], place: usize| {
        if let Some(byte) = bytes.get_mut(place) {
            *byte ^= letters & letters.wrapping_neg();
        }
    };
    for i in 0..errors % 8 {
        let (high, low) = (rest.get(2 * number(&i))?, rest.get(2 * number(&i) + 1)?);
        error(&mut haystack, (number(high) << 8 | number(low)) % n.max(1));
    }
    let m = number(length_low) | (number(length_high) & 0x1f) << 8;
    let needle = match length_high >> 5 {
        // Of the input, before it was repeated.
        0 => rest[..m.min(rest.len())].to_vec(),
        how => {
            let m = m.min(n);
            let begin = (n - m) * number(place) / 255;
            let mut needle = haystack[begin..begin + m].to_vec();
            if how >= 6 {
                error(&mut needle, m * number(place) / 256);
            }
            needle
        }
    };
    // Half of the texts begin where their memory does, so that a read before them is found, too.
    let offset = number(offset).saturating_sub(128) % 64;
    Some(Case { offset, needle, haystack })
}

/// All positions.
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
