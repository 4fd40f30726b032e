//! `assay campaign plan`: cuts an experiment into tasks.

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_base::io::shell::quoted;
use assay_base::io::table::{Datum, Table};
use assay_campaign::CampaignFolder;
use assay_campaign::manifest::{CampaignManifest, CampaignTask};
use assay_campaign::plan::{PlanOptions, PlannedCampaign};
use assay_experiment::definition::Experiment;
use assay_experiment::keys::in_words_of;
use assay_experiment::size::{self, parse_size};
use clap::ValueHint;

use crate::cli::{Outcome, Session};

/// Cut an experiment into tasks, and write them into a folder
///
/// A task is an experiment file: one text, consecutive pattern lengths (or other values of a range), and all
/// algorithms. If a single length takes more than twice --minutes, its algorithms are divided into groups,
/// and each group also has the reference algorithm. The experiment may have several texts ([range] text =
/// [..]) and several pattern lengths. The same experiment gives the same tasks; if it names no seed, its
/// content decides the seed.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign plan experiment.toml --out c
  assay campaign plan experiment.toml --out c --minutes 30 --rate 200MiB
  assay run --all --dry-run --text tale >experiment.toml; assay campaign plan experiment.toml --out c

The time of a task is assumed, not measured, so that a plan does not depend on the machine that makes it: --rate for \
each byte, 20 µs for each repetition, and 5 ms for each round. `assay doctor c/tasks/0001.toml` measures what a task \
takes here; if that is twice the time of this plan, plan with half the --rate.")]
pub(super) struct Args {
    /// The experiment, as `assay run --dry-run` prints one
    #[arg(value_name = "EXPERIMENT.toml", value_hint = ValueHint::FilePath)]
    experiment: PathBuf,
    /// The folder of the campaign, which all machines must see at the same path
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// How long a task should take
    #[arg(long, value_name = "MINUTES", default_value_t = 10.0)]
    minutes: f64,
    /// How much text an algorithm is assumed to search in a second; a bare number is MiB
    #[arg(long, value_name = "N[B|KiB|MiB|GiB]", default_value = "1GiB", value_parser = parse_size)]
    rate: usize,
    /// The algorithm that each task measures first, to tie tasks and machines together [default: the first]
    #[arg(long, value_name = "ALGO")]
    reference: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    if !(args.minutes.is_finite() && args.minutes > 0.0) {
        return Err(Error::new("--minutes must be a number above 0").remedy("give --minutes 10, for example"));
    }
    if args.rate == 0 {
        return Err(Error::new("--rate must be at least 1 byte in a second").remedy("leave it out"));
    }
    let folder = CampaignFolder::at(&args.out)?;
    let experiment = Experiment::load(&args.experiment)?;
    let registry = session.registry()?;
    session.note_changed_ids_of_file(&args.experiment, &experiment, &registry);
    let options =
        PlanOptions { minutes: args.minutes, rate: args.rate as u64, reference: args.reference.clone() };
    let planned = PlannedCampaign::new(experiment, &options, &registry, &session.console)
        .map_err(|error| in_words_of(&args.experiment, error, |option| session.has_typed(option)))?;
    let was_there = planned.write(&folder)?;
    session.console.print(&table(&planned.manifest.tasks).render(args.format))?;
    session.console.note(&summary(&planned.manifest));
    let place = quoted(&args.out.to_string_lossy());
    session.console.note(&if was_there {
        format!(
            "this campaign is in {place} already; `assay campaign status {place}` shows the state of its tasks"
        )
    } else {
        format!(
            "planned in {place}; `assay campaign submit {place} --on slurm` (or local, or script) begins it"
        )
    });
    Ok(Outcome::Done)
}

/// The tasks as a table.
fn table(tasks: &[CampaignTask]) -> Table {
    let mut table = Table::new(["task", "text", "values", "algorithms", "group", "seconds"]);
    for task in tasks {
        table.push([
            Datum::Number(task.number.into(), 0),
            task.text.as_str().into(),
            values(task).into(),
            Datum::Number(task.algorithms as f64, 0),
            group(task).into(),
            Datum::Number(task.seconds, 1),
        ]);
    }
    table
}

/// The pattern lengths of a task, or its other values.
pub(super) fn values(task: &CampaignTask) -> String {
    task.values.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The group of algorithms of a task: `1 of 3`.
pub(super) fn group(task: &CampaignTask) -> Option<String> {
    task.group.map(|[group, groups]| format!("{group} of {groups}"))
}

/// What the campaign takes, in a sentence.
fn summary(manifest: &CampaignManifest) -> String {
    let seconds: f64 = manifest.tasks.iter().map(|task| task.seconds).sum();
    format!(
        "{} on {}, {} together, if an algorithm searches {} in a second; seed {}, reference {}",
        counted(manifest.tasks.len(), "task"),
        counted(manifest.texts.len(), "text"),
        duration(seconds),
        size::words(manifest.rate as usize),
        manifest.seed,
        manifest.reference
    )
}

/// A time in hours, minutes or seconds.
fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 5400.0 => format!("{:.1} h", seconds / 3600.0),
        seconds if seconds >= 90.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_unit_that_suits_it() {
        assert_eq!([0.25, 600.0, 36_000.0].map(duration), ["0.2 s", "10 min", "10.0 h"]);
    }
}
