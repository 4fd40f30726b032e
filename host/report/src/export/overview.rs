//! The results of a run as tables for the terminal.

mod fastest;
mod names;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use assay_base::columns::{self, Call, DERIVED};
use assay_base::formula::Formula;
use assay_base::io::console::counted;
use assay_base::io::fold::for_output;
use assay_base::io::numbers::{decimals, grouped};
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_counting::sets::{EventSet, INPUTS};
use assay_experiment::rounds::Rounds;
use assay_plugin_api::Field;
use assay_store::noise::Noise;
use assay_store::null::floor;
use assay_store::rank::Rank;
use assay_store::{CellResult, CounterFacts, Run, Status};

use super::marks::{self, mark};
use super::starts;
use crate::NotMadeFor;
use crate::RangeAxis;
use crate::Undecided;
use crate::time_notes::{clock_note_of_results, without_times};
use crate::wording;
use crate::wording::from_to;
use names::Names;

/// The tables to show besides that of the search times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Decimals of times and derived figures.
    pub precision: usize,
    /// Whether to show the times of the preparation.
    pub preprocessing: bool,
    /// Whether to show the times of the starts of workers.
    pub phases: bool,
    /// Whether to show the mean number of occurrences.
    pub occurrences: bool,
}

impl TableOptions {
    /// The default number of decimals.
    pub const PRECISION: u8 = 2;
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            precision: Self::PRECISION.into(),
            preprocessing: false,
            phases: false,
            occurrences: false,
        }
    }
}

/// The whole report as text.
pub fn render(run: &Run, shown: TableOptions) -> String {
    let mut text = heading(run);
    if run.experiment.instrumented() {
        text += if run.experiment.calls.is_empty() {
            "\nWhat each search did, median over the repetitions:\n"
        } else {
            "\nWhat the searches of a repetition did together, median over the repetitions:\n"
        };
        let notes: Vec<String> = note_on_dashes(run).into_iter().chain(Names::new(run).notes()).collect();
        return text + &instrumented(run, shown).render(OutputFormat::Table) + &paragraph(&notes);
    }
    let precision = shown.precision;
    let range = match &run.experiment.range {
        None => String::new(),
        Some(range) => format!(", by {}", range.over.words()),
    };
    if run.experiment.has_times() {
        let title = format!("Search, median in µs (preparation not included){range}:");
        text += &section(&title, &times(run, Call::Search, shown));
    }
    if shown.preprocessing && run.experiment.has_times() {
        text += &section(&format!("Preparation, median in µs{range}:"), &times(run, Call::Prepare, shown));
    }
    if shown.phases {
        let names = Names::new(run);
        text += &match starts::table(run, precision, |algorithm| names.shown(algorithm)) {
            Some(table) => {
                let missing = starts::missing(run);
                let note = missing.map_or_else(String::new, |line| for_output(&line, 2) + "\n");
                section(&format!("{}:", starts::TITLE), &table) + &note
            }
            None => "\nThe start of a worker was not timed.\n".to_owned(),
        };
    }
    if shown.occurrences {
        let means = by_length(run, &|cell| {
            let mean = cell.occurrences.map(|occurrences| occurrences as f64 / cell.repetitions as f64);
            number(cell, mean, precision)
        });
        text += &section("Occurrences, mean:", &means);
    }
    for facts in &run.experiment.counters {
        text += &match counts(run, facts, Call::Search, shown) {
            Some(table) => {
                let title = title(run, facts, Call::Search);
                section(&title, &table) + &for_output(&counting_cost(run, facts), 2)
            }
            None if run.experiment.overhead_subtracted && facts.cost.empty.is_some() => {
                format!("\n{}: its counts are below those of an empty call, so none is shown.\n", facts.name)
            }
            None => format!("\n{} could not be counted.\n", facts.name),
        };
        if let (true, Some(table)) = (shown.preprocessing, counts(run, facts, Call::Prepare, shown)) {
            text += &section(&title(run, facts, Call::Prepare), &table);
        }
    }
    for set in &run.experiment.event_sets {
        for (id, metric, formula) in set.formulas() {
            let unit = if metric.unit.is_empty() { String::new() } else { format!(" in {}", metric.unit) };
            match of_figures(run, &|cell| cell.set_metrics.get(&id).map(|summary| summary.med)) {
                Some(table) => text += &section(&format!("{id} = {}, median{unit}:", metric.formula), &table),
                None if run.experiment.overhead_subtracted => {}
                None if has_missing_input(run, set, &formula) => {
                    text += &format!("\n{id} lacks a count that could not be made.\n");
                }
                None => text += &format!("\n{id}: its formula gives no number, as over 0.\n"),
            }
        }
    }
    text += &legend(run, shown);
    if shows_fastest(run) {
        text += &fastest::section(run, precision);
    }
    text
}

