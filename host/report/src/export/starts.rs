//! The table of the starts of workers, for the terminal and the page.

use assay_base::columns::STARTS;
use assay_base::io::table::{Datum, Table};
use assay_store::{Run, StartResult};

/// The title of the table.
pub(super) const TITLE: &str =
    "Start of a worker, median in µs (once in each process, and in no other figure)";

/// A row for each algorithm, a column for each phase; `None` for a run whose starts were not timed.
pub(super) fn table(run: &Run, decimals: usize, name: impl Fn(&str) -> String) -> Option<Table> {
    let phases = STARTS.map(phase);
    let mut table = Table::new(["algorithm".to_owned(), "workers".to_owned()].into_iter().chain(phases));
    for start in &run.starts {
        table.push(row(start, decimals, &name));
    }
    (!run.starts.is_empty()).then_some(table)
}

/// A line on the figures that are missing, because some workers have no time of the phase; `None` if there
/// are none.
pub(super) fn missing(run: &Run) -> Option<String> {
    let mut figures = Vec::new();
    for StartResult { algorithm, workers: all, missing, .. } in &run.starts {
        for (column, workers) in missing {
            figures.push(format!("{algorithm} {} (missing in {workers} of {all} workers)", phase(column)));
        }
    }
    (!figures.is_empty()).then(|| format!("no median of what some workers lack: {}", figures.join(", ")))
}

/// The name of a phase in tables, from its column.
fn phase(column: &str) -> String {
    column.trim_end_matches("_ns").replace('_', " ")
}

fn row(start: &StartResult, decimals: usize, name: impl Fn(&str) -> String) -> impl Iterator<Item = Datum> {
    let figures = start.figures().map(|summary| match summary {
        Some(summary) => Datum::Number(summary.med / 1000.0, decimals),
        None => Datum::Missing,
    });
    [name(&start.algorithm).into(), Datum::Number(start.workers as f64, 0)].into_iter().chain(figures)
}

#[cfg(test)]
mod tests {
    use assay_base::io::output_format::OutputFormat;
    use assay_store::testing;
    use assay_store::{Start, StartTimes};

    use super::*;

    fn run_of_starts(starts: &[(u32, Start)]) -> Run {
        Run { starts: StartResult::new("hor", starts).into_iter().collect(), ..testing::run() }
    }

    #[test]
    fn each_phase_has_a_column_and_what_is_missing_has_no_figure() {
        let mut run = testing::run();
        assert_eq!(table(&run, 1, str::to_owned), None);
        let times = StartTimes { load_ns: Some(1500), first_search_ns: Some(4000), ..StartTimes::default() };
        let start = Start { times, ..Start::default() };
        run.starts.extend(StartResult::new("hor", &[(0, start), (1, start)]));
        let csv = table(&run, 1, str::to_owned).unwrap().render(OutputFormat::Csv);
        assert_eq!(
            csv,
            "algorithm,workers,load,initialise,first prepare,first search,read back\nhor,2,1.5,,,4,\n"
        );
    }

    #[test]
    fn a_phase_that_is_missing_in_some_workers_has_no_median_but_a_reason() {
        let times = StartTimes::from([Some(1000); 5]);
        let all = Start { times, ..Start::default() };
        let torn = Start { times: StartTimes { first_search_ns: None, ..times }, ..all };
        assert_eq!(missing(&run_of_starts(&[(0, all), (1, all)])), None);
        let torn = run_of_starts(&[(0, all), (1, torn), (2, all)]);
        assert_eq!(
            missing(&torn).unwrap(),
            "no median of what some workers lack: hor first search (missing in 1 of 3 workers)"
        );
        assert!(
            table(&torn, 1, str::to_owned).unwrap().render(OutputFormat::Csv).ends_with("hor,3,1,1,1,,1\n")
        );
    }
}
