//! `assay run`: measures algorithms and prints the results.

mod definition;
mod options;
mod range_options;
mod stopping_options;
pub(super) mod values;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_base::io::output_format::OutputFormat;
use assay_base::io::shell;
use assay_doctor::{CheckOutcome, CheckRecord};
use assay_experiment::Resolved;
use assay_experiment::definition::{Experiment, Stats};
use assay_load::plugin::remark_on_alignment;
use assay_load::process::Interrupt;
use assay_report::export::overview::{self, TableOptions};
use assay_report::export::page::page;
use assay_report::time_doubts::{self, cell_times};
use assay_report::wording;
use assay_report::{NotMadeFor, RangeAxis};
use assay_store::folder::{SaveFolder, statistics};
use assay_store::{CellResult, Run, Status, USUAL, find_incomplete, resume_command};
use clap::ValueHint;
use indicatif::ProgressBar;
pub(super) use options::Options;
use stopping_options::StoppingOptions;

use range_options::RangeOptions;
use values::CpuStat;

use super::export::{Content, Export};
use super::names::{self, NameList};
use super::report::{
    FigureRequest, FigureStyleOptions, MEDIAN, PictureOptions, check_overhead, less_overhead, note_refusals,
};
use super::sets::SetOptions;
use super::{Outcome, Session};
use crate::run::{FinishedRun, RunStep, empty_report, execute, resume};

const EXAMPLES: &str = "\
Examples:
  assay run bf bm hor               times on the embedded text, 2 to 4096 bytes
  assay run bf bm hor --stats algo  what they do inside
  assay run 'bndm.*' --rand 4 --plen 8 64
  assay run hor bm --plen 4,8,100 --metric gbps,ns_per_byte
  assay run hor bm --until 2%       until every interval is that narrow
  assay run hor bm --patterns absent --budget 5min
  assay run hor bm --null           the noise floor of this machine
  assay run hor bm --plen 8 --range text-size=4KiB..4MiB --rand 4
  assay run hor bm --searches 10    prepare once, search ten times
  assay run hor --text book.txt --pattern-hex 746865 --runs 1
  assay run --all --counters tsc,perf:page-faults --format json >result.json
  assay run results/ID --runs 1000  a saved run again, with more repetitions
  assay run --resume last           continue a run that was interrupted
  assay run hor --dry-run >experiment.toml; assay run experiment.toml

What is timed: each preparation and each search, separately, in a process of its own for each algorithm. Loading \
libraries, starting processes, reading counters, each worker's first search and warm-up repetitions are in none of \
these figures; --phases shows what happens once. Every count is checked against a reference search: an algorithm that \
is wrong, too slow or crashes loses only its own row, and the exit status is 1.";

