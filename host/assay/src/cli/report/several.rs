//! `assay report` on several runs: one ranking over all of them, as tables, data or a page.

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::output_format::OutputFormat;
use assay_experiment::range::Over;
use assay_report::across::across_runs;
use assay_report::export::page::page_of_runs;
use assay_report::export::paper::label;
use assay_report::time_doubts::{self, cell_times};
use assay_report::{Call, Report};
use assay_store::Run;

use super::ranking::{RankedRuns, sheets};
use super::{Args, note_ends, note_failures, note_subset, note_times};
use crate::cli::export::Content;
use crate::cli::{Outcome, Session};

/// Refuses what a report on several runs does not have. `runs` are the words that name them.
///
/// # Errors
/// If there is such an option.
pub(super) fn check(args: &Args, runs: &str) -> Result<()> {
    let compares = args.baseline.is_some() || args.claim.is_some() || args.variance;
    let has_figures = !args.metric.is_empty() || args.stat != [super::MEDIAN] || args.include_failed;
    let has_style = !args.style.is_default() || !args.picture.is_default();
    if compares || has_figures || has_style || args.phases || args.subtract_overhead {
        return Err(Error::new("with this option, a report is about one saved run").remedy(format!(
            "without it, a report on several runs ranks the algorithms over all of them; `assay compare {runs}` compares \
             the times of the runs"
        )));
    }
    if args.export.format()?.is_picture() {
        return Err(Error::new("a picture of figures is about one saved run")
            .remedy("`--picture map` and `--picture profile` draw several runs together"));
    }
    Ok(())
}

/// Delivers the ranking over several runs. `places` are the folders of the runs.
///
/// # Errors
/// If the runs can't be ranked together, or the result can't be written.
pub(super) fn report(
    args: &Args,
    reports: Vec<Report>,
    places: &[PathBuf],
    call: Option<Call>,
    session: &Session,
) -> Result<Outcome> {
    let console = &session.console;
    if let Some(report) = reports.iter().find(|report| report.facts.over() == Over::Text) {
        return Err(Error::new(format!("the run {} has several texts of its own", report.facts.id))
            .remedy("name runs with one text each; `assay report RUN` shows a run with several"));
    }
    let target = args.export.open()?;
    let discarded =
        |report: Report| if args.discard_first { report.discard_first_repetitions() } else { report };
    let reports: Vec<Report> = reports.into_iter().map(discarded).collect();
    let across = across_runs(&reports, call)?;
    let results: Vec<Run> = reports.iter().map(Report::results).collect::<Result<_>>()?;
    let ranked = RankedRuns { reports: &reports, results: &results, call, across: &across };
    let content = if target.form == OutputFormat::Html {
        Content::Text(page_of_runs(&results, &across))
    } else {
        sheets(&ranked)?.content(target.form, &label(&reports[0].facts.id, "ranking"), args.style.siunitx)?
    };
    let (has_caption, is_data) = (target.form.has_caption(), target.form == OutputFormat::Csv);
    target.deliver(&content, console)?;
    if !has_caption {
        note_subset(&reports[0], console);
    }
    for ((report, run), place) in reports.iter().zip(&results).zip(places) {
        if is_data {
            note_times(report, call, console)?;
        }
        note_failures(report, console);
        time_doubts::report(&cell_times(run), console);
        note_ends(report, place, session);
    }
    Ok(Outcome::Done)
}
