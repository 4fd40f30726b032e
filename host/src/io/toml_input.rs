//! TOML files that the user writes or keeps.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// What a file holds.
///
/// # Errors
/// If it can't be read, or holds something else: the message names file and line.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))?;
    toml::from_str(&text).map_err(|error| {
        let line =
            error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        Error::new(format!(
            "{}:{line}: {}",
            path.display(),
            error.message().replace("usize", "a whole number")
        ))
    })
}
