//! `assay compare`: the differences between saved runs.

mod ranks;
mod tables;

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;
use assay_base::io::output_format::OutputFormat;
use assay_report::RangeAxis;
use assay_report::Report;
use assay_report::agreement::agreement;
use assay_report::compare::{RunComparison, compare_runs};
use assay_report::export::paper::label;
use assay_report::export::picture::Picture;
use assay_report::export::picture::ratios::RatioChart;
use assay_report::setup::{SetupDifferences, conditions, setup_differences};
use assay_store::{USUAL, find, listing};
pub(in crate::cli) use ranks::rank_sheets;
use tables::{ComparedReports, not_compared, sheets};

use super::export::{ComparisonExport, Content};
use super::report::{CallChoice, call_choice};
use super::subset::SubsetOptions;
use super::{Outcome, Session};

/// Compare saved runs: what is faster, slower or the same
///
/// All are compared with the first, beyond noise. What differs between the runs besides their times (machine,
/// libraries, seed, every setting) is shown first. Runs on different texts are refused, because their ratios
/// say nothing about the algorithms.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay compare 20260102-03 last                before and now
  assay compare results/A results/B results/C   a series: where times changed
  assay compare results/A last --call all --format markdown
  assay compare results/A last --fail-if-slower 5%
  assay compare results/A last --to ratios.svg   a picture of the ratios
  assay compare all/A all/B --ranks              do the CPUs rank alike?
  assay compare results/A last --only hor        this algorithm alone

Of more than two runs, one table has the ratios of all of them to the first, and names the runs at which times \
changed: where they differ from those of the run before.

A run is named by its id (the beginning is enough), its folder or a file in it; `last` is the newest.

Intervals cover differences between rounds and processes, but not changes from run to run. Differences up to 2 % are \
therefore not reported, nor those that the speed of the machine explains. The legend gives the limits, and \"Two runs\" \
in the book the reasons.

Runs with the same seed, text, rounds and --runs (and --runs-by) are compared pattern by pattern, others by \
the medians of their rounds.

--ranks never compares times of two runs. It says on how many CPUs the ranks agree, and how alike the orders are \
(Kendall's tau). Runs of one text are compared with each other; if each run has a text of its \
own, all are.

For CI: --fail-if-slower ends with exit status 1 if anything is significantly slower by more than that \
(p < 0.05, corrected for all comparisons), or fails or has no times where it had some before.")]
pub(super) struct Args {
    /// The saved runs; all are compared with the first, or with each other by --ranks
    #[arg(required = true, num_args = 1.., value_name = "RESULT")]
    results: Vec<String>,
    /// Which calls are included: prepare, search (the default), all, or one by its name, such as search3
    #[arg(long, value_parser = call_choice())]
    call: Option<CallChoice>,
    /// Exit with 1 if anything is slower by more: 5%
    ///
    /// Beyond noise; `5` is 5%
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_if_slower: Option<f64>,
    /// Compare runs on different texts, too
    #[arg(long)]
    force: bool,
    /// Compare ranks, not times
    ///
    /// For runs of several CPUs, or of several texts
    #[arg(long, conflicts_with_all = ["fail_if_slower", "force"])]
    ranks: bool,
    /// Leave out the first repetition of each algorithm and pattern length, unless it is the only one
    #[arg(long)]
    discard_first: bool,
    /// The folder of saved runs
    #[arg(long, value_name = "DIR", default_value = USUAL)]
    out: PathBuf,
    #[command(flatten)]
    subset: SubsetOptions,
    #[command(flatten)]
    export: ComparisonExport,
}

/// A share from `5%` or `5`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>().ok();
    number
        .filter(|percent| percent.is_finite() && *percent >= 0.0)
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "a share in percent is expected, such as 5%".to_owned())
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let target = args.export.open(args.ranks)?;
    let (reports, call) = CallChoice::select(args.call.as_ref(), args.load()?)?;
    let mut reports = args.subset.reduced(reports, None, call, session)?;
    reports.iter().for_each(|report| session.note_changed_ids(report));
    if args.ranks {
        let sheets = rank_sheets(&agreement(&reports, call)?.checked(&reports)?, &reports, call, true);
        let content = sheets.content(target.form, &label(&reports[0].facts.id, "ranks"), false)?;
        target.deliver(&content, console)?;
        return Ok(Outcome::Done);
    }
    let first = reports.remove(0);
    let later = reports;
    let differences = args.differences(&first, &later)?;
    let found = compare_runs(&first, &later, call, args.fail_if_slower)?;
    args.check_compared(&found)?;
    let compared =
        ComparedReports { first: &first, later: &later, differences: &differences, call, found: &found };
    let is_apart = [OutputFormat::Csv, OutputFormat::Json, OutputFormat::Parquet].contains(&target.form);
    if is_apart || target.form.is_picture() {
        warn_apart_from_data(&compared, console);
    }
    let content = if target.form.is_picture() {
        Content::picture(&picture(&compared)?, target.form)
    } else {
        let sheets = sheets(&compared, args.fail_if_slower);
        sheets.content(target.form, &label(&first.facts.id, "compared"), false)?
    };
    target.deliver(&content, console)?;
    for report in std::iter::once(&first).chain(&later) {
        if let Some(changed) = report.changed() {
            console.warn(&format!("{}: {changed}", report.facts.id));
        }
    }
    Ok(args.fail_if_slower.map_or(Outcome::Done, |limit| gate(limit, &found, console)))
}

