//! The figures that `report` and `run --metric` print.

use assay_base::columns;
use assay_base::error::{Error, Result, excerpt, unknown};
use assay_base::io::console::Console;
use assay_base::io::fold::{self, for_output};
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::Table;
use assay_counting::sets::EventSets;
use assay_load::plugin::{Kind, Registry, Statistic};
use assay_plugin_api::inputs;
use assay_report::RangeAxis;
use assay_report::export::paper::PaperTable;
use assay_report::export::picture::PictureKind;
use assay_report::export::{caption, chart, figures, paper};
use assay_report::{Call, IntervalPlace, Quantity, Report, SetFormula, StatTable};

use super::figure_request::{FigureRequest, IncludedCalls, MetricFigures};
use super::heading::{counters_of, heading};
use super::notes::{missing, note_failures, note_gaps, note_times};
use crate::cli::Outcome;
use crate::cli::export::{Content, Target};

/// The default metric: the time that `run` shows.
const DEFAULT_METRIC: &str = "microseconds";
/// The default for an instrumented run, whose times say nothing about the algorithms.
const DEFAULT_MEASUREMENT: &str = "text_bytes_read";

/// Inputs that are valid for an instrumented run, because they are declared or describe the text and the
/// pattern.
const UNTIMED: [&str; 6] = [
    inputs::FLOPS,
    inputs::PEAK_GFLOPS,
    inputs::TEXT_LENGTH,
    inputs::PATTERN_LENGTH,
    inputs::OCCURRENCES,
    inputs::THREADS,
];

/// The statistic that `run` prints and that pictures show.
pub(crate) const MEDIAN: &str = "med";

impl FigureRequest {
    /// Checks that the run has the figures that are asked for.
    ///
    /// # Errors
    /// As for [`print`](Self::print).
    pub(crate) fn check(&self, report: &Report, registry: &Registry) -> Result<()> {
        self.quantities(report, registry).try_for_each(|quantity| quantity.map(drop))
    }

    /// Checks that the run measured the inputs of the metrics that are asked for.
    ///
    /// # Errors
    /// If there is no such metric, or an input of one was not measured, with the way to measure it.
    pub(crate) fn check_inputs(&self, report: &Report, registry: &Registry) -> Result<()> {
        for quantity in self.quantities(report, registry) {
            let quantity = quantity?;
            let inputs = report.missing_inputs(&quantity).into_iter();
            let reasons: Vec<String> =
                inputs.map(|input| missing(report, quantity.name(), input, registry)).collect();
            if !reasons.is_empty() {
                return Err(Error::new(reasons.join("; and "))
                    .remedy("or choose another metric: `assay list metrics` shows what each needs"));
            }
        }
        Ok(())
    }

    /// The metrics or columns that are asked for by name.
    fn quantities(&self, report: &Report, registry: &Registry) -> impl Iterator<Item = Result<Quantity>> {
        self.metrics.iter().map(|name| {
            let quantity = quantity(Some(name), report, registry)?;
            self.calls(&quantity, report)?;
            Ok(quantity)
        })
    }

    /// Computes the figures and delivers them. If a metric or a statistic fails, its figures are missing, and
    /// a warning says so. `others` are runs that are drawn together with this one.
    ///
    /// # Errors
    /// If something asked for does not exist, or its figures would mislead; or if it can't be delivered.
    pub(crate) fn print(
        &self,
        report: &Report,
        others: &[Report],
        registry: &Registry,
        target: Target,
        console: &Console,
    ) -> Result<Outcome> {
        let report = &self.adapted(report);
        if self.picture.chart || target.form.is_picture() {
            self.draw(report, others, registry, target, console)?;
            note_failures(report, console);
            return Ok(Outcome::Done);
        }
        let statistics: Vec<Statistic> =
            self.statistics.iter().map(|id| statistic(id, registry)).collect::<Result<_>>()?;
        let names: Vec<Option<&str>> = match self.metrics.as_slice() {
            [] => vec![None],
            names => names.iter().map(|name| Some(name.as_str())).collect(),
        };
        let mut all = Vec::new();
        for name in names {
            let quantity = quantity(name, report, registry)?;
            let calls = self.calls(&quantity, report)?;
            let mut table = StatTable::new(report, &quantity, calls, &statistics);
            let style = self.style.in_format(target.form);
            if style.supported_only || style.interval != IntervalPlace::None {
                table = table.with_intervals(report, &quantity, calls);
            }
            all.push(MetricFigures { quantity, calls, table });
        }
        let content = self.content(report, &all, &statistics, target.form)?;
        target.deliver(&content, console)?;
        let faults: Vec<&str> = all.iter().flat_map(|figures| figures.table.faults()).collect();
        for fault in &faults {
            console.warn(&format!("{fault}; its figures are missing"));
        }
        for MetricFigures { quantity, table, .. } in &all {
            let inputs = report.missing_inputs(quantity);
            for input in &inputs {
                console.note(&missing(report, quantity.name(), input, registry));
            }
            if !table.is_empty() {
                note_gaps(report, quantity.name(), table.gaps(), console);
            } else if inputs.is_empty() && faults.is_empty() {
                console.note(&format!("{}: no value in any repetition that counts", quantity.name()));
            }
        }
        let counters: Vec<String> =
            all.iter().flat_map(|figures| counters_of(report, &figures.quantity)).collect();
        report.subtraction_notes(&counters).iter().for_each(|note| console.warn(note));
        note_failures(report, console);
        Ok(if faults.is_empty() { Outcome::Done } else { Outcome::SomethingFailed })
    }

