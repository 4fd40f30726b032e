//! Hands over to a batch system what is left of a campaign, and takes it back.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_load::plugin::printable;

use crate::batch_system::{ArrayRequest, BatchSystem, SubmitAnswer};
use crate::folder::{CampaignFolder, four_digits, make};
use crate::job_script;
use crate::manifest::CampaignManifest;
use crate::status::CampaignStatus;
use crate::submission::{self, Submission, Submissions, SubmitOptions, SubmitTarget, SubmittedArray};

/// Greatest number of elements of an array if the batch system names no limit: Slurm's own default.
const ARRAY_LIMIT: usize = 1001;

/// Submits every task that is not done and has no job. Returns what was submitted; `None`
/// if nothing is left. With [`SubmitTarget::Local`] and [`SubmitTarget::Script`] no batch system is called: the
/// tasks are returned, and with the latter, their scripts are written.
///
/// # Errors
/// If another process submits now, a file can't be written, or the batch system refuses. What it has accepted
/// before is noted.
pub fn submit(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    how: SubmitOptions,
    system: &dyn BatchSystem,
) -> Result<Option<(Submission, Vec<u32>)>> {
    let lock = submission::lock(folder)?;
    let submissions = known(folder, manifest, system, true)?;
    let tasks = CampaignStatus::read(folder, manifest, &submissions, system)?.left();
    if tasks.is_empty() {
        return Ok(None);
    }
    let limit = array_limit(&how, system)?;
    let mut submission = Submission::new(submissions.next, how, &tasks, limit);
    submission.cluster = if submission.arrays.is_empty() { None } else { system.cluster() };
    make(&folder.logs())?;
    write_scripts(folder, &submission, &tasks)?;
    let arrays = std::mem::take(&mut submission.arrays);
    let count = arrays.len();
    submission.save(folder)?;
    // An `sbatch` that outlives this process keeps others from submitting, because Slurm does not know its
    // job yet.
    lock.share_with_children()?;
    for (place, array) in arrays.into_iter().enumerate() {
        // Only arrays that were asked for are noted, so at most one of them is unknown after a kill.
        submission.arrays.push(array);
        submission.save(folder)?;
        let before = format!("{} of {count} submitted, then: ", counted(place, "job array"));
        let answer = system.submit(&request(folder, &submission, place));
        match answer.map_err(|error| error.after(&before))? {
            SubmitAnswer::Job(job) => submission.arrays[place].job = Some(job),
            SubmitAnswer::Doubtful(job, error) => {
                submission.arrays[place].doubt = Some(error.message().to_owned());
                submission.arrays[place].job = Some(job);
            }
            SubmitAnswer::Refused(error) => {
                submission.arrays[place].refused = Some(error.message().to_owned());
                submission.save(folder)?;
                return Err(error.after(&before));
            }
        }
        submission.save(folder)?;
    }
    Ok(Some((submission, tasks)))
}

/// What [`submit`] would submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedSubmission {
    /// The submission, with its arrays.
    pub submission: Submission,
    /// The tasks; empty if nothing is left.
    pub tasks: Vec<u32>,
    /// Notes for the user, for example that Slurm was not reached.
    pub notes: Vec<String>,
}

/// What [`submit`] would submit, without doing so, if these tasks were not done besides. If the batch system
/// can't be asked for its limit of arrays, its usual limit is assumed, and a note says so.
///
/// # Errors
/// As there.
pub fn planned(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    how: SubmitOptions,
    damaged: &[u32],
    system: &dyn BatchSystem,
) -> Result<PlannedSubmission> {
    let submissions = known(folder, manifest, system, false)?;
    let status = CampaignStatus::read(folder, manifest, &submissions, system)?;
    let (mut tasks, mut notes) = (status.left(), status.notes);
    tasks.extend(damaged);
    tasks.sort_unstable();
    tasks.dedup();
    let limit = array_limit(&how, system).unwrap_or_else(|error| {
        notes.push(format!(
            "Slurm was not reached, so a limit of {ARRAY_LIMIT} tasks in an array is assumed: {}",
            error.message()
        ));
        how.array_limit.map_or(ARRAY_LIMIT, |asked| asked.min(ARRAY_LIMIT))
    });
    let submission = Submission::new(submissions.next, how, &tasks, limit);
    Ok(PlannedSubmission { submission, tasks, notes })
}

