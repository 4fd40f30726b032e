//! The grid of a crossover, from the command line.

use assay_base::error::{Error, Result};
use assay_crossover::CrossoverGrid;
use assay_experiment::definition::{Experiment, Order};
use assay_experiment::range::Range;
use assay_experiment::text_spec::TextSpec;

use super::Args;
use crate::cli::run::RANDOM;

/// The least and the greatest pattern length without `--plen`.
const LENGTHS: (usize, usize) = (2, 256);
/// The alphabets if no text is named: two letters, DNA, about as many as proteins have, and many.
const ALPHABETS: [usize; 4] = [2, 4, 16, 64];

impl Args {
    /// The coarse grid. With alphabets, also the id of the corpus before their number.
    ///
    /// # Errors
    /// If options don't go together.
    pub(super) fn grid(&self, experiment: &mut Experiment) -> Result<(CrossoverGrid, Option<String>)> {
        if experiment.patterns.given.is_some() {
            return Err(Error::new("pattern lengths vary here, and one pattern is given")
                .remedy("leave out --pattern and --pattern-hex; --plen chooses the lengths"));
        }
        if experiment.rounds < 2 || experiment.runs < 2 || experiment.order == Order::Sequential {
            return Err(Error::new("one round says nothing about how well a difference is known")
                .remedy("take --rounds and --runs from 2 on, and another --order than sequential"));
        }
        let mut lengths = std::mem::take(&mut experiment.patterns.lengths);
        if lengths.is_empty() {
            let (least, greatest) = LENGTHS;
            lengths =
                std::iter::successors(Some(least), |m| Some(2 * m)).take_while(|m| *m <= greatest).collect();
        }
        let (mut alphabets, mut text_sizes) = (Vec::new(), Vec::new());
        for range in &self.range {
            range.validate()?;
            match range {
                Range::Alphabet(values) => alphabets.extend(values),
                Range::TextBytes(values) => text_sizes.extend(values),
                Range::Text(_) | Range::Threads(_) => {
                    return Err(Error::new(format!("there are no borders along {}", range.over().plural()))
                        .remedy("give --range alphabet=.. or --range text-size=.."));
                }
            }
        }
        if !text_sizes.is_empty() {
            if experiment.text.bytes != TextSpec::default().bytes {
                return Err(Error::new("both a text size and a range over text sizes are given")
                    .remedy("leave out --text-size: each value of the range is one"));
            }
            if self.emit.is_some() || !self.to.is_empty() {
                return Err(Error::new("a dispatcher does not know the size of the text")
                    .remedy("leave out --range text-size=.., or --emit and --to"));
            }
        }
        let corpus = corpus(experiment, &mut alphabets)?;
        if text_sizes.is_empty() {
            text_sizes.push(experiment.text.bytes);
        }
        for values in [&mut lengths, &mut alphabets, &mut text_sizes] {
            values.sort_unstable();
            values.dedup();
        }
        Ok((CrossoverGrid { lengths, alphabets, text_sizes }, corpus))
    }
}

/// The id of the corpus whose alphabet is a coordinate of the grid, without the number of letters. Without a
/// text, it is random text over some alphabets.
///
/// # Errors
/// If alphabets are to vary in a text that is not generated.
fn corpus(experiment: &Experiment, alphabets: &mut Vec<usize>) -> Result<Option<String>> {
    let text = &experiment.text;
    let has_text = !text.files.is_empty() || text.data.is_some();
    let corpus = text.corpus.as_deref();
    let id = corpus.map(|corpus| corpus.trim_end_matches(|letter: char| letter.is_ascii_digit()));
    match (id, alphabets.is_empty()) {
        (_, false) if has_text => Err(Error::new(
            "a range over alphabets needs a text that is generated, and another text is named",
        )
        .remedy("leave out --text and --data, or the range")),
        (id, false) => Ok(Some(id.unwrap_or(RANDOM).to_owned())),
        (None, true) if !has_text => {
            alphabets.extend(ALPHABETS);
            Ok(Some(RANDOM.to_owned()))
        }
        (Some(RANDOM), true) => {
            alphabets.extend(corpus.and_then(|corpus| corpus[RANDOM.len()..].parse::<usize>().ok()));
            Ok((!alphabets.is_empty()).then(|| RANDOM.to_owned()))
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabet_is_a_coordinate_if_the_text_is_generated_by_it() {
        let found = |text: TextSpec, alphabets: &[usize]| {
            let experiment = Experiment { text, ..Experiment::default() };
            let mut alphabets = alphabets.to_vec();
            corpus(&experiment, &mut alphabets).map(|id| (id, alphabets))
        };
        let of_corpus = |id: &str| TextSpec { corpus: Some(id.to_owned()), ..TextSpec::default() };
        let of_file = || TextSpec { files: vec!["a.txt".to_owned()], ..TextSpec::default() };
        let random = || Some(RANDOM.to_owned());
        assert_eq!(found(TextSpec::default(), &[]).unwrap(), (random(), ALPHABETS.to_vec()));
        assert_eq!(found(TextSpec::default(), &[3]).unwrap(), (random(), vec![3]));
        assert_eq!(found(of_corpus("rand20"), &[]).unwrap(), (random(), vec![20]));
        assert_eq!(found(of_corpus("english"), &[]).unwrap(), (None, vec![]));
        assert_eq!(found(of_file(), &[]).unwrap(), (None, vec![]));
        assert!(found(of_file(), &[2, 4]).is_err());
    }
}
