//! The patterns: made from the text by the seed, the same for all algorithms, or one that is given.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::absent;
use super::frequency::{Choice, choose};
use super::pattern_kind::{PatternKind, Place};
use super::pattern_spec::{Pattern, PatternSpec};
use crate::error::{Error, Result};

/// The patterns of one length, one for each repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternSet {
    /// Length of each, in bytes.
    pub length: usize,
    /// Where they come from.
    pub source: PatternSource,
}

/// Where patterns come from.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternSource {
    /// From these positions of the text, one for each repetition.
    Drawn(Vec<usize>),
    /// These patterns, which are nowhere in the text, and the number of the one for each repetition.
    Made(Vec<Vec<u8>>, Vec<u32>),
    /// The same pattern each time.
    Given(Vec<u8>),
}

impl PatternSet {
    /// The pattern of a repetition.
    pub fn pattern<'a>(&'a self, text: &'a [u8], repetition: usize) -> &'a [u8] {
        match &self.source {
            PatternSource::Drawn(positions) => &text[positions[repetition]..][..self.length],
            PatternSource::Made(patterns, numbers) => &patterns[numbers[repetition] as usize],
            PatternSource::Given(pattern) => pattern,
        }
    }

    /// The position in the text from which the pattern of a repetition was drawn.
    pub fn position(&self, repetition: usize) -> Option<usize> {
        match &self.source {
            PatternSource::Drawn(positions) => Some(positions[repetition]),
            PatternSource::Made(..) | PatternSource::Given(_) => None,
        }
    }
}

/// Draws the patterns of an experiment from the first of the texts that a repetition searches: of each length as many as `runs` tells.
///
/// A set depends on the seed (each value of a range has one of its own), its length and the texts alone, not on the other lengths. Of patterns that are drawn, every position
/// is equally likely, the last possible one included; of those that are made or chosen, every one of them.
///
/// # Errors
/// If a pattern that was asked for is longer than a text or begins behind its end, or none is absent.
pub fn draw(
    spec: &PatternSpec,
    runs: impl Fn(usize) -> usize,
    seed: u64,
    texts: &[&[u8]],
) -> Result<Vec<PatternSet>> {
    let (text, shortest) = (texts[0], texts.iter().map(|text| text.len()).min().unwrap_or_default());
    let too_long = |length: usize| too_long(length, &format!("the text of {shortest} bytes"));
    if let Some(Pattern(pattern)) = &spec.given {
        if pattern.len() > shortest {
            return Err(too_long(pattern.len()));
        }
        let source = PatternSource::Given(pattern.clone());
        return Ok(vec![PatternSet { length: pattern.len(), source }]);
    }
    let lengths = spec.drawn_lengths(shortest);
    if let Some(&length) = lengths.iter().find(|length| **length > shortest) {
        return Err(too_long(length));
    }
    if lengths.is_empty() {
        return Err(too_long(2));
    }
    if spec.kind == PatternKind::Absent {
        return absent_sets(&lengths, &runs, seed, texts);
    }
    let set = |length: usize| {
        let (mut rng, runs) = (rng_of(seed, length), runs(length));
        let mut one_of = |positions: Vec<usize>| {
            (0..runs).map(|_| positions[rng.random_range(0..positions.len())]).collect()
        };
        let positions = match &spec.kind {
            PatternKind::Rare => one_of(choose(Choice::Rare, length, text, &mut sample_of(seed, length))),
            PatternKind::Common => one_of(choose(Choice::Common, length, text, &mut sample_of(seed, length))),
            PatternKind::At(places) => {
                let positions = at(places, length, text.len())?;
                positions.into_iter().cycle().take(runs).collect()
            }
            PatternKind::Drawn | PatternKind::Absent => {
                (0..runs).map(|_| rng.random_range(0..=text.len() - length)).collect()
            }
        };
        Ok(PatternSet { length, source: PatternSource::Drawn(positions) })
    };
    lengths.into_iter().map(set).collect()
}

