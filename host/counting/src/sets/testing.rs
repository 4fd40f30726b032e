//! Event sets for a machine that is the same everywhere, for tests.

use super::file::read;
use super::{EventSet, Processor};

/// The event set in a text, for a processor of AMD.
///
/// # Errors
/// The number of the line, and what is wrong with it.
pub fn event_set(name: &str, text: &str) -> Result<EventSet, (usize, String)> {
    read(name, text, &Processor { arch: "x86_64".to_owned(), vendor: "AuthenticAMD".to_owned() })
}
