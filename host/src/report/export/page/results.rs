//! The results of a run as the page needs them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The results by algorithm, in the order of the report, and pattern length.
pub(super) struct Results<'a> {
    pub algorithms: Vec<&'a str>,
    pub lengths: BTreeSet<u64>,
    cells: BTreeMap<(&'a str, u64), &'a Value>,
}

/// Where an algorithm has no result, and why.
pub(super) struct Failure<'a> {
    pub algorithm: &'a str,
    pub lengths: Vec<u64>,
    pub status: String,
    pub message: Option<&'a str>,
}

impl<'a> Results<'a> {
    pub fn of(report: &'a Value) -> Self {
        let mut results =
            Results { algorithms: Vec::new(), lengths: BTreeSet::new(), cells: BTreeMap::new() };
        for result in report["results"].as_array().into_iter().flatten() {
            let algorithm = result["algorithm"].as_str().unwrap_or_default();
            let length = result["pattern_length"].as_u64().unwrap_or_default();
            if !results.algorithms.contains(&algorithm) {
                results.algorithms.push(algorithm);
            }
            results.lengths.insert(length);
            results.cells.insert((algorithm, length), result);
        }
        results
    }

    /// The result of an algorithm at a pattern length, whatever its status.
    pub fn get(&self, algorithm: &str, length: u64) -> Option<&'a Value> {
        self.cells.get(&(algorithm, length)).copied()
    }

    /// The results that count.
    pub fn ok(&self) -> impl Iterator<Item = &'a Value> {
        self.cells.values().copied().filter(|result| result["status"] == "ok")
    }

    /// What has no result; pattern lengths that share a reason are together.
    pub fn failures(&self) -> Vec<Failure<'a>> {
        let mut failures: Vec<Failure> = Vec::new();
        for (&(algorithm, length), &result) in &self.cells {
            let (status, message) = (status(Some(result)), result["message"].as_str());
            match failures.last_mut() {
                _ if result["status"] == "ok" => {}
                Some(last)
                    if (last.algorithm, &last.status, last.message) == (algorithm, &status, message) =>
                {
                    last.lengths.push(length);
                }
                _ => failures.push(Failure { algorithm, lengths: vec![length], status, message }),
            }
        }
        failures
    }

    /// How many repetitions a figure stands for: "500" or "480 to 500".
    pub fn repetitions(&self) -> String {
        let counts: BTreeSet<u64> = self.ok().filter_map(|result| result["repetitions"].as_u64()).collect();
        match (counts.first(), counts.last()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(count), _) => count.to_string(),
            _ => "no".to_owned(),
        }
    }

    /// The names of the members of an object that every result may have.
    pub fn members(&self, object: &str) -> BTreeSet<&'a str> {
        let objects = self.ok().filter_map(|result| result[object].as_object());
        objects.flat_map(|object| object.keys().map(String::as_str)).collect()
    }
}

/// What stands where nothing was measured.
pub(super) fn status(result: Option<&Value>) -> String {
    match result.and_then(|result| result["status"].as_str()) {
        None | Some("ok") => "-".to_owned(),
        Some(status) => status.replace('_', " "),
    }
}
