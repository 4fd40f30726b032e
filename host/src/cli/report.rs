use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_plugin_api::abi::{metric, statistic};
use assay_plugin_api::inputs;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::{Outcome, Session};
use crate::counters::Events;
use crate::error::{Error, Result, unknown};
use crate::io::table::Format;
use crate::plugin::{Kind, Registry};
use crate::report::{Call, Counter, Quantity, Report, StatTable, grouped};
use crate::results::{MEASUREMENTS, Status, find};

/// What is shown if nothing else is asked for.
const DEFAULT_METRIC: &str = "milliseconds";
/// The same of an instrumented run, whose times say nothing.
const DEFAULT_MEASUREMENT: &str = "text_bytes_read";

/// Compute figures from a saved run: one metric, any statistics of it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay report results/ID                             median time of preparation and search
  assay report ID --metric gbps --call search         throughput of the search alone
  assay report ID --stat min,med,max --discard-first  spread, without each first repetition
  assay report ID --metric text_bytes_read            a measurement of a run with --stats algo
  assay report ID --stat all --format csv             every repetition, for other programs")]
pub struct Args {
    /// The saved run: its folder, a file in it, or its id (the beginning is enough)
    result: String,
    /// What to compute of each repetition: a metric (see `assay list metric`), or a counter or another column of
    /// measurements.csv [default: milliseconds; of an instrumented run text_bytes_read]
    #[arg(long, value_name = "METRIC")]
    metric: Option<String>,
    /// Statistics over the repetitions, separated by commas (see `assay list statistic`)
    #[arg(long, value_name = "STAT", value_delimiter = ',', default_value = "med")]
    stat: Vec<String>,
    /// Which phases are included
    #[arg(long, default_value = "all", value_parser = calls())]
    call: Calls,
    /// What the columns of the table are
    #[arg(long, default_value = "range")]
    by: By,
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

/// One phase, or all of them. An alias, since clap takes an `Option` for an argument that may be left out.
type Calls = Option<Call>;

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
    let mut report = Report::load(&find(&args.result, &args.out)?)?;
    if args.discard_first {
        report = report.discard_first_repetitions();
    }
    let registry = session.registry()?;
    let quantity = quantity(args.metric.as_deref(), &report, &registry)?;
    check(&quantity, &args, &report)?;
    let statistics: Vec<statistic::Entry> =
        args.stat.iter().map(|id| registry.statistic(id)).collect::<Result<_>>()?;
    let table = StatTable::new(&report, &quantity, args.call, &statistics)?;
    let text = match args.format {
        Format::Table => {
            heading(&args, &report, &quantity, &statistics, &table) + &table.wide().render(Format::Table)
        }
        Format::Csv => table.long().render(Format::Csv),
        Format::Json => format!("{:#}\n", table.json()),
    };
    session.console.print(&text)?;
    if let Quantity::Metric(metric) = &quantity {
        for input in report.missing_inputs(metric) {
            session.console.note(&missing(metric, input, &registry));
        }
    }
    for line in without_result(&report) {
        session.console.note(&line);
    }
    Ok(Outcome::Done)
}

/// A metric of this name, or else what was measured under it.
fn quantity(name: Option<&str>, report: &Report, registry: &Registry) -> Result<Quantity> {
    let instrumented = report.facts.instrumented();
    let name = name.unwrap_or(if instrumented { DEFAULT_MEASUREMENT } else { DEFAULT_METRIC });
    let metrics = registry.of_kind(Kind::Metric).map(|listing| listing.id.as_str());
    if metrics.clone().any(|id| id == name) {
        return registry.metric(name).map(Quantity::Metric);
    }
    let measured = Quantity::Measured(name.to_owned());
    if report.is_by_call(&measured) || report.columns().any(|column| column == name) {
        return Ok(measured);
    }
    Err(unknown("metric", name, metrics.chain(report.columns())))
}

/// Refuses figures that would mislead.
fn check(quantity: &Quantity, args: &Args, report: &Report) -> Result<()> {
    let name = quantity.name();
    let by_call = report.is_by_call(quantity);
    let misleads = match quantity {
        Quantity::Metric(_) => by_call,
        Quantity::Measured(_) => !report.measurements().any(|column| column == name),
    };
    if report.facts.instrumented() && misleads {
        let measured: Vec<&str> = report.measurements().collect();
        return Err(Error::new(format!(
            "`{name}` says nothing of an instrumented run: what it took is mostly the counting"
        ))
        .remedy(format!("measure with `--stats perf`; this run has {}", measured.join(", "))));
    }
    if !by_call && args.call.is_some() {
        return Err(Error::new(format!("`{name}` is not measured by call")).remedy("leave out `--call`"));
    }
    Ok(())
}

