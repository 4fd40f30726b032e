//! The page of a saved run: one file that needs no network.

mod chart;
mod facts;
mod figure;
mod grid;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use figure::Figure;
use grid::Grid;

use crate::io::console::counted;
use crate::io::numbers::grouped;
use crate::io::table::Datum;
use crate::report::export::starts;
use crate::results::{BLOCKS, ExperimentFacts, MEASUREMENTS, Run};

const STYLE: &str = include_str!("page.css");

/// The page that shows a run.
pub fn page(run: &Run) -> String {
    let grid = Grid::of(run);
    let title = &run.experiment.id;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "assay: " (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p.faint { (subject(&run.experiment, &grid)) }
                    @for condition in run.experiment.conditions() { p { b { (condition) } } }
                    @for remark in run.experiment.remarks() { p { b { "Noise: " } (remark) } }
                }
                main {
                    @if run.experiment.has_times() { (chart::section(&grid)) }
                    @for figure in Figure::all(run, &grid) { (figure.section(&grid)) }
                    @if let Some(note) = run.clock_note() { p.faint { (note) } }
                    (starts(run))
                    (failures(&grid))
                    (facts::section(&run.experiment))
                }
                footer { (files()) }
            }
        }
    };
    page.into_string()
}

/// What happens once in each worker.
fn starts(run: &Run) -> Markup {
    html! {
        @if let Some(table) = starts::table(run, 1, str::to_owned) {
            section {
                h2 { (starts::TITLE) }
                p.faint { "A worker's first search is no repetition; workers begin with patterns of any length of the run." }
                div.scroll tabindex="0" role="region" aria-label=(starts::TITLE) {
                    table {
                        thead { tr { @for column in &table.columns { th scope="col" { (column) } } } }
                        tbody {
                            @for row in &table.rows { tr {
                                @for datum in row { @match datum {
                                    Datum::Text(algorithm) => th scope="row" { (algorithm) },
                                    Datum::Number(value, decimals) => td { (grouped(*value, *decimals)) },
                                    _ => td { "-" },
                                } }
                            } }
                        }
                    }
                }
            }
        }
    }
}

fn failures(grid: &Grid<'_>) -> Markup {
    let failures = grid.failures();
    html! {
        @if !failures.is_empty() {
            h2 { "Without a result" }
            ul.failures {
                @for failure in &failures {
                    @let lengths: Vec<String> = failure.lengths.iter().map(usize::to_string).collect();
                    li {
                        b {
                            (failure.algorithm) ", pattern length " (lengths.join(", ")) ": " (failure.status.words())
                        }
                        @if let Some(message) = failure.message { ": " (message) }
                    }
                }
            }
        }
    }
}

fn subject(experiment: &ExperimentFacts, grid: &Grid<'_>) -> String {
    let reading = if experiment.instrumented() { "Instrumented run" } else { "Timed run" };
    let text = experiment.text.sources.join(", ");
    let bytes = grouped(experiment.text.bytes as f64, 0);
    let algorithms = grid.algorithms.len();
    let interrupted = match experiment.interrupted {
        true => "; interrupted: not all repetitions were measured",
        false => "",
    };
    let algorithms = counted(algorithms, "algorithm");
    format!("{reading} of {algorithms} on {text} ({bytes} bytes){interrupted}")
}

