//! Searches that took longer than the time limit. Such a search ends its cell of a run, so a further run
//! measures what is left: it costs the collection one repetition.

use std::path::{Path, PathBuf};

use assay_base::columns;
use assay_base::error::{Error, Result};
use assay_store::{CellResult, MEASUREMENTS, RESULTS, Run, Status};

/// Number of slow searches of a cell from which on their share counts. Fewer prove nothing, because a machine
/// may be busy for a moment.
const ENOUGH: usize = 5;
/// One of this number of searches may be slow. If more are, the algorithm itself is too slow.
const ONE_OF: usize = 10;

/// An algorithm and pattern length of a part, some of whose searches took longer than the time limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowCell {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Length of its patterns.
    pub pattern_length: usize,
    /// Number of repetitions that were measured.
    pub measured: usize,
    /// Number of repetitions that took too long.
    pub slow: usize,
    /// Number of repetitions that were asked for.
    pub asked: usize,
}

impl SlowCell {
    /// Number of repetitions that are still to be measured; 0 if too many took too long to go on.
    pub fn remaining(&self) -> usize {
        let is_too_slow = self.slow >= ENOUGH && self.slow * ONE_OF > self.measured;
        if is_too_slow { 0 } else { self.asked.saturating_sub(self.measured + self.slow) }
    }
}

/// The slow cells of a part, from the folders of its runs, the first one first.
///
/// # Errors
/// If a run can't be read.
pub fn slow_cells(runs: &[PathBuf]) -> Result<Vec<SlowCell>> {
    let results = runs.iter().map(|run| Run::read(&run.join(RESULTS))).collect::<Result<Vec<_>>>()?;
    let Some(first) = results.first() else { return Ok(Vec::new()) };
    let is_slow = |cell: &&CellResult| cell.status == Status::TimedOut;
    first.results.iter().filter(is_slow).map(|slow| slow_cell(slow, runs, &results)).collect()
}

fn slow_cell(first: &CellResult, runs: &[PathBuf], results: &[Run]) -> Result<SlowCell> {
    let rounds = results[0].experiment.rounds_at(first.value());
    let mut cell = SlowCell {
        algorithm: first.algorithm.clone(),
        pattern_length: first.pattern_length,
        measured: 0,
        slow: 0,
        asked: rounds.map_or(0, |rounds| rounds.runs()),
    };
    for (folder, run) in runs.iter().zip(results) {
        let own = run
            .results
            .iter()
            .find(|other| (&other.algorithm, other.pattern_length) == (&cell.algorithm, cell.pattern_length));
        let Some(own) = own else { continue };
        cell.slow += usize::from(own.status == Status::TimedOut);
        cell.measured += rows(folder, &cell.algorithm, cell.pattern_length)?;
    }
    Ok(cell)
}

/// Number of repetitions of an algorithm and pattern length that a run has measured.
///
/// # Errors
/// If its rows can't be read.
pub(super) fn rows(run: &Path, algorithm: &str, pattern_length: usize) -> Result<usize> {
    let path = run.join(MEASUREMENTS);
    let failed = |error: csv::Error| Error::new(format!("can't read `{}`: {error}", path.display()));
    let mut reader = csv::Reader::from_path(&path).map_err(failed)?;
    let header = reader.headers().map_err(failed)?;
    let place = |name: &str| header.iter().position(|title| title == name);
    let pattern_length = pattern_length.to_string();
    let key = [
        (place(columns::ALGORITHM), algorithm),
        (place(columns::PATTERN_LENGTH), &*pattern_length),
        (place(columns::STATUS), Status::Ok.name()),
    ];
    let (mut record, mut count) = (csv::StringRecord::new(), 0);
    while reader.read_record(&mut record).map_err(failed)? {
        let is_one =
            key.iter().all(|(place, value)| place.and_then(|place| record.get(place)) == Some(*value));
        count += usize::from(is_one);
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_search_costs_its_repetition_and_an_algorithm_that_is_always_slow_is_given_up() {
        let remaining = |measured, slow| {
            let algorithm = "hor".to_owned();
            SlowCell { algorithm, pattern_length: 8, measured, slow, asked: 500 }.remaining()
        };
        assert_eq!(remaining(0, 1), 499);
        assert_eq!(remaining(120, 1), 379);
        assert_eq!(remaining(0, 4), 496);
        assert_eq!(remaining(0, 5), 0, "never in time");
        assert_eq!(remaining(50, 5), 445);
        assert_eq!(remaining(49, 5), 0, "more than one of ten");
        assert_eq!(remaining(498, 2), 0, "all done");
    }

    #[test]
    fn rows_of_a_cell_are_those_with_a_result() {
        let run = tempfile::tempdir().unwrap();
        let rows_of = "algorithm,pattern_length,repetition,status,round,x\nhor,8,0,ok,0,1\nbm,8,0,ok,0,1\nhor,8,1,timed_out,0,\n\
                       hor,4,0,ok,0,1\n";
        std::fs::write(run.path().join(MEASUREMENTS), rows_of).unwrap();
        let count = |algorithm, length| rows(run.path(), algorithm, length).unwrap();
        assert_eq!([count("hor", 8), count("bm", 8), count("bm", 4)], [1, 1, 0]);
    }
}
