//! `assay report`: the figures of saved runs, in every form.

mod baseline;
mod call_choice;
mod claim;
mod figure_request;
mod figure_style;
mod figures;
mod heading;
mod notes;
mod pictures;
mod ranking;
mod several;
mod variance;

use std::path::{Path, PathBuf};

use assay_report::wording;

pub(super) use baseline::of_call;
pub(super) use call_choice::{CallChoice, call_choice};
pub(super) use figure_request::{FigureRequest, IncludedCalls};
pub(super) use figure_style::FigureStyleOptions;
pub(super) use figures::MEDIAN;
pub(super) use notes::note_refusals;
use notes::{note_failures, note_subset, note_times};
pub(super) use pictures::PictureOptions;

use assay_base::error::{Error, Result};
use assay_base::io::output_format::OutputFormat;
use assay_report::Report;
use assay_report::export::overview::{self, TableOptions};
use assay_report::export::page::page;
use assay_report::export::paper::label;
use assay_report::export::picture::PictureKind;
use assay_report::time_doubts::{self, cell_times};
use assay_store::{MEASUREMENTS, Run, USUAL, find, is_measuring, newer_incomplete, resume_command};

use super::export::{Content, Export, Target};
use super::names::{self, NameList};
use super::subset::SubsetOptions;
use super::{Outcome, Session};

/// Show a saved run: figures, statistics, comparisons and pictures
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay report                         what `run` printed of the newest run
  assay report last --metric gbps,ns_per_byte
  assay report results/ID --call all   preparation and search together
  assay report last --call search3 --metric gbps   the third search alone
  assay report last --variance         would more repetitions help?
  assay report last --baseline hor     ratios to hor, with intervals
  assay report last --claim hor bndm   the same of two, in sentences to quote
  assay report ID --stat min,med,max --discard-first
  assay report ID --metric text_bytes_read
  assay report ID --stat all --format csv   every repetition, for programs
  assay report --chart                 lines over the pattern length
  assay report --to speed.svg          a picture; or .png, .pdf, .tex, .md ..
  assay report --to t.tex --interval cell   a table for a paper
  assay report --picture box --at 8,64 --to box.png
  assay report --top 5                 the best by rank (--sort m=64: there)
  assay report --only 'epsm.*' hor --at 64 --baseline hor
  assay report ID1 ID2 ID3             the ranking across texts or machines
  assay report ID1 ID2 --to both.html  the page of both
  assay report ID1 ID2 --picture map --to best.svg")]
pub(super) struct Args {
    /// The saved run: its folder, a file in it, its id (the beginning is enough), or `last` for the newest
    ///
    /// Several runs, such as those on several texts, are ranked together: a table and a page of all of them
    #[arg(default_value = "last", num_args = 1..)]
    result: Vec<String>,
    /// Ratios to the times of ALGO, pattern by pattern
    ///
    /// With intervals, which are significantly faster or slower, which are best or tied with the best, and a
    /// rank over all lengths
    #[arg(long, value_name = "ALGO", conflicts_with_all = FIGURES)]
    baseline: Option<String>,
    /// Say what the run shows of A, compared with B, in sentences to quote, each with its interval. No other
    /// comparison counts for their significance
    #[arg(long, value_names = ["A", "B"], num_args = 2, conflicts_with_all = ["baseline", "variance", "only", "not", "family", "top", "sort", "siunitx"], conflicts_with_all = FIGURES)]
    claim: Option<Vec<String>>,
    /// Show where the variance comes from (patterns, repetitions, rounds, processes), how much more of each
    /// would narrow the intervals, and which disturbances there were
    #[arg(long, conflicts_with = "baseline", conflicts_with_all = FIGURES)]
    variance: bool,
    /// Quantities: see `assay list metrics`
    ///
    /// What to compute of each repetition: metrics, counters or other columns of measurements.csv [default:
    /// what `run` printed; with other options microseconds, or text_bytes_read of an instrumented run]
    #[arg(long, value_name = "METRIC,..")]
    metric: Vec<NameList>,
    /// Statistics over the repetitions
    ///
    /// `assay list statistics` lists them
    #[arg(long, value_name = "STAT,..", value_delimiter = ',', default_value = MEDIAN)]
    stat: Vec<String>,
    /// Which calls are included: prepare, search (the default), all, or one by its name, such as search3
    ///
    /// A run of several searches or texts has search1, search2 .., and prepare1 .. if it prepares several
    /// times, in the order that "Each repetition" in the heading shows. These are also the names of their
    /// columns in measurements.csv. `search` is the sum of all searches
    #[arg(long, value_parser = call_choice())]
    call: Option<CallChoice>,
    /// Show the phases that happen once in each worker, too
    #[arg(long, conflicts_with_all = ["metric", "stat", "call", "include_failed", "discard_first", "format", "to", "picture", "chart"])]
    phases: bool,
    /// Include the repetitions before the failure of a cell. Such statistics flatter an algorithm, because
    /// they cover only what it survived
    #[arg(long)]
    include_failed: bool,
    /// Leave out the first repetition of each algorithm and pattern length, unless it is the only one
    #[arg(long)]
    discard_first: bool,
    /// Subtract from counts what a search that does nothing counts, as the run has measured it
    #[arg(long)]
    subtract_overhead: bool,
    /// The folder of saved runs
    #[arg(long, value_name = "DIR", default_value = USUAL)]
    out: PathBuf,
    #[command(flatten)]
    subset: SubsetOptions,
    #[command(flatten)]
    export: Export,
    #[command(flatten)]
    style: FigureStyleOptions,
    #[command(flatten)]
    picture: PictureOptions,
}

