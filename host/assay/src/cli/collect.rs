//! `assay collect`: runs the sub-experiments of a plan.

mod collector;

use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_base::io::shell::quoted;
use assay_experiment::definition::Experiment;
use assay_load::plugin::Registry;
use assay_load::process::Interrupt;
use assay_measure::collect::{MANIFEST, Manifest, PlannedEvent, PlannedRun, WrittenTables, find, write};
use assay_merge::plan::{Method, Plan, Survey};
use clap::ValueHint;

use collector::{Collector, PartEnd};

use super::run::Options;
use super::sets::SetOptions;
use super::{Outcome, Session};

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

Ctrl-C keeps the sub-experiments that are complete; the same command with --resume continues. A search that takes longer \
than --time-limit costs its repetition, and the exit status is 1.")]
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
    let manifest = Manifest::open(&args.out, plan, experiment, args.same_patterns, args.resume)?;

    let parts = PlannedRun::all(&manifest.plan, args.ideal);
    let mut collector = Collector::new(&args.out, manifest, &found, &registry, console);
    collector.check(&parts)?;
    let interrupt = Interrupt::watch();
    let (mut failed, mut slow) = (false, false);
    for (number, part) in parts.iter().enumerate() {
        let label = format!("{} of {}: ", number + 1, parts.len());
        let measured = collector.measure(*part, &label, &interrupt);
        if measured.is_err() && !args.resume {
            collector.manifest.withdraw(&args.out);
        }
        match measured? {
            PartEnd::Completely => {}
            PartEnd::WithoutSlowSearches => slow = true,
            PartEnd::Failed => failed = true,
            PartEnd::Interrupted => return interrupted(&collector.manifest, &args.out, console),
        }
    }
    let manifest = collector.manifest;
    if failed {
        console.warn(&format!(
            "no tables were written, since a search failed; what is complete is kept in `{}`, and --resume measures the \
             rest again",
            args.out.display()
        ));
        return Ok(Outcome::SomethingFailed);
    }
    let written = write(&args.out, &manifest, &found, args.ideal)?;
    if written.is_empty() && !slow {
        return Err(nothing_measured());
    }
    written.iter().for_each(|written| note_tables(written, &manifest.plan, manifest.same_patterns, console));
    Ok(if slow { Outcome::SomethingFailed } else { Outcome::Done })
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

/// The error that no table has a row.
fn nothing_measured() -> Error {
    Error::new("nothing was measured: no algorithm can search for these patterns")
        .remedy("choose other pattern lengths or algorithms")
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