    /// The report with the repetitions that are to count, and with the overhead subtracted if that is asked
    /// for.
    fn adapted(&self, report: &Report) -> Report {
        let mut report = report.clone();
        if self.include_failed {
            report = report.include_failed_cells();
        }
        if self.discard_first {
            report = report.discard_first_repetitions();
        }
        if self.subtract_overhead {
            report = report.subtract_overhead();
        }
        report
    }

    /// The figures in a form that is not drawn.
    fn content(
        &self,
        report: &Report,
        all: &[MetricFigures],
        statistics: &[Statistic],
        form: OutputFormat,
    ) -> Result<Content> {
        let style = self.style.in_format(form);
        let caption = |figures: &MetricFigures| {
            caption::of_table(report, &figures.quantity, figures.calls, &figures.table, statistics, style)
        };
        let blocks =
            |block: &dyn Fn(&MetricFigures) -> String| all.iter().map(block).collect::<Vec<_>>().join("\n");
        Ok(Content::Text(match form {
            OutputFormat::Csv => long_table(all).render(OutputFormat::Csv),
            OutputFormat::Json => {
                let figures = all.iter().flat_map(|figures| figures.table.figures()).collect();
                let object = figures::RunFigures::new(&report.facts, figures);
                serde_json::to_string_pretty(&object).expect("texts and numbers") + "\n"
            }
            OutputFormat::Markdown => {
                blocks(&|figures| paper::markdown(&figures.table.wide(style), &caption(figures)))
            }
            OutputFormat::Latex => {
                let axis = RangeAxis::new(&report.facts);
                let tables = blocks(&|figures| {
                    PaperTable {
                        table: &figures.table.wide(style),
                        axis: Some(&axis),
                        caption: &caption(figures),
                        label: &paper::label(&report.facts.id, figures.quantity.name()),
                        siunitx: self.style.siunitx,
                    }
                    .latex()
                });
                paper::document(&tables)
            }
            OutputFormat::Parquet => return Content::parquet(&long_table(all)),
            OutputFormat::Table
            | OutputFormat::Html
            | OutputFormat::Svg
            | OutputFormat::Png
            | OutputFormat::Pdf
            | OutputFormat::Benchstats => blocks(&|figures| {
                let heading = heading(self, report, figures, statistics);
                let lines =
                    figures.table.legend().into_iter().chain(figures.table.legend_of_intervals(style));
                let legend: String = lines.map(|line| line + "\n").collect();
                heading + &figures.table.wide(style).render(OutputFormat::Table) + &for_output(&legend, 2)
            }),
        }))
    }

    /// Draws the figures.
    fn draw(
        &self,
        report: &Report,
        others: &[Report],
        registry: &Registry,
        target: Target,
        console: &Console,
    ) -> Result<()> {
        if self.statistics != [MEDIAN] {
            return Err(
                Error::new("pictures show medians").remedy("leave out `--stat`, or choose a `--band`")
            );
        }
        if self.metrics.len() > 1 {
            return Err(Error::new("a picture shows one metric").remedy("draw one after the other"));
        }
        let quantity = quantity(self.metrics.first().map(String::as_str), report, registry)?;
        let call = self.calls(&quantity, report)?;
        let contest = self.picture.picture.and_then(PictureKind::contest).filter(|_| !self.picture.chart);
        let picture = match contest {
            Some(kind) => {
                if !self.metrics.is_empty() && !report.is_time(&quantity) {
                    return Err(Error::new(format!(
                        "who is best is told by time, not by `{}`",
                        quantity.name()
                    ))
                    .remedy("leave out `--metric`"));
                }
                let others = others.iter().map(|report| self.adapted(report));
                let all: Vec<Report> = std::iter::once(report.clone()).chain(others).collect();
                for report in &all {
                    note_times(report, call, console)?;
                }
                self.picture.of_contest(kind, &all, call)?
            }
            None => {
                let series = self.picture.series(report, &quantity, call)?;
                note_gaps(report, quantity.name(), series.gaps(), console);
                if self.picture.chart {
                    let width = fold::width(std::io::stdout());
                    return console.print(&chart::render(&series, width).unwrap_or_default());
                }
                self.picture.of_series(report, &quantity, call, series)?
            }
        };
        let content = Content::picture(&picture, target.form);
        target.deliver(&content, console)
    }

