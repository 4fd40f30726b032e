//! Statistics of what was measured, each under its name.

use serde::{Serialize, Serializer};

/// Statistics of a list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Smallest.
    pub min: f64,
    /// Median: the mean of the middle two of an even number.
    pub med: f64,
    /// Mean.
    pub avg: f64,
    /// Standard deviation: the square root of the population variance.
    pub std: f64,
    /// Greatest.
    pub max: f64,
}

impl Summary {
    /// The statistics of a list; `None` if it is empty.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        values.sort_unstable_by(f64::total_cmp);
        let avg = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|value| (value - avg).powi(2)).sum::<f64>() / n as f64;
        let med = (values[(n - 1) / 2] + values[n / 2]) / 2.0;
        Some(Summary { min: values[0], med, avg, std: variance.sqrt(), max: values[n - 1] })
    }

    /// Names and values, as in the JSON.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        [("min", self.min), ("med", self.med), ("avg", self.avg), ("std", self.std), ("max", self.max)]
    }
}

/// Quantities by name, in order; `None` for one that is missing in some repetition. In JSON, one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(Vec<(String, Option<Summary>)>);

impl Figures {
    /// Whether there are no quantities.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The quantity of this name, if it is not missing.
    pub fn get(&self, name: &str) -> Option<&Summary> {
        self.iter().find_map(|(found, summary)| if found == name { summary } else { None })
    }

    /// Names and statistics.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&Summary>)> {
        self.0.iter().map(|(name, summary)| (name.as_str(), summary.as_ref()))
    }
}

impl FromIterator<(String, Option<Summary>)> for Figures {
    fn from_iter<I: IntoIterator<Item = (String, Option<Summary>)>>(figures: I) -> Self {
        Figures(figures.into_iter().collect())
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_list() {
        let summary = Summary::of(vec![4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((summary.min, summary.med, summary.avg, summary.max), (1.0, 2.5, 2.5, 4.0));
        assert!((summary.std - 1.25f64.sqrt()).abs() < 1e-15);
        assert_eq!(Summary::of(vec![]), None);
    }

    #[test]
    fn figures_are_an_object_in_order_and_what_is_missing_is_null() {
        let figures: Figures =
            [("b".to_owned(), None), ("a".to_owned(), Summary::of(vec![1.0]))].into_iter().collect();
        let json = serde_json::to_string(&figures).unwrap();
        assert_eq!(json, r#"{"b":null,"a":{"min":1.0,"med":1.0,"avg":1.0,"std":0.0,"max":1.0}}"#);
        assert_eq!((figures.get("a").map(|summary| summary.med), figures.get("b")), (Some(1.0), None));
    }
}