/// Refuses to subtract anything from the counts of several calls, or of several threads.
pub(super) fn check_overhead(has_several_calls: bool, has_several_threads: bool) -> Result<()> {
    let problem = match (has_several_calls, has_several_threads) {
        (false, false) => return Ok(()),
        (true, _) => {
            "what an empty call counts is that of one call, and a repetition of this run has several"
        }
        (false, true) => "what an empty call counts is that of one thread, and several search in this run",
    };
    Err(Error::new(problem)
        .remedy("leave out --subtract-overhead; `assay report --call search1` can subtract it from one call"))
}

/// Options of figures, which comparisons don't have.
const FIGURES: [&str; 10] = [
    "metric",
    "stat",
    "include_failed",
    "phases",
    "subtract_overhead",
    "precision",
    "interval",
    "picture",
    "band",
    "chart",
];

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let (result, others) = args.result.split_first().expect("there is a default");
    let is_ranking = !others.is_empty() && args.picture.picture.and_then(PictureKind::contest).is_none();
    if is_ranking {
        let place = (args.out != Path::new(USUAL)).then(|| format!(" --out {}", args.out.display()));
        several::check(&args, &(args.result.join(" ") + &place.unwrap_or_default()))?;
    }
    let place = find(result, &args.out)?;
    if let Some(newer) = newer_incomplete(result, &args.out) {
        session.console.note(&format!(
            "the newest run, {}, is not complete; name its id to see what it has measured",
            newer.id
        ));
    }
    let mut places = vec![place.clone()];
    for result in others {
        places.push(find(result, &args.out)?);
    }
    let reports: Vec<Report> = places.iter().map(|place| Report::load(place)).collect::<Result<_>>()?;
    let (reports, call) = CallChoice::select(args.call.as_ref(), reports)?;
    let (reports, claimed) = match args.claim.as_deref() {
        Some([subject, other]) => {
            let (reports, ids) = args.subset.of_two(reports, [subject, other], call, session)?;
            (reports, Some(ids))
        }
        _ => (args.subset.reduced(reports, args.baseline.as_deref(), call, session)?, None),
    };
    reports.iter().for_each(|report| session.note_changed_ids(report));
    if is_ranking {
        return several::report(&args, reports, &places, call, session);
    }
    let (report, others) = reports.split_first().expect("there is one");
    if args.subtract_overhead {
        let several_calls = !report.facts.calls.is_empty() && report.selected_call(call).is_none();
        check_overhead(several_calls, report.facts.threads > 1)?;
    }
    if args.baseline.is_some() || args.variance || claimed.is_some() {
        args.style.check(args.export.format()?)?;
        let target = args.export.open_for_tables()?;
        let content = args.comparison(report, claimed.as_ref(), call, target.form)?;
        let for_programs = [OutputFormat::Csv, OutputFormat::Parquet].contains(&target.form);
        target.deliver(&content, &session.console)?;
        // Tables for people have these notes in their heading and their legend.
        if for_programs {
            note_subset(report, &session.console);
            note_times(report, call, &session.console)?;
        }
        note_failures(report, &session.console);
        time_doubts::report(&report.median_times()?, &session.console);
        note_ends(report, &place, session);
        return Ok(Outcome::Done);
    }
    let target = args.target()?;
    let has_caption = target.form.has_caption() && !args.picture.chart;
    let (outcome, times) = if target.form == OutputFormat::Html {
        let run = report.results()?;
        target.deliver(&Content::Text(page(&run)), &session.console)?;
        (Outcome::Done, cell_times(&run))
    } else if args.asks_for_nothing() && (args.phases || report.first_counter().is_none()) {
        let (run, notes) =
            if args.subtract_overhead { less_overhead(report)? } else { (report.results()?, Vec::new()) };
        session.console.print(&overview::render(
            &run,
            TableOptions {
                phases: args.phases,
                precision: args.style.precision.unwrap_or(TableOptions::PRECISION).into(),
                ..TableOptions::default()
            },
        ))?;
        // As `run` does, because the table does not show what disturbed the run.
        let remarks = wording::remarks(&run.experiment);
        remarks.iter().chain(&notes).for_each(|note| session.console.warn(note));
        note_failures(report, &session.console);
        session.console.note(&format!("from {}", place.display()));
        (Outcome::Done, cell_times(&run))
    } else {
        (args.compute(report, others, call, target, session)?, report.median_times()?)
    };
    if !has_caption {
        note_subset(report, &session.console);
    }
    time_doubts::report(&times, &session.console);
    note_ends(report, &place, session);
    Ok(outcome)
}

