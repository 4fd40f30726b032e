//! Reads the rows of a run block by block, and compares them with their checksums.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use assay_base::error::{Error, Result};
use crc32fast::Hasher;

use crate::blocks::{BlockRecord, Blocks};
use crate::folder::check_files;
use crate::{MEASUREMENTS, Verifier};

/// Number of bytes that are read at a time.
const PIECE: usize = 1 << 17;

/// The rows of a run.
pub(crate) struct CheckedRows {
    pub(crate) path: PathBuf,
    /// The first line.
    pub(crate) header: Vec<u8>,
    reader: BufReader<File>,
    verifier: Verifier,
    blocks: IntoIter<BlockRecord>,
    /// The block whose lines are read now.
    current: Option<BlockRecord>,
    line: Vec<u8>,
    offset: u64,
}

/// What comes next in the rows of a run.
pub(crate) enum CheckedRow<'a> {
    /// A line with its end.
    Line(&'a [u8]),
    /// The end of a block, after its lines.
    End(Box<BlockRecord>),
}

impl CheckedRows {
    /// Opens the rows of a folder, and reads the header.
    ///
    /// # Errors
    /// If a file can't be read, or has no checksums.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(MEASUREMENTS);
        // A pipe would never end.
        check_files(folder)?;
        let blocks = Blocks::read(folder)?;
        if !blocks.sealed {
            return Err(Error::new(format!("the blocks of `{}` have no checksums", folder.display()))
                .remedy("measure it with this version of assay"));
        }
        let file = File::open(&path).map_err(|error| Error::io("read", &path, &error))?;
        CheckedRows::of_blocks(path, file, blocks.records)
    }

    /// The rows of these blocks in a file of this path. Reads the header.
    ///
    /// # Errors
    /// If the file can't be read.
    pub(crate) fn of_blocks(path: PathBuf, file: File, records: Vec<BlockRecord>) -> Result<Self> {
        let mut rows = CheckedRows {
            path,
            header: Vec::new(),
            reader: BufReader::with_capacity(PIECE, file),
            verifier: Verifier::new(&records),
            blocks: records.into_iter(),
            current: None,
            line: Vec::new(),
            offset: 0,
        };
        rows.read_line()?;
        rows.header.clone_from(&rows.line);
        Ok(rows)
    }

    /// The checksum of what was read.
    pub(crate) fn checksum(&self) -> Hasher {
        self.verifier.checksum()
    }

    /// The next line, or the end of a block; `None` after the last block.
    ///
    /// # Errors
    /// If the file can't be read, ends early, or has other lines than the run wrote.
    pub(crate) fn next(&mut self) -> Result<Option<CheckedRow<'_>>> {
        if self.current.is_none() {
            self.current = self.blocks.next();
        }
        let Some(record) = &self.current else { return Ok(None) };
        let end = record.commit.as_ref().map_or(0, |commit| commit.end);
        if self.offset >= end {
            return Ok(self.current.take().map(|record| CheckedRow::End(Box::new(record))));
        }
        self.read_line()?;
        Ok(Some(CheckedRow::Line(&self.line)))
    }

    /// Whether lines follow those of the last block, which was read.
    ///
    /// # Errors
    /// If the file can't be read.
    pub(crate) fn has_more(&mut self) -> Result<bool> {
        let rest = self.reader.fill_buf().map_err(|error| Error::io("read", &self.path, &error))?;
        Ok(!rest.is_empty())
    }

    fn read_line(&mut self) -> Result<()> {
        let failed = |path: &Path, error: io::Error| Error::io("read", path, &error);
        self.line.clear();
        let read =
            self.reader.read_until(b'\n', &mut self.line).map_err(|error| failed(&self.path, error))?;
        if read == 0 {
            return Err(failed(&self.path, io::ErrorKind::UnexpectedEof.into()));
        }
        self.verifier.line(&self.line).map_err(|error| error.within(&self.path))?;
        self.offset += read as u64;
        Ok(())
    }
}