/// A pattern does not fit into a text.
pub fn too_long(length: usize, text: &str) -> Error {
    Error::new(format!("a pattern of {length} bytes is longer than {text}"))
        .remedy("take a longer text (--text, --text-size) or shorter patterns (--plen)")
}

/// The positions of these places.
fn at(places: &[Place], length: usize, text_length: usize) -> Result<Vec<usize>> {
    let position = |place: &Place| {
        place.position(length, text_length).ok_or_else(|| {
            let last = text_length - length;
            Error::new(format!(
                "a pattern of {length} bytes at {place} would end behind the text of {text_length} bytes"
            ))
            .remedy(format!("the last place is {last}, which is `at:end`"))
        })
    };
    places.iter().map(position).collect()
}

fn absent_sets(
    lengths: &[usize],
    runs: &impl Fn(usize) -> usize,
    seed: u64,
    texts: &[&[u8]],
) -> Result<Vec<PatternSet>> {
    let letters = absent::letters(texts[0]);
    let (mut sets, mut without) = (Vec::new(), Vec::new());
    for &length in lengths {
        let mut rng = sample_of(seed, length);
        match absent::make(length, texts, &letters, &mut rng) {
            None => without.push(length.to_string()),
            Some(patterns) => {
                let mut rng = rng_of(seed, length);
                let numbers = (0..runs(length)).map(|_| rng.random_range(0..patterns.len()) as u32).collect();
                sets.push(PatternSet { length, source: PatternSource::Made(patterns, numbers) });
            }
        }
    }
    if without.is_empty() {
        return Ok(sets);
    }
    Err(Error::new(format!(
        "no pattern of {} bytes is absent: all that can be made of the {} letter(s) of the text occur",
        without.join(", "),
        letters.len()
    ))
    .remedy("give longer patterns (--plen), or a shorter text (--text-size)"))
}

/// What draws the sample from which patterns of a length are chosen or made.
fn sample_of(seed: u64, length: usize) -> ChaCha8Rng {
    rng_of(seed ^ 0x7361_6d70_6c65, length)
}

