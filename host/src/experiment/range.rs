//! What a run varies: the length of the patterns, unless its experiment says something else. A *point* is one value of that, with
//! all that is searched there.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::TextSpec;
use super::patterns::PatternSet;
use super::rounds::Rounds;
use super::size::{self, parse_size};
use crate::columns::Call;
use crate::error::{Error, Result};

/// Greatest number of values.
const MOST_VALUES: usize = 10_000;

/// Before the name of a corpus, where a text may be one too.
const CORPUS: &str = "corpus:";

/// What varies, and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// How much of the text is searched, in bytes.
    TextBytes(Vec<usize>),
    /// Which text: names, files, folders, or corpora as `corpus:ID`.
    Text(Vec<String>),
    /// The number of the corpus, as 4 in `rand4`: that of letters.
    Alphabet(Vec<usize>),
    /// How many threads search.
    Threads(Vec<usize>),
}

/// What a range goes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// The length of the patterns in bytes.
    #[default]
    PatternLength,
    /// The length of the text in bytes.
    TextBytes,
    /// The text: values are numbers from 1.
    Text,
    /// The number of the corpus.
    Alphabet,
    /// Threads.
    Threads,
}

impl Over {
    /// What varies in a file with these columns.
    pub fn of_columns<'a>(mut columns: impl Iterator<Item = &'a str>) -> Self {
        let others = [Over::TextBytes, Over::Text, Over::Alphabet, Over::Threads];
        columns.find_map(|name| others.into_iter().find(|over| over.column() == name)).unwrap_or_default()
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Over::PatternLength => "pattern length",
            Over::TextBytes => "text size",
            Over::Text => "text",
            Over::Alphabet => "alphabet",
            Over::Threads => "threads",
        }
    }

    /// One of them, in words.
    pub fn singular(self) -> &'static str {
        match self {
            Over::Threads => "number of threads",
            _ => self.words(),
        }
    }

    /// Several of them, in words.
    pub fn plural(self) -> &'static str {
        match self {
            Over::PatternLength => "pattern lengths",
            Over::TextBytes => "text sizes",
            Over::Text => "texts",
            Over::Alphabet => "alphabets",
            Over::Threads => "numbers of threads",
        }
    }

    /// The column in files.
    pub fn column(self) -> &'static str {
        match self {
            Over::PatternLength => crate::columns::PATTERN_LENGTH,
            Over::TextBytes => "text_bytes",
            Over::Text => "text",
            Over::Alphabet => "alphabet",
            Over::Threads => "threads",
        }
    }

    /// The column that files have beside that of the pattern length.
    pub fn own_column(self) -> Option<&'static str> {
        (self != Over::PatternLength).then(|| self.column())
    }

    /// Whether each value has a text of its own.
    pub fn varies_texts(self) -> bool {
        matches!(self, Over::TextBytes | Over::Text | Over::Alphabet)
    }

    /// The unit of its values; empty for plain numbers.
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

    /// How many values it has.
    pub fn len(&self) -> usize {
        match self {
            Range::TextBytes(values) | Range::Alphabet(values) | Range::Threads(values) => values.len(),
            Range::Text(names) => names.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values, as numbers and as people read them.
    pub fn values(&self) -> Vec<(u64, String)> {
        match self {
            Range::TextBytes(sizes) => {
                sizes.iter().map(|bytes| (*bytes as u64, size::words(*bytes))).collect()
            }
            Range::Alphabet(values) | Range::Threads(values) => {
                values.iter().map(|value| (*value as u64, value.to_string())).collect()
            }
            Range::Text(names) => {
                let name = |name: &String| name.strip_prefix(CORPUS).unwrap_or(name).to_owned();
                (1..).zip(names.iter().map(name)).collect()
            }
        }
    }

    /// The texts of its values, each made of the one that the experiment names; none if it is the same for all.
    ///
    /// # Errors
    /// If there is no such text of that one.
    pub fn texts(&self, text: &TextSpec) -> Result<Option<Vec<TextSpec>>> {
        let texts = match self {
            Range::Threads(_) => return Ok(None),
            Range::TextBytes(sizes) => {
                sizes.iter().map(|bytes| TextSpec { bytes: *bytes, ..text.clone() }).collect()
            }
            Range::Text(names) => names.iter().map(|name| named(name, text)).collect(),
            Range::Alphabet(values) => {
                let corpus = text.corpus.as_deref().unwrap_or_default();
                let id = corpus.trim_end_matches(|letter: char| letter.is_ascii_digit());
                if id.is_empty() {
                    return Err(Error::new("an alphabet is that of a corpus, and none is named")
                        .remedy("name one with --corpus, as rand"));
                }
                let of = |value: &usize| TextSpec { corpus: Some(format!("{id}{value}")), ..text.clone() };
                values.iter().map(of).collect()
            }
        };
        Ok(Some(texts))
    }

    /// Checks what can be told without looking anything up.
    ///
    /// # Errors
    /// If there are no values, too many, one twice, or one that can't be.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: String, remedy: &str| Err(Error::new(message).remedy(remedy));
        let words = self.over().words();
        if self.is_empty() || self.len() > MOST_VALUES {
            let message = format!("a range over {words} has 1 to {MOST_VALUES} values, not {}", self.len());
            return wrong(message, "list what it is to go over");
        }
        let labels: Vec<String> = match self {
            Range::Text(names) => names.clone(),
            _ => self.values().into_iter().map(|(_, label)| label).collect(),
        };
        if let Some(twice) = labels.iter().enumerate().find(|(i, label)| labels[..*i].contains(label)) {
            return wrong(format!("{words} {} is in the range twice", twice.1), "give each value once");
        }
        let has_zero = match self {
            Range::TextBytes(values) | Range::Alphabet(values) | Range::Threads(values) => {
                values.contains(&0)
            }
            Range::Text(names) => names.iter().any(|name| name.is_empty() || name == CORPUS),
        };
        if has_zero {
            return wrong(format!("a range over {words} has values from 1 on"), "leave out 0");
        }
        Ok(())
    }
}

