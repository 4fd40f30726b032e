//! Memory that host and child share, in files without a path.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};

/// Makes an empty file in memory. The name only shows in `/proc`, for people who look at the process.
///
/// # Errors
/// If the system refuses.
pub fn memory_file(name: &str) -> io::Result<File> {
    Ok(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?.into())
}

/// A path by which another process of the same user can open the file, as long as it is open here.
pub fn path_of(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
}