fn files() -> Markup {
    let files = [
        (MEASUREMENTS, "every repetition"),
        (BLOCKS, "under which conditions each block of repetitions was measured"),
        ("statistics.csv", "the statistics of each quantity"),
        ("patterns.csv", "the patterns"),
        ("experiment.toml", "the experiment, to run it again"),
    ];
    html! {
        h2 { "Beside this page" }
        dl { @for (file, what) in files { dt { a href=(file) { (file) } } dd { (what) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::definition::Stats;
    use crate::results::ranking::Rank;
    use crate::results::{CellResult, Figures, Status};
    use crate::summary::Summary;

    fn run(stats: Stats, results: Vec<CellResult>) -> Run {
        let mut run = crate::results::schema::tests::example();
        run.results = results;
        run.experiment.id = "<run> & co".to_owned();
        run.experiment.stats = stats;
        run.experiment.text.sources = vec!["english \"texts\"".to_owned()];
        run.experiment.counters[0].name = "tsc:cycles".to_owned();
        run.experiment.counters[0].unit = "ticks".to_owned();
        run
    }

    fn timed(algorithm: &str, pattern_length: usize, search: f64) -> CellResult {
        let example = crate::results::cell::tests::example();
        CellResult {
            algorithm: algorithm.to_owned(),
            pattern_length,
            search_ns: Summary::of(&[search]),
            ..example
        }
    }

    fn figures(figures: &[(&str, f64)]) -> Figures {
        figures.iter().map(|(name, value)| ((*name).to_owned(), Summary::of(&[*value]))).collect()
    }

    /// The rows of the first table, without tags.
    fn first_table(page: &str) -> Vec<String> {
        let body = page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
        let tags = regex::Regex::new("<[^>]*>").unwrap();
        let rows = body.split("</tr>").filter(|row| !row.is_empty());
        rows.map(|row| tags.replace_all(row, " ").split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn times_are_shown_by_algorithm_and_length_with_the_best_marked() {
        let crashed = CellResult {
            status: Status::Crashed,
            message: Some("<signal> 11".to_owned()),
            search_ns: None,
            ..timed("kr", 4, 0.0)
        };
        let mut slower = timed("kr", 8, 5e6);
        let standing = slower.ranks.search_ns.standing.as_mut().unwrap();
        (standing.rank, standing.to_best.ratio) = (2, 2.0);
        let mut short = timed("so", 4, 300.0);
        short.ranks.search_ns = Rank { below_floor: true, standing: None };
        let results = vec![
            timed("hor", 8, 2.5e6),
            timed("hor", 4, 3.1e6),
            slower,
            crashed,
            timed("so", 8, 2.5e6),
            short,
        ];
        let mut run = run(Stats::Perf, results);
        run.experiment.noise.floor_ns = Some(43.0);
        let page = page(&run);
        assert_eq!(
            first_table(&page),
            ["hor 3,100.000+ 2,500.000+", "kr crashed 5,000.000 × 2.00", "so 0.300~ 2,500.000+"]
        );
        for said in ["+ best, or not", "~ less than ten empty calls (of 43 ns)", "× so many times as long"] {
            assert!(page.contains(said), "{said}");
        }
        assert!(
            page.contains("<small>in µs</small>")
                && page.contains("<h2>tsc:cycles <small>in ticks</small></h2>")
        );
        assert!(page.contains("<b>kr, pattern length 4: crashed</b>: &lt;signal&gt; 11"));
    }

    #[test]
    fn intervals_and_coarse_counts_are_told_in_the_cell() {
        let mut cell = timed("hor", 8, 0.0);
        cell.search_ns =
            Summary::of_rounds(&[(0, 90e3), (1, 95e3), (2, 98e3), (3, 102e3), (4, 105e3), (5, 110e3)]);
        let mut run = run(Stats::Perf, vec![cell]);
        run.experiment.counters[0].grain_ns = 4_000_000;
        let page = page(&run);
        assert_eq!(first_table(&page), ["hor 100 ± 10.0 %"]);
        assert!(page.contains("± half of the 95 % interval"));
        assert!(page.contains("12,345~") && page.contains("~ tsc:cycles moves every 4 ms"));
    }

    #[test]
    fn a_wide_table_goes_on_in_blocks_that_repeat_the_algorithms() {
        let results = (1..=30).map(|length| timed("hor", length, 2.5e6)).collect();
        let page = page(&run(Stats::Perf, results));
        let search = page.split("</section>").nth(1).unwrap();
        let blocks = search.split("<table>").skip(1);
        let lengths: Vec<usize> =
            blocks.map(|block| block.matches("<th scope=\"col\">").count() - 1).collect();
        assert!(lengths.len() > 1 && lengths.iter().all(|count| (1..=12).contains(count)), "{lengths:?}");
        assert_eq!(lengths.iter().sum::<usize>(), 30);
    }

    #[test]
    fn an_instrumented_run_shows_what_was_counted_and_no_times() {
        let result = CellResult {
            stats: figures(&[("text_bytes_read", 1234.5), ("writes", 3.0)]),
            extra: figures(&[("#small", 6.0)]),
            ..timed("hor", 8, 5.0)
        };
        let page = page(&run(Stats::Algo, vec![result]));
        let titles: Vec<&str> =
            page.split("<section><h2>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(titles, ["Text bytes read ", "Writes", "#small", "Experiment", "Machine"]);
        assert_eq!(first_table(&page), ["hor 1,234.5"]);
    }

    #[test]
    fn the_page_is_escaped_and_needs_no_network() {
        let page = page(&run(Stats::Perf, vec![timed("<b>", 8, 1.0)]));
        assert!(page.contains("&lt;run&gt; &amp; co") && page.contains("english &quot;texts&quot;"));
        assert!(!page.contains("<b>") && !page.contains("http") && !page.contains("<script"));
    }

    #[test]
    fn a_run_without_results_is_a_page_too() {
        assert!(page(&run(Stats::Perf, Vec::new())).contains("Timed run of 0 algorithms"));
    }

    #[test]
    fn an_interrupted_run_says_so_at_the_top() {
        let mut run = run(Stats::Perf, Vec::new());
        assert!(!page(&run).contains("interrupted: not all"));
        run.experiment.interrupted = true;
        assert!(page(&run).contains("interrupted: not all"));
    }
}
