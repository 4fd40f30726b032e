//! Formulas over the lengths of text and pattern, such as `2 * text_length`.

use std::fmt;
use std::str::FromStr;

use assay_base::formula::Formula;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The names that a formula may have.
const NAMES: [&str; 2] = ["text_length", "pattern_length"];

/// A formula over `text_length` and `pattern_length`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct ByLength(String);

impl ByLength {
    /// The value for a repetition that searches `text_length` bytes for a pattern of `pattern_length` bytes;
    /// `None` if the formula has no value there, such as a division by 0.
    pub fn value(&self, text_length: usize, pattern_length: usize) -> Option<f64> {
        let formula = Formula::parse(&self.0).ok()?;
        let value = |name: &String| if name == NAMES[0] { text_length as f64 } else { pattern_length as f64 };
        let values: Vec<f64> = formula.names().iter().map(value).collect();
        formula.value(&values)
    }
}

impl fmt::Display for ByLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ByLength {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let formula =
            Formula::parse(text).map_err(|mistake| format!("`{text}` is not a formula: {mistake}"))?;
        match formula.names().iter().find(|name| !NAMES.contains(&name.as_str())) {
            Some(name) => {
                Err(format!("`{name}` is none of {}; write, for example, 2 * text_length", NAMES.join(", ")))
            }
            None => Ok(ByLength(text.to_owned())),
        }
    }
}

impl TryFrom<String> for ByLength {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ByLength> for String {
    fn from(formula: ByLength) -> String {
        formula.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_has_a_value_for_each_pair_of_lengths() {
        let value = |text: &str| text.parse::<ByLength>().unwrap().value(1000, 8);
        assert_eq!(value("2 * text_length"), Some(2000.0));
        assert_eq!(value("text_length / pattern_length"), Some(125.0));
        assert_eq!((value("7"), value("pattern_length - text_length")), (Some(7.0), Some(-992.0)));
        assert_eq!(value("1 / (text_length - 1000)"), None);
        for wrong in ["", "2 *", "cycles", "text_length +"] {
            assert!(wrong.parse::<ByLength>().is_err(), "{wrong}");
        }
    }
}