/// The request to submit an array.
pub fn request(folder: &CampaignFolder, submission: &Submission, place: usize) -> ArrayRequest {
    let array = &submission.arrays[place];
    ArrayRequest {
        name: array.name.clone(),
        script: submission.script(folder, place + 1),
        logs: folder.logs(),
        elements: array.tasks.len(),
        exclusive: submission.how.exclusive,
        options: submission.how.options.clone(),
    }
}

/// The command that measures a task, in quotes where a shell needs them. The scripts of jobs call it.
pub fn task_command(folder: &CampaignFolder, how: &SubmitOptions, task: u32) -> String {
    job_script::command(folder, how, &task.to_string())
}

/// What became of the tasks of a campaign.
///
/// # Errors
/// As [`CampaignStatus::read`].
pub fn status(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    system: &dyn BatchSystem,
) -> Result<CampaignStatus> {
    CampaignStatus::read(folder, manifest, &known(folder, manifest, system, false)?, system)
}

/// What was cancelled, and what can't be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CancelledJobs {
    /// The numbers of the jobs that waited or ran.
    pub jobs: Vec<String>,
    /// The tasks that processes without a job are measuring, each with its machine if that is known.
    pub without_job: Vec<(u32, Option<String>)>,
    /// Warnings, for example about a submission that can't be read.
    pub warnings: Vec<String>,
}

/// Cancels all jobs of a campaign that wait or run.
///
/// # Errors
/// If another process submits now, or the batch system refuses or is not here.
pub fn cancel(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    system: &dyn BatchSystem,
) -> Result<CancelledJobs> {
    let _lock = submission::lock(folder)?;
    let submissions = known(folder, manifest, system, true)?;
    let status = CampaignStatus::read(folder, manifest, &submissions, system)?;
    if !status.unknown_jobs.is_empty() {
        return Err(Error::new(format!(
            "{} {} can't be cancelled, because there is no `squeue` here",
            if status.unknown_jobs.len() == 1 { "job" } else { "jobs" },
            status.unknown_jobs.join(", ")
        ))
        .remedy(
            "cancel where the campaign was submitted; or, if that cluster is gone, --without-slurm notes that \
             its jobs have ended",
        ));
    }
    let jobs: Vec<String> = status.live_jobs.into_iter().collect();
    if !jobs.is_empty() {
        system.cancel(&jobs)?;
    }
    let without_job = status.tasks.into_iter().filter(|task| task.is_without_job);
    let without_job = without_job.map(|task| (task.number, task.node)).collect();
    Ok(CancelledJobs { jobs, without_job, warnings: status.warnings })
}

/// Notes that all jobs of a campaign have ended, because the batch system that had them is gone. Returns the
/// number of arrays that were noted, and warnings about submissions that can't be read.
///
/// # Errors
/// If another process submits now, the batch system answers that one of the jobs waits or runs, or a file
/// can't be written.
pub fn forget_jobs(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    system: &dyn BatchSystem,
) -> Result<(usize, Vec<String>)> {
    let _lock = submission::lock(folder)?;
    // A batch system that can't be asked is what this is for.
    let status = status(folder, manifest, system);
    if let Some(job) = status.ok().and_then(|mut status| status.live_jobs.pop_first()) {
        return Err(Error::new(format!("job {job} of this campaign waits or runs in Slurm here"))
            .remedy("leave out --without-slurm, and the jobs are cancelled"));
    }
    let Submissions { all, warnings, .. } = Submission::all(folder, manifest)?;
    let mut count = 0;
    for mut submission in all {
        let before = count;
        for array in submission.arrays.iter_mut().filter(|array| array.may_have_job()) {
            array.gone = true;
            count += 1;
        }
        if count > before {
            submission.save(folder)?;
        }
    }
    Ok((count, warnings))
}

