//! What a library says of itself, whatever its dialect, and where it was found.

use std::path::PathBuf;

use assay_abi::ABI;
use serde::{Deserialize, Serialize};

use super::printable;

/// What a library says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryInfo {
    /// Name of the library.
    pub name: String,
    /// Its version; empty if it has none.
    pub version: String,
    /// How the library speaks to the host.
    pub dialect: String,
    /// Number of its ABI; empty if the dialect has none.
    pub abi: String,
    /// Whether its ABI is newer than that of this host.
    pub newer_abi: bool,
    /// What it has that this host does not know, each in a few words.
    pub unknown: Vec<String>,
    /// What it can do beyond the first version of its ABI.
    pub features: Vec<String>,
    /// Whether it is a debug build; none if it does not say.
    pub debug: Option<bool>,
}

impl LibraryInfo {
    /// "assay-hashing 0.1.0, ABI 1.0", as far as they are known.
    pub fn title(&self) -> String {
        let mut title = self.name.clone();
        if !self.version.is_empty() {
            title += &format!(" {}", self.version);
        }
        if !self.abi.is_empty() {
            title += &format!(", ABI {}", self.abi);
        }
        title
    }

    /// What to say of a library whose ABI is newer than that of this host; `None` for all others.
    pub fn remark_on_newer_abi(&self) -> Option<String> {
        if !self.newer_abi {
            return None;
        }
        let unknown = match self.unknown.as_slice() {
            [] => String::new(),
            unknown => format!(" ({})", unknown.join(", ")),
        };
        Some(format!(
            "{}: newer than this assay's ABI {ABI}, it may bring more than this assay can use{unknown}; \
             update assay to use all of it",
            self.title()
        ))
    }

    /// The same facts, with each text of the library as one line that can be printed anywhere.
    #[must_use]
    pub(super) fn printable(self) -> Self {
        LibraryInfo {
            name: printable::line(&self.name),
            version: printable::line(&self.version),
            features: self.features.iter().map(|feature| printable::line(feature)).collect(),
            ..self
        }
    }
}

/// What to do about a library that is not as its major number promises. Only the newer side can know more.
pub(super) fn misfit_remedy(newer_abi: bool) -> &'static str {
    if newer_abi {
        "update assay, or get a build of the library for this one"
    } else {
        "rebuild it with the assay-plugin-api of this assay"
    }
}

/// The library that a thing comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryOrigin {
    /// Its file.
    pub path: PathBuf,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// What it says of itself.
    pub info: LibraryInfo,
}