/// Measure algorithms: times and counters, or what they do inside
///
/// Texts are looked up as files or folders, then on ASSAY_DATA_PATH, then in ./data. Patterns are drawn from
/// the text by the seed, and are the same for all algorithms. SMART's single-dash options work too.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Algorithms, or an experiment or a saved run to measure again
    ///
    /// Algorithms by id, by name, by shell pattern ('bndm*') or by regular expression for whole ids, in any
    /// case. An experiment is a .toml file; a saved run is named by its folder or id, or is `last`, the
    /// newest
    #[arg(value_name = "ALGO|REGEX|FILE.toml|results/ID|last")]
    algorithms: Vec<String>,
    /// All algorithms
    ///
    /// With --stats algo, all that have a twin
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sets: SetOptions,
    /// Times (perf) or counts (algo) [default: perf]
    ///
    /// With `algo`, the instrumented twins run and count what a search does; -v explains the counts
    #[arg(long)]
    stats: Option<Stats>,

    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    range: RangeOptions,
    #[command(flatten)]
    stopping: StoppingOptions,
    /// Events to count, such as perf:cycles
    ///
    /// They are read around each phase: BACKEND:EVENT (see `assay counters list`), or BACKEND for its first;
    /// @SET or BACKEND@SET for an event set (see `assay counters sets`). Commas separate them, but not
    /// between slashes or in brackets: perf:cpu/event=0x3c,umask=0x0/ is one
    #[arg(long, value_name = "EVENT|@SET,..", help_heading = "Measuring")]
    counters: Vec<NameList>,
    /// Show this counter first, instead of the time
    ///
    /// Tables and pictures are then of it, in `report` too: tsc:cycles for the cycles of the time stamp
    /// counter. It need not be among --counters if it is written with its backend. Ranks and comparisons stay
    /// those of the times
    #[arg(long, value_name = "BACKEND:EVENT", help_heading = "Measuring")]
    first_counter: Option<String>,
    /// An option of a counter backend, such as perf.kernel=no (repeatable): "Counters" in the book lists them
    #[arg(long, value_name = "BACKEND.OPTION=VALUE", help_heading = "Measuring")]
    counter_option: Vec<String>,
    /// SMART's choice of CPU statistics: accesses and misses of the first and the last level of cache,
    /// branches and misses
    #[arg(long, value_name = "KIND", value_delimiter = ',', help_heading = "Measuring")]
    cpu_stats: Vec<CpuStat>,
    /// Let valgrind simulate what --cpu-stats counts, for a CPU without counters: the run then has no times
    #[arg(long, requires = "cpu_stats", help_heading = "Measuring")]
    simulate: bool,
    /// Let counters take turns if the CPU has too few for all: counts are scaled up from a part of the time
    #[arg(long, help_heading = "Measuring")]
    multiplex: bool,
    /// Measure the first algorithm twice, to learn the noise floor of the run: smaller differences are not
    /// reported
    #[arg(long, help_heading = "Measuring")]
    null: bool,

    /// Show these metrics instead of times
    ///
    /// They are computed of each search, as `assay report` does: see `assay list metrics`
    #[arg(long, value_name = "METRIC,..", help_heading = "Results")]
    metric: Vec<NameList>,
    #[command(flatten)]
    export: Export,
    /// A description to keep with the results, in one line
    #[arg(long, value_name = "TEXT", help_heading = "Results")]
    description: Option<String>,
    /// Decimals of the table
    #[arg(long, value_name = "N", default_value_t = TableOptions::PRECISION, value_parser = clap::value_parser!(u8).range(..=9), help_heading = "Results")]
    precision: u8,
    /// Show the times and counts of the preparation too
    #[arg(long, help_heading = "Results")]
    preprocessing: bool,
    /// Subtract from counts what a search that does nothing counts: it is measured before the first search.
    /// What is saved stays as it was counted
    #[arg(long, help_heading = "Results")]
    subtract_overhead: bool,
    /// Show the phases that happen once in each worker too: loading its library, initialising, and its first
    /// search, whose caches are cold
    #[arg(long, help_heading = "Results")]
    phases: bool,
    /// Show the mean number of occurrences too
    #[arg(long, help_heading = "Results")]
    occurrences: bool,
    /// The folder of saved runs
    ///
    /// The run's own folder is made in it, and ids of saved runs are looked up there
    #[arg(long, value_name = "DIR", default_value = USUAL, value_hint = ValueHint::DirPath, help_heading = "Results")]
    out: PathBuf,
    /// Keep nothing
    #[arg(long, help_heading = "Results")]
    no_save: bool,
    /// Continue a saved run that was interrupted or killed, by its id in --out
    ///
    /// `last` is the newest that is not complete. Nothing is measured twice. If a library or the machine has
    /// changed since, only --force continues it
    #[arg(long, value_name = "last|ID", conflicts_with_all = ["no_save", "dry_run"], help_heading = "Results")]
    resume: Option<String>,
    /// Check everything, print the experiment as TOML and measure nothing
    #[arg(long, help_heading = "Results")]
    dry_run: bool,
}

