//! What a child may do.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The first message to a child. What else it needs for its work it is told afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Measure one algorithm.
    Measure,
    /// Load libraries: each item is a path.
    Inspect,
    /// Try algorithms of a library on small searches: each item is an id.
    TryOut {
        /// The library's file.
        #[serde(with = "bytes")]
        library: PathBuf,
    },
    /// Compute with what a library brings: metrics, statistics, mergers, corpora.
    Serve,
    /// Ask counter backends of a library for their events: each item is an id.
    Events {
        /// The library's file.
        #[serde(with = "bytes")]
        library: PathBuf,
    },
    /// Let sets of events go through their lives: each item is a step.
    Rehearse {
        /// The CPU to do it on, if it matters.
        cpu: Option<usize>,
    },
    /// Measure what counting costs: each item is an event.
    CounterCost {
        /// The library's file.
        #[serde(with = "bytes")]
        library: PathBuf,
        /// Id of the backend.
        backend: String,
        /// How often to read.
        reads: u32,
    },
}

/// A path need not be UTF-8.
mod bytes {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_bytes().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Ok(OsString::from_vec(Vec::deserialize(deserializer)?).into())
    }
}
