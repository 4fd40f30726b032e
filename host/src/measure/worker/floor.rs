//! The floor of all times: what the clock and a call cost where nothing is done.

use std::hint::black_box;

use assay_plugin_api::Hints;

use super::clock::now_ns;
use crate::plugin::{Failure, Searcher, TextBuffer, idle};

/// How many empty calls are measured: some 50 µs.
const CALLS: usize = 1001;

/// The median time of an empty call, measured as a search is.
///
/// # Errors
/// None: the host's own algorithm answers well.
pub fn floor_ns() -> Result<u64, Failure> {
    let mut searcher = Searcher::new(&idle())?;
    let needs = searcher.needs(1)?;
    let mut buffer = TextBuffer::new(b"text", &needs).map_err(Failure::Error)?;
    let text = buffer.fit(&needs).map_err(Failure::Error)?;
    let mut prepared = searcher.prepare(b"t", Hints::default())?;
    let mut times = [0; CALLS];
    for time in &mut times {
        let start = now_ns();
        let found = prepared.count(&text);
        *time = now_ns() - start;
        black_box(found)?;
    }
    times.sort_unstable();
    Ok(times[CALLS / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_call_takes_more_than_nothing() {
        assert!(floor_ns().unwrap() > 0);
    }
}
