//! Trying whatever can search on cases, and making small what fails.

use std::fmt::Write;
use std::sync::Barrier;

use super::{Case, cases, naive};

/// Something that can be prepared for a pattern.
pub trait Candidate {
    /// What it is then: it searches texts for that pattern, and for no other until it is prepared anew.
    type Prepared<'a>: Search
    where
        Self: 'a;

    /// Prepares for a pattern that will be looked for in texts such as this one.
    ///
    /// # Errors
    /// [`Failure`].
    fn prepare<'a>(&'a mut self, pattern: &'a [u8], text: &[u8]) -> Result<Self::Prepared<'a>, Failure>;
}

/// Something that is prepared for a pattern.
pub trait Search {
    /// Counts the occurrences of the pattern.
    ///
    /// # Errors
    /// [`Failure`].
    fn count(&mut self, text: &[u8]) -> Result<u64, Failure>;

    /// Finds the positions of all occurrences, in ascending order; `None` if it tells none.
    ///
    /// # Errors
    /// [`Failure`].
    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, Failure>;
}

/// Why a candidate does not search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is not made for such a pattern or text, and says so.
    CannotSearch(String),
    /// It does what it must not.
    Fault(String),
}

/// Tries a candidate on one case: prepares it, counts, finds positions without preparing anew, and then searches another
/// text. Says whether it searched at all; an answer that it can't is taken. A text shorter than the pattern is not tried.
///
/// # Errors
/// What is wrong.
///
/// # Panics
/// If the pattern is empty.
pub fn judge(candidate: &mut impl Candidate, pattern: &[u8], text: &[u8]) -> Result<bool, String> {
    let Some(mut prepared) = prepared(candidate, pattern, text)? else { return Ok(false) };
    if !compare(&mut prepared, pattern, text)? {
        return Ok(false);
    }
    let other = [&pattern[pattern.len() / 2..], pattern, &text[..text.len() / 2]].concat();
    let expected = naive(pattern, &other);
    let within = |fault: String| format!("{fault} in \"{}\"", other.escape_ascii());
    match prepared.positions(&other) {
        Ok(None) => match compare(&mut prepared, pattern, &other) {
            Ok(_) => Ok(true),
            Err(fault) => Err(within(format!("with the same preparation, {fault}"))),
        },
        Ok(Some(positions)) if positions != expected => {
            Err(within(format!("with the same preparation, found {positions:?}, expected {expected:?}")))
        }
        Err(Failure::Fault(fault)) => Err(within(fault)),
        _ => Ok(true),
    }
}

/// Prepares a candidate, which it may refuse.
fn prepared<'a, C: Candidate>(
    candidate: &'a mut C,
    pattern: &'a [u8],
    text: &[u8],
) -> Result<Option<C::Prepared<'a>>, String> {
    if text.len() < pattern.len() {
        return Ok(None);
    }
    match candidate.prepare(pattern, text) {
        Ok(prepared) => Ok(Some(prepared)),
        Err(Failure::CannotSearch(_)) => Ok(None),
        Err(Failure::Fault(fault)) => Err(fault),
    }
}

/// Compares number and positions of the occurrences with those of the naive search. Says whether there was a search: some
/// see only then that they can't.
fn compare(prepared: &mut impl Search, pattern: &[u8], text: &[u8]) -> Result<bool, String> {
    let expected = naive(pattern, text);
    let count = match prepared.count(text) {
        Ok(count) => count,
        Err(Failure::CannotSearch(_)) => return Ok(false),
        Err(Failure::Fault(fault)) => return Err(fault),
    };
    if count != expected.len() as u64 {
        return Err(format!("counted {count}, expected {}", expected.len()));
    }
    match prepared.positions(text) {
        Ok(Some(positions)) if positions != expected => {
            Err(format!("found {positions:?}, expected {expected:?}"))
        }
        Ok(_) => Ok(true),
        Err(Failure::CannotSearch(reason)) => Err(format!("counted, and then could not search: {reason}")),
        Err(Failure::Fault(fault)) => Err(fault),
    }
}

/// Tries a candidate on cases, as [`in_one_thread`] does, and then two of them in two threads. Says how many cases were
/// searched.
///
/// # Errors
/// The first thing that is wrong, with a case that is as small as it could be made.
pub fn conform<C: Candidate>(
    make: impl Fn() -> C + Sync,
    cases: impl IntoIterator<Item = Case>,
) -> Result<usize, String> {
    let searched = in_one_thread(&make, cases)?;
    in_two_threads(&make)?;
    Ok(searched)
}