impl Args {
    /// The results in a form that shows all that was measured.
    fn render(&self, run: &Run, form: OutputFormat) -> Content {
        Content::Text(match form {
            OutputFormat::Json => serde_json::to_string(run).expect("a run has a JSON form") + "\n",
            OutputFormat::Csv => statistics(run),
            OutputFormat::Html => page(run),
            _ => overview::render(
                run,
                TableOptions {
                    precision: self.precision.into(),
                    preprocessing: self.preprocessing,
                    phases: self.phases,
                    occurrences: self.occurrences,
                },
            ),
        })
    }

    /// Whether the output is a metric or a picture, instead of all results.
    fn is_computed(&self, form: OutputFormat, experiment: &Experiment) -> bool {
        let shows_counter = experiment.first_counter.is_some() && !self.phases;
        !self.metric.is_empty()
            || form == OutputFormat::Table && shows_counter
            || !matches!(
                form,
                OutputFormat::Table | OutputFormat::Json | OutputFormat::Csv | OutputFormat::Html
            )
    }

    /// The figures that are asked for, with `--metric` or by default.
    fn asked(&self) -> FigureRequest {
        FigureRequest {
            metrics: names::all(&self.metric),
            statistics: vec![MEDIAN.to_owned()],
            calls: None,
            include_failed: false,
            discard_first: false,
            subtract_overhead: self.subtract_overhead,
            style: FigureStyleOptions::default(),
            picture: PictureOptions::default(),
        }
    }

    /// Notes options of counters where there are none.
    fn note_idle_options(&self, resolved: &Resolved, console: &Console) {
        let options = [("--multiplex", self.multiplex), ("--subtract-overhead", self.subtract_overhead)];
        for (option, _) in options.iter().filter(|(_, given)| *given && resolved.counters.is_empty()) {
            console.note(&format!("{option} does nothing: this run counts no events"));
        }
    }
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let registry = session.registry()?;
    let earlier = match &args.resume {
        Some(result) => Some(SaveFolder::reopen(&find_incomplete(result, &args.out)?)?),
        None => None,
    };
    let resolved = match &earlier {
        Some((folder, run)) => args.resumed(folder.path(), &run.experiment, &registry, session)?,
        None => args.resolved(&registry, session)?,
    };
    if args.dry_run {
        console.print(&resolved.experiment.to_toml())?;
        return Ok(Outcome::Done);
    }
    if args.subtract_overhead {
        let several_threads = resolved.points.iter().any(|point| point.threads > 1);
        check_overhead(resolved.experiment.has_calls(), several_threads)?;
    }
    args.note_idle_options(&resolved, console);
    note_unaligned(&resolved, console);
    if !args.metric.is_empty() {
        args.asked().check(&empty_report(&resolved)?, &registry)?;
    }
    let target = args.export.open()?;
    let (form, computed) = (target.form, args.is_computed(target.form, &resolved.experiment));
    if form == OutputFormat::Html && computed {
        return Err(
            Error::new("the page shows what is measured, and no metrics").remedy("leave out `--metric`")
        );
    }
    console.detail(&resolved.describe());
    let interrupt = Interrupt::watch();
    let out = (!args.no_save).then_some(args.out.as_path());
    let bar = RunProgress::new(console, &resolved, "");
    let interrupted = interrupt.flag();
    let finished = match earlier {
        Some(earlier) => {
            resume(&resolved, &registry, earlier, args.options.force, interrupted, |step| bar.step(step))
        }
        None => execute(&resolved, &registry, out, interrupted, |step| bar.step(step)),
    };
    bar.finish();
    let Some(FinishedRun { run, report, saved }) = finished? else {
        let more = if args.resume.is_some() {
            "more was measured; what was measured before is kept"
        } else {
            "was measured yet"
        };
        console.warn(&format!("interrupted: nothing {more}"));
        return Ok(Outcome::Interrupted);
    };
    let (run, notes) = if args.subtract_overhead { less_overhead(&report)? } else { (run, Vec::new()) };
    // The run is saved before it is printed, because the reader of the output may be gone. If it could not be
    // saved, it is printed nevertheless.
    let printed = if computed {
        args.asked().print(&report, &[], &registry, target, console)
    } else {
        target.deliver(&args.render(&run, form), console).map(|()| Outcome::Done)
    };
    if !computed && form == OutputFormat::Table && run.experiment.instrumented() {
        console.detail(&format!("What the counts of one search mean:\n{}", overview::meanings(&run)));
    }
    // Computed figures have notes of their own.
    let notes = notes.into_iter().filter(|_| args.metric.is_empty());
    for remark in wording::remarks(&run.experiment).into_iter().chain(notes) {
        console.warn(&remark);
    }
    for warning in failures(&run).into_iter().chain(without_counts(&run)) {
        console.warn(&warning);
    }
    // Computed figures have this note, too.
    if !computed {
        note_refusals(&NotMadeFor::all(&run), &RangeAxis::new(&run.experiment), console);
    }
    time_doubts::report(&cell_times(&run), console);
    let place = saved?;
    if let Some(place) = &place {
        console.note(&format!("saved in {}", place.display()));
        if !computed && form == OutputFormat::Table && overview::shows_fastest(&run) {
            console.note(&all_or_some(place));
        }
    }
    let printed = printed?;
    if run.experiment.interrupted {
        let goes_on = place.map(|place| format!("; `{}` continues it", resume_command(&place)));
        let goes_on = goes_on.unwrap_or_default();
        console.warn(&format!("interrupted: what was measured before is kept{goes_on}"));
        return Ok(Outcome::Interrupted);
    }
    let failed = run.results.iter().any(|cell| cell.status.is_failure());
    Ok(if failed || lost_counts(&resolved, &run) { Outcome::SomethingFailed } else { printed })
}

