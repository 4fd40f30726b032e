//! The figures that `report` prints, and `run --metric`.

use std::collections::BTreeMap;

use assay_plugin_api::inputs;

use crate::cli::Outcome;
use crate::columns;
use crate::counters::Events;
use crate::counters::sets::EventSets;
use crate::error::{Error, Result, excerpt, unknown};
use crate::io::console::Console;
use crate::io::fold::for_output;
use crate::io::numbers::grouped;
use crate::io::table::Format;
use crate::plugin::{Kind, Metric, Registry, Statistic};
use crate::report::{Call, Counter, Quantity, Report, SetFormula, StatTable};
use crate::results::overhead::below_zero;
use crate::results::{BLOCKS, MEASUREMENTS};

/// What is computed if nothing else is asked for: the time that `run` shows.
const DEFAULT_METRIC: &str = "microseconds";
/// The same of an instrumented run, whose times say nothing.
const DEFAULT_MEASUREMENT: &str = "text_bytes_read";

/// Which calls are included: one, or with `None` all of them.
pub type Calls = Option<Call>;

/// What is asked of a run.
pub struct Asked {
    /// Metrics or columns; the default where none is named.
    pub metrics: Vec<String>,
    /// Statistics over the repetitions.
    pub statistics: Vec<String>,
    /// Which calls are included; the search where that is not said.
    pub calls: Option<Calls>,
    /// Whether the repetitions of cells that failed later count.
    pub include_failed: bool,
    /// Whether each first repetition is left out.
    pub discard_first: bool,
    /// Whether counts are less what an empty call counts.
    pub subtract_overhead: bool,
    /// How to print.
    pub format: Format,
}

/// One metric of a run, computed.
struct Figures {
    quantity: Quantity,
    calls: Calls,
    table: StatTable,
}

impl Asked {
    /// Whether the run has what is asked of it.
    ///
    /// # Errors
    /// As for [`print`](Self::print).
    pub fn check(&self, report: &Report, registry: &Registry) -> Result<()> {
        for name in &self.metrics {
            self.calls(&quantity(Some(name), report, registry)?, report)?;
        }
        Ok(())
    }

