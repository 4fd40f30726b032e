//! Tries an algorithm of a library with the kit that its author has, over the tables of the boundary, in a child process: it
//! may crash or hang.

use std::cell::RefCell;
use std::io;
use std::os::unix::net::UnixStream;

use assay_plugin_api::Hints;
use assay_plugin_api::testing::cases::{continuation, generated, of_length, seeds};
use assay_plugin_api::testing::{self, Candidate, Search, in_one_thread, naive};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::plugin::algorithm::Entry;
use crate::plugin::{Failure, FittedText, Inspected, Needs, Prepared, Searcher, TextBuffer};
use crate::process::{self, Task};

/// Longer patterns, and needs that go beyond this, are not tried: anything may stand in a foreign library.
const MOST_BYTES: usize = 1 << 20;
/// How many generated cases are tried.
const GENERATED: usize = 300;

/// What came of an algorithm, or what went wrong.
pub type Outcome = Result<Tried, String>;

/// What an algorithm did, all of it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Number of cases that it searched.
    pub cases: usize,
    /// Whether its functions begin where those of others do, so that their times can be compared.
    pub aligned: bool,
}

/// Tries algorithms of a library out, by id.
///
/// # Errors
/// If no child can be started; what an algorithm does wrong is part of the answer.
pub fn try_out(library: &Inspected, ids: &[&str]) -> Result<Vec<Outcome>> {
    let items: Vec<(&Inspected, &str)> = ids.iter().map(|id| (library, *id)).collect();
    let records = process::each::<Outcome>(&Task::TryOut, &items, |_| Ok(()))?;
    Ok(records.into_iter().map(|record| record.unwrap_or_else(|end| Err(format!("it {end}")))).collect())
}

/// The child's side of [`try_out`]: searches here.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer(host, |(library, id): (Inspected, String)| -> Outcome {
        let catalogue = library.pin()?.load()?;
        let entry = catalogue.algorithms.iter().find(|entry| entry.facts.id == id);
        try_algorithm(entry.ok_or("it is gone")?)
    })
}

fn try_algorithm(algorithm: &Entry) -> Outcome {
    let refusal = RefCell::new("no pattern that is tried is within its limits".to_owned());
    let make = || Loaded { searcher: Searcher::new(algorithm), refusal: &refusal };
    let tried = |cases| Tried { cases, aligned: algorithm.is_aligned() };
    let searcher = Searcher::new(algorithm).map_err(Failure::message)?;
    let least = searcher.needs(1).map_err(Failure::message)?.raw().min_pattern;
    let mut cases = Vec::new();
    for length in [1, 2, 3, 4, 8, 16, 32, 64, least].into_iter().filter(|length| *length <= MOST_BYTES) {
        let needs = searcher.needs(length).map_err(Failure::message)?;
        let mut of_length = of_length(length, needs.raw().min_text.clamp(1000, MOST_BYTES));
        if needs.fresh_process() {
            // It would be used up by the first search.
            let (pattern, text) = &mut of_length[0];
            match once(make(), pattern, text)? {
                true => return Ok(tried(1)),
                false => continue,
            }
        }
        cases.extend(of_length);
    }
    let cases = seeds().into_iter().chain(generated(1, GENERATED)).chain(cases);
    match in_one_thread(make, cases)? {
        0 => Err(format!("it refuses all patterns: {}", refusal.borrow())),
        searched => Ok(tried(searched)),
    }
}

/// Searches for one pattern, once.
fn once(mut candidate: Loaded<'_>, pattern: &[u8], text: &[u8]) -> Result<bool, String> {
    let found = candidate.prepare(pattern, text).and_then(|mut prepared| prepared.count(text));
    let expected = naive(pattern, text).len() as u64;
    match found {
        Ok(count) if count != expected => Err(format!("counted {count}, expected {expected}")),
        Ok(_) => Ok(true),
        Err(testing::Failure::CannotSearch(_)) => Ok(false),
        Err(testing::Failure::Fault(fault)) => Err(fault),
    }
}

