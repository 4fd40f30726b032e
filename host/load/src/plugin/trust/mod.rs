//! Trust: whether a library may run its code at all, before a child process or anything else loads it.
//!
//! A library is trusted by its content: because it was shipped with the program (`shipped`), or because the
//! user has accepted its SHA-256 (`accepted`). What happens with any other library depends on how it was
//! found (`policy`). Files and folders that others may write to are refused in any case (`exposure`). `judge`
//! puts these together.

mod accepted;
pub mod exposure;
mod judge;
mod policy;
mod shipped;

use std::path::{Path, PathBuf};

pub use accepted::{ACCEPTED_FILE, AcceptedLibraries, AcceptedLibrary};
pub(super) use judge::TrustVerdict;
pub use judge::{Judge, TrustQuestion};
pub use policy::{POLICY_FILE, POLICY_OPTION, POLICY_VARIABLE, TrustPolicies, TrustPolicy};
pub(super) use shipped::program_folder;

/// What is known of a library's content, before it is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It was shipped with the program.
    Shipped,
    /// The user has accepted it.
    Accepted,
    /// The user has accepted another content of this file, with this SHA-256.
    Changed {
        /// The SHA-256 of the content that was accepted.
        accepted: String,
    },
    /// Nothing.
    Unknown,
    /// Others may write to it, so that no content of it can be relied on.
    Exposed,
}

impl Trust {
    /// The word for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Trust::Shipped => "shipped",
            Trust::Accepted => "yes",
            Trust::Changed { .. } => "changed",
            Trust::Unknown => "no",
            Trust::Exposed => "exposed",
        }
    }
}

/// The first digits of a SHA-256, for messages.
fn short(sha256: &str) -> &str {
    sha256.get(..12).unwrap_or(sha256)
}

/// The path by which a library is known, without links and dots.
fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
