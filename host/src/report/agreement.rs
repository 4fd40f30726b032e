//! Whether the results that were saved with a run are those of its rows.

use std::collections::HashMap;

use assay_stats::median;

use super::{Call, Data, Report};
use crate::error::{Error, Result};
use crate::io::console::counted;
use crate::results::{CellResult, MEASUREMENTS, RESULTS, Run, Status};

impl Report {
    /// Checks that each of these results is of the rows: as many, with the same outcome and the same median of the search.
    ///
    /// # Errors
    /// If one is not: one of the files was edited or damaged, and their figures would differ by the form that is asked for. Or if
    /// the measurements can't be read again.
    pub fn agrees_with(&self, run: &Run) -> Result<()> {
        let axis = self.facts.axis();
        let contradict = |what: String| {
            Err(Error::new(format!("`{RESULTS}` and `{MEASUREMENTS}` contradict each other: {what}")).remedy(
                "one of them was edited or damaged; `--metric microseconds` computes figures from the rows alone",
            ))
        };
        let mut results: HashMap<(&str, u64), &CellResult> = HashMap::new();
        results
            .extend(run.results.iter().map(|result| ((result.algorithm.as_str(), result.value()), result)));
        for cell in self.rawdata().cells() {
            let place = format!("{} at {}", cell.algorithm, axis.at(cell.range));
            let Some(result) = results.remove(&(cell.algorithm.as_str(), cell.range)) else {
                return contradict(format!("only one tells of {place}"));
            };
            let status = cell.failure().unwrap_or(Status::Ok.name());
            let (told, found) = ((result.status.name(), result.repetitions), (status, cell.rows.len()));
            if told != found {
                let words = |(status, repetitions): (&str, usize)| {
                    format!("`{status}` after {}", counted(repetitions, "repetition"))
                };
                return contradict(format!(
                    "{place} is {} in one, and {} in the other",
                    words(told),
                    words(found)
                ));
            }
            if result.status == Status::Ok && self.facts.has_times() && !self.facts.instrumented() {
                let (told, found) =
                    (result.search_ns.map(|summary| summary.med), self.search_median(result)?);
                let same = match (told, found) {
                    (Some(told), Some(found)) => (told - found).abs() <= 1e-9 * found,
                    (told, found) => told == found,
                };
                if !same {
                    let words =
                        |time: Option<f64>| time.map_or("missing".to_owned(), |ns| format!("{ns} ns"));
                    return contradict(format!(
                        "the median search of {place} is {} in one, and {} in the other",
                        words(told),
                        words(found)
                    ));
                }
            }
        }
        match run
            .results
            .iter()
            .find(|result| results.contains_key(&(result.algorithm.as_str(), result.value())))
        {
            None => Ok(()),
            Some(alone) => {
                contradict(format!("only one tells of {} at {}", alone.algorithm, axis.at(alone.value())))
            }
        }
    }

    fn search_median(&self, result: &CellResult) -> Result<Option<f64>> {
        let Some((full, range)) = self.place(&result.algorithm, result.value()) else { return Ok(None) };
        let times = Data(full).counts(range, Some(Call::Search), 0)?;
        let times: Option<Vec<f64>> = times.into_iter().collect();
        Ok(times.filter(|times| !times.is_empty()).map(|mut times| median(&mut times)))
    }
}

#[cfg(test)]
mod tests {
    use assay_stats::Summary;

    use super::super::tests::report;
    use super::*;
    use crate::results::{cell, schema};

    #[test]
    fn results_that_are_not_those_of_the_rows_are_refused() {
        let rows = "a,8,0,ok,3,1,20,21\na,8,1,ok,3,1,30,31\nb,8,0,ok,3,1,9,10\nb,8,1,crashed,,,,\n";
        let summary = Summary::new(&[20.0, 30.0]);
        let a = CellResult {
            algorithm: "a".to_owned(),
            repetitions: 2,
            search_ns: summary,
            ..cell::tests::example()
        };
        let failed = (Status::Crashed, None);
        let b = CellResult {
            algorithm: "b".to_owned(),
            repetitions: 1,
            status: failed.0,
            search_ns: failed.1,
            ..a.clone()
        };
        let run = |results: &[CellResult]| Run { results: results.to_vec(), ..schema::tests::example() };
        let says = |rows: &str, results: &[CellResult]| {
            report(rows).agrees_with(&run(results)).err().map_or_else(String::new, |error| error.to_string())
        };
        assert_eq!(says(rows, &[a.clone(), b.clone()]), "");
        let edited = CellResult { search_ns: Summary::new(&[1.0]), ..a.clone() };
        for (rows, results, part) in [
            (
                rows.to_owned(),
                vec![edited, b.clone()],
                "the median search of a at m=8 is 1 ns in one, and 25 ns in the other",
            ),
            (
                rows.replace("1,30,31", "1,,31"),
                vec![a.clone(), b.clone()],
                "is 25 ns in one, and missing in the other",
            ),
            (
                rows.replace("a,8,1", "a,16,1"),
                vec![a.clone(), b.clone()],
                "after 2 repetitions in one, and `ok` after 1 ",
            ),
            (rows.to_owned(), vec![a.clone()], "only one tells of b at m=8"),
            (rows.replace("b,8", "a,16"), vec![a.clone(), b.clone()], "only one tells of "),
            (rows.replace("crashed", "wrong"), vec![a, b], "b at m=8 is `crashed` after 1 repetition in one"),
        ] {
            let said = says(&rows, &results);
            assert!(said.contains(part), "{said}");
        }
    }
}
