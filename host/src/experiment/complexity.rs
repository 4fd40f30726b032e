//! How many operations the searches of a repetition do, as the experiment declares it: a formula over the lengths.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::counters::sets::Formula;

/// What a formula may be of.
const NAMES: [&str; 2] = ["text_length", "pattern_length"];

/// A formula of operations, as `2 * text_length`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Complexity(String);

impl Complexity {
    /// How many operations searches of so many bytes do, for patterns of so many; `None` where that is no number from 0 on.
    pub fn operations(&self, text_length: usize, pattern_length: usize) -> Option<f64> {
        let formula = Formula::parse(&self.0).ok()?;
        let value = |name: &String| if name == NAMES[0] { text_length as f64 } else { pattern_length as f64 };
        let values: Vec<f64> = formula.names().iter().map(value).collect();
        formula.value(&values).filter(|operations| *operations >= 0.0)
    }
}

impl fmt::Display for Complexity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Complexity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formula = Formula::parse(text).map_err(|mistake| format!("`{text}` is no formula: {mistake}"))?;
        match formula.names().iter().find(|name| !NAMES.contains(&name.as_str())) {
            Some(name) => Err(format!("`{name}` is none of {}: write 2 * text_length", NAMES.join(", "))),
            None => Ok(Complexity(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Complexity {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Complexity> for String {
    fn from(complexity: Complexity) -> String {
        complexity.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_a_formula_of_the_lengths() {
        let operations = |text: &str| text.parse::<Complexity>().unwrap().operations(1000, 8);
        assert_eq!(operations("2 * text_length"), Some(2000.0));
        assert_eq!(operations("text_length / pattern_length"), Some(125.0));
        assert_eq!((operations("7"), operations("pattern_length - text_length")), (Some(7.0), None));
        for wrong in ["", "2 *", "cycles", "text_length +"] {
            assert!(wrong.parse::<Complexity>().is_err(), "{wrong}");
        }
    }
}
