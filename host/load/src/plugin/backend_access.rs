//! What a counter backend may do in addition to what every plugin may: it declares this, and the process in
//! which it counts is allowed nothing else.

use std::fmt;
use std::path::PathBuf;

use assay_abi::counter::RawAccess;
use serde::{Deserialize, Serialize};

use super::call::texts;

/// What a counter backend may do. By default, nothing in addition to what every plugin may.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendAccess {
    /// Open performance events of the kernel.
    pub perf_events: bool,
    /// Open sockets.
    pub network: bool,
    /// Start programs.
    pub programs: bool,
    /// Read these files, and everything below these folders.
    pub files: Vec<PathBuf>,
}

impl BackendAccess {
    /// What a backend may do that was built before backends declared it (ABI 1.0): what most backends need.
    pub fn undeclared() -> Self {
        let files = ["/proc", "/sys"].map(PathBuf::from).to_vec();
        BackendAccess { perf_events: true, files, ..BackendAccess::default() }
    }

    /// Reads what a backend declares.
    ///
    /// # Errors
    /// If the declaration can't be read: why.
    ///
    /// # Safety
    /// An address that could be must be that of a [`RawAccess`] that lasts for ever.
    pub(super) unsafe fn read(address: *const RawAccess) -> Result<Self, String> {
        if address.is_null() {
            return Ok(BackendAccess::undeclared());
        }
        // SAFETY: the caller's promise.
        let (flags, files) = unsafe {
            let RawAccess { flags, files, .. } =
                assay_abi::read(address).map_err(|error| format!("its declared access {error}"))?;
            (flags, texts(files))
        };
        Ok(BackendAccess {
            perf_events: flags & RawAccess::PERF_EVENTS != 0,
            network: flags & RawAccess::NETWORK != 0,
            programs: flags & RawAccess::PROGRAMS != 0,
            files: files.into_iter().map(PathBuf::from).collect(),
        })
    }

    /// Adds what another backend may do, because backends that count in the same process share its rights.
    pub fn add(&mut self, other: &BackendAccess) {
        self.perf_events |= other.perf_events;
        self.network |= other.network;
        self.programs |= other.programs;
        for file in &other.files {
            if !self.files.contains(file) {
                self.files.push(file.clone());
            }
        }
    }
}

impl fmt::Display for BackendAccess {
    /// `read performance events, read files below /proc and /sys`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        let files = match paths.split_last() {
            None => String::new(),
            Some((only, [])) => format!("read {only}"),
            Some((last, others)) => format!("read {} and {last}", others.join(", ")),
        };
        let parts = [
            (self.perf_events, "open performance events"),
            (self.network, "use the network"),
            (self.programs, "start programs"),
            (!files.is_empty(), &files),
        ];
        let parts: Vec<&str> = parts.iter().filter(|(allowed, _)| *allowed).map(|(_, part)| *part).collect();
        f.write_str(if parts.is_empty() { "nothing but compute" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use assay_abi::{Growing, List, Str};

    use super::*;

    fn with_files(files: &[&str]) -> BackendAccess {
        BackendAccess { files: files.iter().map(PathBuf::from).collect(), ..BackendAccess::default() }
    }

    #[test]
    fn what_is_declared_arrives_and_unknown_bits_grant_nothing() {
        let files = [Str::new("/proc/cpuinfo"), Str::new("/sys")];
        let raw = RawAccess { flags: 1 << 40 | 6, files: List::new(&files), ..RawAccess::empty() };
        // SAFETY: the struct and what it leads to last during the call.
        let access = unsafe { BackendAccess::read(&raw) }.unwrap();
        let expected = with_files(&["/proc/cpuinfo", "/sys"]);
        assert_eq!(access, BackendAccess { network: true, programs: true, ..expected });
    }

    #[test]
    fn a_backend_that_declares_nothing_gets_what_most_need_and_a_broken_declaration_is_refused() {
        // SAFETY: an address that can't be is not dereferenced.
        let read = |address| unsafe { BackendAccess::read(std::ptr::without_provenance(address)) };
        assert_eq!(read(0), Ok(BackendAccess::undeclared()));
        assert_eq!(read(8), Err("its declared access lies at the impossible address 0x8".to_owned()));
    }

    #[test]
    fn backends_of_one_process_share_what_each_may() {
        let mut both = with_files(&["/a", "/b"]);
        both.add(&BackendAccess { perf_events: true, ..with_files(&["/b", "/c"]) });
        assert_eq!(both, BackendAccess { perf_events: true, ..with_files(&["/a", "/b", "/c"]) });
    }

    #[test]
    fn it_is_shown_in_words() {
        assert_eq!(BackendAccess::default().to_string(), "nothing but compute");
        assert_eq!(BackendAccess::undeclared().to_string(), "open performance events, read /proc and /sys");
        let all = BackendAccess { network: true, programs: true, ..with_files(&["/a", "/b", "/c"]) };
        assert_eq!(all.to_string(), "use the network, start programs, read /a, /b and /c");
    }
}
