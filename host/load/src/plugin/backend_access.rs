//! What a counter backend may do besides computing.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What a counter backend declares that it needs, and what the sandbox grants it. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendAccess {
    /// Events of the kernel: `perf_event_open`.
    pub perf_events: bool,
    /// Connections to other processes and machines.
    pub network: bool,
    /// Programs that it starts.
    pub programs: bool,
    /// Files that it reads, and folders below which it reads.
    pub files: Vec<PathBuf>,
}

impl BackendAccess {
    /// The access of a backend whose library is older than these declarations: what backends on the counters
    /// of the kernel need.
    pub fn undeclared() -> Self {
        let files = ["/proc", "/sys"].map(PathBuf::from).to_vec();
        BackendAccess { perf_events: true, files, ..BackendAccess::default() }
    }

    /// Adds what another backend of the same process needs.
    pub fn add(&mut self, other: &BackendAccess) {
        self.perf_events |= other.perf_events;
        self.network |= other.network;
        self.programs |= other.programs;
        let more = other.files.iter().filter(|file| !self.files.contains(file)).cloned();
        self.files.extend(more.collect::<Vec<_>>());
    }
}
