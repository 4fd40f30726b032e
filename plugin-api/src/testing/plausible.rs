//! Detects impossible counts of instrumented twins.

use crate::measurements::{Field, Measurements};

/// Checks that the counts of a search are possible, for a pattern of m bytes in a text of n bytes. An
/// occurrence is a verification that succeeded, and a verification is a branch. The window moves at most once
/// for each byte of the text, and at least once in a text of more than 4 m + 256 bytes. Tables with look-ups
/// have entries. Missing counts are not compared.
///
/// # Errors
/// The first impossible count.
pub fn possible(occurrences: u64, m: usize, n: usize, figures: &Measurements) -> Result<(), String> {
    let count = |field| figures.fields[field as usize];
    // No algorithm shifts this far at once, and no vector is this wide.
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
