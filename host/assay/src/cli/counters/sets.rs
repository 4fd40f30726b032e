//! `assay counters sets`.

use assay_base::error::Result;
use assay_base::io::fold::for_output;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::table::Table;
use assay_counting::Events;
use assay_counting::sets::{EventSet, EventSets};
use assay_load::plugin::Registry;
use serde_json::json;

use super::super::{Outcome, Session};

/// Event sets: events that belong together, and what is computed of their counts
///
/// `run --counters @SET` counts a set, `--counters BACKEND@SET` the events of the same names of another
/// backend. Sets come with the program, and from files NAME.events.toml in the folders where plugin libraries
/// are looked for.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay counters sets
  assay counters sets branches --format json
  assay run hor --counters @faults
  assay run hor --counters cachegrind@branches

With a name, the set is shown in full, and so are all with --verbose: which events the names in its formulas stand for on this \
machine, and what must hold of its counts. JSON has the same.")]
pub(super) struct Args {
    /// This set alone
    #[arg(value_name = "@SET")]
    name: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, registry: &Registry, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let sets = EventSets::among(registry.folders());
    let mut outcome = Outcome::Done;
    let mut found: Vec<EventSet> = Vec::new();
    match &args.name {
        Some(name) => found.push(sets.find(name.trim_start_matches('@'))?),
        None => {
            for name in sets.names() {
                match sets.find(name) {
                    Ok(set) => found.push(set),
                    Err(error) => {
                        console.error(&error.to_string());
                        outcome = Outcome::SomethingFailed;
                    }
                }
            }
        }
    }
    let mut events = Events::new(registry);
    console.print(&match args.format {
        OutputFormat::Json => {
            let mut all = Vec::new();
            for set in &found {
                let mut object = serde_json::to_value(set).expect("plain data");
                object["available"] = json!(available(set, &mut events));
                object["file"] = sets.place(&set.name).map(|path| path.display().to_string()).into();
                all.push(object);
            }
            serde_json::to_string_pretty(&all).expect("plain data") + "\n"
        }
        format => {
            let mut table = Table::new(["set", "counts here", "metric", "unit", "formula"]);
            for set in &found {
                let (count, all) = (available(set, &mut events).len(), set.events.len());
                let here = match count {
                    0 => "no".to_owned(),
                    count if count == all => "yes".to_owned(),
                    count => format!("{count} of {all} events"),
                };
                let none = [(format!("{}.-", set.name), "", "")];
                let metrics = set.metrics.iter().map(|metric| {
                    (format!("{}.{}", set.name, metric.name), metric.unit.as_str(), metric.formula.as_str())
                });
                let metrics: Vec<_> = metrics.collect();
                for (id, unit, formula) in if metrics.is_empty() { none.to_vec() } else { metrics } {
                    let name = format!("@{}", set.name);
                    table.push([name.into(), here.as_str().into(), id.into(), unit.into(), formula.into()]);
                }
            }
            let full = args.name.is_some() || console.verbose;
            let details = found.iter().filter(|_| full && format == OutputFormat::Table);
            table.render(format) + &details.map(|set| in_full(set, &sets)).collect::<String>()
        }
    })?;
    Ok(outcome)
}

/// The events of a set that can be counted here.
fn available(set: &EventSet, events: &mut Events<'_>) -> Vec<String> {
    let mut available: Vec<String> = set.events.values().cloned().collect();
    available.retain(|event| events.find(event).is_ok_and(|known| known[0].is_available()));
    available
}

/// The parts of a set that the table does not show.
fn in_full(set: &EventSet, sets: &EventSets) -> String {
    let place = sets.place(&set.name).map(|path| path.display().to_string()).unwrap_or_default();
    let mut lines = vec![format!("@{}: {} ({place})", set.name, set.summary)];
    lines.extend(set.events.iter().map(|(name, event)| format!("  {name} = {event}")));
    let described = set.metrics.iter().filter(|metric| !metric.summary.is_empty());
    lines.extend(described.map(|metric| format!("  {}: {}", metric.name, metric.summary)));
    lines.extend(set.always.iter().map(|relation| format!("  always {relation}")));
    format!("\n{}\n", for_output(&lines.join("\n"), 4))
}