/// The ways to see all algorithms of a saved run of many, or some of them.
fn all_or_some(place: &Path) -> String {
    let place = shell::quoted(&place.display().to_string());
    format!(
        "`assay report {place} --sort rank` shows all by their rank; --top N, --only ALGO.. or --family NAME shows some"
    )
}

/// Whether counts that were asked for are missing because a backend failed: before the run, in a worker, or
/// in each repetition. An event that can't be counted on this machine is no failure.
fn lost_counts(resolved: &Resolved, run: &Run) -> bool {
    let noise = &run.experiment.noise;
    !resolved.failed_backends.is_empty()
        || !noise.lost_backends.is_empty()
        || noise.left_out.iter().any(|left_out| left_out.faults.is_lost())
}

/// Notes the algorithms whose times depend on the place that the linker chose for their code.
fn note_unaligned(resolved: &Resolved, console: &Console) {
    if resolved.experiment.stats == Stats::Algo {
        return;
    }
    let unaligned = resolved.algorithms.iter().filter(|chosen| !chosen.listing.aligned);
    let ids: Vec<&str> = unaligned.map(|chosen| chosen.id.as_str()).collect();
    if let Some(remark) = remark_on_alignment(&ids) {
        console.note(&remark);
    }
}

/// The failures of cells: a line for the cells of an algorithm that failed for the same reason. It is no
/// failure if an algorithm is not made for a cell.
pub(super) fn failures(run: &Run) -> Vec<String> {
    let axis = RangeAxis::new(&run.experiment);
    let mut alike: Vec<(&CellResult, Vec<String>)> = Vec::new();
    let is_made_for = |cell: &&CellResult| cell.status != Status::CannotSearch;
    for cell in run.results.iter().filter(is_made_for).filter(|cell| cell.message.is_some()) {
        let length = axis.label(cell.value());
        match alike.iter_mut().find(|(other, _)| failure(other) == failure(cell)) {
            Some((_, lengths)) => lengths.push(length),
            None => alike.push((cell, vec![length])),
        }
    }
    let mut lines = Vec::new();
    for (cell, lengths) in alike {
        let (symbol, status) = (axis.symbol(), cell.status.words());
        let message = cell.message.as_deref().unwrap_or_default();
        lines.push(format!("{} {symbol}={} {status}: {message}", cell.algorithm, lengths.join(",")));
    }
    lines
}