/// Whether the fastest algorithms of a run are shown after its tables, because it has many.
pub fn shows_fastest(run: &Run) -> bool {
    fastest::are_shown(run)
}

/// A table below its title.
fn section(title: &str, table: &Table) -> String {
    format!("\n{title}\n{}", table.render(OutputFormat::Table))
}

/// Whether no cell has one of the inputs of a formula.
fn has_missing_input(run: &Run, set: &EventSet, formula: &Formula) -> bool {
    let machine = &run.experiment.machine;
    formula.names().iter().any(|name| match (set.events.get(name), name.as_str()) {
        (Some(event), _) => run.results.iter().all(|cell| cell.counters.get(event).is_none()),
        (None, "core_hz") => machine.core_hz.is_none(),
        (None, "tsc_hz") => machine.tsc_hz.is_none(),
        (None, name) => !INPUTS.contains(&name),
    })
}

/// A row for each algorithm, a column for each range value; `None` if there is no figure.
fn of_figures(run: &Run, figure: &dyn Fn(&CellResult) -> Option<f64>) -> Option<Table> {
    let decimals = decimals(run.results.iter().filter_map(figure));
    run.results.iter().find_map(figure)?;
    Some(by_length(run, &|cell| number(cell, figure(cell), decimals)))
}

/// The times of a call, with the half-width of the widest interval of each algorithm.
fn times(run: &Run, call: Call, options: TableOptions) -> Table {
    let decimals = options.precision;
    let alone = algorithms(run).len() == 1;
    let mut table = by_length(run, &|cell| {
        let mark = mark(*cell.ranks.get(Some(call)), alone);
        match (cell.status, cell.time(call)) {
            (Status::Ok, Some(summary)) => Datum::Marked(summary.med / 1000.0, decimals, mark),
            _ => number(cell, None, decimals),
        }
    });
    let widths = algorithms(run).into_iter().map(|algorithm| widest_interval(run, call, algorithm));
    let widths: Vec<Option<f64>> = widths.collect();
    if widths.iter().any(Option::is_some) {
        table.columns.push("± %".to_owned());
        for (row, width) in table.rows.iter_mut().zip(widths) {
            row.push(width.map_or(Datum::Missing, |width| Datum::Number(width, 1)));
        }
    }
    table
}

/// The half-width of the widest interval of an algorithm, in percent of the median. Times that are too short
/// to compare have none: their intervals show the resolution of the clock.
fn widest_interval(run: &Run, call: Call, algorithm: &str) -> Option<f64> {
    let cells = run.results.iter().filter(|cell| cell.algorithm == algorithm);
    let compared = cells.filter(|cell| !cell.ranks.get(Some(call)).below_floor);
    let widths = compared.filter_map(|cell| Some(100.0 * cell.time(call)?.ci95?.relative_half_width()));
    // An interval around 0 has no relative width.
    widths.filter(|width| width.is_finite()).reduce(f64::max)
}

