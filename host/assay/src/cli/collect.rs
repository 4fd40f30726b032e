//! `assay collect`: runs the sub-experiments of a plan.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_base::io::shell::quoted;
use assay_experiment::Resolved;
use assay_experiment::definition::{Experiment, Stats};
use assay_load::plugin::Registry;
use assay_load::process::Interrupt;
use assay_measure::collect::{MANIFEST, Manifest, PlannedEvent, PlannedRun, WrittenTables, find, write};
use assay_merge::plan::{Method, Plan, Survey};
use assay_report::wording;
use assay_store::Run;
use clap::ValueHint;

use super::run::{Options, RunProgress, failures};
use super::sets::SetOptions;
use super::{Outcome, Session};
use crate::run::{FinishedRun, execute};

/// Run the sub-experiments of a plan, for `assay merge`
///
/// It writes the tables that `assay merge` takes. Each sub-experiment is a saved run that counts the events
/// of its block; events such as `stats:branches` are counted by instrumented twins. All sub-experiments are
/// the same experiment on the same text. Each draws patterns of its own, so that a row of one table has no
/// counterpart in another.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay collect plan.toml -- hor
  assay collect plan.toml --plen 8 --runs 1000 --out collected -- hor bm
  assay collect plan.toml --ideal --plen 8 --out collected -- hor
  assay collect plan.toml --resume --plen 8 --out collected -- hor bm

Result, in the folder of --out: raw.csv has all sub-experiments side by side (`assay merge METHOD raw.csv --counters K`), \
block-1.csv .. have one each (`assay merge METHOD block-*.csv`), and with --ideal, ideal.csv has all events counted at once. \
A row is a repetition. With several algorithms or pattern lengths, each has these files in a folder of its own, such as \
hor-8. `runs` has the saved runs, and collection.toml the command and its progress.

Ctrl-C keeps the sub-experiments that are complete; the same command with --resume continues.")]
pub(super) struct Args {
    /// The plan, as `assay plan --out` writes it
    #[arg(value_name = "PLAN.toml", value_hint = ValueHint::FilePath)]
    plan: PathBuf,
    /// Algorithms: ids, regular expressions for whole ids, or names
    #[arg(value_name = "ALGO|REGEX")]
    algorithms: Vec<String>,
    /// All algorithms
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    sets: SetOptions,
    #[command(flatten)]
    options: Options,
    /// An option of a counter backend, such as perf.kernel=no (repeatable)
    #[arg(long, value_name = "BACKEND.OPTION=VALUE", help_heading = "Measuring")]
    counter_option: Vec<String>,
    /// A description to keep with the runs, in one line
    #[arg(long, value_name = "TEXT", help_heading = "Collecting")]
    description: Option<String>,
    /// Count all events at once, too
    ///
    /// Where that is possible: the table that a merge tries to reproduce
    #[arg(long, help_heading = "Collecting")]
    ideal: bool,
    /// Search for the same patterns in each sub-experiment, in another order. Events that are counted exactly
    /// then show which rows belong together, so the tables are no test of a merger
    #[arg(long, help_heading = "Collecting")]
    same_patterns: bool,
    /// Continue the collection in the folder of --out
    #[arg(long, help_heading = "Collecting")]
    resume: bool,
    /// Folder of the collection
    #[arg(
        long,
        value_name = "DIR",
        default_value = "collected",
        value_hint = ValueHint::DirPath,
        help_heading = "Collecting"
    )]
    out: PathBuf,
}

impl Args {
    /// The experiment that each sub-experiment runs, still without counters.
    fn experiment(&self, registry: &Registry, session: &Session) -> Result<Experiment> {
        let mut experiment = Experiment::default();
        if let Some(option) = self.algorithms.iter().find(|name| name.starts_with('-')) {
            return Err(Error::new(format!(
                "`{option}` is read as an algorithm, because it stands after `--`"
            ))
            .remedy("give options before `--`"));
        }
        if super::sets::all_or_named(self.all, &self.algorithms)? {
            experiment.algorithms = vec![".*".to_owned()];
        } else {
            experiment.algorithms = self.sets.with(&self.algorithms, registry, session)?;
        }
        if experiment.algorithms.is_empty() {
            return Err(Error::new("no algorithm is named")
                .remedy("name those to measure: assay collect PLAN.toml -- hor"));
        }
        self.options.apply(&mut experiment)?;
        experiment.counter_options.clone_from(&self.counter_option);
        experiment.description = self.description.clone().unwrap_or_default();
        Ok(experiment)
    }
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let console = &session.console;
    let plan = Plan::load(&args.plan)?;
    let registry = session.registry()?;
    let found = find(&plan.events(), &registry)?;
    refuse_missing(&found)?;
    let mut experiment = args.experiment(&registry, session)?;
    experiment.stats = PlannedRun::Block(0).experiment(&experiment, &plan, &found, true).stats;
    experiment.validate()?;
    let mut manifest = Manifest::open(&args.out, plan, experiment, args.same_patterns, args.resume)?;

