//! The last words of a child: the last line that it has written to standard error, where panics are reported.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::process::Stdio;

use super::memory::memory_file;

/// Number of bytes at the end of standard error that are searched for the last line. A line is cut to 200
/// characters anyway, and notes after it are short.
const LONGEST: u64 = 4096;

/// The standard error of a child, kept in memory.
#[derive(Debug)]
pub struct LastWords(File);

impl LastWords {
    /// An empty standard error.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new() -> io::Result<Self> {
        memory_file("assay-stderr").map(LastWords)
    }

    /// The file, as the standard error of a child to start.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn stderr(&self) -> io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// The last line that is not empty. Lines that begin with `note:` are skipped, because after a panic they
    /// only say how to get a backtrace.
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