/// The parts of a failure that are equal in cells that failed for the same reason.
fn failure(cell: &CellResult) -> (&str, Status, Option<&str>) {
    (&cell.algorithm, cell.status, cell.message.as_deref())
}

/// The algorithms whose rows have no counts although nothing failed: a line for each, in order.
fn without_counts(run: &Run) -> BTreeSet<String> {
    let cells = run.results.iter().filter(|cell| cell.lacks_counts());
    cells.map(|cell| format!("`{}` measured nothing ({})", cell.variant, cell.library)).collect()
}

/// A warning of the checks that found a problem: what distorts figures. All else is left to `assay doctor`,
/// because a warning that comes with every run is read by nobody.
fn problems(checks: &[CheckRecord]) -> Option<String> {
    let problems = checks.iter().filter(|check| check.outcome == CheckOutcome::Problem);
    let names: Vec<&str> = problems.map(|check| check.name.as_str()).collect();
    let count = counted(names.len(), "problem");
    (!names.is_empty()).then(|| format!("`assay doctor` finds {count} on this machine: {}", names.join(", ")))
}

/// A progress bar for the reference counts and then the repetitions of a run.
pub(super) struct RunProgress<'a> {
    bar: ProgressBar,
    console: &'a Console,
    /// Whether the run has times, which the state of the machine distorts.
    has_times: bool,
    /// The beginning of each message.
    prefix: String,
}

impl<'a> RunProgress<'a> {
    pub(super) fn new(console: &'a Console, resolved: &Resolved, prefix: &str) -> Self {
        let bar = console.progress(resolved.searches() * (1 + resolved.algorithms.len() as u64));
        bar.set_message(format!("{prefix}reference counts"));
        let has_times = resolved.experiment.stats == Stats::Perf && resolved.launch.is_none();
        RunProgress { bar, console, has_times, prefix: prefix.to_owned() }
    }

    /// A sign of life for a pilot run, which does not warn.
    pub(super) fn pilot(console: &'a Console) -> Self {
        let bar = console.progress(0);
        bar.unset_length();
        RunProgress { bar, console, has_times: false, prefix: "pilot run: ".to_owned() }
    }

    pub(super) fn step(&self, step: RunStep<'_>) {
        // The length of a run that decides itself when to stop is not known.
        if self.bar.length().is_some_and(|length| self.bar.position() >= length) {
            self.bar.unset_length();
        }
        match step {
            RunStep::Checked(checks) => {
                if let Some(warning) = problems(checks).filter(|_| self.has_times) {
                    self.bar.suspend(|| self.console.warn(&warning));
                }
            }
            RunStep::Lost(blocks) => self.bar.suspend(|| {
                let lost = counted(blocks, "block");
                self.console.note(&format!(
                    "{lost} or more had lost rows, as after a power cut, and will be measured again"
                ));
            }),
            RunStep::Counted => self.bar.inc(1),
            RunStep::Measured { algorithm, at, repetitions } => {
                self.bar.set_message(format!("{}{algorithm} {at}", self.prefix));
                self.bar.inc(repetitions as u64);
            }
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_warns_of_problems_alone_in_one_line() {
        let check =
            |name: &str, outcome| CheckRecord { name: name.to_owned(), outcome, found: "x".to_owned() };
        let checks = [
            check("turbo", CheckOutcome::Warning),
            check("CPU quota", CheckOutcome::Problem),
            check("machine", CheckOutcome::Unknown),
        ];
        let warning = problems(&checks).unwrap();
        assert_eq!(warning, "`assay doctor` finds 1 problem on this machine: CPU quota");
        assert_eq!(problems(&checks[..1]), None);
    }
}