    /// The calls that a quantity includes; `None` for all, if it is not measured by call.
    fn calls(&self, quantity: &Quantity, report: &Report) -> Result<IncludedCalls> {
        let name = quantity.name();
        let by_call = report.is_by_call(quantity);
        let misleads = match quantity {
            Quantity::Metric(metric) => {
                by_call && metric.inputs.iter().any(|input| !UNTIMED.contains(&&**input))
            }
            Quantity::Formula(_) => by_call,
            Quantity::Measured(_) => !report.measurements().any(|column| column == name),
        };
        if report.facts.instrumented() && misleads {
            let measured: Vec<&str> = report.measurements().collect();
            return Err(Error::new(format!(
                "`{name}` is not available for an instrumented run, because most of its time is spent on counting"
            ))
            .remedy(format!("measure with `--stats perf`; this run has {}", measured.join(", "))));
        }
        if !by_call && self.calls.flatten().is_some() {
            return Err(Error::new(format!("`{name}` is not measured by call")).remedy("leave out `--call`"));
        }
        Ok(if by_call { self.calls.unwrap_or(Some(Call::Search)) } else { None })
    }
}

/// The figures of all metrics as the rows of one table, for programs.
fn long_table(all: &[MetricFigures]) -> Table {
    let mut tables = all.iter().map(|figures| figures.table.long());
    let mut first = tables.next().expect("there is a default");
    first.rows.extend(tables.flat_map(|table| table.rows));
    first
}

/// The metric of this name, or else the counter or column of this name.
fn quantity(name: Option<&str>, report: &Report, registry: &Registry) -> Result<Quantity> {
    let instrumented = report.facts.instrumented();
    let usual = if instrumented { DEFAULT_MEASUREMENT } else { DEFAULT_METRIC };
    let name = name.or(report.first_counter()).unwrap_or(usual);
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

/// The metric `set.metric` of an event set: of a set that the run counted, as it was defined then, or else of
/// a set that is known here.
fn set_formula(name: &str, report: &Report, registry: &Registry) -> Result<Option<SetFormula>> {
    let Some((set, _)) = name.split_once('.') else { return Ok(None) };
    if let Some(formula) = report.facts.event_sets.iter().find_map(|set| SetFormula::find(set, name)) {
        return Ok(Some(formula));
    }
    let known = EventSets::among(registry.folders());
    if !known.names().any(|known| known == set) {
        return Ok(None);
    }
    let set = known.find(set)?;
    let ids = set.metrics.iter().map(|metric| format!("{}.{}", set.name, metric.name)).collect::<Vec<_>>();
    SetFormula::find(&set, name)
        .map(Some)
        .ok_or_else(|| unknown("metric", name, ids.iter().map(String::as_str)))
}

/// A statistic by its id. If the id is unknown, the error suggests the statistic whose summary has this word.
fn statistic(id: &str, registry: &Registry) -> Result<Statistic> {
    registry.statistic(id).map_err(|error| {
        let word = id.to_lowercase();
        let mut similar = registry.of_kind(Kind::Statistic).filter_map(|listing| {
            let (_, summary) = listing.facts.iter().find(|(name, _)| name == "summary")?;
            let lower_case = summary.to_lowercase();
            let (place, found) =
                lower_case.split_whitespace().enumerate().find(|(_, found)| bare(found) == word)?;
            // "The median: .." is a name, and "The median of .." is not.
            let goes_on = bare(found) == found;
            Some((place, goes_on, listing.id.as_str(), summary.as_str()))
        });
        // A summary begins with the quantity, so the earliest word is the best guess.
        let meant = similar.by_ref().min();
        match meant {
            Some((.., meant, summary)) => Error::new(format!("unknown statistic `{}`", excerpt(id)))
                .remedy(format!("did you mean {meant}? ({summary})")),
            None => error,
        }
    })
}

/// A word without the point or comma after it.
fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric())
}
