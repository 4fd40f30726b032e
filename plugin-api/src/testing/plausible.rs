//! Counts that can't be.

use crate::measurements::{Field, Measurements};

/// Finds out what can't be of the counts of a search for a pattern of m bytes in a text of n: an occurrence
/// is a verification that has succeeded, a verification is a branch, the search position advances at most
/// once for each byte of the text, and at least once in one of more than 4 m + 256 bytes, and tables that are
/// looked into have entries. What was not counted is not compared.
///
/// # Errors
/// The first that can't be.
pub fn possible(occurrences: u64, m: usize, n: usize, figures: &Measurements) -> Result<(), String> {
    let count = |field| figures.fields[field as usize];
    // No shift is so long, and no vector.
    let long = u64::from(n > 4 * m + 256);
    let rules = [
        ("occurrences", Some(occurrences), "verifications", count(Field::Verifications)),
        ("verifications", count(Field::Verifications), "branches", count(Field::Branches)),
        ("jumps", count(Field::Jumps), "bytes of text", Some(n as u64)),
        ("long texts", Some(long), "jumps", count(Field::Jumps)),
        (
            "tables looked into",
            count(Field::Lookups).map(|lookups| lookups.min(1)),
            "table entries",
            count(Field::LookupEntries),
        ),
    ];
    for (what, fewer, than, more) in rules {
        if let (Some(fewer), Some(more)) = (fewer, more)
            && fewer > more
        {
            return Err(format!("counted {fewer} {what}, but {more} {than}"));
        }
    }
    Ok(())
}
