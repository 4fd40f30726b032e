//! Which tasks of a campaign make one run: those on one text, with the same algorithms, that machines of one
//! model have measured. Comparisons then never cross models, and as each pattern length is in one task, no
//! comparison at a length crosses machines.

use std::collections::BTreeMap;

use assay_base::error::{Error, Result};
use assay_store::gathered::{GatheredFacts, MissingTask};
use assay_store::join::{self, RunPiece};

use crate::attempt::AttemptFolder;
use crate::folder::CampaignFolder;
use crate::manifest::{CampaignManifest, CampaignTask, check_file, sha256};
use crate::scheduler::Scheduler;
use crate::status::TaskState;
use crate::submit;

/// The model of a machine that does not say which it is.
const UNKNOWN_MODEL: &str = "unknown CPU";

/// The tasks that make one run.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskGroup {
    /// The text, in the words of the experiment.
    pub text: String,
    /// The model of the CPU.
    pub model: String,
    /// What the run is a part of, with the tasks that it lacks.
    pub facts: GatheredFacts,
    /// Its tasks, in their order.
    pub pieces: Vec<RunPiece>,
}

/// The reference experiment, as a task has measured it before its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceRun {
    /// The model of the CPU.
    pub model: String,
    /// Where, and for which task.
    pub piece: RunPiece,
}

/// What a campaign has measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredTasks {
    /// The tasks of each run, in the order of the texts.
    pub groups: Vec<TaskGroup>,
    /// The reference experiments of these tasks.
    pub references: Vec<ReferenceRun>,
    /// All tasks that are not measured, each with its text.
    pub missing: Vec<(String, MissingTask)>,
    /// What the user should know of how this is known.
    pub notes: Vec<String>,
}

impl MeasuredTasks {
    /// Finds the runs of all tasks that are done, and compares them with their checksums. A run that was damaged
    /// is missing.
    ///
    /// # Errors
    /// If the attempts can't be read, or the batch system is there and can't be asked.
    pub fn find(
        folder: &CampaignFolder,
        manifest: &CampaignManifest,
        scheduler: &dyn Scheduler,
    ) -> Result<Self> {
        let status = submit::status(folder, manifest, scheduler)?;
        let campaign_sha256 = sha256(manifest.to_toml().as_bytes());
        let mut found = MeasuredTasks { notes: status.notes, ..MeasuredTasks::default() };
        let mut places: BTreeMap<(String, Option<[usize; 2]>, String), usize> = BTreeMap::new();
        for (task, status) in manifest.tasks.iter().zip(&status.tasks) {
            let state = match &status.reason {
                Some(reason) => format!("{}: {reason}", status.state.words()),
                None => status.state.words().to_owned(),
            };
            if status.state != TaskState::Done {
                found.missing.push(missing(task, state));
                continue;
            }
            let attempts = AttemptFolder::all(&folder.attempts(task.number))?;
            let Some((attempt, run)) = attempts.iter().find_map(|one| Some((one, one.run().filter(|_| one.is_done())?)))
            else {
                found.missing.push(missing(task, "its run was removed".to_owned()));
                continue;
            };
            let node = attempt.attempt.node.node.clone();
            let piece = RunPiece { folder: run, task: task.number, node };
            if let Err(error) = check(folder, task, &piece) {
                found.missing.push(missing(task, format!("damaged: {}", error.message())));
                continue;
            }
            let model = attempt.attempt.node.cpu.clone().unwrap_or_else(|| UNKNOWN_MODEL.to_owned());
            if let Some(reference) = assay_store::all(&attempt.reference()).pop().filter(|run| !run.partial) {
                let piece = RunPiece { folder: reference.folder, ..piece.clone() };
                found.references.push(ReferenceRun { model: model.clone(), piece });
            }
            let place = *places.entry((task.text.clone(), task.group, model.clone())).or_insert_with(|| {
                let facts = GatheredFacts {
                    campaign_sha256: campaign_sha256.clone(),
                    reference: manifest.reference.clone(),
                    group: task.group,
                    ..GatheredFacts::default()
                };
                found.groups.push(TaskGroup { text: task.text.clone(), model, facts, pieces: Vec::new() });
                found.groups.len() - 1
            });
            found.groups[place].pieces.push(piece);
        }
        let of_task = |number: u32| manifest.tasks.iter().find(|task| task.number == number);
        for TaskGroup { text, facts, .. } in &mut found.groups {
            let of_group = found.missing.iter().filter(|(of, missing)| {
                of == text && of_task(missing.task).is_some_and(|task| task.group == facts.group)
            });
            facts.missing = of_group.map(|(_, missing)| missing.clone()).collect();
        }
        Ok(found)
    }
}

/// A task that is not measured, with its text.
fn missing(task: &CampaignTask, state: String) -> (String, MissingTask) {
    (task.text.clone(), MissingTask { task: task.number, values: task.values.clone(), state })
}

/// Checks that a run is what the task has measured.
fn check(folder: &CampaignFolder, task: &CampaignTask, piece: &RunPiece) -> Result<()> {
    check_file(&folder.task(task.number), &task.sha256)?;
    let facts = join::check(&piece.folder)?;
    let asked = std::fs::read_to_string(folder.task(task.number))
        .map_err(|error| Error::io("read", &folder.task(task.number), &error))?;
    let measured = facts.definition.map(|definition| definition.to_toml());
    if measured.as_deref().is_none_or(|measured| measured == asked) {
        return Ok(());
    }
    Err(Error::new("its run is that of another experiment"))
}
