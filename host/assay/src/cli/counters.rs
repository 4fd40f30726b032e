//! `assay counters`: the events that can be counted here, what counting costs, the clocks of the CPU, and
//! whether the machine counts right.

mod clock;
mod cost;
mod selftest;
mod sets;

use assay_base::error::Result;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_counting as counters;
use assay_load::plugin::{Kind, Registry};
use clap::Subcommand;

use super::{Outcome, Session};

/// What can be counted here, and what counting costs
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters list
  assay counters cost clock:ns
  assay counters sets
  assay counters clock
  assay counters selftest")]
pub(super) struct Args {
    #[command(subcommand)]
    command: CountersCommand,
}

#[derive(Subcommand, Debug)]
enum CountersCommand {
    List(CountersListArgs),
    Cost(cost::Args),
    Clock(clock::Args),
    Sets(sets::Args),
    Selftest(selftest::Args),
}

/// Every event of every counter backend: its unit, whose work it counts, and whether it can be counted here
///
/// Each event is tried. For an event that can't be counted, the list has the reason and a remedy.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters list
  assay counters list perf --available
  assay counters list --format csv")]
struct CountersListArgs {
    /// The events of this backend alone
    #[arg(value_name = "BACKEND")]
    backend: Option<String>,
    /// Only events that can be counted here
    #[arg(long)]
    available: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    match args.command {
        CountersCommand::List(args) => list(args, &registry, session),
        CountersCommand::Cost(args) => cost::run(args, &registry, session),
        CountersCommand::Sets(args) => sets::run(&args, &registry, session),
        CountersCommand::Clock(args) => clock::run(&args, &registry, session),
        CountersCommand::Selftest(args) => selftest::run(&args, &registry, session),
    }
}

fn list(args: CountersListArgs, registry: &Registry, session: &Session) -> Result<Outcome> {
    if let Some(backend) = &args.backend {
        registry.find(Kind::Counter, backend)?;
    }
    let (mut events, failures) = counters::known(args.backend.as_deref(), registry);
    let all = events.len();
    if args.available {
        events.retain(|known| known.is_available());
    }
    session.console.print(&match args.format {
        OutputFormat::Table => counters::table(&events),
        format => counters::list(&events).render(format),
    })?;
    if all > 0 && events.is_empty() {
        session
            .console
            .note("none of these events can be counted here; without --available each has its reason");
    } else if events.is_empty() && failures.is_empty() {
        session.console.warn("no plugin library brings a counter backend");
    }
    failures.iter().for_each(|failure| session.console.error(&failure.to_string()));
    Ok(if failures.is_empty() { Outcome::Done } else { Outcome::SomethingFailed })
}
