//! The patterns that an experiment asks for, as flags or a file name them.

use std::fmt;
use std::str::FromStr;

use assay_base::error::excerpt;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::pattern_kind::PatternKind;

/// The patterns that an experiment asks for: made from the text, or one that is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PatternSpec {
    /// Lengths of the patterns that are made from the text. If none are given, 2 to 4096 by doubling.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "at_least_one")]
    pub lengths: Vec<usize>,
    /// The kind of the patterns: `drawn`, `absent`, `rare`, `common` or `at:PLACE,..`.
    #[serde(skip_serializing_if = "PatternKind::is_drawn")]
    pub kind: PatternKind,
    /// The one pattern to search for, in hexadecimal.
    #[serde(rename = "hex", skip_serializing_if = "Option::is_none")]
    pub given: Option<Pattern>,
}

/// Reads a list of lengths. An empty one is refused, because it would not mean what it says: no length.
fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    let lengths = Vec::<usize>::deserialize(deserializer)?;
    if lengths.is_empty() {
        return Err(D::Error::custom("`lengths` has no length; leave it out to search for 2 to 4096 bytes"));
    }
    Ok(lengths)
}

/// A pattern that the user gives. Files have it in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(pub Vec<u8>);

impl PatternSpec {
    /// The lengths of the patterns that are made from a text. Default lengths that are longer than the text
    /// are left out.
    pub(crate) fn drawn_lengths(&self, text_length: usize) -> Vec<usize> {
        match self.lengths.as_slice() {
            [] => default_lengths().filter(|length| *length <= text_length).collect(),
            lengths => lengths.to_vec(),
        }
    }

    /// Whether all repetitions of a length search for the same pattern.
    pub fn is_one(&self) -> bool {
        self.given.is_some() || matches!(&self.kind, PatternKind::At(places) if places.len() == 1)
    }

    /// Whether the seed decides the patterns.
    pub fn are_drawn(&self) -> bool {
        self.given.is_none() && !matches!(self.kind, PatternKind::At(_))
    }

    /// The lengths of all patterns, including a given one.
    pub fn all_lengths(&self, text_length: usize) -> Vec<usize> {
        match &self.given {
            Some(Pattern(pattern)) => vec![pattern.len()],
            None => self.drawn_lengths(text_length),
        }
    }
}

/// The lengths 2 to 4096 by doubling, as in SMART.
fn default_lengths() -> impl Iterator<Item = usize> {
    (1..=12).map(|power| 1 << power)
}

impl Pattern {
    /// The pattern as text, or in hexadecimal if it has other bytes than printable ASCII. A long pattern is
    /// cut.
    pub fn in_words(&self) -> String {
        let is_plain = |byte: &u8| (byte.is_ascii_graphic() && *byte != b'`') || *byte == b' ';
        match std::str::from_utf8(&self.0) {
            Ok(text) if self.0.iter().all(is_plain) => format!("`{}`", excerpt(text)),
            _ => format!("{} in hexadecimal", excerpt(&self.to_string())),
        }
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(digits: &str) -> Result<Self, String> {
        let bytes = hex::decode(digits).ok().filter(|bytes| !bytes.is_empty());
        let wrong = || {
            format!(
                "`{digits}` is not a pattern in hexadecimal: write two digits for each byte, for example 616263 for abc"
            )
        };
        bytes.map(Pattern).ok_or_else(wrong)
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(digits: String) -> Result<Self, String> {
        digits.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.to_string()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_written_in_hexadecimal_both_ways() {
        assert_eq!("00fF61".parse(), Ok(Pattern(vec![0, 255, b'a'])));
        assert_eq!(Pattern(vec![0, 255, b'a']).to_string(), "00ff61");
        let words = |bytes: &[u8]| Pattern(bytes.to_vec()).in_words();
        assert_eq!(
            [words(b"a b"), words(b"a\n"), words(b"`")],
            ["`a b`", "610a in hexadecimal", "60 in hexadecimal"]
        );
        assert!(words(&[b'a'; 1000]).ends_with("a..`"));
        for wrong in ["", "6", "zz", "ä6"] {
            assert!(wrong.parse::<Pattern>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn lengths_double_unless_some_are_asked_for() {
        let spec = |lengths: &[usize]| PatternSpec { lengths: lengths.to_vec(), ..PatternSpec::default() };
        assert_eq!(spec(&[]).drawn_lengths(20), [2, 4, 8, 16]);
        assert_eq!(spec(&[]).drawn_lengths(16), [2, 4, 8, 16]);
        assert_eq!(spec(&[30, 3]).drawn_lengths(20), [30, 3]);
        let given = PatternSpec { given: Some(Pattern(b"ab".to_vec())), ..spec(&[]) };
        assert_eq!((spec(&[3]).all_lengths(20), given.all_lengths(20)), (vec![3], vec![2]));
    }

    #[test]
    fn a_file_keeps_a_pattern_that_was_given() {
        let spec = PatternSpec { given: Some(Pattern(vec![0, 255])), ..PatternSpec::default() };
        let file = toml::to_string(&spec).unwrap();
        assert!(file.contains("\"00ff\""), "{file}");
        assert_eq!(toml::from_str::<PatternSpec>(&file).unwrap(), spec);
        let spec = PatternSpec { kind: "at:start,50%".parse().unwrap(), ..PatternSpec::default() };
        assert_eq!(toml::to_string(&spec).unwrap(), "kind = \"at:start,50%\"\n");
    }
}
