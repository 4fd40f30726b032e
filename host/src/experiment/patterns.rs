//! The patterns: drawn from the text by the seed, the same for all algorithms, or one that is given.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::experiment::pattern_spec::{Pattern, PatternSpec};

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
    /// The same pattern each time.
    Given(Vec<u8>),
}

impl PatternSet {
    /// The pattern of a repetition.
    pub fn pattern<'a>(&'a self, text: &'a [u8], repetition: usize) -> &'a [u8] {
        match &self.source {
            PatternSource::Drawn(positions) => &text[positions[repetition]..][..self.length],
            PatternSource::Given(pattern) => pattern,
        }
    }

    /// The position in the text from which the pattern of a repetition was drawn.
    pub fn position(&self, repetition: usize) -> Option<usize> {
        match &self.source {
            PatternSource::Drawn(positions) => Some(positions[repetition]),
            PatternSource::Given(_) => None,
        }
    }
}

/// Draws the patterns of an experiment: `runs` of each length.
///
/// A set depends on the seed, its length and the text alone, not on the other lengths. Every position is equally likely,
/// the last possible one included.
///
/// # Errors
/// If a pattern that was asked for is longer than the text.
pub fn draw(spec: &PatternSpec, runs: usize, seed: u64, text: &[u8]) -> Result<Vec<PatternSet>> {
    let too_long = |length: usize| {
        Error::new(format!("a pattern of {length} bytes is longer than the text of {} bytes", text.len()))
            .remedy("take a longer text (--text, --text-size) or shorter patterns (--plen)")
    };
    if let Some(Pattern(pattern)) = &spec.given {
        if pattern.len() > text.len() {
            return Err(too_long(pattern.len()));
        }
        let source = PatternSource::Given(pattern.clone());
        return Ok(vec![PatternSet { length: pattern.len(), source }]);
    }
    let lengths = spec.drawn_lengths(text.len());
    if let Some(&length) = lengths.iter().find(|length| **length > text.len()) {
        return Err(too_long(length));
    }
    if lengths.is_empty() {
        return Err(too_long(2));
    }
    let set = |length: usize| {
        let mut rng = rng_of(seed, length);
        let positions = (0..runs).map(|_| rng.random_range(0..=text.len() - length)).collect();
        PatternSet { length, source: PatternSource::Drawn(positions) }
    };
    Ok(lengths.into_iter().map(set).collect())
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
            draw(&PatternSpec { lengths: lengths.to_vec(), given: None }, 50, seed, &text).unwrap()
        };
        assert_eq!(draw(&[4, 8], 1)[1], draw(&[8], 1)[0]);
        assert_ne!(draw(&[8], 1), draw(&[8], 2));
    }

    #[test]
    fn a_pattern_may_be_as_long_as_the_text_and_no_longer() {
        let given = |pattern: &[u8]| PatternSpec { lengths: vec![], given: Some(Pattern(pattern.to_vec())) };
        let drawn = |length| PatternSpec { lengths: vec![length], given: None };
        for (fits, too_long) in [(given(b"abc"), given(b"abcd")), (drawn(3), drawn(4))] {
            assert_eq!(draw(&fits, 1, 1, b"abc").unwrap()[0].length, 3);
            let message = draw(&too_long, 1, 1, b"abc").unwrap_err().to_string();
            assert!(
                message.starts_with("a pattern of 4 bytes is longer than the text of 3 bytes"),
                "{message}"
            );
        }
        assert!(draw(&given(b"a"), 1, 1, b"abc").is_ok());
    }

    #[test]
    fn the_last_possible_position_can_be_drawn() {
        let spec = PatternSpec { lengths: vec![9], given: None };
        let set = &draw(&spec, 200, 3, b"0123456789").unwrap()[0];
        let positions: Vec<usize> = (0..200).filter_map(|repetition| set.position(repetition)).collect();
        assert!(positions.contains(&1) && positions.contains(&0) && !positions.contains(&2));
        let spec = PatternSpec { lengths: vec![500], given: None };
        let set = &draw(&spec, 200, 3, &[0; 1000]).unwrap()[0];
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
}
