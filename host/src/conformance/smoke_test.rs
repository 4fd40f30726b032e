//! Tries an algorithm out on a few small searches, in a child process: it may crash or hang.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

use assay_plugin_api::Hints;
use assay_plugin_api::testing::naive;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::plugin::algorithm::Entry;
use crate::plugin::{Failure, Searcher, TextBuffer, load};
use crate::process::{self, Task};

/// Longer patterns, and needs that go beyond this, are not tried: anything may stand in a foreign library.
const MOST_BYTES: usize = 1 << 20;

/// What came of an algorithm, or what went wrong.
pub type Outcome = Result<Tried, String>;

/// What an algorithm did, all of it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Number of searches.
    pub searches: usize,
    /// Whether its functions begin where those of others do, so that their times can be compared.
    pub aligned: bool,
}

/// Tries algorithms of a library out, by id.
///
/// # Errors
/// If no child can be started; what an algorithm does wrong is part of the answer.
pub fn try_out(library: &Path, ids: &[&str]) -> Result<Vec<Outcome>> {
    let task = Task::TryOut { library: library.to_owned() };
    let records = process::each::<Outcome>(&task, ids, |_| Ok(()))?;
    Ok(records.into_iter().map(|record| record.unwrap_or_else(|end| Err(format!("it {end}")))).collect())
}

/// The child's side of [`try_out`]: searches here.
///
/// # Errors
/// If the host is gone, or the library.
pub fn serve(host: &UnixStream, library: &Path) -> io::Result<()> {
    let catalogue = load(library).map_err(io::Error::other)?;
    process::answer(host, |id| {
        let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id.as_bytes() == id);
        entry.map_or_else(|| Err("it is gone".to_owned()), try_algorithm)
    })
}

/// Searches for patterns of several lengths, some that occur often, once and never, in texts of few letters and of one.
fn try_algorithm(algorithm: &Entry) -> Outcome {
    let mut searcher = Searcher::new(algorithm).map_err(Failure::message)?;
    let least = searcher.needs(1).map_err(Failure::message)?.raw().min_pattern;
    let (mut searches, mut refusal) = (0, "no pattern of up to 64 bytes is within its limits".to_owned());
    'lengths: for length in
        [1, 2, 3, 4, 8, 16, 32, 64, least].into_iter().filter(|length| *length <= MOST_BYTES)
    {
        let needs = searcher.needs(length).map_err(Failure::message)?;
        let size = needs.raw().min_text.clamp(1000, MOST_BYTES);
        for text in [mixed_text(size), vec![b'a'; size]] {
            let absent = vec![b'z'; length];
            for pattern in [&text[..length.min(size)], &text[size - length.min(size)..], &absent] {
                match search(&mut searcher, pattern, &text) {
                    Ok(found) => {
                        let right = naive(pattern, &text).len() as u64;
                        if found != right {
                            return Err(format!(
                                "it finds {found} occurrences of a pattern of {length} bytes where there are {right}"
                            ));
                        }
                        searches += 1;
                        if needs.fresh_process() {
                            break 'lengths;
                        }
                    }
                    Err(Failure::CannotSearch(reason)) => refusal = reason,
                    Err(failure) => return Err(failure.message()),
                }
            }
        }
    }
    let tried = Tried { searches, aligned: algorithm.is_aligned() };
    if searches > 0 { Ok(tried) } else { Err(format!("it refuses all patterns: {refusal}")) }
}

fn search(searcher: &mut Searcher, pattern: &[u8], text: &[u8]) -> Result<u64, Failure> {
    let needs = searcher.needs(pattern.len())?;
    needs.accept(text.len())?;
    let mut memory = TextBuffer::new(text, &needs).map_err(Failure::Error)?;
    let memory = memory.fit(&needs).map_err(Failure::Error)?;
    let sample = &text[..needs.raw().sample.min(text.len())];
    searcher.prepare(pattern, Hints { sample, text_length: text.len() })?.count(&memory)
}

/// A text over four letters without a period, made by a linear congruential generator.
fn mixed_text(size: usize) -> Vec<u8> {
    let mut state: u32 = 1;
    let mut letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + (state >> 30) as u8
    };
    (0..size).map(|_| letter()).collect()
}
