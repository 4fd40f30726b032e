//! The clock floor: the time that a call of an algorithm takes if it does nothing, because of the clock and
//! the call itself.

use std::hint::black_box;

use assay_load::plugin::{Failure, FittedText, Prepared, Searcher, TextBuffer, idle};
use assay_plugin_api::Hints;

use super::clock::now_ns;

/// Number of empty calls that are timed: enough for a stable median, and together about 50 µs. It is odd, so
/// the median is one of the times.
const CALLS: usize = 1001;

/// The median time of an empty call, in nanoseconds.
///
/// # Errors
/// Never: the host's idle algorithm does not fail. The signature is that of any call.
pub(super) fn clock_floor_ns() -> Result<u64, Failure> {
    with_idle_algorithm(|prepared, text| {
        let mut times = [0; CALLS];
        for time in &mut times {
            *time = empty_call(prepared, text)?;
        }
        times.sort_unstable();
        Ok(times[CALLS / 2])
    })
}

/// Calls `work` with the host's idle algorithm, which does nothing, prepared for a short text.
///
/// # Errors
/// What `work` returns.
pub(crate) fn with_idle_algorithm<T>(
    work: impl FnOnce(&mut Prepared<'_>, &FittedText<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut searcher = Searcher::new(&idle())?;
    let needs = searcher.needs(1)?;
    let mut buffer = TextBuffer::new(b"text", &needs).map_err(Failure::Error)?;
    let text = buffer.fit(&needs).map_err(Failure::Error)?;
    work(&mut searcher.prepare(b"t", Hints::default())?, &text)
}

/// The time of a search that does nothing, taken in the same way as that of any search, in nanoseconds.
///
/// # Errors
/// Never: the host's idle algorithm does not fail.
#[inline]
pub(crate) fn empty_call(prepared: &mut Prepared<'_>, text: &FittedText<'_>) -> Result<u64, Failure> {
    let start = now_ns();
    let found = prepared.count(text);
    let time = now_ns() - start;
    black_box(found)?;
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_call_takes_more_than_nothing() {
        assert!(clock_floor_ns().unwrap() > 0);
    }
}
