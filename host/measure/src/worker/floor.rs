//! The floor of all figures: what the clock, a call and counting cost where nothing is done.

use std::hint::black_box;

use assay_load::plugin::{Failure, FittedText, Prepared, Searcher, TextBuffer, idle};
use assay_plugin_api::Hints;

use super::clock::now_ns;

/// How many empty calls are measured: some 50 µs.
const CALLS: usize = 1001;

/// The median time of an empty call, measured as a search is.
///
/// # Errors
/// None: the host's own algorithm answers well.
pub(super) fn floor_ns() -> Result<u64, Failure> {
    with_idle(|prepared, text| {
        let mut times = [0; CALLS];
        for time in &mut times {
            *time = empty_call(prepared, text)?;
        }
        times.sort_unstable();
        Ok(times[CALLS / 2])
    })
}

/// Works with the host's own algorithm, which does nothing, prepared for a text.
///
/// # Errors
/// What the work says.
pub(crate) fn with_idle<T>(
    work: impl FnOnce(&mut Prepared<'_>, &FittedText<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut searcher = Searcher::new(&idle())?;
    let needs = searcher.needs(1)?;
    let mut buffer = TextBuffer::new(b"text", &needs).map_err(Failure::Error)?;
    let text = buffer.fit(&needs).map_err(Failure::Error)?;
    work(&mut searcher.prepare(b"t", Hints::default())?, &text)
}

/// The time of a search that does nothing, measured as any is.
///
/// # Errors
/// None: the host's own algorithm answers well.
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
        assert!(floor_ns().unwrap() > 0);
    }
}