/// A picture of the ratios.
///
/// # Errors
/// If no ratio has an interval.
fn picture(compared: &ComparedReports<'_>) -> Result<Picture> {
    let ComparedReports { first, later, call, found, .. } = *compared;
    let chart = RatioChart::new(first, later, call, found);
    if chart.is_empty() {
        return Err(Error::new("there is no ratio to draw: a run has one round")
            .remedy("measure with several `--rounds`; the table has what is known"));
    }
    let ids: Vec<&str> = later.iter().map(|report| report.facts.id.as_str()).collect();
    let title = format!("{}: {}, compared with {}", chart.quantity, ids.join(", "), first.facts.id);
    Ok(Picture::of_ratios(chart, title))
}

/// Prints to standard error the notes that tables have in their headings and legends, because data for
/// programs and pictures have no room for them.
fn warn_apart_from_data(compared: &ComparedReports<'_>, console: &Console) {
    let ComparedReports { first, later, differences, found, .. } = compared;
    if let Some(subset) = &first.facts.subset {
        console.note(subset);
    }
    for report in std::iter::once(*first).chain(*later) {
        warn_of_run(report, conditions(&report.facts), console);
    }
    for ((report, lines), run) in later.iter().zip(*differences).zip(&found.runs) {
        warn_of_run(report, lines.iter().map(|line| format!("differs: {line}")), console);
        warn_of_run(report, not_compared(&run.not_compared, &RangeAxis::new(&report.facts)), console);
    }
}

/// Prints lines about a run, with its id.
fn warn_of_run(report: &Report, lines: impl IntoIterator<Item = String>, console: &Console) {
    for line in lines {
        console.warn(&format!("{}: {line}", report.facts.id));
    }
}

/// The exit status for `--fail-if-slower`; warnings have the number of comparisons that are slower or fail.
fn gate(limit: f64, found: &RunComparison, console: &Console) -> Outcome {
    let times = found.runs.iter().flat_map(|run| run.cells.iter().chain(&run.overall));
    let slow = times.filter(|times| times.too_slow).count();
    let failing = new_failures(found);
    if slow > 0 {
        let percent = 100.0 * limit;
        console.warn(&format!(
            "significantly slower by more than {percent} %: {slow} of {} comparisons",
            found.comparisons
        ));
    }
    if failing > 0 {
        console.warn(&format!("{failing} that did not fail before, or had all times: see above"));
    }
    if slow + failing > 0 { Outcome::SomethingFailed } else { Outcome::Done }
}