    let interrupt = Interrupt::watch();
    let parts = PlannedRun::all(&manifest.plan, args.ideal);
    let (mut failed, mut quiet, mut remarks) = (false, *console, HashSet::new());
    for (number, part) in parts.iter().enumerate() {
        if manifest.run(&args.out, *part).is_some() {
            console.detail(&format!("{part} is complete already"));
            continue;
        }
        let experiment =
            part.experiment(&manifest.experiment, &manifest.plan, &found, manifest.same_patterns);
        let resolved = resolve(experiment, *part, &manifest.plan, &found, &registry, console, &quiet)
            .map_err(|error| error.after(&format!("{part}: ")))?;
        manifest.check_text(&resolved.text_of(0).facts(), &args.out)?;
        // Remarks on the text and the algorithms are the same for each sub-experiment, so they are printed
        // once.
        quiet.quiet = true;
        let bar = RunProgress::new(console, &resolved, &format!("{} of {}: ", number + 1, parts.len()));
        let runs = args.out.join("runs");
        let finished = execute(&resolved, &registry, Some(&runs), interrupt.flag(), |step| bar.step(step));
        bar.finish();
        let Some(FinishedRun { run, saved, .. }) = finished? else {
            return interrupted(&manifest, &args.out, console);
        };
        let saved = saved?.expect("it was to be saved");
        if run.experiment.interrupted {
            return interrupted(&manifest, &args.out, console);
        }
        for remark in remarks_of(&run) {
            // One of several remarks that differ only in figures is enough: the saved runs have the others.
            let kind = remark.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or_default();
            if remarks.insert(kind.to_owned()) {
                console.warn(&remark);
            }
        }
        failures(&run).iter().for_each(|failure| console.warn(&format!("{part}: {failure}")));
        if run.results.iter().any(|cell| cell.status.is_failure()) {
            failed = true;
            continue;
        }
        manifest.done(&args.out, *part, &saved)?;
        console.detail(&format!("{} of {}: {part} is saved in {}", number + 1, parts.len(), saved.display()));
    }
    if failed {
        console.warn(&format!(
            "no tables were written, since a search failed; what is complete is kept in `{}`, and --resume measures the \
             rest again",
            args.out.display()
        ));
        return Ok(Outcome::SomethingFailed);
    }
    let written = write(&args.out, &manifest, &found, args.ideal)?;
    if written.is_empty() {
        return Err(Error::new("nothing was measured: no algorithm can search for these patterns")
            .remedy("choose other pattern lengths or algorithms"));
    }
    written.iter().for_each(|written| note_tables(written, &manifest.plan, manifest.same_patterns, console));
    Ok(Outcome::Done)
}

/// Refuses events that can't be counted here, before anything is measured.
fn refuse_missing(found: &[PlannedEvent]) -> Result<()> {
    let missing: Vec<&PlannedEvent> = found.iter().filter(|found| found.missing().is_some()).collect();
    let Some((reason, remedy)) = missing.first().and_then(|found| found.missing()) else { return Ok(()) };
    let names: Vec<&str> = missing.iter().map(|found| found.name.as_str()).collect();
    let words = if names.len() == 1 { "this event of the plan" } else { "these events of the plan" };
    Err(Error::new(format!("{words} can't be counted here: {}; {}: {reason}", names.join(", "), names[0]))
        .remedy(format!("{remedy}; or plan without them")))
}