/// What draws the patterns of a length.
pub(crate) fn rng_of(seed: u64, length: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(length as u64);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_depends_on_seed_and_length_alone() {
        let text = vec![0; 1000];
        let draw = |lengths: &[usize], seed| {
            draw(&PatternSpec { lengths: lengths.to_vec(), ..PatternSpec::default() }, |_| 50, seed, &[&text])
                .unwrap()
        };
        assert_eq!(draw(&[4, 8], 1)[1], draw(&[8], 1)[0]);
        assert_ne!(draw(&[8], 1), draw(&[8], 2));
    }

    #[test]
    fn a_pattern_may_be_as_long_as_the_text_and_no_longer() {
        let given =
            |pattern: &[u8]| PatternSpec { given: Some(Pattern(pattern.to_vec())), ..PatternSpec::default() };
        let drawn = |length| PatternSpec { lengths: vec![length], ..PatternSpec::default() };
        for (fits, too_long) in [(given(b"abc"), given(b"abcd")), (drawn(3), drawn(4))] {
            assert_eq!(draw(&fits, |_| 1, 1, &[b"abc", b"abcd"]).unwrap()[0].length, 3);
            for texts in [&[&b"abc"[..]][..], &[b"abcd", b"abc"]] {
                let message = draw(&too_long, |_| 1, 1, texts).unwrap_err().to_string();
                let expected = "a pattern of 4 bytes is longer than the text of 3 bytes";
                assert!(message.starts_with(expected), "{message}");
            }
        }
        assert!(draw(&given(b"a"), |_| 1, 1, &[b"abc"]).is_ok());
    }

    #[test]
    fn the_last_possible_position_can_be_drawn() {
        let spec = PatternSpec { lengths: vec![9], ..PatternSpec::default() };
        let set = &draw(&spec, |_| 200, 3, &[b"0123456789"]).unwrap()[0];
        let positions: Vec<usize> = (0..200).filter_map(|repetition| set.position(repetition)).collect();
        assert!(positions.contains(&1) && positions.contains(&0) && !positions.contains(&2));
        let spec = PatternSpec { lengths: vec![500], ..PatternSpec::default() };
        let set = &draw(&spec, |_| 200, 3, &[&[0; 1000]]).unwrap()[0];
        let positions = || (0..200).filter_map(|repetition| set.position(repetition));
        assert!(positions().max() <= Some(500) && positions().any(|position| position > 250));
    }

    #[test]
    fn a_pattern_is_what_stands_at_its_position_or_what_was_given() {
        let text = b"0123456789";
        let drawn = PatternSet { length: 3, source: PatternSource::Drawn(vec![7, 0]) };
        assert_eq!([drawn.pattern(text, 0), drawn.pattern(text, 1)], [b"789", b"012"]);
        assert_eq!([drawn.position(0), drawn.position(1)], [Some(7), Some(0)]);
        let given = PatternSet { length: 2, source: PatternSource::Given(b"xy".to_vec()) };
        assert_eq!((given.pattern(text, 5), given.position(5)), (b"xy".as_slice(), None));
    }

    fn of_kind(kind: &str, lengths: &[usize], text: &[u8]) -> Result<Vec<PatternSet>> {
        let spec = PatternSpec { lengths: lengths.to_vec(), kind: kind.parse().unwrap(), given: None };
        draw(&spec, |_| 40, 5, &[text])
    }

    #[test]
    fn a_set_of_any_kind_depends_on_seed_and_length_alone() {
        let text: Vec<u8> =
            (0..5000u32).map(|i| b'a' + (i.wrapping_mul(2_654_435_761) >> 29) as u8).collect();
        for kind in ["absent", "rare", "common", "at:start,50%"] {
            let both = of_kind(kind, &[6, 8], &text).unwrap();
            assert_eq!(both[1], of_kind(kind, &[8], &text).unwrap()[0], "{kind}");
        }
    }

    #[test]
    fn placed_patterns_take_turns() {
        let set = &of_kind("at:end,start,3", &[2], b"0123456789").unwrap()[0];
        assert_eq!([0, 1, 2, 3].map(|i| set.pattern(b"0123456789", i)), [b"89", b"01", b"34", b"89"]);
        let message = of_kind("at:9", &[2], b"0123456789").unwrap_err().to_string();
        assert!(message.contains("2 bytes at 9 would end behind the text of 10 bytes"), "{message}");
    }

    #[test]
    fn rare_patterns_occur_less_than_common_ones() {
        let text = [b"ab".repeat(300), b"ax".repeat(30)].concat();
        let patterns = |kind: &str| {
            let set = of_kind(kind, &[2], &text).unwrap().remove(0);
            (0..40).map(|i| set.pattern(&text, i).to_vec()).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(patterns("common"), [b"ab".to_vec()].into());
        assert_eq!(patterns("rare").len(), 1);
        assert!(patterns("rare").iter().all(|pattern| pattern.contains(&b'x')));
    }

    #[test]
    fn where_no_pattern_is_absent_all_such_lengths_are_named() {
        let message = of_kind("absent", &[1, 2, 9], b"abbaabba").unwrap_err().to_string();
        assert!(message.starts_with("a pattern of 9 bytes is longer"), "{message}");
        let message = of_kind("absent", &[1, 2, 8], b"abbaabba").unwrap_err().to_string();
        assert!(message.starts_with("no pattern of 1, 2 bytes is absent: all that can"), "{message}");
        let set = &of_kind("absent", &[8], b"abbaabba").unwrap()[0];
        assert!((0..40).all(|i| set.pattern(b"", i) != b"abbaabba" && set.position(i).is_none()));
    }
}