/// The title of the table of a counter.
fn title(run: &Run, facts: &CounterFacts, call: Call) -> String {
    let subject = match call {
        _ if facts.per_round => "of a repetition, per round",
        Call::Search => "of the search",
        Call::Prepare => "of the preparation",
    };
    let less = facts.cost.empty_in_words().filter(|_| run.experiment.overhead_subtracted);
    let less = less.map_or_else(String::new, |empty| format!(", less the {empty} of an empty call"));
    format!("{} {subject}, median{}{less}:", facts.name, unit(facts))
}

/// The line on the cost of counting, below the counts.
fn counting_cost(run: &Run, facts: &CounterFacts) -> String {
    let mut sentences = Vec::new();
    if let (Some(empty), false) = (facts.cost.empty_in_words(), run.experiment.overhead_subtracted) {
        let unit = if facts.unit.is_empty() { String::new() } else { format!(" {}", facts.unit) };
        sentences.push(format!("an empty call counts {empty}{unit}"));
    }
    let read_ns = facts.cost.read_ns.filter(|_| run.experiment.has_times());
    sentences.extend(read_ns.map(|ns| format!("a reading takes {} ns", amount(ns))));
    if sentences.is_empty() { String::new() } else { format!("  {}\n", sentences.join("; ")) }
}

fn amount(count: f64) -> String {
    grouped(count, if count.fract() == 0.0 { 0 } else { 1 })
}

/// The table of the counts of a counter in a kind of call; `None` if it has no counts.
fn counts(run: &Run, facts: &CounterFacts, call: Call, options: TableOptions) -> Option<Table> {
    let counted: Vec<f64> = run.results.iter().filter_map(|cell| median_count(cell, facts, call)).collect();
    if counted.is_empty() {
        return None;
    }
    // Counts are whole numbers, and their medians may be halves; levels and energies may have more decimals.
    let decimals = if counted.iter().all(|count| count.fract() == 0.0 || *count >= 1000.0) {
        0
    } else if counted.iter().all(|count| (2.0 * count).fract() == 0.0) {
        1
    } else {
        options.precision
    };
    Some(by_length(run, &|cell| match (cell.status, median_count(cell, facts, call)) {
        (Status::Ok, Some(count)) => Datum::Marked(count, decimals, marks::of_count(cell, facts, call)),
        _ => number(cell, None, 0),
    }))
}

/// The median count of a counter in a kind of call.
fn median_count(cell: &CellResult, facts: &CounterFacts, call: Call) -> Option<f64> {
    let counters = if call == Call::Search { &cell.counters } else { &cell.prepare_counters };
    Some(counters.get(&facts.name)?.med)
}

/// The meanings of the marks in the tables, and notes on their figures.
fn legend(run: &Run, shown: TableOptions) -> String {
    let calls: &[Call] = if shown.preprocessing { &Call::ALL } else { &[Call::Search] };
    let done = run.results.iter().filter(|cell| cell.status == Status::Ok);
    let timed = done.flat_map(|cell| calls.iter().map(move |&call| (cell, call)));
    let timed = timed.filter(|(cell, call)| cell.time(*call).is_some());
    let ranks: Vec<Rank> = timed.clone().map(|(cell, call)| *cell.ranks.get(Some(call))).collect();
    let mut lines: Vec<String> = clock_note_of_results(run).into_iter().collect();
    lines.extend(without_times(run));
    lines.extend(note_on_dashes(run));
    if !run.experiment.has_times() {
        lines.extend(notes_on_counts(run));
        lines.extend(Names::new(run).notes());
        return paragraph(&lines);
    }
    let has_widths =
        algorithms(run).into_iter().any(|algorithm| widest_interval(run, Call::Search, algorithm).is_some());
    if let Some(rounds) = wording::rounds(run).filter(|_| has_widths) {
        let none = wording::values_without_interval(run);
        let none = if none.is_empty() { none } else { format!("; fewer than six give none: {none}") };
        lines.push(format!(
            "± half-width of the widest 95 % confidence interval in the row (from {rounds} rounds{none})"
        ));
    }
    let Noise { floor_ns, null, .. } = &run.experiment.noise;
    let least = floor(null.as_ref(), Some(Call::Search));
    let mut times = timed.filter_map(|(cell, call)| cell.time(call)).peekable();
    if times.peek().is_some() && times.all(|time| time.ci95.is_none()) {
        lines.push("no confidence intervals: these need at least six rounds".to_owned());
    }
    let is_alone = algorithms(run).len() == 1;
    lines.extend(marks::legend(&ranks, is_alone, *floor_ns, least));
    let undecided = Undecided::of_results(run.results.iter(), Some(Call::Search), least);
    let undecided = undecided.filter(|_| !is_alone);
    lines.extend(undecided.map(|undecided| undecided.sentence()));
    lines.extend(null.as_ref().and_then(|null| null.words(Some(Call::Search))));
    lines.extend(notes_on_counts(run));
    lines.extend(Names::new(run).notes());
    paragraph(&lines)
}