/// The results of a run with the overhead subtracted from the counts, and notes on the subtraction.
///
/// # Errors
/// If the measurements can't be read again.
pub(super) fn less_overhead(report: &Report) -> Result<(Run, Vec<String>)> {
    let less = report.subtract_overhead();
    let run = less.results()?;
    let counters: Vec<String> = run.experiment.counters.iter().map(|facts| facts.name.clone()).collect();
    Ok((run, less.subtraction_notes(&counters)))
}

/// Warns if the rows of a run are incomplete or changed, and says in verbose output where its time went.
fn note_ends(report: &Report, place: &Path, session: &Session) {
    session.console.detail(&wording::time_spent_in_words(&report.facts));
    if let Some(line) = report.rawdata().torn() {
        let note =
            format!("{MEASUREMENTS} has no complete block after line {}: what follows is left out", line - 1);
        session.console.note(&note);
    }
    if let Some(changed) = report.changed() {
        session.console.warn(&changed);
    }
    if let Some(measured) = report.incomplete() {
        session.console.warn(&if is_measuring(place) {
            format!("this run is still being measured: {measured} until now")
        } else {
            format!("interrupted: {measured}; `{}` continues it", resume_command(place))
        });
    }
}

impl Args {
    /// Whether no figures were asked for by name.
    fn has_no_figures(&self) -> bool {
        let no_figures = self.metric.is_empty() && self.stat == [MEDIAN] && self.call.is_none();
        no_figures && !self.include_failed && !self.discard_first
    }

    /// Whether the command has no options, which means the output of `run`.
    fn asks_for_nothing(&self) -> bool {
        let is_default = self.export.is_default() && self.picture.is_default() && self.style.is_default();
        self.has_no_figures() && is_default
    }

    /// The target of the output.
    ///
    /// # Errors
    /// If options don't go together, or the target can't be opened.
    fn target(&self) -> Result<Target> {
        self.style.check(self.export.format()?)?;
        let target = self.export.open()?;
        if target.form == OutputFormat::Html && !self.has_no_figures() {
            return Err(Error::new("the page shows what `run` measured, and no other figures")
                .remedy("leave out --metric, --stat, --call, --include-failed and --discard-first"));
        }
        if !self.picture.is_default() && !self.picture.chart && !target.form.is_picture() {
            return Err(Error::new("--picture and --band are for pictures")
                .remedy("add `--to FILE.svg`, `--to FILE.png` or `--chart`"));
        }
        Ok(target)
    }

    /// The claim on two algorithms, the comparison with the baseline, or else the parts of the variance.
    fn comparison(
        &self,
        report: &Report,
        claimed: Option<&[String; 2]>,
        call: IncludedCalls,
        form: OutputFormat,
    ) -> Result<Content> {
        let discarded;
        let report = if self.discard_first {
            discarded = report.discard_first_repetitions();
            &discarded
        } else {
            report
        };
        let siunitx = self.style.siunitx;
        let label = |name| label(&report.facts.id, name);
        match (claimed, &self.baseline) {
            (Some(ids), _) => {
                claim::content(report, call, ids.each_ref().map(String::as_str), form, &label("claim"))
            }
            (None, Some(baseline)) => {
                baseline::sheets(report, baseline, call)?.content(form, &label("baseline"), siunitx)
            }
            (None, None) => variance::sheets(report, call)?.content(form, &label("variance"), siunitx),
        }
    }

    fn compute(
        self,
        report: &Report,
        others: &[Report],
        call: IncludedCalls,
        target: Target,
        session: &Session,
    ) -> Result<Outcome> {
        let registry = session.registry()?;
        let asked = FigureRequest {
            metrics: names::all(&self.metric),
            statistics: self.stat,
            calls: self.call.map(|_| call),
            include_failed: self.include_failed,
            discard_first: self.discard_first,
            subtract_overhead: self.subtract_overhead,
            style: self.style,
            picture: self.picture,
        };
        asked.check_inputs(report, &registry)?;
        asked.print(report, others, &registry, target, &session.console)
    }
}
