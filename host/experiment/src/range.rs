//! The range of a run: what varies from column to column. It is the pattern length unless the experiment
//! names something else.

use std::str::FromStr;

use assay_base::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::size::{self, parse_size};
use super::text_spec::{CORPUS_PREFIX, TextSpec};

/// Greatest number of values. Each is a column of every table, and no table is readable with more.
const MOST_VALUES: usize = 10_000;

/// What varies in a run, with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// The size of the text, in bytes.
    TextBytes(Vec<usize>),
    /// The text: names, files, folders, or corpora as `corpus:ID`.
    Text(Vec<String>),
    /// The number in the id of the corpus, 4 in `rand4`: its number of letters.
    Alphabet(Vec<usize>),
    /// The number of threads that search together.
    Threads(Vec<usize>),
}

/// The kind of quantity that a range goes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The length of the patterns in bytes.
    #[default]
    PatternLength,
    /// The length of the text in bytes.
    TextBytes,
    /// The text. The range values are numbers from 1.
    Text,
    /// The number in the id of the corpus.
    Alphabet,
    /// The number of threads.
    Threads,
}

impl Over {
    /// What the range of a file with these columns goes over.
    pub fn of_columns<'a>(mut columns: impl Iterator<Item = &'a str>) -> Self {
        let others = [Over::TextBytes, Over::Text, Over::Alphabet, Over::Threads];
        columns.find_map(|name| others.into_iter().find(|over| over.column() == name)).unwrap_or_default()
    }

    /// The name in running text.
    pub fn words(self) -> &'static str {
        match self {
            Over::PatternLength => "pattern length",
            Over::TextBytes => "text size",
            Over::Text => "text",
            Over::Alphabet => "alphabet",
            Over::Threads => "threads",
        }
    }

    /// The name of one value, in running text.
    pub fn singular(self) -> &'static str {
        match self {
            Over::Threads => "number of threads",
            _ => self.words(),
        }
    }

    /// The name of several values, in running text.
    pub fn plural(self) -> &'static str {
        match self {
            Over::PatternLength => "pattern lengths",
            Over::TextBytes => "text sizes",
            Over::Text => "texts",
            Over::Alphabet => "alphabets",
            Over::Threads => "numbers of threads",
        }
    }

    /// The name of its column in files.
    pub fn column(self) -> &'static str {
        match self {
            Over::PatternLength => assay_base::columns::PATTERN_LENGTH,
            Over::TextBytes => "text_bytes",
            Over::Text => "text",
            Over::Alphabet => "alphabet",
            Over::Threads => "threads",
        }
    }

    /// The column that files have in addition to the pattern length; `None` if the range goes over that.
    pub fn own_column(self) -> Option<&'static str> {
        (self != Over::PatternLength).then(|| self.column())
    }

    /// Whether each value has a text of its own.
    pub fn varies_texts(self) -> bool {
        matches!(self, Over::TextBytes | Over::Text | Over::Alphabet)
    }

    /// The unit of the values; empty for plain numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Over::PatternLength | Over::TextBytes => "bytes",
            Over::Text | Over::Alphabet | Over::Threads => "",
        }
    }
}

impl Range {
    /// What it goes over.
    pub fn over(&self) -> Over {
        match self {
            Range::TextBytes(_) => Over::TextBytes,
            Range::Text(_) => Over::Text,
            Range::Alphabet(_) => Over::Alphabet,
            Range::Threads(_) => Over::Threads,
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Range::TextBytes(values) | Range::Alphabet(values) | Range::Threads(values) => values.len(),
            Range::Text(names) => names.len(),
        }
    }