/// Between two lines of one fact in the heading.
const NEXT_LINE: &str = "\n             ";

/// What exactly the figures are.
fn heading(
    args: &Args,
    report: &Report,
    quantity: &Quantity,
    statistics: &[statistic::Entry],
    table: &StatTable,
) -> String {
    let unit = Some(report.unit(quantity)).filter(|unit| !unit.is_empty());
    let formula = match quantity {
        Quantity::Metric(metric) => metric.facts.get("formula").unwrap_or("computed by its plugin"),
        Quantity::Measured(_) => "as measured",
    };
    let included = match (quantity, args.call) {
        (Quantity::Measured(name), _) if !report.is_by_call(quantity) => {
            format!("what the column `{name}` of {MEASUREMENTS} holds")
        }
        (_, None) => "preparation and search".to_owned(),
        (_, Some(Call::Prepare)) => "preparation alone".to_owned(),
        (_, Some(Call::Search)) => "search alone".to_owned(),
    };
    let repetitions = match table.repetitions() {
        None => "none".to_owned(),
        Some((least, most)) if least == most => most.to_string(),
        Some((least, most)) => format!("{least} to {most}"),
    };
    let first = if args.discard_first { "the first discarded" } else { "the first included" };
    let text = &report.facts.text;
    let statistic = |statistic: &statistic::Entry| {
        format!("{}: {}", statistic.facts.id, statistic.facts.get("summary").unwrap_or_default())
    };
    let columns = match args.by {
        By::Range => "pattern length in bytes",
    };
    let facts = [
        (
            "metric",
            format!("{}{} = {formula}", quantity.name(), unit.map_or(String::new(), |u| format!(" in {u}"))),
        ),
        // What a metric's formula leaves open stands right below it.
        ("counter", counters(report, quantity).join(NEXT_LINE)),
        ("statistic", statistics.iter().map(statistic).collect::<Vec<_>>().join(NEXT_LINE)),
        ("included", included),
        ("repetitions", format!("{repetitions} of each algorithm and pattern length, {first}")),
        ("text", format!("{}, {} bytes", text.sources.join(", "), grouped(text.bytes as f64, 0))),
        ("run", report.facts.id.clone()),
        ("columns", columns.to_owned()),
    ];
    let told = facts.iter().filter(|(_, value)| !value.is_empty());
    told.map(|(name, value)| format!("{name:<11}  {value}\n")).collect()
}

/// Which counters are behind the figures, where the name of the quantity doesn't say; and which of them are levels.
fn counters(report: &Report, quantity: &Quantity) -> Vec<String> {
    let level = |counter: &Counter| match counter.is_level {
        true => ": a level, as it was read last",
        false => "",
    };
    match quantity {
        Quantity::Metric(metric) => {
            let events = report.events(metric).into_iter();
            events.map(|(input, counter)| format!("{input} = {}{}", counter.name, level(counter))).collect()
        }
        Quantity::Measured(name) => {
            let counter = report.counter(name).filter(|counter| counter.is_level).into_iter();
            counter.map(|counter| format!("{name}{}", level(counter))).collect()
        }
    }
}

/// Why a metric has no figures, and how to get them.
fn missing(metric: &metric::Entry, input: &str, registry: &Registry) -> String {
    let id = &metric.facts.id;
    let what = format!("`{id}` needs `{input}`, which this run did not measure");
    if [inputs::CORE_HZ, inputs::TSC_HZ].contains(&input) {
        return format!("{what}: assay does not measure the frequency of clocks yet");
    }
    if input.contains(':') {
        return format!("{what}; measure again with `--counters {input}`");
    }
    match counters_of(input, registry).as_slice() {
        [] => format!("{what}, and no counter backend counts it here"),
        counters => format!("{what}; measure again with `--counters {}`", counters.join("` or `--counters ")),
    }
}

/// The counters that count an event here, as `backend:event`.
fn counters_of(event: &str, registry: &Registry) -> Vec<String> {
    let mut events = Events::new(registry);
    let counters = registry.of_kind(Kind::Counter).map(|listing| format!("{}:{event}", listing.id));
    counters.filter(|counter| events.choose(counter).is_ok()).collect()
}

/// Which rows do not count, and why.
fn without_result(report: &Report) -> Vec<String> {
    let raw = report.rawdata();
    let mut rows: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in (0..raw.len()).filter(|&row| raw.status(row) != Status::Ok.name()) {
        *rows.entry((raw.algorithm(row), raw.status(row))).or_default() += 1;
    }
    let line = |((algorithm, status), count): ((&str, &str), usize)| {
        let rows = if count == 1 { "1 row does".to_owned() } else { format!("{count} rows do") };
        format!("{algorithm}: {rows} not count: {}", status.replace('_', " "))
    };
    rows.into_iter().map(line).collect()
}