/// Tries a candidate on cases, one after the other, so that what a pattern leaves behind meets the next; then two of them at
/// a time. Says how many cases were searched.
///
/// # Errors
/// As for [`conform`].
pub fn in_one_thread<C: Candidate>(
    make: impl Fn() -> C,
    cases: impl IntoIterator<Item = Case>,
) -> Result<usize, String> {
    let (mut candidate, mut searched) = (make(), 0);
    for (pattern, text) in cases {
        match judge(&mut candidate, &pattern, &text) {
            Ok(has_searched) => searched += usize::from(has_searched),
            Err(fault) => return Err(shrunk(&make, (pattern, text), fault)),
        }
    }
    // Two that are prepared before either searches must not disturb each other.
    let cases = cases::seeds();
    let (mut one, mut other) = (make(), make());
    for (i, (pattern, text)) in cases.iter().enumerate() {
        let (other_pattern, other_text) = &cases[(i + 1) % cases.len()];
        let beside = prepared(&mut one, pattern, text)?.zip(prepared(&mut other, other_pattern, other_text)?);
        if let Some((mut one, mut other)) = beside {
            let undisturbed =
                compare(&mut one, pattern, text).and(compare(&mut other, other_pattern, other_text));
            undisturbed
                .map_err(|fault| format!("beside another searcher: {}", show(&fault, pattern, text)))?;
        }
    }
    Ok(searched)
}

/// Two candidates in two threads, prepared both before either searches, must not disturb each other.
fn in_two_threads<C: Candidate>(make: &(impl Fn() -> C + Sync)) -> Result<(), String> {
    let (cases, both) = (cases::seeds(), Barrier::new(2));
    // No step is left out, whatever happens: the other thread waits for it.
    let in_step = |order: usize| {
        let (mut candidate, mut result) = (make(), Ok(()));
        for i in 0..cases.len() {
            let (pattern, text) = &cases[(i + order) % cases.len()];
            let ready = prepared(&mut candidate, pattern, text);
            both.wait();
            let judged = ready.and_then(|ready| match ready {
                Some(mut ready) => compare(&mut ready, pattern, text),
                None => Ok(false),
            });
            both.wait();
            result = result.and(judged.map(drop).map_err(|fault| show(&fault, pattern, text)));
        }
        result
    };
    std::thread::scope(|threads| {
        let beside = threads.spawn(|| in_step(1));
        let here = in_step(0);
        here.and(beside.join().expect("faults are answers, not panics"))
    })
    .map_err(|fault| format!("beside a searcher in another thread: {fault}"))
}

/// How often a case is made smaller, at most.
const SHRINKS: usize = 5000;

/// The fault of a case, and the smallest case found that still goes wrong.
fn shrunk<C: Candidate>(make: impl Fn() -> C, mut case: Case, mut fault: String) -> String {
    let failure = |(pattern, text): &Case| judge(&mut make(), pattern, text).err();
    if failure(&case).is_none() {
        return format!("after other patterns, {}", show(&fault, &case.0, &case.1));
    }
    let mut tries = 0..SHRINKS;
    let mut still_wrong = |smaller: Case| tries.next().and_then(|_| Some((failure(&smaller)?, smaller)));
    loop {
        let smallest = smaller(&case).find_map(&mut still_wrong);
        let Some(smallest) = smallest else { break };
        (fault, case) = smallest;
    }
    show(&fault, &case.0, &case.1)
}

/// The case without a part of its text or pattern, great parts first.
fn smaller((pattern, text): &Case) -> impl Iterator<Item = Case> {
    let patterns = without_a_part(pattern).filter(|shorter| !shorter.is_empty());
    without_a_part(text)
        .map(|shorter| (pattern.clone(), shorter))
        .chain(patterns.map(|shorter| (shorter, text.clone())))
}

fn without_a_part(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let sizes = std::iter::successors(Some(bytes.len().div_ceil(2)), |size| (*size > 1).then_some(size / 2));
    sizes.flat_map(move |size| {
        let starts = (0..bytes.len()).step_by(size.max(1));
        starts.map(move |start| [&bytes[..start], &bytes[(start + size).min(bytes.len())..]].concat())
    })
}

fn show(fault: &str, pattern: &[u8], text: &[u8]) -> String {
    let mut line = format!("{fault} (pattern \"{}\" in text \"", pattern.escape_ascii());
    let shown = text.len().min(400);
    let _ = write!(line, "{}\"", text[..shown].escape_ascii());
    if shown < text.len() {
        let _ = write!(line, " and {} bytes more", text.len() - shown);
    }
    line + ")"
}
