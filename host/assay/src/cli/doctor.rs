//! `assay doctor`: whether this machine is fit to measure, and what an experiment takes.

mod view;

use std::path::{Path, PathBuf};

use assay_base::error::Result;
use assay_base::io::output_format::{OutputFormat, table_formats};
use assay_counting::clocks;
use assay_doctor::clocks::{TimerFacts, timer};
use assay_doctor::memory::{self, free_disk};
use assay_doctor::{CheckOutcome, Finding, System, frequency, optional_programs, plugin_folders, script};
use assay_experiment::definition::{CpuPin, Experiment};
use assay_experiment::keys::in_words_of;
use assay_experiment::{Resolved, cpu};
use assay_load::plugin::Registry;
use assay_load::process::Interrupt;
use assay_store::{EXPERIMENT, USUAL, find};
use clap::ValueHint;

use super::run::RunProgress;
use super::{Outcome, Session};
use crate::estimate::{Estimate, estimate};

const EXAMPLES: &str = "\
Examples:
  assay doctor
  assay doctor experiment.toml      also what this experiment takes
  assay doctor last                 also what it takes to repeat the newest run
  assay doctor --fix >fix.sh        the commands that repair it; read them first
  assay doctor --format json

ok: in order. unknown: the system does not say, as is usual in virtual machines. warning: it may \
disturb figures, or something can't be measured. problem: it distorts figures, or there is no \
room for the experiment; the exit status is then 1.

Time, disk and memory of an experiment are extrapolated from a pilot run, which measures a block \
of each algorithm at each length, for 20 s at most, and is not kept.";

/// Check whether this machine is fit to measure
///
/// Each line says what was found; if it is not in order, also what it does to figures, and how to repair it.
/// Nothing on the machine is changed. It takes about a second. With an experiment, it also estimates what
/// that takes, in up to 20 seconds more.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// An experiment, or a saved run: estimate its time, rows, disk and memory, and compare with what is free
    #[arg(value_name = "EXPERIMENT.toml|RUN", value_hint = ValueHint::FilePath)]
    experiment: Option<String>,
    /// The folder in which runs are saved and looked up: whether its disk has room
    #[arg(long, value_name = "DIR", default_value = USUAL, value_hint = ValueHint::DirPath)]
    out: PathBuf,
    /// Print the commands that repair the findings, as a shell script with the commands that undo them. None
    /// is run
    #[arg(long, conflicts_with = "format")]
    fix: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = table_formats())]
    format: OutputFormat,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<Outcome> {
    let registry = session.registry()?;
    let resolved = args.experiment.as_deref().map(|name| resolved(name, &args.out, &registry, session));
    let resolved = resolved.transpose()?;
    let cpu = match &resolved {
        Some(resolved) => resolved.cpu,
        None => cpu::choose(CpuPin::Last)?,
    };
    // The machine is watched before the pilot run makes it busy.
    let mut findings = machine(cpu)?;
    findings.push(plugin_folders(registry.folders(), &libraries(&registry)));
    findings.push(programs());
    let estimate = resolved.map(|resolved| piloted(resolved, &registry, session)).transpose()?;
    let (disk, needed) = (estimate.as_ref().and_then(|estimate| estimate.disk_bytes), estimate.as_ref());
    let needed = needed.and_then(|estimate| estimate.memory_bytes);
    findings.push(memory::memory(&System::here(), needed));
    findings.push(memory::disk(&args.out, free_disk(&args.out), disk));
    print(args, session, &findings, estimate.as_ref())?;
    let problem = findings.iter().any(|finding| finding.outcome == CheckOutcome::Problem);
    Ok(if problem { Outcome::SomethingFailed } else { Outcome::Done })
}

fn print(args: &Args, session: &Session, findings: &[Finding], estimate: Option<&Estimate>) -> Result<()> {
    let console = &session.console;
    if args.fix {
        return console.print(&script(findings));
    }
    match args.format {
        OutputFormat::Json => console.print(&view::json(findings, estimate)),
        OutputFormat::Table => console.print_lines(&view::text(findings, estimate), view::color),
        format => console.print(&view::table(findings, estimate).render(format)),
    }
}

/// The checks of the machine, with those that take a moment.
fn machine(cpu: Option<usize>) -> Result<Vec<Finding>> {
    let system = System::here();
    let mut findings = assay_doctor::watched(&system, cpu);
    let measured: Vec<usize> = cpu.or_else(|| cpu::allowed().first().copied()).into_iter().collect();
    let core = clocks::cores(&measured, false, |_| Ok(()))?.pop();
    let (hz, reported) = core.map_or((None, Vec::new()), |core| (core.warm_hz, core.reported));
    findings.push(frequency::reported(hz, reported.first()));
    findings.push(timer(TimerFacts::measure()));
    Ok(findings)
}

/// The files of the plugin libraries.
fn libraries(registry: &Registry) -> Vec<PathBuf> {
    registry.libraries().iter().map(|library| library.path.clone()).collect()
}

fn programs() -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    optional_programs(&System::here(), &std::env::split_paths(&path).collect::<Vec<_>>())
}

/// The experiment of a file, or of a run in the folder `out`, with everything that it names.
fn resolved(name: &str, out: &Path, registry: &Registry, session: &Session) -> Result<Resolved> {
    let file = Path::new(name);
    let file = if name.ends_with(".toml") || file.is_file() {
        file.to_owned()
    } else {
        find(name, out)?.join(EXPERIMENT)
    };
    let experiment = Experiment::load(&file)?;
    experiment.resolve(registry, &session.console).map_err(|error| in_words_of(&file, error, |_| false))
}

/// What an experiment takes, by a pilot run.
fn piloted(resolved: Resolved, registry: &Registry, session: &Session) -> Result<Estimate> {
    let interrupt = Interrupt::watch();
    let bar = RunProgress::pilot(&session.console);
    let estimate = estimate(resolved, registry, interrupt.flag(), |step| bar.step(step));
    bar.finish();
    estimate
}
