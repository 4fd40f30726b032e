//! Kinds of patterns: drawn anywhere in the text, taken from given places, absent, or chosen by how often
//! they occur.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of the patterns that a run searches for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum PatternKind {
    /// Substrings of the text, every position equally likely.
    #[default]
    Drawn,
    /// Patterns that do not occur in the text, made of its letters.
    Absent,
    /// Substrings of the text that occur seldom.
    Rare,
    /// Substrings of the text that occur often.
    Common,
    /// The substrings at these places, which take turns.
    At(Vec<PatternPlace>),
}

/// A place in the text from which a pattern is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatternPlace {
    /// The first possible position.
    Start,
    /// The position in the middle.
    Middle,
    /// The last possible position.
    End,
    /// A share of the way from the first position to the last, in percent.
    Percent(f64),
    /// This position, from 0.
    Byte(usize),
}

impl PatternPlace {
    /// The position at which a pattern of this length begins; `None` if it would end after a text of that
    /// length.
    pub fn position(self, length: usize, text_length: usize) -> Option<usize> {
        let last = text_length.checked_sub(length)?;
        let position = match self {
            PatternPlace::Start => 0,
            PatternPlace::Middle => last / 2,
            PatternPlace::End => last,
            PatternPlace::Percent(percent) => (last as f64 * percent / 100.0) as usize,
            PatternPlace::Byte(byte) => byte,
        };
        (position <= last).then_some(position)
    }
}

impl PatternKind {
    /// Whether patterns are drawn anywhere in the text, the default.
    pub(crate) fn is_drawn(&self) -> bool {
        *self == PatternKind::Drawn
    }

    /// The words that follow the number of patterns in a heading.
    pub fn words(&self) -> String {
        match self {
            PatternKind::Drawn => "drawn from the text".to_owned(),
            PatternKind::Absent => "none of which occurs in the text".to_owned(),
            PatternKind::Rare => "rare in the text".to_owned(),
            PatternKind::Common => "common in the text".to_owned(),
            PatternKind::At(places) => format!("what stands in the text at {}", listed(places)),
        }
    }

    /// A sentence that headings and captions need if patterns are not just drawn; `None` if they are.
    pub fn condition(&self) -> Option<String> {
        let sentence = match self {
            PatternKind::Drawn => return None,
            PatternKind::Absent => {
                "Absent patterns: none occurs in the text, all are made of its letters".to_owned()
            }
            PatternKind::Rare => "Rare patterns: the least frequent tenth of a sample of the text".to_owned(),
            PatternKind::Common => {
                "Common patterns: the most frequent tenth of a sample of the text".to_owned()
            }
            PatternKind::At(places) => {
                format!("Placed patterns: what stands in the text at {}", listed(places))
            }
        };
        Some(sentence)
    }
}

fn listed(places: &[PatternPlace]) -> String {
    places.iter().map(PatternPlace::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for PatternPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternPlace::Start => f.write_str("start"),
            PatternPlace::Middle => f.write_str("middle"),
            PatternPlace::End => f.write_str("end"),
            PatternPlace::Percent(percent) => write!(f, "{percent}%"),
            PatternPlace::Byte(byte) => write!(f, "{byte}"),
        }
    }
}

impl FromStr for PatternPlace {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{word}` is not a place: write start, middle, end, 12345 (a byte, from 0) or 50%");
        match word {
            "start" => Ok(PatternPlace::Start),
            "middle" => Ok(PatternPlace::Middle),
            "end" => Ok(PatternPlace::End),
            _ => match word.strip_suffix('%') {
                Some(percent) => {
                    let percent = percent.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
                    percent.map(PatternPlace::Percent).ok_or_else(wrong)
                }
                None => word.parse().map(PatternPlace::Byte).map_err(|_| wrong()),
            },
        }
    }
}

impl FromStr for PatternKind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "drawn" => Ok(PatternKind::Drawn),
            "absent" => Ok(PatternKind::Absent),
            "rare" => Ok(PatternKind::Rare),
            "common" => Ok(PatternKind::Common),
            _ => match word.strip_prefix("at:") {
                Some(places) => places.split(',').map(str::parse).collect::<Result<_, _>>().map(Self::At),
                None => Err(format!("`{word}` is none of drawn, absent, rare, common and at:PLACE")),
            },
        }
    }
}

impl fmt::Display for PatternKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternKind::Drawn => f.write_str("drawn"),
            PatternKind::Absent => f.write_str("absent"),
            PatternKind::Rare => f.write_str("rare"),
            PatternKind::Common => f.write_str("common"),
            PatternKind::At(places) => write!(f, "at:{}", listed(places)),
        }
    }
}

impl TryFrom<String> for PatternKind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

impl From<PatternKind> for String {
    fn from(kind: PatternKind) -> String {
        kind.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_written_as_it_is_read() {
        for word in ["drawn", "absent", "rare", "common", "at:start", "at:middle,end,12345,50%,0.5%"] {
            assert_eq!(word.parse::<PatternKind>().unwrap().to_string(), word);
        }
        for wrong in ["", "seldom", "at:", "at:start,", "at:-1", "at:101%", "at:NaN%", "at", "at:5 %"] {
            assert!(wrong.parse::<PatternKind>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_are_those_of_whole_patterns() {
        let at = |place: &str, length| place.parse::<PatternPlace>().unwrap().position(length, 100);
        let places = ["start", "middle", "end", "50%", "100%", "7", "96", "97"];
        let found = places.map(|place| at(place, 4));
        assert_eq!(found, [Some(0), Some(48), Some(96), Some(48), Some(96), Some(7), Some(96), None]);
        assert_eq!((at("end", 100), at("start", 101)), (Some(0), None));
    }

    #[test]
    fn only_what_is_not_drawn_needs_a_word() {
        assert_eq!(PatternKind::Drawn.condition(), None);
        let placed = "at:start,50%".parse::<PatternKind>().unwrap();
        assert_eq!(placed.condition().unwrap(), "Placed patterns: what stands in the text at start,50%");
    }
}
