//! The patterns of a run: made from the text and the seed, and the same for all algorithms; or one that the
//! user gives.

use std::ops::Range;

use assay_base::error::{Error, Result};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::absent;
use super::frequency::{Frequency, choose};
use super::pattern_kind::{PatternKind, PatternPlace};
use super::pattern_spec::{Pattern, PatternSpec};

/// The patterns of one length, one for each repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternSet {
    /// Length of each pattern, in bytes.
    pub length: usize,
    /// The patterns, by repetition.
    pub patterns: Patterns,
}

/// The patterns of several repetitions, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Patterns {
    /// Substrings of the text: the position of each.
    Drawn(Vec<usize>),
    /// Patterns that do not occur in the text, and for each repetition the index of its pattern.
    Made(Vec<Vec<u8>>, Vec<u32>),
    /// One pattern that the user gave, and the number of repetitions that search for it.
    Given(Vec<u8>, usize),
}

impl Patterns {
    /// Number of repetitions.
    pub fn len(&self) -> usize {
        match self {
            Patterns::Drawn(positions) => positions.len(),
            Patterns::Made(_, indices) => indices.len(),
            Patterns::Given(_, repetitions) => *repetitions,
        }
    }

    /// Whether there are no repetitions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pattern of a repetition. `text` is the text from which patterns are drawn, `length` their length
    /// in bytes.
    pub fn get<'a>(&'a self, repetition: usize, length: usize, text: &'a [u8]) -> &'a [u8] {
        match self {
            Patterns::Drawn(positions) => &text[positions[repetition]..][..length],
            Patterns::Made(patterns, indices) => &patterns[indices[repetition] as usize],
            Patterns::Given(pattern, _) => pattern,
        }
    }

    /// The patterns of some of the repetitions. Made patterns that none of these uses are left out, because a
    /// batch with its patterns is sent to a worker.
    #[must_use]
    pub fn slice(&self, repetitions: Range<usize>) -> Self {
        match self {
            Patterns::Drawn(positions) => Patterns::Drawn(positions[repetitions].to_vec()),
            Patterns::Made(patterns, indices) => {
                let indices = &indices[repetitions];
                let mut used = indices.to_vec();
                used.sort_unstable();
                used.dedup();
                let renumbered =
                    indices.iter().map(|index| used.partition_point(|other| other < index) as u32);
                let renumbered = renumbered.collect();
                let kept = used.iter().map(|index| patterns[*index as usize].clone()).collect();
                Patterns::Made(kept, renumbered)
            }
            Patterns::Given(pattern, _) => Patterns::Given(pattern.clone(), repetitions.len()),
        }
    }
}

impl PatternSet {
    /// The pattern of a repetition, from the text that the patterns are drawn from.
    pub fn pattern<'a>(&'a self, text: &'a [u8], repetition: usize) -> &'a [u8] {
        self.patterns.get(repetition, self.length, text)
    }

    /// The position in the text from which the pattern of a repetition was drawn; `None` if it was made or
    /// given.
    pub fn position(&self, repetition: usize) -> Option<usize> {
        match &self.patterns {
            Patterns::Drawn(positions) => Some(positions[repetition]),
            Patterns::Made(..) | Patterns::Given(..) => None,
        }
    }
}

/// Makes the patterns of an experiment, a set for each length. `runs` gives the number of patterns of a
/// length; `texts` are those that a repetition searches, and patterns are drawn from the first.
///
/// A set depends only on its length, the texts and the seed, of which each range value has its own. It does
/// not depend on the other lengths. Every position of the text is equally likely to be drawn, including the
/// last possible one, and so is every pattern that is made or chosen.
///
/// # Errors
/// If a pattern is longer than a text or would end after its end, or if every pattern of a length occurs and
/// absent ones are asked for.
pub fn draw(
    spec: &PatternSpec,
    runs: impl Fn(usize) -> usize,
    seed: u64,
    texts: &[&[u8]],
) -> Result<Vec<PatternSet>> {
    let (text, shortest) = (texts[0], texts.iter().map(|text| text.len()).min().unwrap_or_default());
    let shortest_text = format!("the text of {shortest} bytes");
    if let Some(Pattern(pattern)) = &spec.given {
        if pattern.len() > shortest {
            return Err(too_long(pattern.len(), &shortest_text));
        }
        let patterns = Patterns::Given(pattern.clone(), runs(pattern.len()));
        return Ok(vec![PatternSet { length: pattern.len(), patterns }]);
    }
    let lengths = spec.drawn_lengths(shortest);
    if let Some(&length) = lengths.iter().find(|length| **length > shortest) {
        return Err(too_long(length, &shortest_text));
    }
    if lengths.is_empty() {
        // The default lengths begin with 2, and not even that fits.
        return Err(too_long(2, &shortest_text));
    }
    if spec.kind == PatternKind::Absent {
        return absent_sets(&lengths, &runs, seed, texts);
    }
    let mut sets = Vec::with_capacity(lengths.len());
    for length in lengths {
        let positions = positions(&spec.kind, length, runs(length), seed, text)?;
        sets.push(PatternSet { length, patterns: Patterns::Drawn(positions) });
    }
    Ok(sets)
}