    /// Appends the values of another range over the same quantity; one over another is left out.
    pub fn append(&mut self, other: &Range) {
        match (self, other) {
            (Range::TextBytes(values), Range::TextBytes(more))
            | (Range::Alphabet(values), Range::Alphabet(more))
            | (Range::Threads(values), Range::Threads(more)) => values.extend(more),
            (Range::Text(names), Range::Text(more)) => names.extend(more.iter().cloned()),
            _ => {}
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values, each as a number and as text for people.
    pub fn values(&self) -> Vec<(u64, String)> {
        match self {
            Range::TextBytes(sizes) => {
                sizes.iter().map(|bytes| (*bytes as u64, size::words(*bytes))).collect()
            }
            Range::Alphabet(values) | Range::Threads(values) => {
                values.iter().map(|value| (*value as u64, value.to_string())).collect()
            }
            Range::Text(names) => {
                let name = |name: &String| name.strip_prefix(CORPUS_PREFIX).unwrap_or(name).to_owned();
                (1..).zip(names.iter().map(name)).collect()
            }
        }
    }

    /// The text of each value, derived from the text that the experiment names; `None` if all values have
    /// that one.
    ///
    /// # Errors
    /// If the range goes over alphabets and the experiment names no corpus.
    pub fn texts(&self, text: &TextSpec) -> Result<Option<Vec<TextSpec>>> {
        let texts = match self {
            Range::Threads(_) => return Ok(None),
            Range::TextBytes(sizes) => {
                sizes.iter().map(|bytes| TextSpec { bytes: *bytes, ..text.clone() }).collect()
            }
            Range::Text(names) => names.iter().map(|name| text.renamed(name)).collect(),
            Range::Alphabet(values) => {
                let corpus = text.corpus.as_deref().unwrap_or_default();
                let id = corpus.trim_end_matches(|letter: char| letter.is_ascii_digit());
                if id.is_empty() {
                    return Err(Error::new("a range over alphabets needs a corpus, and none is named")
                        .remedy("name one, for example --corpus rand"));
                }
                let corpora = values.iter().map(|value| Some(format!("{id}{value}")));
                corpora.map(|corpus| TextSpec { corpus, ..text.clone() }).collect()
            }
        };
        Ok(Some(texts))
    }

    /// Checks the values, as far as that is possible without looking up texts.
    ///
    /// # Errors
    /// If there are no values or too many, or if one is given twice or is impossible.
    pub fn validate(&self) -> Result<()> {
        let words = self.over().words();
        if self.is_empty() || self.len() > MOST_VALUES {
            let message =
                format!("a range over {words} must have 1 to {MOST_VALUES} values, not {}", self.len());
            return Err(Error::new(message).remedy("list its values"));
        }
        let labels: Vec<String> = match self {
            Range::Text(names) => names.clone(),
            _ => self.values().into_iter().map(|(_, label)| label).collect(),
        };
        if let Some(twice) = labels.iter().enumerate().find(|(i, label)| labels[..*i].contains(label)) {
            let message = format!("the range has {words} {} twice", twice.1);
            return Err(Error::new(message).remedy("give each value once"));
        }
        match self {
            Range::TextBytes(values) | Range::Alphabet(values) | Range::Threads(values) => {
                if values.contains(&0) {
                    let message = format!("a range over {words} can't have the value 0");
                    return Err(Error::new(message).remedy("leave out 0"));
                }
            }
            Range::Text(names) => {
                if names.iter().any(|name| name.is_empty() || name == CORPUS_PREFIX) {
                    return Err(Error::new("a text of the range has no name").remedy("leave it out"));
                }
            }
        }
        Ok(())
    }
}

impl FromStr for Range {
    type Err = String;

    /// `text-size=64KiB,1MiB`, `alphabet=2..64` (by doubling), `threads=1,2` or `text=a.txt,corpus:dna`.
    fn from_str(words: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{words}` is not a range: write text-size=4KiB..1MiB, alphabet=2,4,20, threads=1,2 or text=NAME,NAME"
            )
        };
        let (over, values) = words.split_once('=').ok_or_else(wrong)?;
        match over {
            "text-size" => listed(values, parse_size).map(Range::TextBytes),
            "alphabet" => listed(values, parse_number).map(Range::Alphabet),
            "threads" => listed(values, parse_number).map(Range::Threads),
            "text" => Ok(Range::Text(values.split(',').map(str::to_owned).collect())),
            "plen" | "pattern-length" => {
                Err("give pattern lengths with --plen: they vary unless something else does".to_owned())
            }
            _ => Err(wrong()),
        }
    }
}

/// Reads a whole number.
fn parse_number(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number"))
}

/// Reads numbers that are separated by commas, or `LEAST..GREATEST`, which doubles the least number until it
/// is the greatest.
fn listed(values: &str, number: impl Fn(&str) -> Result<usize, String>) -> Result<Vec<usize>, String> {
    let Some((least, greatest)) = values.split_once("..") else {
        return values.split(',').map(number).collect();
    };
    let (least, greatest) = (number(least)?, number(greatest)?);
    let all = std::iter::successors(Some(least.max(1)), |value| value.checked_mul(2));
    let all: Vec<usize> = all.take_while(|value| *value <= greatest).collect();
    match all.last() {
        None => Err(format!("`{values}`: write the least value first")),
        Some(last) if *last < greatest => Err(format!(
            "`{values}`: doubling does not reach the greatest value; list the values, for example 4KiB,32KiB,70KiB"
        )),
        Some(_) => Ok(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_written_as_what_varies_and_its_values() {
        let parse = |words: &str| words.parse::<Range>();
        assert_eq!(parse("text-size=4KiB,1"), Ok(Range::TextBytes(vec![4096, 1 << 20])));
        assert_eq!(parse("text-size=1KiB..4KiB"), Ok(Range::TextBytes(vec![1024, 2048, 4096])));
        assert_eq!(parse("alphabet=2..16"), Ok(Range::Alphabet(vec![2, 4, 8, 16])));
        assert_eq!(parse("threads=1,3"), Ok(Range::Threads(vec![1, 3])));
        assert_eq!(parse("text=a,corpus:dna"), Ok(Range::Text(vec!["a".into(), "corpus:dna".into()])));
        for wrong in [
            "threads",
            "threads=x",
            "size=3",
            "plen=2,4",
            "alphabet=8..4",
            "alphabet=2..5",
            "threads=0..3",
            "text-size=4XB",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_there_once_and_not_zero() {
        let valid = |words: &str| words.parse::<Range>().unwrap().validate().is_ok();
        assert!(valid("threads=1,2") && valid("text=a,b"));
        for wrong in ["threads=0", "threads=1,1", "text=a,a", "text=", "text-size=1KiB,1024B"] {
            assert!(!valid(wrong), "{wrong}");
        }
    }

    #[test]
    fn texts_are_made_of_the_one_that_is_named() {
        let text = TextSpec { corpus: Some("rand4".to_owned()), ..TextSpec::default() };
        let texts = |words: &str| words.parse::<Range>().unwrap().texts(&text);
        let sizes = texts("text-size=1KiB,2KiB").unwrap().unwrap();
        assert_eq!(sizes.iter().map(|text| text.bytes).collect::<Vec<_>>(), [1024, 2048]);
        let letters = texts("alphabet=2,20").unwrap().unwrap();
        assert_eq!(letters[1].corpus.as_deref(), Some("rand20"));
        let named = texts("text=a.txt,corpus:dna").unwrap().unwrap();
        assert_eq!((named[0].files[0].as_str(), named[0].corpus.as_ref()), ("a.txt", None));
        assert_eq!((named[1].files.len(), named[1].corpus.as_deref()), (0, Some("dna")));
        assert_eq!(texts("threads=1,2").unwrap(), None);
        assert!(Range::Alphabet(vec![2]).texts(&TextSpec::default()).is_err());
    }
}
