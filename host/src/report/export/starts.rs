//! The table of what happens once in each worker, for terminal and page alike.

use crate::columns::STARTS;
use crate::io::table::{Datum, Table};
use crate::results::{Run, StartResult};

/// What stands above the table.
pub const TITLE: &str = "Start of a worker, median in µs (once in each process, and in no other figure)";

/// A row for each algorithm, a column for each phase; `None` of a run whose starts were not timed.
pub fn table(run: &Run, decimals: usize, name: impl Fn(&str) -> String) -> Option<Table> {
    let phases = STARTS.map(|column| column.trim_end_matches("_ns").replace('_', " "));
    let mut table = Table::new(["algorithm".to_owned(), "workers".to_owned()].into_iter().chain(phases));
    for start in &run.starts {
        table.push(row(start, decimals, &name));
    }
    (!run.starts.is_empty()).then_some(table)
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
    use super::*;
    use crate::io::table::Format;
    use crate::results::Start;
    use crate::results::schema::tests::example;

    #[test]
    fn each_phase_has_a_column_and_what_is_missing_has_no_figure() {
        let mut run = example();
        assert_eq!(table(&run, 1, str::to_owned), None);
        let start = Start { load_ns: Some(1500), first_search_ns: Some(4000), ..Start::default() };
        run.starts.extend(StartResult::of("hor", &[(0, start), (1, start)]));
        let csv = table(&run, 1, str::to_owned).unwrap().render(Format::Csv);
        assert_eq!(
            csv,
            "algorithm,workers,load,initialise,first prepare,first search,read back\nhor,2,1.5,,,4,\n"
        );
    }
}
