//! Why a library can't be used.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::printable::line;

/// What was found in a library, what was expected there and what to do: displayed, it is one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFailure {
    /// The library. A failure that is remembered is one of the content, wherever that lies.
    #[serde(skip)]
    pub file: PathBuf,
    /// How far the library came.
    pub stage: Stage,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// What to do.
    pub remedy: String,
    /// The whole story for `--verbose`, often hundreds of lines; empty if there is no more to say.
    pub details: Box<str>,
    /// Whether the same library may work another time, because the cause may lie outside it. Such a failure
    /// is not remembered.
    pub passing: bool,
}

/// The stages that a library passes, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stage {
    /// Only the user and root may write to it and to its folder, and it is trusted where that is asked for.
    Trust,
    /// It can be read, and is a complete ELF library for this machine.
    File,
    /// The dynamic loader finds all that it needs. This depends on more than the library itself.
    Link,
    /// It survives being loaded, in a child process.
    Load,
    /// It has the entry point, and its ABI has the host's major number.
    Abi,
    /// Its types have the layout that the host expects.
    Layout,
    /// It brings something, with ids and names that commands and tables can hold, and no id twice.
    Contents,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 7] =
        [Stage::Trust, Stage::File, Stage::Link, Stage::Load, Stage::Abi, Stage::Layout, Stage::Contents];

    /// What is true of a library that passed.
    pub fn passed(self) -> &'static str {
        match self {
            Stage::Trust => "nobody but you and root may write to it or to its folder",
            Stage::File => "it is a complete ELF library for this machine",
            Stage::Link => "the dynamic loader finds all that it needs",
            Stage::Load => "it loads in a child process, which survives",
            Stage::Abi => "its ABI has the host's major number",
            Stage::Layout => "its types have the host's layout",
            Stage::Contents => "it brings something, and no id twice",
        }
    }
}

impl LoadFailure {
    /// A failure without details.
    pub fn new(file: &Path, stage: Stage, found: impl Into<String>, expected: &str, remedy: &str) -> Self {
        LoadFailure {
            file: file.to_owned(),
            stage,
            found: found.into(),
            expected: expected.to_owned(),
            remedy: remedy.to_owned(),
            details: Box::default(),
            passing: false,
        }
    }

    /// The failure of a library whose file was replaced or written to while it was used.
    pub(crate) fn of_unsteady_file(file: &Path, found: impl Into<String>) -> Self {
        let (expected, remedy) = ("a file that stays as it is", "try again when it is complete");
        LoadFailure::new(file, Stage::File, found, expected, remedy).passing()
    }

    /// Says that the cause may lie outside the library: the failure is not remembered.
    #[must_use]
    pub(crate) fn passing(self) -> Self {
        LoadFailure { passing: true, ..self }
    }

    /// Adds the whole story.
    #[must_use]
    pub fn details(mut self, details: impl Into<Box<str>>) -> Self {
        self.details = details.into();
        self
    }
}

impl fmt::Display for LoadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoadFailure { file, found, expected, remedy, .. } = self;
        let text = format!("can't use `{}`: {found}; expected {expected}; {remedy}", file.display());
        // A file name or a loader's message may hold anything.
        f.write_str(&line(&text))
    }
}

impl std::error::Error for LoadFailure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line_whatever_its_file_is_called() {
        let failure = LoadFailure::new(Path::new("/a\u{1b}[2J\nb.so"), Stage::File, "x\ry", "z", "mend it");
        assert_eq!(failure.to_string(), "can't use `/a b.so`: x y; expected z; mend it");
    }
}
