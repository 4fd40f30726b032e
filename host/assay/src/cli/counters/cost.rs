//! `assay counters cost`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::fold::for_output;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_counting::{self, BackendCost, BackendEvents, Events, ReadingCost};
use assay_load::plugin::{Kind, Registry};
use assay_load::process::Interrupt;

use super::super::{Outcome, Session};
use crate::describe::{self, Description};

/// What it costs to start a counter backend and to read an event
///
/// Each experiment is a fresh process. It times the initialisation (loading the backend's library, opening
/// the event, starting it; the start of the process itself is not included), then the average of many reads.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters cost clock --experiments 20 --reads 100
  assay counters cost perf:task-clock --out cost.csv
  assay counters cost --all
  assay describe cost.csv --format benchstats

Result: CSV with two columns in microseconds, headed `Initialize, Event Read Avg uS` as PAPI's tools have it. \
On a terminal the statistics and histograms of both columns stand below it; --format table or json prints these alone.

An experiment that fails costs its own row: the others are printed, and the exit status is 1. A process that gives no \
answer within 5 seconds (or ASSAY_PATIENCE_MS) has failed, too; ask for fewer reads then.

With --all: medians over the experiments, in nanoseconds and as multiples of a reading of the clock (clock_gettime), of \
initialising, of stopping and starting again, and of reading all events of the set.")]
pub(super) struct Args {
    /// The event; without its name, the backend's first that can be counted here
    #[arg(value_name = "BACKEND[:EVENT]", required_unless_present = "all", conflicts_with = "all")]
    event: Option<String>,
    /// A table of every backend that counts here: its first event, and its first eight if it has that many
    #[arg(long, conflicts_with = "out")]
    all: bool,
    /// Number of processes, of each set of events [default: 100; 10 with --all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    experiments: Option<u32>,
    /// Number of reads in each process
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    reads: u32,
    /// Write the CSV to FILE instead of to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_parser = table_formats())]
    format: Option<OutputFormat>,
}

pub(super) fn run(args: Args, registry: &Registry, session: &Session) -> Result<Outcome> {
    match args.event.clone() {
        Some(event) => run_event(&event, args, registry, session),
        None => run_all(&args, registry, session),
    }
}

/// Measures the cost of all backends.
fn run_all(args: &Args, registry: &Registry, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let backends: Vec<&str> = registry.of_kind(Kind::Counter).map(|listing| listing.id.as_str()).collect();
    let bar = console.progress(backends.len() as u64);
    let interrupt = Interrupt::watch();
    let mut costs = Vec::new();
    for backend in backends {
        bar.set_message(backend.to_owned());
        let experiments = args.experiments.unwrap_or(10);
        costs.push(assay_counting::of_backend(backend, experiments, args.reads, registry, &mut || {
            !is_interrupted(&interrupt)
        })?);
        bar.inc(1);
        if is_interrupted(&interrupt) {
            break;
        }
    }
    bar.finish_and_clear();
    console.print(&assay_counting::cost_table(&costs).render(args.format.unwrap_or_default()))?;
    for events in costs.iter().filter_map(several_events) {
        console.detail(&events);
    }
    for cost in costs.iter().filter(|cost| cost.launched && !cost.sets.is_empty()) {
        console.note(&format!(
            "{} runs in a simulator: its rows are what its own work takes there, and none of it is in its counts",
            cost.backend
        ));
    }
    costs.iter().filter_map(|cost| cost.unavailable.as_ref()).for_each(|reason| console.note(reason));
    costs.iter().filter_map(|cost| cost.failure.as_ref()).for_each(|failure| console.error(failure));
    Ok(match (is_interrupted(&interrupt), costs.iter().any(|cost| cost.failure.is_some())) {
        (true, _) => Outcome::Interrupted,
        (false, true) => Outcome::SomethingFailed,
        (false, false) => Outcome::Done,
    })
}

fn is_interrupted(interrupt: &Interrupt) -> bool {
    interrupt.flag().load(Ordering::Relaxed)
}

/// The events that were read together from a backend; `None` if it was one only.
fn several_events(cost: &BackendCost) -> Option<String> {
    let several = cost.sets.last().filter(|set| set.events.len() > 1)?;
    Some(format!("{}: {}", cost.backend, several.events.join(", ")))
}

