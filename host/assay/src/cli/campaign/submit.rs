//! `assay campaign submit`, `resume` and `cancel`: hand tasks to a batch system, and take them back.

use assay_base::error::{Error, Result};
use assay_base::io::console::{Console, counted};
use assay_base::io::shell::quoted;
use assay_campaign::damage::{DamagedTask, find_damaged};
use assay_campaign::slurm::{Slurm, check_options};
use assay_campaign::submission::{Submissions, SubmittedArray, lock_machine};
use assay_campaign::submit::{self, CancelledJobs, PlannedSubmission};
use assay_campaign::{
    CampaignFolder, CampaignManifest, Node, Submission, SubmitOptions, SubmitTarget, TaskEnd,
};
use assay_load::process::Interrupt;

use super::CampaignPath;
use super::measure::TaskRunner;
use crate::cli::{Outcome, Session};

/// Said if no task must be submitted.
const NOTHING_LEFT: &str = "nothing is left to submit: every task is done, runs or waits";

/// Submit every task that is not done and has no job
///
/// With Slurm, tasks are the elements of job arrays; each gets an exclusive node, and may be requeued.
/// Nothing is submitted twice: tasks that are done, run or wait are left out.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign submit c --on slurm
  assay campaign submit c --on slurm --option=--partition=long --option=--time=60
  assay campaign submit c --on slurm --no-exclusive --option=--cpus-per-task=2 --dry-run
  assay campaign submit c --on local
  assay campaign submit c --on script; sh c/scripts/task-0001.sh

