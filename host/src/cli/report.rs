mod figures;

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub use figures::Asked;
use figures::{Calls, note_failures};

use super::names::{self, Names};
use super::{Outcome, Session, mistakes};
use crate::error::Result;
use crate::io::table::Format;
use crate::report::export::run_table::{self, Shown};
use crate::report::{Call, Report};
use crate::results::{MEASUREMENTS, RESULTS, Run, find};

/// Compute figures from a saved run: any metrics and statistics of it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay report                                  what `run` printed of the newest run
  assay report last --metric gbps,ns_per_byte   throughput; time for each byte
  assay report results/ID --call all            preparation and search together
  assay report ID --stat min,med,max --discard-first
  assay report ID --metric text_bytes_read      what --stats algo counted
  assay report ID --stat all --format csv       every repetition, for other programs")]
pub struct Args {
    /// The saved run: its folder, a file in it, its id (the beginning is enough), or `last` for the newest
    #[arg(default_value = "last", num_args = 1..)]
    result: Vec<String>,
    /// What to compute of each repetition: metrics (see `assay list metrics`), counters or other columns of
    /// measurements.csv [default: what `run` printed; with other options microseconds, or text_bytes_read of an instrumented
    /// run]
    #[arg(long, value_name = "METRIC,..")]
    metric: Vec<Names>,
    /// Statistics over the repetitions (see `assay list statistics`)
    #[arg(long, value_name = "STAT,..", value_delimiter = ',', default_value = MEDIAN)]
    stat: Vec<String>,
    /// Which calls are included [default: search]
    #[arg(long, value_parser = calls())]
    call: Option<Calls>,
    /// What the columns of the table are: there is one choice so far
    #[arg(long, default_value = "range")]
    by: By,
    /// Show the phases that happen once in each worker, too
    #[arg(long, conflicts_with_all = ["metric", "stat", "call", "include_failed", "discard_first", "format"])]
    phases: bool,
    /// Count what was measured in cells that failed later, too: statistics over what happened to be survived
    #[arg(long)]
    include_failed: bool,
    /// Leave out the first repetition of each algorithm and pattern length, unless it is the only one
    #[arg(long)]
    discard_first: bool,
    /// Subtract from counts what a search that does nothing counts, as the run has measured it
    #[arg(long)]
    subtract_overhead: bool,
    /// The folder in which ids are looked up
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// How to print it
    #[arg(long, default_value = "table")]
    format: Format,
}

/// The statistic that `run` prints.
const MEDIAN: &str = "med";

fn calls() -> impl TypedValueParser<Value = Calls> {
    let names = PossibleValuesParser::new([
        PossibleValue::new(Call::Prepare.name()).help("The preparation of the pattern"),
        PossibleValue::new(Call::Search.name()).help("The search of the text"),
        PossibleValue::new("all").help("Both together"),
    ]);
    names.map(|name| Call::ALL.into_iter().find(|call| call.name() == name))
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// The values of the range: the pattern lengths
    Range,
}

pub fn run(args: Args, session: &Session) -> Result<Outcome> {
    let By::Range = args.by;
    let [result] = args.result.as_slice() else { return Err(mistakes::comparing()) };
    let place = find(result, &args.out)?;
    let report = Report::load(&place)?;
    let outcome = match args.asks_for_nothing().then(|| Run::read(&place.join(RESULTS))).transpose()? {
        // One that was killed has no results of its own.
        Some(run) if !run.results.is_empty() => {
            let run = if args.subtract_overhead { run.without_overhead() } else { run };
            session
                .console
                .print(&run_table::render(&run, Shown { phases: args.phases, ..Shown::default() }))?;
            run.subtraction_note().iter().for_each(|note| session.console.warn(note));
            note_failures(&report, &session.console);
            session.console.note(&format!("from {}", place.display()));
            Outcome::Done
        }
        _ => args.compute(&report, session)?,
    };
    if let Some(line) = report.rawdata().torn() {
        let note = format!("{MEASUREMENTS} ends within line {line}: that line is left out");
        session.console.note(&note);
    }
    if let Some(how_far) = report.interrupted() {
        session.console.warn(&how_far);
    }
    Ok(outcome)
}

impl Args {
    /// Whether what `run` printed is wanted.
    fn asks_for_nothing(&self) -> bool {
        let no_figures = self.metric.is_empty() && self.stat == [MEDIAN] && self.call.is_none();
        no_figures && !self.include_failed && !self.discard_first && self.format == Format::Table
    }

    fn compute(self, report: &Report, session: &Session) -> Result<Outcome> {
        let registry = session.registry()?;
        let asked = Asked {
            metrics: names::all(&self.metric),
            statistics: self.stat,
            calls: self.call,
            include_failed: self.include_failed,
            discard_first: self.discard_first,
            subtract_overhead: self.subtract_overhead,
            format: self.format,
        };
        asked.print(report, &registry, &session.console)
    }
}