/// Measures the cost of one event.
fn run_event(given: &str, args: Args, registry: &Registry, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    if given.starts_with('@') || assay_counting::split(given).len() > 1 {
        return Err(Error::new(format!("`{given}` is more than one event"))
            .remedy("name one event at a time: BACKEND[:EVENT]; --all makes a table of every backend"));
    }
    let chosen = Events::new(registry).choose(given)?;
    let output = args.out.as_deref().map(Output::create).transpose()?;
    let backend = registry.find(Kind::Counter, &chosen.backend)?;
    console.detail(&format!("counting {}:{}", chosen.backend, chosen.event.name));

    let part = BackendEvents::new(registry, backend, vec![chosen.event.name.clone()]);
    let launch = assay_counting::launch_for(&part, None)?.map_err(Error::new)?;

    let experiments = args.experiments.unwrap_or(100);
    let bar = console.progress(experiments.into());
    // An interruption keeps the experiments that were done before it.
    let interrupt = Interrupt::watch();
    let (mut costs, mut failures) = (Vec::new(), Vec::new());
    for experiment in 1..=experiments {
        let outcome = assay_counting::in_fresh_process(&part, args.reads, launch.as_ref())?;
        if is_interrupted(&interrupt) {
            break;
        }
        match outcome {
            Ok(cost) => costs.push(cost),
            Err(failure) => failures.push(format!("experiment {experiment}: {failure}")),
        }
        // If the first experiment fails, the others would fail, too.
        if costs.is_empty() {
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !costs.is_empty() {
        report(&costs, output, args.format, session)?;
    }
    if let Some(first) = failures.first() {
        let tried = costs.len() + failures.len();
        let rest = if costs.is_empty() { "; no other was tried" } else { "" };
        console.error(&format!("{} of {tried} experiments failed: {first}{rest}", failures.len()));
    }
    Ok(match (is_interrupted(&interrupt), failures.is_empty()) {
        (true, _) => Outcome::Interrupted,
        (false, true) => Outcome::Done,
        (false, false) => Outcome::SomethingFailed,
    })
}

fn report(
    costs: &[ReadingCost],
    output: Option<Output>,
    format: Option<OutputFormat>,
    session: &Session,
) -> Result<()> {
    let csv = assay_counting::csv(costs);
    let printed = match (format, std::io::stdout().is_terminal()) {
        (None, true) if output.is_some() => described(costs, OutputFormat::Table),
        (None, true) => format!("{csv}\n{}", described(costs, OutputFormat::Table)),
        (Some(OutputFormat::Csv) | None, _) if output.is_some() => String::new(),
        (Some(OutputFormat::Csv) | None, _) => csv.clone(),
        (Some(format), _) => described(costs, format),
    };
    if let Some(output) = output {
        output.write(|out| out.write_all(csv.as_bytes()))?;
    }
    session.console.print(&printed)
}

/// The statistics of both columns; in a table, with the note on the cost of the first process.
fn described(costs: &[ReadingCost], format: OutputFormat) -> String {
    let footnote = if format == OutputFormat::Table { first_process(costs) } else { String::new() };
    describe::print(&descriptions(costs), format) + &footnote
}

fn descriptions(costs: &[ReadingCost]) -> Vec<Description> {
    let columns = columns(costs);
    let described = assay_counting::TITLES
        .iter()
        .zip(&columns)
        .filter_map(|(title, values)| Description::from_values(title, values));
    described.collect()
}

fn columns(costs: &[ReadingCost]) -> [Vec<f64>; 2] {
    [costs.iter().map(|cost| cost.initialize).collect(), costs.iter().map(|cost| cost.read).collect()]
}

/// A note on the costs of the first process alone, such as reading a library from the disk; empty if there
/// was one process only.
fn first_process(costs: &[ReadingCost]) -> String {
    let [initialize, read] = columns(costs).map(|column| first_and_greatest_other(&column));
    let (Some((first, others)), Some((read, reads))) = (initialize, read) else { return String::new() };
    for_output(
        &format!(
            "\nWhat only the first process pays, such as reading the library from the disk, is in First and not in \
             Max without First: {first:.1} and {others:.1} us for the initialisation, {read:.3} and {reads:.3} us for a read.\n"
        ),
        0,
    )
}

/// The first value and the greatest of the others; `None` if there are fewer than two values.
fn first_and_greatest_other(values: &[f64]) -> Option<(f64, f64)> {
    let (first, others) = values.split_first()?;
    Some((*first, others.iter().copied().max_by(f64::total_cmp)?))
}