Give a task three times the minutes of the plan as its time limit: times of a plan are assumed. What jobs print is in \
the folder `logs` of the campaign.")]
pub(super) struct Args {
    #[command(flatten)]
    campaign: CampaignPath,
    /// Who runs the tasks
    #[arg(long, value_name = "SYSTEM")]
    on: SubmitTarget,
    /// An option for `sbatch`, such as --option=--partition=long (repeatable)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// Let a node run several jobs at once. They disturb each other
    #[arg(long)]
    no_exclusive: bool,
    /// The greatest number of tasks in a job array [default: what Slurm allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    array_limit: Option<u32>,
    /// Measure on busy machines too
    #[arg(long)]
    ignore_doctor: bool,
    /// Print the commands that would be called, and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// Submit again what is missing, the way it was submitted last
///
/// That is each task that was interrupted, has failed or was never submitted. What runs or waits is left
/// alone, and so is what is done, unless its rows don't match their checksums.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign resume c
  assay campaign resume c --dry-run
  assay campaign resume c --ignore-doctor

A task that was interrupted goes on where it was, if it comes to the same machine, and starts from the beginning on another.")]
pub(super) struct ResumeArgs {
    #[command(flatten)]
    campaign: CampaignPath,
    /// Measure on busy machines too
    #[arg(long)]
    ignore_doctor: bool,
    /// Print the commands that would be called, and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// Cancel all jobs of a campaign that wait or run
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  assay campaign cancel c
  assay campaign cancel c --without-slurm

What was measured is kept, and `assay campaign resume` submits the rest again. Tasks that processes without a job \
measure, as with --on local or in a script, go on; they are listed, and Ctrl-C or SIGTERM ends each.")]
pub(super) struct CancelArgs {
    #[command(flatten)]
    campaign: CampaignPath,
    /// Note that all jobs have ended, because their cluster is gone. Nothing is cancelled
    #[arg(long)]
    without_slurm: bool,
}

pub(super) fn run(args: Args, session: &Session) -> Result<Outcome> {
    let (folder, manifest) = CampaignFolder::open_checked(&args.campaign.folder)?;
    let of_slurm = [
        ("--option", !args.option.is_empty()),
        ("--array-limit", args.array_limit.is_some()),
        ("--no-exclusive", args.no_exclusive),
    ];
    if let Some((option, _)) =
        of_slurm.iter().find(|(_, is_given)| args.on != SubmitTarget::Slurm && *is_given)
    {
        return Err(Error::new(format!(
            "{option} is for Slurm, and --on {} does not call it",
            args.on.name()
        ))
        .remedy("leave it out"));
    }
    let how = SubmitOptions {
        target: args.on,
        options: args.option,
        exclusive: !args.no_exclusive,
        array_limit: args.array_limit.map(|limit| limit as usize),
        ignore_doctor: args.ignore_doctor,
        program: program(session)?,
    };
    hand_over(&folder, &manifest, how, args.dry_run, session)
}

pub(super) fn resume(args: &ResumeArgs, session: &Session) -> Result<Outcome> {
    let (folder, manifest) = CampaignFolder::open_checked(&args.campaign.folder)?;
    let Submissions { mut all, warnings, next } = Submission::all(&folder, &manifest)?;
    let Some(mut last) = all.pop() else {
        warnings.iter().for_each(|warning| session.console.warn(warning));
        let words =
            if warnings.is_empty() { "was not submitted yet" } else { "has no submission that can be read" };
        return Err(Error::new(format!("`{}` {words}", folder.path().display()))
            .remedy(format!("{} (or local, or script) submits it", folder.command("submit --on slurm"))));
    };
    if last.number < next - 1 {
        session.console.warn(&format!(
            "tasks are submitted with the options of submission {}, the last one that can be read",
            last.number
        ));
    }
    last.how.ignore_doctor |= args.ignore_doctor;
    hand_over(&folder, &manifest, last.how, args.dry_run, session)
}

pub(super) fn cancel(args: &CancelArgs, session: &Session) -> Result<Outcome> {
    let (folder, manifest) = CampaignFolder::open(&args.campaign.folder)?;
    if args.without_slurm {
        let (arrays, warnings) = submit::forget_jobs(&folder, &manifest, &Slurm)?;
        warnings.iter().for_each(|warning| session.console.warn(warning));
        session.console.note(&format!("{} noted as ended", counted(arrays, "job array")));
        return Ok(Outcome::Done);
    }
    let CancelledJobs { jobs, without_job, warnings } = submit::cancel(&folder, &manifest, &Slurm)?;
    let console = &session.console;
    warnings.iter().for_each(|warning| console.warn(warning));
    console.note(&if jobs.is_empty() {
        "no job of this campaign waits or runs".to_owned()
    } else {
        format!("cancelled {}: {}", counted(jobs.len(), "job"), jobs.join(", "))
    });
    for (task, node) in without_job {
        let place = node.map_or_else(String::new, |node| format!(" on {node}"));
        console.warn(&format!(
            "task {task} goes on: a process{place} without a job of Slurm measures it; Ctrl-C where it runs, or \
             SIGTERM, ends it and keeps what was measured"
        ));
    }
    Ok(Outcome::Done)
}

/// Submits what is left, or shows how.
fn hand_over(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    how: SubmitOptions,
    dry_run: bool,
    session: &Session,
) -> Result<Outcome> {
    let console = &session.console;
    if how.target == SubmitTarget::Slurm {
        check_options(&how.options)?;
    }
    Submission::all(folder, manifest)?.warnings.iter().for_each(|warning| console.warn(warning));
    let is_local = how.target == SubmitTarget::Local && !dry_run;
    let _lock = if is_local { Some(lock_machine(folder, &Node::here())?) } else { None };
    let damaged = find_damaged(folder, manifest, !dry_run)?;
    for DamagedTask { number, reason } in &damaged {
        console.warn(&format!("task {number} is measured again, because its run is damaged: {reason}"));
    }
    if dry_run {
        return show(folder, manifest, how, &damaged, console);
    }
    let Some((submission, tasks)) = submit::submit(folder, manifest, how, &Slurm)? else {
        console.note(NOTHING_LEFT);
        return Ok(Outcome::Done);
    };
    match submission.how.target {
        SubmitTarget::Local => return run_here(folder, manifest, &submission.how, &tasks, session),
        SubmitTarget::Script => note_scripts(folder, tasks.len(), console),
        SubmitTarget::Slurm => note_jobs(folder, &submission, tasks.len(), console),
    }
    Ok(Outcome::Done)
}

/// Shows what would be submitted: the commands.
fn show(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    how: SubmitOptions,
    damaged: &[DamagedTask],
    console: &Console,
) -> Result<Outcome> {
    let damaged: Vec<u32> = damaged.iter().map(|task| task.number).collect();
    let PlannedSubmission { submission, tasks, notes } =
        submit::planned(folder, manifest, how, &damaged, &Slurm)?;
    notes.iter().for_each(|note| console.note(note));
    if tasks.is_empty() {
        console.note(NOTHING_LEFT);
    }
    console.print(&commands(folder, &submission, &tasks))?;
    Ok(Outcome::Done)
}

/// The commands of a submission, a line for each.
fn commands(folder: &CampaignFolder, submission: &Submission, tasks: &[u32]) -> String {
    let of_array = |place: usize| {
        let words = Slurm::command(&submit::request(folder, submission, place));
        words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ") + "\n"
    };
    let of_task = |task: &u32| submit::task_command(folder, &submission.how, *task) + "\n";
    match submission.how.target {
        SubmitTarget::Slurm => (0..submission.arrays.len()).map(of_array).collect(),
        SubmitTarget::Local | SubmitTarget::Script => tasks.iter().map(of_task).collect(),
    }
}

/// Says where the scripts of tasks are, and what to do with them.
fn note_scripts(folder: &CampaignFolder, tasks: usize, console: &Console) {
    let scripts = quoted(&folder.scripts().to_string_lossy());
    console.note(&format!(
        "wrote {} into {scripts}: run each of task-*.sh in a job of its own, on a machine of its own; exit status 75 asks \
         for another machine or another time",
        counted(tasks, "script")
    ));
}

/// Says which jobs were submitted, and which of them are in doubt.
fn note_jobs(folder: &CampaignFolder, submission: &Submission, tasks: usize, console: &Console) {
    for SubmittedArray { job, doubt, .. } in &submission.arrays {
        if let (Some(job), Some(doubt)) = (job, doubt) {
            console.warn(&format!(
                "{doubt}, but it printed job number {job}; {} shows whether Slurm has that job",
                folder.command("status")
            ));
        }
    }
    let jobs: Vec<&str> = submission.arrays.iter().filter_map(|array| array.job.as_deref()).collect();
    let noun = if jobs.len() == 1 { "job" } else { "jobs" };
    console.note(&format!("submitted {} in {noun} {}", counted(tasks, "task"), jobs.join(", ")));
}

/// Measures tasks on this machine, one after the other.
fn run_here(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    how: &SubmitOptions,
    tasks: &[u32],
    session: &Session,
) -> Result<Outcome> {
    let registry = session.registry()?;
    let (interrupt, console) = (Interrupt::watch(), &session.console);
    let ignore_doctor = how.ignore_doctor;
    let interrupted = interrupt.flag();
    let runner = TaskRunner { folder, manifest, registry: &registry, session, interrupted, ignore_doctor };
    let (mut done, mut failed, mut busy) = (0, 0, 0);
    let resume = folder.command("resume");
    for (place, task) in tasks.iter().enumerate() {
        match runner.measure(*task, &format!("task {task}, {} of {}: ", place + 1, tasks.len())) {
            Ok(TaskEnd::Measured { failures: None, .. } | TaskEnd::WasDone) => done += 1,
            Ok(TaskEnd::InUse) => console.note(&format!("another process is measuring task {task}")),
            Ok(TaskEnd::Measured { .. }) => failed += 1,
            Ok(TaskEnd::Busy(found)) => {
                console.warn(&format!("task {task} is not measured now: {found}"));
                busy += 1;
            }
            Ok(TaskEnd::Interrupted) => {
                console.warn(&format!("interrupted: what was measured is kept; {resume} continues"));
                return Ok(Outcome::Interrupted);
            }
            Err(error) => {
                console.error(&error.to_string());
                failed += 1;
            }
        }
    }
    if busy > 0 {
        console.warn(&format!(
            "{} not measured, because this machine was busy; {resume} tries again, and with --ignore-doctor measures \
             nevertheless",
            counted(busy, "task")
        ));
    }
    let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    console.note(&format!("{} done{failures}", counted(done, "task")));
    if failed > 0 {
        return Ok(Outcome::SomethingFailed);
    }
    Ok(if busy > 0 { Outcome::TryLater } else { Outcome::Done })
}

/// The words that call this program as it was called, for scripts.
fn program(session: &Session) -> Result<Vec<String>> {
    let program = std::env::current_exe().map_err(|error| {
        Error::new(format!("the path of this program is unknown: {error}")).remedy("call it by its full path")
    })?;
    let common = &session.common;
    let mut words = vec![text(&program)?];
    for folder in &common.plugin_dir {
        let folder = std::path::absolute(folder).map_err(|error| Error::io("find", folder, &error))?;
        words.extend(["--plugin-dir".to_owned(), text(&folder)?]);
    }
    if let Some(policy) = common.trust {
        words.push(format!("--trust={policy}"));
    }
    if let Some(bytes) = common.memory_limit {
        words.push(format!("--memory-limit={bytes}B"));
    }
    words.extend(common.no_sandbox.then(|| "--no-sandbox".to_owned()));
    words.extend(common.strict.then(|| "--strict".to_owned()));
    Ok(words)
}

/// A path as text.
fn text(path: &std::path::Path) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Error::new(format!("the path `{}` is not in UTF-8", path.display())).remedy("move it to one that is")
    })
}
