//! The results on a terminal.

use assay_plugin_api::Field;

use crate::columns::{self, DERIVED};
use crate::io::table::{Datum, Format, Table};
use crate::results::{CellResult, Run, Status};
use crate::summary::Summary;

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
pub fn render(run: &Run, shown: Shown) -> String {
    let mut text = heading(run);
    if run.experiment.instrumented() {
        text += "\nWhat each search did, median over the repetitions:\n";
        return text + &instrumented(run, shown).render(Format::Table);
    }
    let microseconds = |summary: Option<Summary>| summary.map(|summary| summary.med / 1000.0);
    let mut section = |title: &str, decimals: usize, value: &dyn Fn(&CellResult) -> Option<f64>| {
        text += &format!("\n{title}\n");
        text += &by_length(run, decimals, value).render(Format::Table);
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
    for (name, _) in run.results.iter().flat_map(|cell| cell.counters.iter()) {
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

fn heading(run: &Run) -> String {
    let experiment = &run.experiment;
    let text = &experiment.text;
    let mut lines = Vec::new();
    if experiment.interrupted {
        lines.push("Interrupted: not all repetitions were measured".to_owned());
    }
    let mut patterns = Vec::new();
    if let Some(definition) = &experiment.definition {
        lines.extend((!definition.description.is_empty()).then(|| definition.description.clone()));
        patterns.push(match &definition.patterns.given {
            Some(_) => "the given pattern".to_owned(),
            None => format!("{} patterns of each length, drawn from the text", definition.runs),
        });
    }
    patterns.push(format!("seed {}", experiment.seed));
    lines.push(format!(
        "Text: {} ({} bytes, {} different, {:.2} bits per byte)",
        text.sources.join(", "),
        text.bytes,
        text.alphabet,
        text.entropy_bits_per_byte,
    ));
    lines.push(format!("Patterns: {}", patterns.join(", ")));
    lines.join("\n") + "\n"
}

/// A row for each algorithm, a column for each pattern length.
fn by_length(run: &Run, decimals: usize, value: &dyn Fn(&CellResult) -> Option<f64>) -> Table {
    let (mut lengths, mut algorithms) = (Vec::new(), Vec::new());
    for cell in &run.results {
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
            let found = run
                .results
                .iter()
                .find(|cell| cell.algorithm == *algorithm && cell.pattern_length == *length);
            found.map_or(Datum::Missing, |cell| shown(cell, value(cell), decimals))
        });
        table.push(std::iter::once(Datum::from(algorithm.as_str())).chain(cells));
    }
    table
}

fn shown(cell: &CellResult, value: Option<f64>, decimals: usize) -> Datum {
    match (cell.status, value) {
        (Status::Ok, Some(value)) => Datum::Number(value, decimals),
        (Status::Ok, None) => Datum::Missing,
        (status, _) => status.words().into(),
    }
}

/// What the counts of an instrumented run mean, a line each.
pub fn legend() -> String {
    let line = |name: &str| {
        let unit = columns::unit(name);
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        format!("  {}{unit}: {}", name.replace('_', " "), columns::meaning(name))
    };
    let extra = "  extra: fields of the algorithm's own, which its documentation tells".to_owned();
    columns::instrumented().map(line).chain([extra]).collect::<Vec<_>>().join("\n")
}

/// A row for each pattern length and algorithm, a column for each measurement.
fn instrumented(run: &Run, shown_options: Shown) -> Table {
    let [text_read_percent, average_jump] = DERIVED;
    let fields = [
        Field::PatternBytesRead,
        Field::Branches,
        Field::Lookups,
        Field::Computations,
        Field::Writes,
        Field::Jumps,
        Field::Verifications,
        Field::MemoryUsed,
    ];
    let columns: Vec<&str> =
        [text_read_percent, average_jump].into_iter().chain(fields.map(Field::name)).collect();
    // As everywhere, but with blanks.
    let titles = columns.iter().map(|name| name.replace('_', " "));
    let keys = ["m", "algorithm"].map(str::to_owned);
    let mut table = Table::new(keys.into_iter().chain(titles).chain(["extra".to_owned()]));
    for cell in &run.results {
        let figures = columns.iter().enumerate().map(|(i, name)| {
            let median = cell.stats.get(name).map(|summary| summary.med);
            shown(cell, median, if i < 2 { shown_options.precision } else { 0 })
        });
        let extra = cell.extra.iter().filter_map(|(name, summary)| Some(format!("{name} {}", summary?.med)));
        let length = Datum::Number(cell.pattern_length as f64, 0);
        let row = [length, cell.algorithm.as_str().into()].into_iter().chain(figures);
        table.push(row.chain([extra.collect::<Vec<_>>().join(", ").into()]));
    }
    table
}