/// Resolves an experiment, and checks that all of its counters can be counted.
fn resolve(
    experiment: Experiment,
    part: PlannedRun,
    plan: &Plan,
    found: &[PlannedEvent],
    registry: &Registry,
    console: &Console,
    quiet: &Console,
) -> Result<Resolved> {
    let resolved = experiment.clone().resolve(registry, quiet)?;
    if resolved.experiment.stats == Stats::Algo {
        return Ok(resolved);
    }
    let names = resolved.counter_names();
    let events = part.events(plan);
    let missing: Vec<&str> = found
        .iter()
        .filter(|found| events.contains(&found.name.as_str()) && !names.contains(&found.column))
        .map(|found| found.name.as_str())
        .collect();
    if missing.is_empty() {
        return Ok(resolved);
    }
    if quiet.quiet && !console.quiet {
        // The warnings have the reasons.
        experiment.resolve(registry, console)?;
    }
    Err(Error::new(format!("{} can't be counted in this set", missing.join(", ")))
        .remedy("see the warning above, or leave them out of the plan"))
}

/// Remarks on disturbances of the counts. Disturbances of times are left out if no event is a time.
fn remarks_of(run: &Run) -> Vec<String> {
    let facts = &run.experiment;
    let units = ["s", "ms", "us", "ns", "ticks", "cycles"];
    let timed = facts.counters.iter().any(|counter| units.contains(&counter.unit.as_str()));
    if timed { wording::remarks(facts) } else { wording::remarks_on_counts(&facts.noise) }
}

fn interrupted(manifest: &Manifest, out: &Path, console: &Console) -> Result<Outcome> {
    let done = manifest.runs.len();
    console.warn(&format!(
        "interrupted: {} of the collection in `{}` {} complete; --resume continues it ({MANIFEST})",
        counted(done, "run"),
        out.display(),
        if done == 1 { "is" } else { "are" }
    ));
    Ok(Outcome::Interrupted)
}

/// Reports the tables that were written, and the command that merges them.
fn note_tables(written: &WrittenTables, plan: &Plan, same_patterns: bool, console: &Console) {
    let WrittenTables { algorithm, pattern_length, blocks, ideal, gaps, empty, .. } = written;
    let cell = format!("{algorithm} m={pattern_length}");
    if *gaps > 0 {
        let cells = counted(*gaps, "count");
        console
            .warn(&format!("{cell}: {cells} missing, which are empty cells; mergers leave out their rows"));
    }
    if let [block] = &blocks[..] {
        console.note(&format!("{cell}: all events are in {}: nothing needs to be merged", block.display()));
    } else if empty.is_empty() {
        console.note(&format!("{cell}: assay merge {}", merging(written, plan)));
    } else {
        let names = empty.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        console.warn(&format!("{cell}: no count of {names} was had: a merge needs a plan without"));
    }
    if let Some(ideal) = ideal {
        console.note(&format!("{cell}: all events at once are in {}", ideal.display()));
    }
    if same_patterns && blocks.len() + usize::from(ideal.is_some()) > 1 {
        console.note(&format!(
            "{cell}: with --same-patterns all tables are the same searches in another order; an event that is counted exactly \
             tells which rows belong together, so a merge by it finds what no merge of other searches would"
        ));
    }
}

/// The arguments of `assay merge` for the tables.
fn merging(written: &WrittenTables, plan: &Plan) -> String {
    let events: Vec<String> = plan.events().into_iter().map(str::to_owned).collect();
    let survey = Survey::new(plan, &events);
    let mut words = match plan.method {
        Method::Hrm => "hrm".to_owned(),
        // MUCH refuses events that were never counted together.
        Method::Much if survey.uncovered.is_empty() && survey.uncoverable.is_empty() => "much".to_owned(),
        Method::Much => "auto".to_owned(),
    };
    match (&written.raw, written.width) {
        (Some(raw), Some(width)) => {
            words += &format!(" {} --counters {width}", quoted(&raw.display().to_string()));
        }
        _ => {
            let folder = written.blocks.first().and_then(|block| block.parent()).unwrap_or(Path::new("."));
            words += &format!(" {}/block-*.csv", quoted(&folder.display().to_string()));
        }
    }
    if let Some(anchor) = plan.anchor.as_ref().filter(|_| plan.method == Method::Hrm) {
        words += &format!(" --anchor {}", quoted(anchor));
    }
    words
}
