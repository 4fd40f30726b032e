//! What a report must know of its experiment.

use std::path::Path;

use serde::Deserialize;

use super::CounterFacts;
use crate::error::{Error, Result};

/// What was measured, where.
#[derive(Clone, Debug, Deserialize)]
pub struct Facts {
    /// The name of the run.
    pub id: String,
    /// Which readings were run: `perf` those that are timed, `algo` the instrumented ones.
    pub stats: String,
    /// The text.
    pub text: Text,
    /// Number of threads that searched.
    #[serde(default = "one")]
    pub threads: u32,
    /// The counters; none where the run did not tell.
    #[serde(default)]
    pub counters: Vec<CounterFacts>,
    #[serde(default)]
    machine: Machine,
}

/// The text that was searched.
#[derive(Clone, Debug, Deserialize)]
pub struct Text {
    /// Where it came from.
    pub sources: Vec<String>,
    /// Its length in bytes.
    pub bytes: u64,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Machine {
    core_hz: Option<f64>,
    tsc_hz: Option<f64>,
}

#[derive(Deserialize)]
struct Results {
    schema: u32,
    experiment: Facts,
}

fn one() -> u32 {
    1
}

/// The version of the results' format that is read here.
const SCHEMA: u32 = 1;

impl Facts {
    /// Reads the experiment from the results of a run.
    ///
    /// # Errors
    /// If the file can't be read or holds something else.
    pub fn read(path: &Path) -> Result<Self> {
        let json = std::fs::read(path).map_err(|error| Error::io("read", path, &error))?;
        let results: Results = serde_json::from_slice(&json).map_err(|error| {
            Error::new(format!("`{}` does not hold the results of a run: {error}", path.display()))
        })?;
        if results.schema != SCHEMA {
            let found = results.schema;
            return Err(Error::new(format!("`{}` has format {found}, not {SCHEMA}", path.display()))
                .remedy("read it with the version of assay that wrote it"));
        }
        Ok(results.experiment)
    }

    /// Whether the instrumented readings were run: what they take says nothing about the algorithms.
    pub fn instrumented(&self) -> bool {
        self.stats == "algo"
    }

    /// Frequency of the core's clock during the run, in hertz, if it was measured.
    pub fn core_hz(&self) -> Option<f64> {
        self.machine.core_hz
    }

    /// Ticks per second of the time stamp counter during the run, if there is one.
    pub fn tsc_hz(&self) -> Option<f64> {
        self.machine.tsc_hz
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_result_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let message = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Facts::read(&path).unwrap_err().to_string()
        };
        assert!(message("{").contains("report.json` does not hold the results of a run"));
        let later = r#"{"schema":2,"experiment":{"id":"x","stats":"perf","text":{"sources":[],"bytes":0}}}"#;
        assert!(message(later).contains("has format 2, not 1"));
    }
}