/// The submissions of a campaign. Of arrays whose number is not noted, because a process was ended before it
/// had the answer, the number is asked for by their names. The answer is noted if `save` is set: the number,
/// or that there is none.
///
/// # Errors
/// If they can't be read, or the batch system can't be asked about such an array.
fn known(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    system: &dyn BatchSystem,
    save: bool,
) -> Result<Submissions> {
    let mut submissions = Submission::all(folder, manifest)?;
    check_cluster(&submissions, system)?;
    for submission in &mut submissions.all {
        let mut is_answered = false;
        for array in submission.arrays.iter_mut().filter(|array| array.is_unknown()) {
            let answer = system.find(&array.name, save);
            // A command that only reads goes on without an answer. Submitting must not, because a task could
            // be submitted twice.
            array.job = if save { answer? } else { answer.unwrap_or_default() };
            if save && array.job.is_none() {
                array.refused = Some("the submission was interrupted before Slurm had it".to_owned());
            }
            is_answered = true;
        }
        if is_answered && save {
            submission.save(folder)?;
        }
    }
    Ok(submissions)
}

/// Checks that no jobs of these submissions are in another cluster than that of this machine, where they could
/// not be seen, and would be submitted again.
fn check_cluster(submissions: &Submissions, system: &dyn BatchSystem) -> Result<()> {
    let with_jobs = submissions
        .all
        .iter()
        .filter(|submission| submission.arrays.iter().any(SubmittedArray::may_have_job));
    let clusters: BTreeSet<&str> = with_jobs.filter_map(|submission| submission.cluster.as_deref()).collect();
    let Some(here) = (!clusters.is_empty()).then(|| system.cluster()).flatten() else { return Ok(()) };
    match clusters.into_iter().find(|cluster| *cluster != here) {
        Some(other) => Err(Error::new(format!(
            "jobs of this campaign are in the cluster `{}`, and this machine belongs to `{}`",
            printable::message(other),
            printable::message(&here)
        ))
        .remedy(
            "call this on a machine of that cluster; or, if it is gone, `assay campaign cancel DIR --without-slurm` notes \
             that its jobs have ended",
        )),
        None => Ok(()),
    }
}

/// The greatest number of elements of an array.
fn array_limit(how: &SubmitOptions, system: &dyn BatchSystem) -> Result<usize> {
    if how.target != SubmitTarget::Slurm {
        return Ok(ARRAY_LIMIT);
    }
    let limit = system.array_limit()?.unwrap_or(ARRAY_LIMIT);
    Ok(how.array_limit.map_or(limit, |asked| asked.min(limit)))
}

/// Writes the scripts of a submission: of its arrays, or of each task.
fn write_scripts(folder: &CampaignFolder, submission: &Submission, tasks: &[u32]) -> Result<()> {
    make(&folder.scripts())?;
    for (place, array) in (1..).zip(&submission.arrays) {
        let text = job_script::of_array(folder, &submission.how, &array.tasks);
        write_script(&submission.script(folder, place), &text)?;
    }
    if submission.how.target == SubmitTarget::Script {
        for task in tasks {
            let path = folder.scripts().join(format!("task-{}.sh", four_digits(*task)));
            write_script(&path, &job_script::of_task(folder, &submission.how, *task))?;
        }
    }
    Ok(())
}

/// Writes a script that can be executed.
fn write_script(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let mut file = fs::File::create(path)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(Permissions::from_mode(0o755))
    };
    write().map_err(|error| Error::io("write", path, &error))
}
