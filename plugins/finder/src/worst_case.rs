//! The bytes that a search reads grow with the text, not with the product of text and pattern, whatever they
//! are.

use crate::counted::Work;
use crate::cpu::Available;
use crate::decision::Kind;
use crate::draws::Draws;

/// A period, and places where it is broken.
#[derive(Clone)]
struct Periodic {
    period: Vec<u8>,
    errors: Vec<usize>,
}

impl Periodic {
    fn bytes(&self, length: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.period.iter().copied().cycle().take(length).collect();
        for error in &self.errors {
            bytes[error % length] ^= 3;
        }
        bytes
    }

    fn changed(&self, draws: &mut Draws) -> Self {
        let mut changed = self.clone();
        match draws.below(5) {
            0 => changed.period.push(b'a' + draws.below(2) as u8),
            1 if changed.period.len() > 1 => _ = changed.period.pop(),
            2 => changed.errors.push(draws.below(1 << 20)),
            3 => _ = changed.errors.pop(),
            _ => {
                let i = draws.below(changed.period.len());
                changed.period[i] ^= 3;
            }
        }
        changed
    }
}

/// Changes pattern and text at random, and keeps what makes the search read more.
fn worst(m: usize, n: usize, read: impl Fn(&[u8], &[u8]) -> usize) -> usize {
    let mut draws = Draws(m as u64);
    let plain = || Periodic { period: vec![b'a'], errors: Vec::new() };
    let (mut pattern, mut text, mut most) = (plain(), plain(), 0);
    for _ in 0..60 {
        let (other_pattern, other_text) = match draws.below(3) {
            0 => (pattern.changed(&mut draws), text.clone()),
            1 => (pattern.clone(), text.changed(&mut draws)),
            _ => {
                // The same change in both, so that they stay alike.
                let changed = pattern.changed(&mut draws);
                let text = Periodic { period: changed.period.clone(), errors: text.errors.clone() };
                (changed, text)
            }
        };
        let found = read(&other_pattern.bytes(m), &other_text.bytes(n));
        if found >= most {
            (pattern, text, most) = (other_pattern, other_text, found);
        }
    }
    most
}

#[test]
fn no_search_reads_more_than_some_bytes_for_each_of_the_text() {
    const TEXT: usize = 1 << 17;
    /// Eight characters at each alignment, twice where a group of blocks has a candidate, and four compared
    /// in vain; and, for each stretch of Two Way, what each of five methods and eight lessons may spend. Four
    /// stretches are shorter than 64 KiB, which the others have.
    const MOST: usize = 20 * TEXT + (4 + (TEXT >> 16)) * 13 * (1 << 14);
    for available in Available::all() {
        let instructions = available.get();
        // Shorter patterns can't fail, because the product of text and pattern is not greater.
        for m in [64, 100, 700, 2500] {
            let read = |kind: Option<Kind>, pattern: &[u8], text: &[u8]| {
                let (work, _) = Work::measured(pattern, text, kind, available);
                let jumps = work.jumps.get();
                assert!(jumps <= text.len(), "{kind:?} with {}: {jumps} jumps, m = {m}", instructions.name());
                work.read.get()
            };
            let kinds =
                Kind::ALL.into_iter().filter(|kind| kind.takes(m) && instructions >= kind.instructions());
            for kind in kinds.map(Some).chain([None]) {
                let most = worst(m, TEXT, |pattern, text| read(kind, pattern, text));
                let with = instructions.name();
                assert!(most <= MOST, "{kind:?} with {with} reads {most} bytes for a pattern of {m}");
            }
        }
    }
}

/// What a sample can't show is learned from the windows that differ, so the search is not left to Two Way.
#[test]
fn a_search_that_was_misled_goes_on_with_the_places_that_differ() {
    const TEXT: usize = 1 << 18;
    let repeated =
        |period: &[u8], length: usize| -> Vec<u8> { period.iter().copied().cycle().take(length).collect() };
    let mut others = repeated(b"qr", TEXT);
    for place in 0..4 {
        let begin = place * (TEXT - 64) / 3;
        others[begin..begin + 64].copy_from_slice(&repeated(b"abcd", 64));
    }
    let changed = |mut pattern: Vec<u8>, at: usize| {
        pattern[at] = b'z';
        pattern
    };
    for (pattern, text) in [
        (changed(vec![b'a'; 17], 15), vec![b'a'; TEXT]),
        (changed(vec![b'a'; 39], 13), vec![b'a'; TEXT]),
        (changed(repeated(b"ab", 16), 15), repeated(b"ab", TEXT)),
        (changed(repeated(b"ab", 32), 0), repeated(b"ab", TEXT)),
        (repeated(b"ab", 16), others),
    ] {
        for available in Available::all() {
            let (work, count) = Work::measured(&pattern, &text, None, available);
            let (methods, with) = (work.methods(), available.get().name());
            assert_eq!(count, 0);
            assert!(!methods.contains(&Kind::TwoWay), "{pattern:?} with {with}: {methods:?}");
        }
    }
}

/// What is done for each stretch of Two Way takes time in proportion to the pattern.
#[test]
fn a_long_pattern_that_occurs_everywhere_is_searched_in_linear_time() {
    const TEXT: usize = 1 << 20;
    let text = vec![b'a'; TEXT];
    for m in [1 << 12, 1 << 15, 1 << 19] {
        for available in Available::all() {
            let (work, count) = Work::measured(&text[..m], &text, None, available);
            assert_eq!(count as usize, TEXT - m + 1);
            let (read, with) = (work.read.get(), available.get().name());
            assert!(read <= 8 * TEXT, "m = {m} with {with}: {read} bytes");
        }
    }
}

/// A run of spaces at the beginning of a text, in which the pattern occurs at each alignment, is left to Two
/// Way; the rest is not.
#[test]
fn the_chosen_method_is_tried_again_after_a_stretch_of_two_way() {
    const TEXT: usize = 1 << 18;
    let mut draws = Draws(5);
    let mut text = vec![b' '; TEXT];
    text[4000..].fill_with(|| b'a' + draws.below(26) as u8);
    for m in [9, 16, 64, 300, 700] {
        let pattern = vec![b' '; m];
        for available in Available::all() {
            let (work, count) = Work::measured(&pattern, &text, None, available);
            let (methods, with) = (work.methods(), available.get().name());
            assert_eq!(count as usize, 4000 - m + 1);
            assert_ne!(methods.last(), Some(&Kind::TwoWay), "m = {m} with {with}: {methods:?}");
            assert!(work.jumps.get() <= TEXT, "m = {m} with {with}");
        }
    }
}