/// A searcher of a loaded library. Its text lies in a larger memory, as that of a
/// [`Subject`](assay_plugin_api::testing::Subject) does: who looks too far finds too much, and who writes where it may not is
/// found out.
struct Loaded<'r> {
    searcher: Result<Searcher, Failure>,
    /// Why it could not search the last time that it could not.
    refusal: &'r RefCell<String>,
}

impl Candidate for Loaded<'_> {
    type Prepared<'a>
        = LoadedPrepared<'a>
    where
        Self: 'a;

    fn prepare<'a>(
        &'a mut self,
        pattern: &'a [u8],
        text: &[u8],
    ) -> Result<LoadedPrepared<'a>, testing::Failure> {
        let failed = |failure| told(failure, self.refusal);
        let searcher = self.searcher.as_mut().map_err(|failure| failed(failure.clone()))?;
        let needs = searcher.needs(pattern.len()).map_err(failed)?;
        needs.accept(text.len()).map_err(failed)?;
        let hints = Hints { sample: &text[..needs.raw().sample.min(text.len())], text_length: text.len() };
        let prepared = searcher.prepare(pattern, hints).map_err(failed)?;
        Ok(LoadedPrepared { prepared, needs, pattern, refusal: self.refusal })
    }
}

/// A searcher of a loaded library, prepared for a pattern.
struct LoadedPrepared<'a> {
    prepared: Prepared<'a>,
    needs: Needs,
    pattern: &'a [u8],
    refusal: &'a RefCell<String>,
}

impl LoadedPrepared<'_> {
    fn run<T>(
        &mut self,
        text: &[u8],
        search: impl FnOnce(&mut Prepared<'_>, &FittedText<'_>) -> Result<T, Failure>,
    ) -> Result<T, testing::Failure> {
        let failed = |failure| told(failure, self.refusal);
        self.needs.accept(text.len()).map_err(failed)?;
        let slack = self.needs.raw().slack;
        let behind: Vec<u8> = continuation(self.pattern, text)
            .copied()
            .cycle()
            .take(slack.saturating_add(self.pattern.len()).min(2 * MOST_BYTES))
            .collect();
        let error = |message| failed(Failure::Error(message));
        let mut buffer = TextBuffer::followed_by(text, &behind, &self.needs).map_err(error)?;
        let found = search(&mut self.prepared, &buffer.fit(&self.needs).map_err(error)?).map_err(failed)?;

        let [writes_before, writes_slack] = self.needs.writes_around();
        let [before, searched, after] = buffer.parts();
        let own = if writes_slack { slack } else { 0 };
        let fault = |what: &str| Err(testing::Failure::Fault(what.to_owned()));
        if searched != text {
            return fault("the text was written to");
        }
        if after[own..behind.len()] != behind[own..] {
            return fault("bytes behind the text were written to");
        }
        if !writes_before && before.iter().any(|byte| *byte != 0) {
            return fault("bytes before the text were written to");
        }
        Ok(found)
    }
}

impl Search for LoadedPrepared<'_> {
    fn count(&mut self, text: &[u8]) -> Result<u64, testing::Failure> {
        self.run(text, |prepared, text| prepared.count(text))
    }

    fn positions(&mut self, text: &[u8]) -> Result<Option<Vec<usize>>, testing::Failure> {
        let mut positions = vec![0; text.len()];
        let count = self.run(text, |prepared, text| prepared.positions(text, &mut positions))?;
        let Some(count) = count else { return Ok(None) };
        positions.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        positions.sort_unstable();
        Ok(Some(positions))
    }
}

/// A failure as the kit knows it; a refusal is remembered.
fn told(failure: Failure, refusal: &RefCell<String>) -> testing::Failure {
    match failure {
        Failure::CannotSearch(reason) => {
            refusal.replace(reason.clone());
            testing::Failure::CannotSearch(reason)
        }
        Failure::Error(message) | Failure::Panicked(message) => testing::Failure::Fault(message),
    }
}
