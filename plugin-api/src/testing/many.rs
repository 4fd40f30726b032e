//! Tries a candidate on many cases, and together with another one.

use std::io;
use std::sync::Barrier;
use std::thread;

use super::cases::{Case, Place, Plan, seeds};
use super::kit::{Candidate, Trial, compare, excerpt, prepared};
use super::shrink::{SHRINKS, shrunk};

/// A function that makes candidates of one kind.
pub type Make<'m, 'c> = &'m (dyn Fn() -> Box<dyn Candidate + 'c> + Sync);

/// Tries one candidate on the cases of a plan, one after the other, so that leftovers of one pattern can
/// disturb the next; then two candidates at a time. Returns the number of cases that were searched.
///
/// # Errors
/// The first fault, with a case that is as small as possible.
pub fn conform(make: Make<'_, '_>, plan: &Plan) -> Result<usize, String> {
    let (mut candidate, mut searched) = (make(), 0);
    for (place, case) in plan.cases() {
        let trial = Trial::new(case);
        match trial.judge(&mut *candidate) {
            Ok(has_searched) => searched += usize::from(has_searched),
            Err(fault) => return Err(described(make, place, trial.case().clone(), fault.message)),
        }
    }
    in_one_thread(make)?;
    in_two_threads(make).map_err(|error| format!("no second thread could be started: {error}"))??;
    Ok(searched)
}

/// A fault in words, with the smallest failing case that is found.
fn described(make: Make<'_, '_>, place: Place, case: Case, fault: String) -> String {
    let mut tries = SHRINKS;
    let fails = |case: &Case| {
        tries = tries.checked_sub(1)?;
        Trial::new(case.clone()).judge(&mut *make()).err()
    };
    match shrunk(case.clone(), fails) {
        Some((fault, case)) => format!("{place}: {}", show(&fault.message, &case)),
        None => format!("{place}: after other patterns, {}", show(&fault, &case)),
    }
}

/// A fault with its case, in a line.
pub fn show(fault: &str, (pattern, text): &Case) -> String {
    format!("{fault} (pattern \"{}\" in text \"{}\")", excerpt(pattern), excerpt(text))
}

/// Two candidates in one thread, both prepared before either searches, must not disturb each other.
///
/// # Errors
/// The first case in which they do, with the fault.
pub fn in_one_thread(make: Make<'_, '_>) -> Result<(), String> {
    let cases = seeds();
    let (mut one, mut other) = (make(), make());
    for (i, (pattern, text)) in cases.iter().enumerate() {
        let (other_pattern, other_text) = &cases[(i + 1) % cases.len()];
        let beside =
            prepared(&mut *one, pattern, text)?.zip(prepared(&mut *other, other_pattern, other_text)?);
        if let Some((mut one, mut other)) = beside {
            let undisturbed =
                compare(&mut *one, pattern, text).and(compare(&mut *other, other_pattern, other_text));
            undisturbed.map_err(|fault| format!("beside another searcher: {}", show(&fault, &cases[i])))?;
        }
    }
    Ok(())
}

/// Two candidates in two threads, both prepared before either searches, must not disturb each other. The
/// inner error is the first case in which they do.
///
/// # Errors
/// If no other thread can be started. Then nothing was tried.
///
/// # Panics
/// If a candidate panics.
pub fn in_two_threads(make: Make<'_, '_>) -> io::Result<Result<(), String>> {
    let (cases, both) = (seeds(), Barrier::new(2));
    // After a fault the thread goes on with the remaining cases, because the other thread waits for it at
    // each.
    let in_step = |order: usize| {
        let (mut candidate, mut result) = (make(), Ok(()));
        for i in 0..cases.len() {
            let case @ (pattern, text) = &cases[(i + order) % cases.len()];
            let ready = prepared(&mut *candidate, pattern, text);
            both.wait();
            let judged = ready.and_then(|ready| match ready {
                Some(mut ready) => compare(&mut *ready, pattern, text),
                None => Ok(false),
            });
            both.wait();
            result = result.and(judged.map(drop).map_err(|fault| show(&fault, case)));
        }
        result
    };
    thread::scope(|threads| {
        let beside = thread::Builder::new().spawn_scoped(threads, || in_step(1))?;
        let undisturbed = in_step(0).and(beside.join().expect("faults are answers, not panics"));
        Ok(undisturbed.map_err(|fault| format!("beside a searcher in another thread: {fault}")))
    })
}
