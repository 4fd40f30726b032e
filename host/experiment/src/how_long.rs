//! How long a run continues if that is not decided in advance: until intervals are narrow, or for a time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How narrow an interval has to be: its half-width, in percent of its middle.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct TargetWidth(f64);

impl TargetWidth {
    /// The half-width as a share of the middle.
    pub fn share(self) -> f64 {
        self.0 / 100.0
    }
}

impl fmt::Display for TargetWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

impl FromStr for TargetWidth {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let percent = word.strip_suffix('%').and_then(|percent| percent.trim_end().parse().ok());
        let percent = percent.filter(|percent| *percent > 0.0 && *percent < 100.0);
        percent
            .map(TargetWidth)
            .ok_or_else(|| format!("`{word}` is not a percentage between 0 and 100: write, for example, 2%"))
    }
}

impl TryFrom<String> for TargetWidth {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

impl From<TargetWidth> for String {
    fn from(width: TargetWidth) -> String {
        width.to_string()
    }
}

/// How long a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Budget(Duration);

impl Budget {
    /// The time as a duration.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        f.write_str(&parts.map(|(count, unit)| format!("{count}{unit}")).collect::<Vec<_>>().join(" "))
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{word}` is not a time of at least one second: write, for example, 90s, 10min or 1h");
        let duration = word.parse::<SignedDuration>().map_err(|_| wrong())?;
        let seconds = u64::try_from(duration.as_secs()).ok().filter(|seconds| *seconds > 0);
        seconds.map(|seconds| Budget(Duration::from_secs(seconds))).ok_or_else(wrong)
    }
}

impl TryFrom<String> for Budget {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

impl From<Budget> for String {
    fn from(budget: Budget) -> String {
        budget.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_a_percentage() {
        assert_eq!("2%".parse::<TargetWidth>().unwrap().share(), 0.02);
        assert_eq!("0.5 %".parse::<TargetWidth>().unwrap().to_string(), "0.5%");
        for wrong in ["2", "0%", "-1%", "100%", "NaN%", "%", ""] {
            assert!(wrong.parse::<TargetWidth>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_budget_is_a_time_with_its_unit() {
        let seconds = |word: &str| word.parse::<Budget>().map(|budget| budget.duration().as_secs());
        assert_eq!(["90s", "10min", "1h 30m"].map(|word| seconds(word).unwrap()), [90, 600, 5400]);
        for wrong in ["10", "", "0s", "-5s", "0.5s", "soon", "1 year"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        for word in ["1h 1s", "10min", "59s"] {
            assert_eq!(word.parse::<Budget>().unwrap().to_string(), word);
        }
    }
}
