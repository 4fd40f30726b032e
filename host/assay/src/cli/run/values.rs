//! The values of `run`'s options: lengths, increments, sizes.

use std::num::NonZero;

use assay_base::error::{Error, Result};

/// SMART's names for hardware events.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum CpuStat {
    /// Reads of the first-level data cache, and its misses
    First,
    /// Accesses to the last level of cache, and its misses
    Last,
    /// Branches, and those that were predicted wrongly
    Branch,
}

impl CpuStat {
    /// The names of the events, which `perf` and `cachegrind` share.
    pub(crate) fn events(self) -> [&'static str; 2] {
        match self {
            CpuStat::First => ["L1-dcache-loads", "L1-dcache-load-misses"],
            CpuStat::Last => ["cache-references", "cache-misses"],
            CpuStat::Branch => ["branches", "branch-misses"],
        }
    }
}

/// The step from one pattern length to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Increment {
    Times(usize),
    Plus(usize),
}

/// `*2` or `+4`.
pub(crate) fn parse_increment(text: &str) -> Result<Increment, String> {
    let (operator, digits) = text.split_at_checked(1).unwrap_or_default();
    match (operator, digits.parse()) {
        ("*", Ok(factor @ 2..)) => Ok(Increment::Times(factor)),
        ("+", Ok(step @ 1..)) => Ok(Increment::Plus(step)),
        // A bare number may be meant as either.
        _ => match text.parse::<usize>() {
            Ok(number @ 2..) => Err(format!("write '*{number}' to multiply or '+{number}' to add")),
            _ => Err("write *N with N from 2 on, or +N with N from 1 on".to_owned()),
        },
    }
}

/// A number of at least 1.
pub(crate) fn parse_count(text: &str) -> Result<NonZero<usize>, String> {
    text.parse().map_err(|_| "a whole number from 1 on is expected".to_owned())
}

/// The greatest number of pattern lengths. It is limited, because a typing error could ask for millions.
const MOST_LENGTHS: usize = 10_000;

/// Pattern lengths as they are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// From the least to the greatest; `--increment` gives the steps.
    Range(usize, usize),
    /// Only these lengths.
    List(Vec<usize>),
}

/// `8`, `2 64` or `2,4,64`.
pub(crate) fn parse_lengths(text: &str) -> Result<Lengths, String> {
    if text.contains(',') {
        if let [list] = text.split_whitespace().collect::<Vec<_>>().as_slice() {
            return list.split(',').map(parse_length).collect::<Result<_, _>>().map(Lengths::List);
        }
        return Err("a list has commas and no blanks: 2,4,8".to_owned());
    }
    match text.split_whitespace().map(parse_length).collect::<Result<Vec<_>, _>>()?.as_slice() {
        [length] => Ok(Lengths::Range(*length, *length)),
        [min, max] if min <= max => Ok(Lengths::Range(*min, *max)),
        [min, max] => Err(format!("the least length comes first: {max} {min}")),
        several => {
            let list: Vec<String> = several.iter().map(usize::to_string).collect();
            let list = list.join(",");
            Err(format!(
                "two numbers are the least and the greatest length; for only these lengths write --plen {list}"
            ))
        }
    }
}

/// A pattern length in bytes.
fn parse_length(word: &str) -> Result<usize, String> {
    match word.parse::<usize>() {
        Ok(0) => Err("a pattern has 1 byte or more".to_owned()),
        Ok(length) => Ok(length),
        Err(_) => Err(format!("`{word}` is no length in bytes: write 8, `2 64` (from 2 to 64) or 2,4,8")),
    }
}

impl Lengths {
    /// The lengths of an experiment that names none.
    pub(crate) const DEFAULT: Lengths = Lengths::Range(2, 4096);

    /// All lengths, with this step between them; a factor of 2 by default.
    ///
    /// # Errors
    /// If there are too many, or a list has a step.
    pub(crate) fn all(&self, increment: Option<Increment>) -> Result<Vec<usize>> {
        let (min, max) = match self {
            Lengths::List(_) if increment.is_some() => {
                return Err(Error::new(
                    "--increment goes from a least to a greatest length, and --plen is a list",
                )
                .remedy("leave out --increment, or give --plen MIN MAX"));
            }
            Lengths::List(lengths) => return Ok(lengths.clone()),
            Lengths::Range(min, max) => (*min, *max),
        };
        let increment = increment.unwrap_or(Increment::Times(2));
        let all = std::iter::successors(Some(min), |length| increment.next(*length));
        let all = all.take_while(|length| *length <= max);
        let lengths: Vec<usize> = all.take(MOST_LENGTHS + 1).collect();
        if lengths.len() > MOST_LENGTHS {
            return Err(Error::new(format!(
                "--plen {min} {max} makes more than {MOST_LENGTHS} pattern lengths"
            ))
            .remedy("take a greater --increment"));
        }
        Ok(lengths)
    }
}

impl Increment {
    /// The length after this one; `None` if it is too great for a number.
    fn next(self, length: usize) -> Option<usize> {
        match self {
            Increment::Times(factor) => length.checked_mul(factor),
            Increment::Plus(step) => length.checked_add(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_go_from_the_least_to_the_greatest_or_are_a_list() {
        let all = |text, increment| parse_lengths(text).map(|lengths| lengths.all(increment).unwrap());
        assert_eq!(all("2 32", None).unwrap(), [2, 4, 8, 16, 32]);
        assert_eq!(all("3 10", Some(Increment::Plus(3))).unwrap(), [3, 6, 9]);
        assert_eq!(all("7", None).unwrap(), [7]);
        assert_eq!(all("9,2,64", None).unwrap(), [9, 2, 64]);
        for wrong in ["8 4", "0 4", "x", "2,,4", "2,4 8", "", "-1", "2 4 8"] {
            assert!(parse_lengths(wrong).is_err(), "{wrong}");
        }
        assert!(parse_lengths("2 4 8").unwrap_err().ends_with("write --plen 2,4,8"));
        let greatest = Lengths::Range(1, usize::MAX);
        assert!(greatest.all(Some(Increment::Plus(1))).is_err());
        assert!(Lengths::List(vec![2]).all(Some(Increment::Plus(1))).is_err());
    }

    #[test]
    fn increments_move_on() {
        assert_eq!(parse_increment("*2"), Ok(Increment::Times(2)));
        assert_eq!(parse_increment("+1"), Ok(Increment::Plus(1)));
        for wrong in ["*1", "+0", "2", "", "*x", "é"] {
            assert!(parse_increment(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_increment("4").unwrap_err(), "write '*4' to multiply or '+4' to add");
    }
}
