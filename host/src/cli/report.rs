mod figures;

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub use figures::Asked;
use figures::Calls;

use super::names::{self, Names};
use super::{Outcome, Session};
use crate::error::Result;
use crate::io::table::Format;
use crate::report::{Call, Report};
use crate::results::{MEASUREMENTS, find};

/// Compute figures from a saved run: any metrics and statistics of it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay report                                  median time of the newest run's search
  assay report last --metric gbps,ns_per_byte   throughput; time for each byte
  assay report results/ID --call all            preparation and search together
  assay report ID --stat min,med,max --discard-first
  assay report ID --metric text_bytes_read      what --stats algo counted
  assay report ID --stat all --format csv       every repetition, for other programs")]
pub struct Args {
    /// The saved run: its folder, a file in it, its id (the beginning is enough), or `last` for the newest
    #[arg(default_value = "last")]
    result: String,
    /// What to compute of each repetition: metrics (see `assay list metrics`), counters or other columns of
    /// measurements.csv [default: microseconds; of an instrumented run text_bytes_read]
    #[arg(long, value_name = "METRIC,..")]
    metric: Vec<Names>,
    /// Statistics over the repetitions (see `assay list statistics`)
    #[arg(long, value_name = "STAT,..", value_delimiter = ',', default_value = "med")]
    stat: Vec<String>,
    /// Which calls are included [default: search]
    #[arg(long, value_parser = calls())]
    call: Option<Calls>,
    /// What the columns of the table are
    #[arg(long, default_value = "range")]
    by: By,
    /// Count what was measured in cells that failed later, too: statistics over what happened to be survived
    #[arg(long)]
    include_failed: bool,
    /// Leave out the first repetition of each algorithm and pattern length, unless it is the only one
    #[arg(long)]
    discard_first: bool,
    /// The folder in which ids are looked up
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// How to print it
    #[arg(long, default_value = "table")]
    format: Format,
}

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
    let report = Report::load(&find(&args.result, &args.out)?)?;
    let registry = session.registry()?;
    let asked = Asked {
        metrics: names::all(&args.metric),
        statistics: args.stat,
        calls: args.call,
        include_failed: args.include_failed,
        discard_first: args.discard_first,
        format: args.format,
    };
    let outcome = asked.print(&report, &registry, &session.console)?;
    if let Some(line) = report.rawdata().torn() {
        let note = format!("{MEASUREMENTS} ends within line {line}: that line is left out");
        session.console.note(&note);
    }
    if let Some(how_far) = report.interrupted() {
        session.console.warn(&how_far);
    }
    Ok(outcome)
}