/// The meaning of dashes, if an algorithm is not made for some range values.
fn note_on_dashes(run: &Run) -> Option<String> {
    let is_there = run.results.iter().any(|cell| cell.status == Status::CannotSearch);
    is_there.then(|| format!("- {}", NotMadeFor::dash(&RangeAxis::new(&run.experiment))))
}

/// Notes on the counts, a line each.
fn notes_on_counts(run: &Run) -> Vec<String> {
    let counters = &run.experiment.counters;
    let mut lines: Vec<String> =
        counters.iter().filter_map(|facts| marks::coarse(run.results.iter(), facts)).collect();
    lines.extend(counters.iter().any(|facts| facts.per_round).then(|| marks::PER_ROUND.to_owned()));
    lines.extend(run.experiment.noise.impossible.iter().map(marks::impossible));
    lines
}

fn paragraph(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("\n{}\n", for_output(&lines.join("\n"), 2)) }
}

fn heading(run: &Run) -> String {
    let experiment = &run.experiment;
    let text = &experiment.text;
    let mut lines = Vec::new();
    if experiment.interrupted {
        lines.push("Not complete: not all repetitions were measured".to_owned());
    }
    lines.extend(wording::conditions(experiment));
    lines.extend(wording::stopping(run));
    let mut patterns = Vec::new();
    if let Some(definition) = &experiment.definition {
        lines.extend((!definition.description.is_empty()).then(|| definition.description.clone()));
        patterns.push(match &definition.patterns.given {
            Some(_) => "the given pattern".to_owned(),
            None => format!(
                "{} of each {}, {}",
                match run.patterns().or_else(|| experiment.asked_for(Rounds::runs)) {
                    Some((least, most)) if least < most => format!("{} patterns", from_to((least, most))),
                    runs => counted(runs.map_or(definition.runs, |(runs, _)| runs), "pattern"),
                },
                if experiment.range.is_some() { "value" } else { "length" },
                definition.patterns.kind.words()
            ),
        });
    }
    patterns.push(format!("seed {}", experiment.seed));
    lines.push(if !experiment.has_one_text() {
        format!("Text: {} ({})", experiment.texts_in_words(), wording::lengths(experiment))
    } else {
        format!(
            "Text: {} ({} bytes, {} different, {:.2} bits per byte)",
            experiment.texts_in_words(),
            grouped(text.bytes as f64, 0),
            text.alphabet,
            text.entropy_bits_per_byte,
        )
    });
    lines.push(format!("Patterns: {}", patterns.join(", ")));
    for_output(&lines.join("\n"), 2) + "\n"
}

/// " in ticks"; empty for plain numbers.
fn unit(facts: &CounterFacts) -> String {
    if facts.unit.is_empty() { String::new() } else { format!(" in {}", facts.unit) }
}