    /// Computes and prints it. What a metric or a statistic fails at is missing, and said.
    ///
    /// # Errors
    /// If something asked for does not exist, or its figures would mislead.
    pub fn print(&self, report: &Report, registry: &Registry, console: &Console) -> Result<Outcome> {
        let (with_failed, discarded, subtracted);
        let mut report = report;
        if self.include_failed {
            with_failed = report.include_failed_cells();
            report = &with_failed;
        }
        if self.discard_first {
            discarded = report.discard_first_repetitions();
            report = &discarded;
        }
        if self.subtract_overhead {
            subtracted = report.subtract_overhead();
            report = &subtracted;
        }
        let statistics: Vec<Statistic> =
            self.statistics.iter().map(|id| statistic(id, registry)).collect::<Result<_>>()?;
        let names: Vec<Option<&str>> = match self.metrics.as_slice() {
            [] => vec![None],
            names => names.iter().map(|name| Some(name.as_str())).collect(),
        };
        let figures = |name: Option<&str>| {
            let quantity = quantity(name, report, registry)?;
            let calls = self.calls(&quantity, report)?;
            let table = StatTable::new(report, &quantity, calls, &statistics);
            Ok(Figures { quantity, calls, table })
        };
        let all = names.into_iter().map(figures).collect::<Result<Vec<_>>>()?;
        console.print(&match self.format {
            Format::Table => {
                let blocks = all.iter().map(|figures| {
                    let heading = heading(self, report, figures, &statistics);
                    let legend: String = figures.table.legend().into_iter().map(|line| line + "\n").collect();
                    heading + &figures.table.wide().render(Format::Table) + &for_output(&legend, 2)
                });
                blocks.collect::<Vec<_>>().join("\n")
            }
            Format::Csv => {
                let mut tables = all.iter().map(|figures| figures.table.long());
                let mut first = tables.next().expect("there is a default");
                first.rows.extend(tables.flat_map(|table| table.rows));
                first.render(Format::Csv)
            }
            Format::Json => {
                let points = all.iter().flat_map(|figures| figures.table.json());
                format!("{:#}\n", serde_json::Value::Array(points.collect()))
            }
        })?;
        let faults: Vec<&str> = all.iter().flat_map(|figures| figures.table.faults()).collect();
        for fault in &faults {
            console.warn(&format!("{fault}; its figures are missing"));
        }
        for Figures { quantity, .. } in &all {
            for input in report.missing_inputs(quantity) {
                console.note(&missing(report, quantity.name(), input, registry));
            }
        }
        let below = report.below_zero();
        if !below.is_empty() {
            console.warn(&below_zero(&below.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        note_failures(report, console);
        Ok(if faults.is_empty() { Outcome::Done } else { Outcome::SomethingFailed })
    }

    /// The calls that a quantity includes; none is told apart where it is not measured by call.
    fn calls(&self, quantity: &Quantity, report: &Report) -> Result<Calls> {
        let name = quantity.name();
        let by_call = report.is_by_call(quantity);
        let misleads = match quantity {
            Quantity::Metric(_) | Quantity::Formula(_) => by_call,
            Quantity::Measured(_) => !report.measurements().any(|column| column == name),
        };
        if report.facts.instrumented() && misleads {
            let measured: Vec<&str> = report.measurements().collect();
            return Err(Error::new(format!(
                "`{name}` says nothing of an instrumented run: what it took is mostly the counting"
            ))
            .remedy(format!("measure with `--stats perf`; this run has {}", measured.join(", "))));
        }
        if !by_call && self.calls.flatten().is_some() {
            return Err(Error::new(format!("`{name}` is not measured by call")).remedy("leave out `--call`"));
        }
        Ok(if by_call { self.calls.unwrap_or(Some(Call::Search)) } else { None })
    }
}

/// A metric of this name, or else what was measured under it.
fn quantity(name: Option<&str>, report: &Report, registry: &Registry) -> Result<Quantity> {
    let instrumented = report.facts.instrumented();
    let name = name.unwrap_or(if instrumented { DEFAULT_MEASUREMENT } else { DEFAULT_METRIC });
    let metrics = registry.of_kind(Kind::Metric).map(|listing| listing.id.as_str());
    if metrics.clone().any(|id| id == name) {
        return registry.metric(name).map(Quantity::Metric);
    }
    if let Some(formula) = set_formula(name, report, registry)? {
        return Ok(Quantity::Formula(Box::new(formula)));
    }
    let measured = Quantity::Measured(name.to_owned());
    if report.is_by_call(&measured)
        || report.is_of_starts(&measured)
        || report.columns().any(|column| column == name)
    {
        return Ok(measured);
    }
    if !instrumented && (columns::instrumented().any(|column| column == name) || name.starts_with('#')) {
        return Err(Error::new(format!(
            "`{name}` is what an instrumented run counts, and this run measured times"
        ))
        .remedy("measure again with `--stats algo`"));
    }
    if columns::STARTS.contains(&name) {
        return Err(Error::new(format!("`{name}` is of the start of a worker, which this run did not time"))
            .remedy("measure again: a run times it that has workers of its own, and is neither instrumented nor simulated"));
    }
    Err(unknown("metric", name, metrics.chain(report.columns()).chain(columns::STARTS)))
}

/// The metric `set.metric` of an event set: of one that the run counted, as it was then, or of one that is known here.
fn set_formula(name: &str, report: &Report, registry: &Registry) -> Result<Option<SetFormula>> {
    let Some((set, _)) = name.split_once('.') else { return Ok(None) };
    if let Some(formula) = report.facts.event_sets.iter().find_map(|set| SetFormula::of(set, name)) {
        return Ok(Some(formula));
    }
    let known = EventSets::among(registry.folders())?;
    if !known.names().any(|known| known == set) {
        return Ok(None);
    }
    let set = known.find(set)?;
    let ids = set.metrics.iter().map(|metric| format!("{}.{}", set.name, metric.name)).collect::<Vec<_>>();
    SetFormula::of(&set, name)
        .map(Some)
        .ok_or_else(|| unknown("metric", name, ids.iter().map(String::as_str)))
}

/// A statistic by its id. One that others call differently is found by what is said of it.
fn statistic(id: &str, registry: &Registry) -> Result<Statistic> {
    registry.statistic(id).map_err(|error| {
        let word = id.to_lowercase();
        let mut said = registry.of_kind(Kind::Statistic).filter_map(|listing| {
            let (_, summary) = listing.facts.iter().find(|(name, _)| name == "summary")?;
            let words: Vec<String> = summary.to_lowercase().split_whitespace().map(bare).collect();
            Some((words.iter().position(|found| *found == word)?, listing.id.as_str(), summary.as_str()))
        });
        // What is told first is what it is about.
        let meant = said.by_ref().min();
        match meant {
            Some((_, meant, summary)) => Error::new(format!("unknown statistic `{}`", excerpt(id)))
                .remedy(format!("did you mean {meant}? ({summary})")),
            None => error,
        }
    })
}

/// A word without the point or comma behind it.
fn bare(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned()
}

/// Between two lines of one fact in the heading.
const NEXT_LINE: &str = "\n             ";

/// What exactly the figures are.
fn heading(asked: &Asked, report: &Report, figures: &Figures, statistics: &[Statistic]) -> String {
    let Figures { quantity, calls, table } = figures;
    let unit = Some(report.unit(quantity)).filter(|unit| !unit.is_empty());
    let formula = match quantity {
        Quantity::Metric(metric) => metric.facts.get("formula").unwrap_or("computed by its plugin"),
        Quantity::Formula(formula) => formula.metric.formula.as_str(),
        Quantity::Measured(_) => "as measured",
    };
    let included = match (quantity, calls) {
        (Quantity::Measured(name), _) if report.is_of_starts(quantity) => {
            format!(
                "what the column `{name}` of {BLOCKS} holds: once in each worker that began with this length"
            )
        }
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
    let first = if asked.discard_first { "the first discarded" } else { "the first included" };
    let failed = if asked.include_failed { ", those of cells that failed later too" } else { "" };
    let text = &report.facts.text;
    let statistic = |statistic: &Statistic| {
        format!("{}: {}", statistic.facts.id, statistic.facts.get("summary").unwrap_or_default())
    };
    let interrupted = if report.facts.interrupted { ", interrupted" } else { "" };
    let run = format!("{}{interrupted}", report.facts.id);
    let facts = [
        (
            "metric",
            format!("{}{} = {formula}", quantity.name(), unit.map_or(String::new(), |u| format!(" in {u}"))),
        ),
        // What a metric's formula leaves open stands right below it.
        ("counter", counters(report, quantity).join(NEXT_LINE)),
        ("statistic", statistics.iter().map(statistic).collect::<Vec<_>>().join(NEXT_LINE)),
        ("included", included),
        ("overhead", overhead(report)),
        ("core_hz", core_clock(report, quantity)),
        ("clock", report.clock_note.clone().unwrap_or_default()),
        match report.is_of_starts(quantity) {
            true => ("workers", format!("{repetitions} of each algorithm and pattern length")),
            false => (
                "repetitions",
                format!("{repetitions} of each algorithm and pattern length, {first}{failed}"),
            ),
        },
        ("text", format!("{}, {} bytes", text.sources.join(", "), grouped(text.bytes as f64, 0))),
        ("conditions", report.facts.conditions().join(NEXT_LINE)),
        ("run", run),
        ("columns", "pattern length in bytes".to_owned()),
    ];
    let told = facts.iter().filter(|(_, value)| !value.is_empty());
    let heading: String = told.map(|(name, value)| format!("{name:<11}  {value}\n")).collect();
    for_output(&heading, NEXT_LINE.len() - 1)
}

/// What was subtracted from which counts.
fn overhead(report: &Report) -> String {
    let subtracted = report.subtracted();
    let told = subtracted.iter().map(|(name, empty)| format!("{name} less {empty} of an empty call"));
    told.collect::<Vec<_>>().join(NEXT_LINE)
}

/// Which frequency is behind the figures of a metric that needs that of the core.
fn core_clock(report: &Report, quantity: &Quantity) -> String {
    let needed = |metric: &Metric| metric.inputs.iter().any(|input| input == inputs::CORE_HZ);
    match quantity {
        Quantity::Metric(metric) if needed(metric) => report.facts.machine.core_clock().unwrap_or_default(),
        _ => String::new(),
    }
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
        Quantity::Formula(formula) => {
            let named = formula.inputs.iter().filter(|input| report.counter(input).is_some());
            named.cloned().collect()
        }
        Quantity::Measured(name) => {
            let counter = report.counter(name).filter(|counter| counter.is_level).into_iter();
            counter.map(|counter| format!("{name}{}", level(counter))).collect()
        }
    }
}

/// Why a metric has no figures, and how to get them.
fn missing(report: &Report, id: &str, input: &str, registry: &Registry) -> String {
    let what = format!("`{id}` needs `{input}`, which this run did not measure");
    if [inputs::CORE_HZ, inputs::TSC_HZ].contains(&input) {
        return format!("{what}: timed runs do, where nothing disturbs it");
    }
    if input == inputs::NS {
        return format!("{what}: {}", report.clock_note.as_deref().unwrap_or("it is not a timed one"));
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

/// Says which rows do not count, and why.
pub fn note_failures(report: &Report, console: &Console) {
    let mut rows: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for cell in report.rawdata().cells() {
        for (status, count) in &cell.failed {
            *rows.entry((&cell.algorithm, status)).or_default() += count;
        }
    }
    let line = |((algorithm, status), count): ((&str, &str), usize)| {
        let rows = if count == 1 { "1 row does".to_owned() } else { format!("{count} rows do") };
        format!("{algorithm}: {rows} not count: {}", status.replace('_', " "))
    };
    rows.into_iter().map(line).for_each(|line| console.note(&line));
}
