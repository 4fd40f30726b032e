//! What a child says before it dies: the last line that it writes to standard error, where panics go.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::process::Stdio;

use super::memory::memory_file;

/// The end of a long message says as much as all of it.
const LONGEST: u64 = 4096;

/// Standard error of a child, kept in memory.
#[derive(Debug)]
pub struct LastWords(File);

impl LastWords {
    /// Nothing is said yet.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new() -> io::Result<Self> {
        memory_file("assay-stderr").map(LastWords)
    }

    /// The standard error of the child.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn stderr(&self) -> io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// The last line, if there is any.
    pub fn line(&mut self) -> Option<String> {
        let mut text = Vec::new();
        let length = self.0.seek(SeekFrom::End(0)).ok()?;
        self.0.seek(SeekFrom::Start(length.saturating_sub(LONGEST))).ok()?;
        Read::take(&mut self.0, LONGEST).read_to_end(&mut text).ok()?;
        let text = String::from_utf8_lossy(&text);
        let line =
            text.lines().map(str::trim).rfind(|line| !line.is_empty() && !line.starts_with("note:"))?;
        Some(line.chars().filter(|letter| !letter.is_control()).take(200).collect())
    }
}