/// The algorithms, in the order in which they were asked for.
fn algorithms(run: &Run) -> Vec<&str> {
    distinct(run.results.iter().map(|cell| cell.algorithm.as_str()))
}

/// Each item once, in the order of their first appearance.
fn distinct<T: Copy + Eq + Hash>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut known = HashSet::new();
    items.filter(|item| known.insert(*item)).collect()
}

/// A row for each algorithm, a column for each value of the range.
fn by_length(run: &Run, shown: &dyn Fn(&CellResult) -> Datum) -> Table {
    let values = distinct(run.results.iter().map(CellResult::value));
    let cells: HashMap<(&str, u64), &CellResult> =
        run.results.iter().map(|cell| ((cell.algorithm.as_str(), cell.value()), cell)).collect();
    let axis = RangeAxis::new(&run.experiment);
    let columns = values.iter().map(|value| axis.short(*value));
    let mut table = Table::new(std::iter::once("algorithm".to_owned()).chain(columns));
    let names = Names::new(run);
    for algorithm in algorithms(run) {
        let figures = values
            .iter()
            .map(|value| cells.get(&(algorithm, *value)).map_or(Datum::Missing, |cell| shown(cell)));
        table.push(std::iter::once(Datum::from(names.shown(algorithm))).chain(figures));
    }
    table
}

fn number(cell: &CellResult, value: Option<f64>, decimals: usize) -> Datum {
    match (cell.status, value) {
        (Status::Ok, Some(value)) => Datum::Number(value, decimals),
        (Status::Ok, None) | (Status::CannotSearch, _) => Datum::Missing,
        (status, _) => status.words().into(),
    }
}

/// The meanings of the counts of an instrumented run, a line each, with the fields that single algorithms
/// added.
pub fn meanings(run: &Run) -> String {
    let mut own: Vec<String> = Vec::new();
    for algorithm in algorithms(run) {
        let cell = run.results.iter().find(|cell| cell.algorithm == algorithm);
        let names: Vec<&str> =
            cell.into_iter().flat_map(|cell| cell.extra.iter()).map(|(name, _)| name).collect();
        own.extend((!names.is_empty()).then(|| format!("{algorithm} {}", names.join(", "))));
    }
    let own = if own.is_empty() { String::new() } else { format!(" ({})", own.join("; ")) };
    let extra = format!(
        "  extra: counts that only this algorithm has{own}; see \"Extra fields\" in \"What is counted\" in the book"
    );
    columns::instrumented().map(meaning).chain([extra]).collect::<Vec<_>>().join("\n")
}

/// "  jumps (characters): ..".
fn meaning(column: &str) -> String {
    let unit = columns::unit(column);
    let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
    format!("  {}{unit}: {}", column.replace('_', " "), columns::meaning(column))
}

/// A row for each value of the range and algorithm, a column for each measurement.
fn instrumented(run: &Run, shown: TableOptions) -> Table {
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
    // The titles are the names of the columns in files, with blanks.
    let titles = columns.iter().map(|name| name.replace('_', " "));
    let axis = RangeAxis::new(&run.experiment);
    let keys = [axis.symbol(), "algorithm"].map(str::to_owned);
    let mut table = Table::new(keys.into_iter().chain(titles).chain(["extra".to_owned()]));
    let names = Names::new(run);
    for cell in &run.results {
        let figures = columns.iter().enumerate().map(|(i, name)| {
            let median = cell.stats.get(name).map(|summary| summary.med);
            number(cell, median, if i < 2 { shown.precision } else { 0 })
        });
        let extra = cell.extra.iter().filter_map(|(name, summary)| Some(format!("{name} {}", summary?.med)));
        let row = [axis.cell(cell.value()), names.shown(&cell.algorithm).into()].into_iter().chain(figures);
        table.push(row.chain([extra.collect::<Vec<_>>().join(", ").into()]));
    }
    table
}

#[cfg(test)]
mod tests;
