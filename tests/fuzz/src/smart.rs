//! The texts and figures of a library for SMART: its file name, and what its function writes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use assay_load::plugin::is_id;
use assay_load::plugin::testing::{ANSWER, foreign_library};

use super::check::{bounded, is_printable};

/// The name is part of an id, a path and a message.
const FACTOR: u64 = 64;
/// A search has memory for a pattern and a text of 1000 bytes, with room around them.
const CONSTANT: u64 = 64 << 10;

/// Describes a library that answers each search with the first bytes of the input, and has the rest as its
/// name.
pub fn smart(input: &[u8]) {
    let (answer, name) = input.split_at(input.len().min(ANSWER));
    let mut bytes = [0; ANSWER];
    bytes[..answer.len()].copy_from_slice(answer);
    let path = Path::new(OsStr::from_bytes(name));
    match bounded(input, FACTOR, CONSTANT, || foreign_library(path, bytes)) {
        Err(failure) => is_printable(&failure.to_string()),
        Ok((listing, figures, times)) => {
            assert!(listing.id.strip_prefix("smart:").is_some_and(is_id), "{}", listing.id);
            listing.extra.iter().for_each(|name| is_printable(name));
            assert!(figures.iter().flatten().all(|figure| i64::try_from(*figure).is_ok()));
            assert!(times.iter().all(|time| time.is_nan() || *time >= 0.0));
        }
    }
}
