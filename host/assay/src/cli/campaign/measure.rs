//! Measures a task of a campaign on this machine: what jobs do, and what `--on local` does.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_campaign::plan::{libraries, program_sha256};
use assay_campaign::slurm::SlurmJob;
use assay_campaign::{AttemptFolder, CampaignFolder, CampaignManifest, Node, TaskEnd, task};
use assay_doctor::{CheckOutcome, Finding, System, passing};
use assay_experiment::Resolved;
use assay_experiment::definition::Experiment;
use assay_load::plugin::Registry;
use assay_report::{NotMadeFor, RangeAxis};
use assay_store::folder::SaveFolder;
use assay_store::{RESULTS, Run, Saved, all};

use super::without_options_of_run;
use crate::cli::Session;
use crate::cli::run::{RunProgress, failures};
use crate::run::{FinishedRun, differing_conditions, execute, resume};

/// Measures the tasks of a campaign.
pub(super) struct TaskRunner<'a> {
    pub(super) folder: &'a CampaignFolder,
    pub(super) manifest: &'a CampaignManifest,
    pub(super) registry: &'a Registry,
    pub(super) session: &'a Session,
    /// Set by a signal.
    pub(super) interrupted: &'a AtomicBool,
    /// Whether to measure on a busy machine too.
    pub(super) ignore_doctor: bool,
}

impl TaskRunner<'_> {
    /// Measures a task, unless it is done or another process is measuring it. `prefix` begins the messages of
    /// progress.
    ///
    /// # Errors
    /// If the task can't be measured; the attempt says why.
    pub(super) fn measure(&self, number: u32, prefix: &str) -> Result<TaskEnd> {
        // A campaign that is not as it was planned is no fault of the task.
        self.manifest.check(self.folder, Some(number))?;
        let job = SlurmJob::here().map(|job| job.id);
        task::attend(self.folder, number, &Node::here(), job, |attempt| self.attempt(number, attempt, prefix))
            .map_err(|error| error.after(&format!("task {number}: ")))
    }

    /// Makes an attempt at a task.
    fn attempt(&self, number: u32, attempt: &mut AttemptFolder, prefix: &str) -> Result<TaskEnd> {
        let resolved = self.checked(number)?;
        if !self.ignore_doctor {
            let findings = passing(&System::here(), resolved.cpu);
            attempt.checked(findings.iter().map(Finding::record).collect())?;
            if let Some(found) = disturbance(&findings, resolved.cpu) {
                return Ok(TaskEnd::Busy(found));
            }
        }
        if let Some(run) = finished_run(&attempt.runs())? {
            // A process was killed after it had saved the run, and before it could note that.
            return Ok(self.measured(number, &run));
        }
        let earlier = self.earlier(number, attempt, &resolved)?;
        let is_measured = earlier.as_ref().is_some_and(|(_, run)| !run.experiment.interrupted);
        if !is_measured && !self.measure_reference(attempt, prefix)? {
            return Ok(TaskEnd::Interrupted);
        }
        // An error from here on says nothing against the run, so what was measured is kept: the next job
        // continues it, unless the error fails the whole attempt.
        Ok(match self.run(&resolved, earlier, &attempt.runs(), prefix)? {
            Some(run) => self.measured(number, &run),
            None => TaskEnd::Interrupted,
        })
    }

    /// Measures the reference experiment of an attempt. Returns `false` if it was interrupted.
    fn measure_reference(&self, attempt: &AttemptFolder, prefix: &str) -> Result<bool> {
        let reference = self.resolved(&self.folder.reference())?;
        let prefix = format!("{prefix}reference ");
        let Some(reference) = self.run(&reference, None, &attempt.reference(), &prefix)? else {
            return Ok(false);
        };
        let axis = RangeAxis::new(&reference.experiment);
        let refusals = NotMadeFor::all(&reference);
        let refusals = refusals.iter().map(|refusal| refusal.words(&axis));
        match failures(&reference).into_iter().chain(refusals).next() {
            Some(failure) => Err(Error::new(format!("the reference experiment failed: {failure}"))
                .remedy("plan the campaign with another --reference, which can search for its patterns")),
            None => Ok(true),
        }
    }

    /// The run of an attempt that was interrupted, taken again. If it can't be continued, it stays as it is,
    /// and `attempt` becomes another one.
    fn earlier(
        &self,
        number: u32,
        attempt: &mut AttemptFolder,
        resolved: &Resolved,
    ) -> Result<Option<(SaveFolder, Run)>> {
        match all(&attempt.runs()).pop().map(|saved| reopened(&saved, resolved)) {
            // With more space, it can be continued.
            Some(Err(error)) if !error.is_no_space() => {
                // Another CPU of the same machine, for example.
                self.session.console.note(&format!("the task is begun anew: {}", error.message()));
                let another = attempt.clone();
                *attempt = another.begin_anew(&self.folder.attempts(number), error.message().to_owned())?;
                Ok(None)
            }
            reopened => reopened.transpose(),
        }
    }

    /// The experiment of a task, after this program and the libraries were compared with the manifest. The
    /// experiment itself compares its text.
    fn checked(&self, number: u32) -> Result<Resolved> {
        self.manifest.check_program(&program_sha256()?)?;
        let resolved = self.resolved(&self.folder.task(number))?;
        for (path, sha256) in libraries(&resolved, self.registry)? {
            self.manifest.check_library(&path, &sha256)?;
        }
        Ok(resolved)
    }

    fn resolved(&self, file: &Path) -> Result<Resolved> {
        let resolved = Experiment::load(file)?.resolve(self.registry, &self.session.console);
        resolved.map_err(|error| {
            error.remedy("bring back what has changed since the campaign was planned, or plan another")
        })
    }

    /// Measures an experiment into a folder, or continues a run in it. `None` if it was interrupted.
    fn run(
        &self,
        resolved: &Resolved,
        earlier: Option<(SaveFolder, Run)>,
        out: &Path,
        prefix: &str,
    ) -> Result<Option<Run>> {
        let bar = RunProgress::new(&self.session.console, resolved, prefix);
        let finished = match earlier {
            Some(earlier) => {
                resume(resolved, self.registry, earlier, false, self.interrupted, |step| bar.step(step))
            }
            None => execute(resolved, self.registry, Some(out), self.interrupted, |step| bar.step(step)),
        };
        bar.finish();
        let continued = format!(
            "correct the cause, such as a full disk; what was measured is kept, and {} continues the task",
            self.folder.command("resume")
        );
        let in_campaign = |error| without_options_of_run(error, &continued);
        let Some(FinishedRun { run, saved, .. }) = finished.map_err(in_campaign)? else { return Ok(None) };
        saved.map_err(in_campaign)?;
        Ok((!run.experiment.interrupted).then_some(run))
    }

    /// The end of a task that is measured, in this run.
    fn measured(&self, number: u32, run: &Run) -> TaskEnd {
        let text = self.manifest.task(number).map_or("", |task| &task.text);
        for failure in failures(run) {
            self.session.console.warn(&format!("task {number}, {text}: {failure}"));
        }
        let cells = run.results.iter().filter(|cell| cell.status.is_failure()).count();
        let failures = (cells > 0).then(|| format!("{} failed", counted(cells, "cell")));
        TaskEnd::Measured { run: run.experiment.id.clone(), failures }
    }
}