/// The positions of the patterns of one length, for `runs` repetitions. `kind` is not
/// [`PatternKind::Absent`].
///
/// # Errors
/// If a pattern would end after the text.
fn positions(kind: &PatternKind, length: usize, runs: usize, seed: u64, text: &[u8]) -> Result<Vec<usize>> {
    let mut rng = rng_of(seed, length);
    let frequency = match kind {
        PatternKind::Rare => Frequency::Rare,
        PatternKind::Common => Frequency::Common,
        PatternKind::At(places) => {
            let positions = positions_of(places, length, text.len())?;
            return Ok(positions.into_iter().cycle().take(runs).collect());
        }
        PatternKind::Drawn | PatternKind::Absent => {
            return Ok((0..runs).map(|_| rng.random_range(0..=text.len() - length)).collect());
        }
    };
    let chosen = choose(frequency, length, text, &mut sample_of(seed, length));
    Ok((0..runs).map(|_| chosen[rng.random_range(0..chosen.len())]).collect())
}

/// The error that a pattern of this length does not fit into `text`, which describes the text in words.
pub(crate) fn too_long(length: usize, text: &str) -> Error {
    Error::new(format!("a pattern of {length} bytes is longer than {text}"))
        .remedy("use a longer text (--text, --text-size) or shorter patterns (--plen)")
}

/// The positions in the text at which patterns of this length begin at these places.
///
/// # Errors
/// If a pattern would end after the text.
fn positions_of(places: &[PatternPlace], length: usize, text_length: usize) -> Result<Vec<usize>> {
    let mut positions = Vec::with_capacity(places.len());
    for place in places {
        positions.push(place.position(length, text_length).ok_or_else(|| {
            let last = text_length - length;
            Error::new(format!(
                "a pattern of {length} bytes at {place} would end after the text of {text_length} bytes"
            ))
            .remedy(format!("the last place is {last}, which is `at:end`"))
        })?);
    }
    Ok(positions)
}

/// The sets of absent patterns.
///
/// # Errors
/// If all patterns of some lengths occur; all such lengths are named.
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
                let indices = (0..runs(length)).map(|_| rng.random_range(0..patterns.len()) as u32).collect();
                sets.push(PatternSet { length, patterns: Patterns::Made(patterns, indices) });
            }
        }
    }
    if without.is_empty() {
        return Ok(sets);
    }
    Err(Error::new(format!(
        "no pattern of {} bytes is absent: all patterns of the {} letter(s) of the text occur in it",
        without.join(", "),
        letters.len()
    ))
    .remedy("use longer patterns (--plen) or a shorter text (--text-size)"))
}

/// The random numbers that draw the sample from which patterns of a length are chosen or made. They differ
/// from those of [`rng_of`], so that choosing among the sample does not depend on how it was drawn.
fn sample_of(seed: u64, length: usize) -> ChaCha8Rng {
    rng_of(seed ^ 0x7361_6d70_6c65, length)
}

/// The random numbers that draw the patterns of a length. Each length has a stream of its own, so that the
/// patterns of a length do not depend on which other lengths there are.
pub fn rng_of(seed: u64, length: usize) -> ChaCha8Rng {
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
        let drawn = PatternSet { length: 3, patterns: Patterns::Drawn(vec![7, 0]) };
        assert_eq!([drawn.pattern(text, 0), drawn.pattern(text, 1)], [b"789", b"012"]);
        assert_eq!([drawn.position(0), drawn.position(1)], [Some(7), Some(0)]);
        let given = PatternSet { length: 2, patterns: Patterns::Given(b"xy".to_vec(), 6) };
        assert_eq!((given.pattern(text, 5), given.position(5)), (b"xy".as_slice(), None));
    }

    #[test]
    fn a_slice_has_the_patterns_of_its_repetitions_and_no_others() {
        let made = Patterns::Made(vec![b"a".to_vec(), b"b".to_vec(), b"c".to_vec()], vec![2, 0, 2, 1]);
        let slice = made.slice(0..3);
        assert_eq!(slice, Patterns::Made(vec![b"a".to_vec(), b"c".to_vec()], vec![1, 0, 1]));
        for patterns in [made, Patterns::Drawn(vec![3, 1, 2, 0]), Patterns::Given(b"a".to_vec(), 4)] {
            let slice = patterns.slice(1..4);
            assert_eq!((patterns.len(), slice.len()), (4, 3));
            for i in 0..3 {
                assert_eq!(slice.get(i, 1, b"wxyz"), patterns.get(i + 1, 1, b"wxyz"));
            }
        }
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
        assert!(message.contains("2 bytes at 9 would end after the text of 10 bytes"), "{message}");
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
        assert!(message.starts_with("no pattern of 1, 2 bytes is absent: all patterns"), "{message}");
        let set = &of_kind("absent", &[8], b"abbaabba").unwrap()[0];
        assert!((0..40).all(|i| set.pattern(b"", i) != b"abbaabba" && set.position(i).is_none()));
    }
}
