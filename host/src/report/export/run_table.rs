//! The results on a terminal.

use crate::experiment::definition::Stats;
use crate::io::table::{Cell, Format, Table};
use crate::results::outcome::Status;
use crate::results::schema::{CellResult, Report};
use crate::results::summary::Summary;

/// What to show besides the times of the search.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Decimals of times and derived figures.
    pub precision: usize,
    /// The times of the preparation too.
    pub preprocessing: bool,
    /// The mean number of occurrences too.
    pub occurrences: bool,
}

/// The whole report as text.
pub fn render(report: &Report, shown: Shown) -> String {
    let mut text = heading(report);
    if report.experiment.stats == Stats::Algo {
        text += "\nWhat each search did, median over the repetitions:\n";
        return text + &instrumented(report, shown).render(Format::Table);
    }
    let microseconds = |summary: Option<Summary>| summary.map(|summary| summary.med / 1000.0);
    let mut section = |title: &str, decimals: usize, value: &dyn Fn(&CellResult) -> Option<f64>| {
        text += &format!("\n{title}\n");
        text += &by_length(report, decimals, value).render(Format::Table);
    };
    let precision = shown.precision;
    section("Search, median in µs (preparation not included):", precision, &|cell| {
        microseconds(cell.search_ns)
    });
    if shown.preprocessing {
        section("Preparation, median in µs:", precision, &|cell| microseconds(cell.prepare_ns));
    }
    if shown.occurrences {
        section("Occurrences, mean:", precision, &|cell| {
            cell.occurrences.map(|occurrences| occurrences as f64 / cell.repetitions as f64)
        });
    }
    let mut counters: Vec<&str> = Vec::new();
    for (name, _) in report.results.iter().flat_map(|cell| cell.counters.iter()) {
        if !counters.contains(&name) {
            counters.push(name);
        }
    }
    for counter in counters {
        section(&format!("{counter} of the search, median:"), precision, &|cell| {
            cell.counters.get(counter).map(|summary| summary.med)
        });
    }
    text
}

fn heading(report: &Report) -> String {
    let experiment = &report.experiment;
    let text = &experiment.text;
    let definition = &experiment.definition;
    let patterns = match &definition.patterns.hex {
        Some(_) => "the given pattern".to_owned(),
        None => format!("{} patterns of each length, drawn from the text", definition.runs),
    };
    let interrupted = match experiment.interrupted {
        true => "Interrupted: not all repetitions were measured\n",
        false => "",
    };
    let description = if definition.description.is_empty() {
        String::new()
    } else {
        format!("{}\n", definition.description)
    };
    format!(
        "{interrupted}{description}Text: {} ({} bytes, {} different, {:.2} bits per byte)\nPatterns: {patterns}, seed {}\n",
        text.sources.join(", "),
        text.bytes,
        text.alphabet,
        text.entropy_bits_per_byte,
        experiment.seed,
    )
}

/// A row for each algorithm, a column for each pattern length.
fn by_length(report: &Report, decimals: usize, value: &dyn Fn(&CellResult) -> Option<f64>) -> Table {
    let (mut lengths, mut algorithms) = (Vec::new(), Vec::new());
    for cell in &report.results {
        if !lengths.contains(&cell.pattern_length) {
            lengths.push(cell.pattern_length);
        }
        if !algorithms.contains(&&cell.algorithm) {
            algorithms.push(&cell.algorithm);
        }
    }
    let columns = lengths.iter().map(|length| format!("m={length}"));
    let mut table = Table::new(std::iter::once("algorithm".to_owned()).chain(columns));
    for algorithm in algorithms {
        let cells = lengths.iter().map(|length| {
            let found = report
                .results
                .iter()
                .find(|cell| cell.algorithm == *algorithm && cell.pattern_length == *length);
            found.map_or(Cell::Missing, |cell| shown(cell, value(cell), decimals))
        });
        table.push(std::iter::once(Cell::from(algorithm.as_str())).chain(cells));
    }
    table
}

fn shown(cell: &CellResult, value: Option<f64>, decimals: usize) -> Cell {
    match (cell.status, value) {
        (Status::Ok, Some(value)) => Cell::Number(value, decimals),
        (Status::Ok, None) => Cell::Missing,
        (status, _) => status.name().replace('_', " ").into(),
    }
}

/// A row for each pattern length and algorithm, a column for each measurement.
fn instrumented(report: &Report, shown_options: Shown) -> Table {
    const COLUMNS: [(&str, &str); 10] = [
        ("text_read_percent", "text read %"),
        ("average_jump", "average jump"),
        ("pattern_bytes_read", "pattern bytes"),
        ("branches", "branches"),
        ("lookups", "look-ups"),
        ("computations", "computed"),
        ("writes", "writes"),
        ("jumps", "jumps"),
        ("verifications", "verified"),
        ("memory_used", "memory"),
    ];
    let titles = COLUMNS.iter().map(|(_, title)| *title);
    let mut table = Table::new(["m", "algorithm"].into_iter().chain(titles).chain(["extra"]));
    for cell in &report.results {
        let figures = COLUMNS.iter().enumerate().map(|(i, (name, _))| {
            let median = cell.stats.get(name).map(|summary| summary.med);
            shown(cell, median, if i < 2 { shown_options.precision } else { 0 })
        });
        let extra = cell.extra.iter().filter_map(|(name, summary)| Some(format!("{name} {}", summary?.med)));
        let length = Cell::Number(cell.pattern_length as f64, 0);
        let row = [length, cell.algorithm.as_str().into()].into_iter().chain(figures);
        table.push(row.chain([extra.collect::<Vec<_>>().join(", ").into()]));
    }
    table
}