/// The folder of a run that was interrupted, with the run, taken again so that it can be continued. If
/// everything is measured and the folder only needs its name, the conditions do not matter.
///
/// # Errors
/// If the run is damaged or goes on, or would not be continued under the same conditions.
fn reopened(saved: &Saved, resolved: &Resolved) -> Result<(SaveFolder, Run)> {
    let (folder, run) = SaveFolder::reopen(saved)?;
    if run.experiment.interrupted {
        differing_conditions(&run, resolved, false)?;
    }
    Ok((folder, run))
}

/// What disturbs measurements on this machine now, in words. Workers that are not pinned are disturbed by
/// whatever runs on any CPU.
fn disturbance(findings: &[Finding], cpu: Option<usize>) -> Option<String> {
    let least = if cpu.is_some() { CheckOutcome::Problem } else { CheckOutcome::Warning };
    let found: Vec<String> = findings
        .iter()
        .filter(|finding| finding.outcome >= least)
        .map(|finding| format!("{}: {}", finding.name, finding.found))
        .collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// The newest run in a folder that was measured to its end.
fn finished_run(runs: &Path) -> Result<Option<Run>> {
    for saved in all(runs).iter().rev().filter(|saved| !saved.partial) {
        let run = Run::read(&saved.folder.join(RESULTS))?;
        if !run.experiment.interrupted {
            return Ok(Some(run));
        }
    }
    Ok(None)
}
