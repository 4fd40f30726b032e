//! The test kit for algorithms. [`register!`](crate::register) runs [`check`] in the tests of the crate
//! that registers an algorithm, so that an author writes nothing:
//!
//! ```text
//! test nsn::conformance::finds_what_a_naive_search_finds ... ok
//! ```
//!
//! It tries the algorithm in all three readings (see [`probe`](crate::probe)) and as a [`Finder`](crate::Finder)
//! on the groups of [`cases`], and compares the results with those of [`naive`]:
//!
//! * number and positions of the occurrences, with bytes around text and pattern that would continue a match;
//! * further searches with the same preparation, one of them of another text;
//! * two searchers at a time, in one thread and in two;
//! * that text, pattern and the bytes around them are not written to;
//! * that patterns of lengths that it does not take are refused;
//! * in the counting reading, that the counts are [`possible`].
//!
//! A [`Candidate`] is anything that the kit can try: here a reading of an algorithm ([`Subject`]), in `assay
//! plugins check` and `assay test` an algorithm of a loaded library. A [`Trial`] tries it on one case,
//! [`conform`] on many, and makes a failing case as small as it can. [`agrees`] compares a twin with a model
//! of its algorithm.

pub mod cases;
mod finder_subject;
mod kit;
mod many;
mod model;
mod out_of_range;
mod plausible;
mod shrink;
mod subject;

pub use cases::Case;
pub use finder_subject::FinderSubject;
pub use kit::{Candidate, Failure, Fault, Search, Trial, judge};
pub use many::{Make, conform, in_one_thread, in_two_threads, show};
pub use model::{Tally, agrees, agrees_from};
pub use out_of_range::refuses_other_lengths;
pub use plausible::possible;
pub use shrink::shrunk;
pub use subject::Subject;

use std::io::Write;

use self::cases::{Plan, Size};
use crate::cpu::cpu_has;
use crate::probe::{Checked, CountingReading, Off, Reading};
use crate::{Algorithm, CannotSearch};

/// The reference: positions of all occurrences, in ascending order.
///
/// # Panics
/// If the pattern is empty.
pub fn naive(pattern: &[u8], text: &[u8]) -> Vec<usize> {
    text.windows(pattern.len()).enumerate().filter(|(_, window)| *window == pattern).map(|(s, _)| s).collect()
}

/// Searches once, in the reading `R`: positions of all occurrences, in ascending order.
///
/// # Errors
/// If the algorithm is not made for such a pattern or text.
///
/// # Panics
/// If the pattern is empty, or the algorithm panics.
pub fn search<A: Algorithm, R: Reading>(pattern: &[u8], text: &[u8]) -> Result<Vec<usize>, CannotSearch> {
    if text.len() < pattern.len() {
        return Ok(Vec::new());
    }
    let mut subject = Subject::<A, R>::default();
    let answer = subject.prepare(pattern, text).and_then(|mut prepared| prepared.positions(text));
    match answer {
        Ok(positions) => Ok(positions.unwrap_or_default()),
        Err(Failure::CannotSearch(reason)) => Err(CannotSearch(reason)),
        Err(Failure::Fault(fault)) => panic!("{fault}"),
    }
}

/// Checks an algorithm in all three readings, and as a [`Finder`](crate::Finder), on the cases of [`Size::Quick`]. If the CPU does not have the
/// features that the algorithm [needs](crate::Needs::cpu), nothing is checked, and a line on standard error
/// says so.
///
/// # Panics
/// At the first failing case, with the case; if the algorithm refuses all cases; or if it accepts a pattern
/// of a length that its needs exclude.
pub fn check<A: Algorithm>() {
    let name = std::any::type_name::<A>();
    if let Some(feature) = A::NEEDS.cpu.iter().find(|feature| !cpu_has(feature)) {
        skip(&format!("{name} needs {feature}, which this CPU lacks"));
        return;
    }
    refuses_other_lengths::<A>().unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let mut searched = vec![in_reading::<A, Checked>(name, "checked"), in_reading::<A, Off>(name, "off")];
    if A::INSTRUMENTED {
        searched.push(in_reading::<A, CountingReading>(name, "counting"));
    }
    assert!(
        searched.iter().all(|&n| n == searched[0]),
        "{name}: the readings refuse different cases: {searched:?}"
    );
    assert!(searched[0] > 0, "{name}: refused every case, so nothing was checked");
    conforms(&|| Box::new(FinderSubject::<A>::default()), &format!("{name}, as a Finder"));
}

fn in_reading<A: Algorithm, R: Reading>(name: &str, reading: &str) -> usize {
    conforms(&|| Box::new(Subject::<A, R>::default()), &format!("{name}, reading {reading}"))
}

fn conforms(make: Make<'_, '_>, name: &str) -> usize {
    let plan = Plan { size: Size::Quick, ..Plan::default() };
    conform(make, &plan).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// Prints that the running test is skipped on this machine, and why: the line `skipped: TEST: REASON` on
/// standard error.
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    let line = format!("\nskipped: {}: {}\n", thread.name().unwrap_or("a test"), reason.replace('\n', " "));
    // The harness hides what a passing test prints with `eprintln`, so this writes to standard error
    // directly. An error is ignored, because there is no other place to report it.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests;