/// The number of cells that fail, or miss times, and did not in the first run.
fn new_failures(found: &RunComparison) -> usize {
    let all = found.runs.iter().flat_map(|run| &run.not_compared);
    all.filter(|cell| cell.reason.is_new_failure()).count()
}

impl Args {
    /// The differences between the first run and each later one, a line each.
    ///
    /// # Errors
    /// If ratios would be meaningless, unless `--force` is given.
    fn differences(&self, first: &Report, later: &[Report]) -> Result<Vec<Vec<String>>> {
        let mut differences = Vec::new();
        for report in later {
            let SetupDifferences { mut meaningless, notable } =
                setup_differences(&first.facts, &report.facts);
            if let (Some(reason), false) = (meaningless.first(), self.force) {
                return Err(Error::new(format!("the runs did not do the same: {reason}")).remedy(
                    "ratios would show what differs, not which algorithm is faster; repeat one run like the \
                     other, or compare them all the same with --force",
                ));
            }
            meaningless.extend(notable);
            differences.push(meaningless);
        }
        Ok(differences)
    }

    /// Refuses runs without any cells that can be compared. With `--fail-if-slower`, a new failure is a
    /// result, too, so such runs are not refused.
    fn check_compared(&self, found: &RunComparison) -> Result<()> {
        if self.fail_if_slower.is_some() && new_failures(found) > 0 {
            return Ok(());
        }
        if found.runs.iter().all(|run| run.cells.is_empty()) {
            let mut reasons: Vec<&str> = Vec::new();
            for cell in found.runs.iter().flat_map(|run| &run.not_compared) {
                if !reasons.contains(&cell.reason.words()) {
                    reasons.push(cell.reason.words());
                }
            }
            let message = format!("nothing that both runs have can be compared: {}", reasons.join(", "));
            return Err(Error::new(message).remedy("`assay report RESULT` shows what each of them has"));
        }
        if self.fail_if_slower.is_some() && found.comparisons == 0 {
            return Err(Error::new("--fail-if-slower can't decide: a run has one round")
                .remedy("measure with several --rounds, in `interleaved` or `shuffled` --order"));
        }
        Ok(())
    }

    /// The reports on the runs, which must be different ones.
    fn load(&self) -> Result<Vec<Report>> {
        // The parser counts the words before and after an option separately, so it can't do this.
        if let [result] = self.results.as_slice() {
            return Err(Error::new(format!(
                "`{result}` is named alone, and a comparison needs two saved runs"
            ))
            .remedy(format!("name another one; {} lists them", listing(&self.out))));
        }
        let mut places = Vec::new();
        for result in &self.results {
            let place = find(result, &self.out)?;
            let same = std::fs::canonicalize(&place).unwrap_or_else(|_| place.clone());
            if places.iter().any(|(_, other)| *other == same) {
                return Err(Error::new(format!("`{result}` is named twice: {}", place.display()))
                    .remedy(format!("name different runs; {} lists them", listing(&self.out))));
            }
            places.push((place, same));
        }
        let mut reports = Vec::new();
        for (place, _) in &places {
            let report = Report::load(place)?;
            reports.push(if self.discard_first { report.discard_first_repetitions() } else { report });
        }
        Ok(reports)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_share_in_percent() {
        for (text, share) in [("5%", 0.05), ("5", 0.05), ("0.5 %", 0.005), ("0", 0.0), ("150%", 1.5)] {
            assert_eq!(percent(text), Ok(share), "{text}");
        }
        for text in ["", "%", "x%", "-5%", "inf", "NaN%", "5%%x"] {
            assert!(percent(text).is_err(), "{text}");
        }
    }
}