/// A text by a name, of the size of another.
pub fn named(name: &str, like: &TextSpec) -> TextSpec {
    let text = TextSpec { files: Vec::new(), corpus: None, data: None, ..like.clone() };
    match name.strip_prefix(CORPUS) {
        Some(corpus) => TextSpec { corpus: Some(corpus.to_owned()), ..text },
        None => TextSpec { files: vec![name.to_owned()], ..text },
    }
}

impl FromStr for Range {
    type Err = String;

    /// `text-size=64KiB,1MiB`, `alphabet=2..64` (by doubling), `threads=1,2` or `text=a.txt,corpus:dna`.
    fn from_str(words: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{words}` is no range: write text-size=4KiB..1MiB, alphabet=2,4,20, threads=1,2 or text=NAME,NAME"
            )
        };
        let (over, values) = words.split_once('=').ok_or_else(wrong)?;
        let number = |word: &str| word.parse::<usize>().map_err(|_| format!("`{word}` is no number"));
        match over {
            "text-size" => listed(values, parse_size).map(Range::TextBytes),
            "alphabet" => listed(values, number).map(Range::Alphabet),
            "threads" => listed(values, number).map(Range::Threads),
            "text" => Ok(Range::Text(values.split(',').map(str::to_owned).collect())),
            "plen" | "pattern-length" => {
                Err("pattern lengths vary unless something else does: give them with --plen".to_owned())
            }
            _ => Err(wrong()),
        }
    }
}

/// Numbers between commas, or from the least to the greatest by doubling.
fn listed(values: &str, number: impl Fn(&str) -> Result<usize, String>) -> Result<Vec<usize>, String> {
    let Some((least, greatest)) = values.split_once("..") else {
        return values.split(',').map(number).collect();
    };
    let (least, greatest) = (number(least)?, number(greatest)?);
    let all = std::iter::successors(Some(least.max(1)), |value| value.checked_mul(2));
    let all: Vec<usize> = all.take_while(|value| *value <= greatest).collect();
    match all.last() {
        None => Err(format!("`{values}`: the least value comes first")),
        Some(last) if *last < greatest => Err(format!(
            "`{values}`: doubling does not reach the greatest value; list them, as in 4KiB,32KiB,70KiB"
        )),
        Some(_) => Ok(all),
    }
}

/// One value of what varies, and what is searched there.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub value: u64,
    /// The patterns.
    pub set: PatternSet,
    /// The calls of a repetition, in order: the first prepares.
    pub steps: Vec<Step>,
    /// How many threads search.
    pub threads: usize,
    /// How many bytes a repetition searches, in all.
    pub bytes: usize,
    /// Its repetitions, in rounds.
    pub rounds: Rounds,
}

/// A call of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What is called.
    pub call: Call,
    /// The number of the text that is searched, or that is searched first after this preparation.
    pub text: usize,
}

impl Point {
    /// The number of the text from which patterns are drawn.
    pub fn text(&self) -> usize {
        self.steps[0].text
    }

    /// The texts that are searched, in order.
    pub fn searched(&self) -> impl Iterator<Item = usize> + Clone {
        self.steps.iter().filter(|step| step.call == Call::Search).map(|step| step.text)
    }
}

/// The points that search the same texts: they share workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The numbers of the texts.
    pub texts: Vec<usize>,
    /// The numbers of the points, ascending.
    pub points: Vec<usize>,
}

/// All points, those that search the same texts together.
pub fn together(points: &[Point]) -> Vec<Together> {
    let mut all: Vec<Together> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        let mut texts: Vec<usize> = point.searched().collect();
        texts.sort_unstable();
        texts.dedup();
        match all.iter_mut().find(|known| known.texts == texts) {
            Some(known) => known.points.push(number),
            None => all.push(Together { texts, points: vec![number] }),
        }
    }
    all
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
