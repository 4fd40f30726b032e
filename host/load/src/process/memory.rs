//! Memory that host and child share, in files without a path.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

use memmap2::{Mmap, MmapOptions};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

/// Makes an empty file in memory. The name only shows in `/proc`, for people who look at the process.
///
/// # Errors
/// If the system refuses.
pub fn memory_file(name: &str) -> io::Result<File> {
    Ok(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?.into())
}

/// Opens a file in memory once more, with a position of its own at the beginning. A process that gets a file
/// passed shares its position with the sender.
///
/// # Errors
/// If the system refuses.
pub(crate) fn opened_again(file: &File) -> io::Result<File> {
    File::options().read(true).write(true).open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Number of bytes that are moved at a time.
const PIECE: usize = 64 << 20;

/// Bytes in a file in memory that nobody can change or shorten, with room around them. This process has them
/// mapped, so that it needs no copy for itself.
#[derive(Debug)]
pub struct SharedBytes {
    file: File,
    map: Mmap,
    start: usize,
}

impl SharedBytes {
    /// Moves bytes to such a file, where they begin at `start`. After them is room for `spare` bytes, which
    /// takes no memory until it is used.
    ///
    /// The last piece is moved first, and its memory is returned, so that there are never two copies.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new(name: &str, mut bytes: Vec<u8>, start: usize, spare: usize) -> io::Result<Self> {
        let (file, length) = (memory_file(name)?, bytes.len());
        ftruncate(&file, start.saturating_add(length).saturating_add(spare) as u64)?;
        while !bytes.is_empty() {
            let piece = bytes.len().saturating_sub(PIECE);
            file.write_all_at(&bytes[piece..], (start + piece) as u64)?;
            bytes.truncate(piece);
            bytes.shrink_to_fit();
        }
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::FUTURE_WRITE)?;
        // SAFETY: the file is sealed, so it can't be changed or shortened.
        let map = unsafe { MmapOptions::new().len(start + length).map(&file)? };
        Ok(SharedBytes { file, map, start })
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where the bytes begin in the file.
    pub fn start(&self) -> usize {
        self.start
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_several_pieces_are_moved_and_sealed() {
        let bytes: Vec<u8> = (0..PIECE + 1000).map(|place| (place % 251) as u8).collect();
        let shared = SharedBytes::new("test", bytes.clone(), 4096, 10).unwrap();
        assert!(*shared == *bytes && shared.start() == 4096);
        assert_eq!(shared.file().metadata().unwrap().len(), (4096 + bytes.len() + 10) as u64);
        assert!(ftruncate(shared.file(), 0).is_err() && shared.file().write_at(b"x", 4096).is_err());
        assert!(SharedBytes::new("test", Vec::new(), 4096, 0).unwrap().is_empty());
    }
}
