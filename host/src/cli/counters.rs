mod clock;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Subcommand;

use super::{Outcome, Session};
use crate::counters::{self, Cost, Events, Part};
use crate::describe::{self, Description};
use crate::error::{Error, Result};
use crate::io::atomic::Output;
use crate::io::table::Format;
use crate::plugin::{Kind, Registry};
use crate::process::Interrupt;

/// What can be counted here, and what counting costs
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters list
  assay counters cost clock:ns
  assay counters clock")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    List(ListArgs),
    Cost(CostArgs),
    Clock(clock::Args),
}

/// Every event of every counter backend: its unit, whose work it counts, and whether it can be counted here
///
/// Each event is tried. Where one can't be counted, the reason and what helps are told.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters list
  assay counters list --format csv")]
struct ListArgs {
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

/// What it costs to start a counter backend and to read an event
///
/// Each experiment is a fresh process. It times the initialisation (loading the backend's library, opening the event,
/// starting it; the start of the process itself is not included), then the average of many reads.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters cost clock --experiments 20 --reads 100
  assay counters cost perf:task-clock --out cost.csv
  assay describe cost.csv --format benchstats

Result: CSV with two columns in microseconds, headed `Initialize, Event Read Avg uS` as PAPI's tools have it. \
On a terminal the statistics and histograms of both columns stand below it; --format table or json prints these alone.

An experiment that fails costs its own row: the others are printed, and the exit status is 1. A process that gives no \
answer within some seconds has failed too; ask for fewer reads then.")]
struct CostArgs {
    /// The event; without its name, the backend's first that can be counted here
    #[arg(value_name = "BACKEND[:EVENT]")]
    event: String,
    /// Number of processes
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    experiments: u32,
    /// Number of reads in each process
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    reads: u32,
    /// Write the CSV to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
}

pub fn run(args: Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    match args.command {
        Command::List(args) => list(args, &registry, session),
        Command::Cost(args) => cost(args, &registry, session),
        Command::Clock(args) => clock::run(&args, &registry, session),
    }
}

fn list(args: ListArgs, registry: &Registry, session: &Session) -> Result<Outcome> {
    let (events, failures) = counters::known(registry);
    session.console.print(&match args.format {
        Format::Table => counters::table(&events),
        format => counters::list(&events).render(format),
    })?;
    if events.is_empty() && failures.is_empty() {
        session.console.warn("no plugin library brings a counter backend");
    }
    failures.iter().for_each(|failure| session.console.error(&failure.to_string()));
    Ok(if failures.is_empty() { Outcome::Done } else { Outcome::SomethingFailed })
}

fn cost(args: CostArgs, registry: &Registry, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let chosen = Events::new(registry).choose(&args.event)?;
    let output = args.out.as_deref().map(Output::create).transpose()?;
    let library = registry.inspected(registry.find(Kind::Counter, &chosen.backend)?);
    console.detail(&format!("counting {}:{}", chosen.backend, chosen.event.name));

    let part = Part {
        library: library.clone(),
        backend: chosen.backend.clone(),
        events: vec![chosen.event.name.clone()],
    };
    let launch = counters::launch_for(&part, None)?.map_err(Error::new)?;

    let bar = console.progress(args.experiments.into());
    // What was measured until then is kept.
    let interrupt = Interrupt::watch();
    let interrupted = || interrupt.flag().load(Ordering::Relaxed);
    let (mut costs, mut failures) = (Vec::new(), Vec::new());
    for experiment in 1..=args.experiments {
        let outcome = counters::in_fresh_process(
            &library,
            &chosen.backend,
            &chosen.event.name,
            args.reads,
            launch.as_ref(),
        )?;
        if interrupted() {
            break;
        }
        match outcome {
            Ok(cost) => costs.push(cost),
            Err(failure) => failures.push(format!("experiment {experiment}: {failure}")),
        }
        // What fails at once will fail again.
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
    Ok(match (interrupted(), failures.is_empty()) {
        (true, _) => Outcome::Interrupted,
        (false, true) => Outcome::Done,
        (false, false) => Outcome::SomethingFailed,
    })
}

fn report(costs: &[Cost], output: Option<Output>, format: Option<Format>, session: &Session) -> Result<()> {
    let csv = counters::csv(costs);
    let described = |format| describe::print(&descriptions(costs), format);
    let printed = match (format, std::io::stdout().is_terminal()) {
        (Some(format @ (Format::Table | Format::Json)), _) => described(format),
        (None, true) if output.is_some() => described(Format::Table),
        (None, true) => format!("{csv}\n{}", described(Format::Table)),
        (Some(Format::Csv) | None, _) if output.is_some() => String::new(),
        (Some(Format::Csv) | None, _) => csv.clone(),
    };
    if let Some(output) = output {
        output.write(|out| out.write_all(csv.as_bytes()))?;
    }
    session.console.print(&printed)
}

fn descriptions(costs: &[Cost]) -> Vec<Description> {
    let columns: [Vec<f64>; 2] =
        [costs.iter().map(|cost| cost.initialize).collect(), costs.iter().map(|cost| cost.read).collect()];
    let described =
        counters::TITLES.iter().zip(&columns).filter_map(|(title, values)| Description::of(title, values));
    described.collect()
}
