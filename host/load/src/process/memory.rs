//! Memory that host and child share, in files without a path.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use rustix::fs::{MemfdFlags, memfd_create};

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
