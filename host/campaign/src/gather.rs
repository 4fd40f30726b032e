//! Which tasks of a campaign make one run: those on one text, with the same algorithms, that machines of one
//! model have measured. Comparisons then never cross models, and as each pattern length is in one task, no
//! comparison at a length crosses machines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::counted;
use assay_experiment::definition::Experiment;
use assay_store::EXPERIMENT;
use assay_store::gathered::{DAMAGED, GatheredFacts, MissingTask};
use assay_store::join::{self, RunPiece};

use crate::attempt::AttemptFolder;
use crate::batch_system::BatchSystem;
use crate::folder::CampaignFolder;
use crate::manifest::{CampaignManifest, CampaignTask};
use crate::node::Node;
use crate::status::{CampaignStatus, TaskState, TaskStatus};
use crate::submission::{Submission, Submissions, SubmittedArray};
use crate::submit;

/// The model of a machine that does not report its CPU.
const UNKNOWN_MODEL: &str = "unknown CPU";

/// The state of a task that has a job, if Slurm does not say what became of the job.
const UNKNOWN_STATE: &str = "unknown: `squeue` failed";

/// The tasks that make one run.
#[derive(Clone, Debug, PartialEq)]
pub struct TasksOfRun {
    /// The text, in the words of the experiment.
    pub text: String,
    /// The model of the CPU.
    pub model: String,
    /// What the run is a part of, with the tasks that are missing in it.
    pub facts: GatheredFacts,
    /// When its task with the lowest number began, in UTC (empty if its run does not say so), with the id of
    /// the run of that task.
    pub began: Option<(String, String)>,
    /// Its tasks, in their order.
    pub pieces: Vec<RunPiece>,
}

/// The reference experiment, as a task has measured it before its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceRun {
    /// The model of the CPU.
    pub model: String,
    /// SHA-256 of the experiment. Only times of the same can be compared.
    pub experiment: String,
    /// Where, and for which task.
    pub piece: RunPiece,
}

/// What a campaign has measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredTasks {
    /// The tasks of each run, in the order of the texts.
    pub groups: Vec<TasksOfRun>,
    /// The reference experiments of these tasks.
    pub references: Vec<ReferenceRun>,
    /// All tasks that are not measured, each with its text.
    pub missing: Vec<(String, MissingTask)>,
    /// Notes for the user, for example that Slurm keeps no accounts.
    pub notes: Vec<String>,
    /// Warnings, for example about a submission that can't be read.
    pub warnings: Vec<String>,
}

impl MeasuredTasks {
    /// Finds the runs of all tasks that are done, and compares them with their checksums. A run that was
    /// damaged is missing.
    ///
    /// # Errors
    /// If the attempts or the submissions can't be read, or a file of a run may not be read.
    pub fn find(
        folder: &CampaignFolder,
        manifest: &CampaignManifest,
        system: &dyn BatchSystem,
    ) -> Result<Self> {
        // What is measured can be gathered, even if the batch system does not say what waits or runs.
        // But whether a task with a job waits, runs or has ended is unknown then.
        let mut with_unknown_job = BTreeSet::new();
        let mut status = match submit::status(folder, manifest, system) {
            Ok(status) => status,
            Err(error) => {
                let Submissions { all, warnings, .. } = Submission::all(folder, manifest)?;
                let arrays = all.into_iter().flat_map(|submission| submission.arrays);
                with_unknown_job =
                    arrays.filter(SubmittedArray::may_have_job).flat_map(|array| array.tasks).collect();
                let mut status = CampaignStatus::read(folder, manifest, &Submissions::default(), system)?;
                status.notes.push(error.message().to_owned());
                status.warnings = warnings;
                status
            }
        };
        let (notes, warnings) = (std::mem::take(&mut status.notes), std::mem::take(&mut status.warnings));
        let mut found = MeasuredTasks { notes, warnings, ..MeasuredTasks::default() };
        let mut without_reference = Vec::new();
        for (task, status) in manifest.tasks.iter().zip(&status.tasks) {
            match MeasuredTask::find(folder, manifest, task, status)? {
                Ok(measured) => {
                    without_reference.extend(measured.reference.is_none().then_some(task.number));
                    found.add(measured, task, manifest);
                }
                Err(state) => {
                    let is_unknown = status.state.is_left()
                        && !state.starts_with(DAMAGED)
                        && with_unknown_job.contains(&task.number);
                    let state = if is_unknown { UNKNOWN_STATE.to_owned() } else { state };
                    found.missing.push(missing(task, state));
                }
            }
        }
        if let Some(first) = without_reference.first() {
            let count = without_reference.len();
            found.warnings.push(format!(
                "{} (the first is task {first}) {} no run of the reference experiment, so {} not used to compare nodes",
                counted(count, "task"),
                if count == 1 { "has" } else { "have" },
                if count == 1 { "it is" } else { "they are" }
            ));
        }
        found.note_missing(manifest);
        Ok(found)
    }

    /// Adds a task to the run of its text, its algorithms and its model of CPU.
    fn add(&mut self, measured: MeasuredTask, task: &CampaignTask, manifest: &CampaignManifest) {
        let MeasuredTask { model, piece, began, reference } = measured;
        self.references.extend(reference.map(|folder| ReferenceRun {
            model: model.clone(),
            experiment: manifest.reference_sha256.clone(),
            piece: RunPiece { folder, ..piece.clone() },
        }));
        let is_place = |group: &TasksOfRun| {
            group.text == task.text && group.facts.group == task.group && group.model == model
        };
        // From the end, because the tasks of a text follow each other.
        let place = self.groups.iter().rposition(is_place).unwrap_or_else(|| {
            let facts = GatheredFacts {
                campaign_sha256: manifest.sha256.clone(),
                reference: manifest.reference.clone(),
                group: task.group,
                ..GatheredFacts::default()
            };
            let (text, pieces) = (task.text.clone(), Vec::new());
            self.groups.push(TasksOfRun { text, model, facts, began: None, pieces });
            self.groups.len() - 1
        });
        let group = &mut self.groups[place];
        let run = piece.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        group.pieces.push(piece);
        // Tasks come in the order of their numbers. No clock decides, because the clocks of machines differ.
        group.began.get_or_insert((began.unwrap_or_default(), run));
    }

    /// Notes in each run the tasks on its text, with its algorithms, that are missing in it: they are not
    /// measured, or on another model.
    fn note_missing(&mut self, manifest: &CampaignManifest) {
        let missing: BTreeMap<u32, &MissingTask> =
            self.missing.iter().map(|(_, missing)| (missing.task, missing)).collect();
        let models: BTreeMap<u32, String> = self
            .groups
            .iter()
            .flat_map(|group| group.pieces.iter().map(|piece| (piece.task, group.model.clone())))
            .collect();
        for TasksOfRun { text, model, facts, .. } in &mut self.groups {
            let of_run = manifest.tasks.iter().filter(|task| task.text == *text && task.group == facts.group);
            let missing_here =
                of_run.filter_map(|task| match (missing.get(&task.number), models.get(&task.number)) {
                    (Some(missing), _) => Some((*missing).clone()),
                    (None, Some(other)) if other != model => {
                        Some(self::missing(task, format!("measured on {other}")).1)
                    }
                    _ => None,
                });
            facts.missing = missing_here.collect();
        }
    }
}

/// What was measured of a task.
struct MeasuredTask {
    /// The model of the CPU.
    model: String,
    piece: RunPiece,
    /// When it began.
    began: Option<String>,
    /// The run of the reference experiment.
    reference: Option<PathBuf>,
}

impl MeasuredTask {
    /// The run of a task that is done, compared with its checksums; or the state of a task without such a
    /// run, in words.
    fn find(
        folder: &CampaignFolder,
        manifest: &CampaignManifest,
        task: &CampaignTask,
        status: &TaskStatus,
    ) -> Result<Result<Self, String>> {
        if status.state != TaskState::Done {
            let state = status.state.words();
            return Ok(Err(match &status.reason {
                // `resume` has found the damage, or the run was removed.
                Some(reason) if reason.starts_with(DAMAGED) => reason.clone(),
                Some(reason) => format!("{state}: {reason}"),
                None => state.to_owned(),
            }));
        }
        let attempts = AttemptFolder::all(&folder.attempts(task.number))?;
        let mut state = None;
        // The first one that is whole counts, as for `resume`.
        for attempt in attempts.iter().filter(|attempt| attempt.is_done()) {
            let Some(run) = attempt.run() else { continue };
            match check(folder, manifest, task, attempt, &run) {
                Ok(began) => return Ok(Ok(MeasuredTask::of_attempt(task, attempt, run, began))),
                // Whoever may read it may find it sound.
                Err(error) if error.is_denied() => return Err(error),
                Err(error) => state = state.or_else(|| Some(format!("{DAMAGED}: {}", error.message()))),
            }
        }
        Ok(Err(state.unwrap_or_else(|| format!("{DAMAGED}: its run was removed"))))
    }

    /// What an attempt has measured, whose run was checked.
    fn of_attempt(task: &CampaignTask, attempt: &AttemptFolder, run: PathBuf, began: Option<String>) -> Self {
        let Node { node, cpu, .. } = attempt.attempt.node.clone();
        let reference = assay_store::all(&attempt.reference()).into_iter().rfind(|run| !run.partial);
        MeasuredTask {
            model: cpu.unwrap_or_else(|| UNKNOWN_MODEL.to_owned()),
            piece: RunPiece { folder: run, task: task.number, node },
            began,
            reference: reference.map(|run| run.folder),
        }
    }
}

/// A task that is not measured, with its text.
fn missing(task: &CampaignTask, state: String) -> (String, MissingTask) {
    (task.text.clone(), MissingTask { task: task.number, values: task.values.clone(), state })
}

/// Checks that a run is what the attempt has measured of the task, whose file was checked before. Returns
/// when it began.
pub(crate) fn check(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    task: &CampaignTask,
    attempt: &AttemptFolder,
    run: &Path,
) -> Result<Option<String>> {
    let facts = join::check(run)?;
    let is_planned = |sha256: &String| manifest.texts.iter().any(|text| text.sha256 == *sha256);
    let wrong = [
        (facts.seed != manifest.seed, "another seed than the campaign"),
        (!facts.texts().iter().all(is_planned), "a text that is not one of the campaign"),
        (facts.machine.cpu != attempt.attempt.node.cpu, "another CPU than its attempt"),
    ];
    if let Some((_, what)) = wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
        return Err(Error::new(format!("its `report.json` has {what}")));
    }
    let began = facts.parts.first().map(|part| part.began.clone());
    // Those who read a text record it, and a run reads those of its own values alone.
    let asked = Experiment::load(&folder.task(task.number))?.without_records();
    let is_another = |measured: Experiment| measured.without_records() != asked;
    if facts.definition.is_some_and(is_another) {
        return Err(Error::new("its run is that of another experiment"));
    }
    if is_another(Experiment::load(&run.join(EXPERIMENT))?) {
        return Err(Error::new(format!("its `{EXPERIMENT}` is another experiment than that of the task")));
    }
    Ok(began)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use assay_store::folder::SaveFolder;
    use assay_store::parts::Part;
    use assay_store::testing;

    use super::*;
    use crate::batch_system::{ArrayRequest, Job, JobStates, SubmitAnswer};
    use crate::manifest::testing::manifest;
    use crate::manifest::{ManifestText, sha256};
    use crate::submission::{SubmitOptions, SubmitTarget};

    /// A batch system that takes no jobs, and always answers this when it is asked for their states.
    struct NoBatchSystem(Result<JobStates>);

    impl BatchSystem for NoBatchSystem {
        fn submit(&self, _: &ArrayRequest) -> Result<SubmitAnswer> {
            unreachable!("nothing is submitted")
        }

        fn find(&self, _: &str, _: bool) -> Result<Option<String>> {
            Ok(None)
        }

        fn states(&self, _: &[Job]) -> Result<JobStates> {
            self.0.clone()
        }

        fn cancel(&self, _: &[String]) -> Result<()> {
            Ok(())
        }

        fn array_limit(&self) -> Result<Option<usize>> {
            Ok(None)
        }
    }

    /// A campaign of tasks with one pattern length each, a hundred on each text. All are done but every
    /// thirteenth; each machine has measured every `nodes`th, and every fourth machine is of one model.
    fn campaign(place: &Path, tasks: u32, nodes: u32) -> (CampaignFolder, CampaignManifest) {
        const LENGTHS: u32 = 100;
        let folder = CampaignFolder::at(place).unwrap();
        let mut manifest = manifest(tasks);
        let text = &testing::run().experiment.text;
        let (name, bytes) = ("t".to_owned(), text.bytes as u64);
        manifest.texts = vec![ManifestText { name, bytes, sha256: text.sha256.clone() }];
        std::fs::create_dir_all(folder.task(1).parent().unwrap()).unwrap();
        let seed = manifest.seed;
        for task in &mut manifest.tasks {
            let (text, length) = ((task.number - 1) / LENGTHS, 2 + (task.number - 1) % LENGTHS);
            let mut run = testing::run();
            // The clock of the machine of task 1 is ahead of all others.
            let began = if task.number == 1 { "2036-01-02T03:04:05Z" } else { "2026-01-02T03:04:05Z" };
            run.experiment.parts.push(Part { began: began.to_owned(), ..Part::default() });
            run.experiment.seed = seed;
            run.experiment.machine.cpu = Some(format!("CPU {}", task.number % nodes % 4));
            let definition = run.experiment.definition.as_mut().unwrap();
            definition.algorithms = vec!["hor".to_owned(), "bf".to_owned()];
            definition.patterns.lengths = vec![length as usize];
            let toml = definition.to_toml();
            (task.text, task.values) = (format!("text{text}"), vec![length.into()]);
            task.sha256 = sha256(toml.as_bytes());
            std::fs::write(folder.task(task.number), toml).unwrap();
            if task.number.is_multiple_of(13) {
                continue;
            }
            let number = task.number % nodes;
            let (node, cpu) = (format!("n{number}"), format!("CPU {}", number % 4));
            let node = Node { node, cpu: Some(cpu), kernel: "Linux 6".to_owned() };
            let attempts = folder.attempts(task.number);
            let mut attempt = AttemptFolder::begin(&attempts, &node, None).unwrap();
            let time = |id: &str, length: usize, round| 1000 * (id.len() + length) as u64 + u64::from(round);
            testing::save(&attempt.runs().join("1"), &run, &[length as usize], 3, time).unwrap();
            attempt.done("1".to_owned(), None).unwrap();
        }
        (folder, manifest)
    }

    /// The machine of the first attempt at a task.
    fn attempt_node(folder: &CampaignFolder, task: u32) -> Node {
        AttemptFolder::all(&folder.attempts(task)).unwrap()[0].attempt.node.clone()
    }

    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }

    #[test]
    fn each_run_has_the_tasks_of_one_text_and_one_model_and_knows_what_is_missing() {
        let place = tempfile::tempdir().unwrap();
        let (folder, mut manifest) = campaign(place.path(), 30, 8);
        // Two groups of algorithms, and a run that was damaged.
        manifest.tasks[9].group = Some([2, 2]);
        let attempt = AttemptFolder::all(&folder.attempts(5)).unwrap().remove(0);
        let run = attempt.run().unwrap();
        std::fs::write(run.join("measurements.csv"), "algorithm\n").unwrap();
        // A second attempt counts if the first is damaged, and rows that no block has are damage.
        let rows =
            AttemptFolder::all(&folder.attempts(6)).unwrap()[0].run().unwrap().join("measurements.csv");
        let text = std::fs::read_to_string(&rows).unwrap();
        let whole = AttemptFolder::all(&folder.attempts(6)).unwrap().remove(0).run().unwrap();
        let mut second = AttemptFolder::begin(&folder.attempts(6), &attempt_node(&folder, 6), None).unwrap();
        std::fs::create_dir_all(second.runs()).unwrap();
        copy(&whole, &second.runs().join("1"));
        second.done("1".to_owned(), None).unwrap();
        std::fs::write(&rows, format!("{text}{}\n", text.lines().last().unwrap())).unwrap();
        // A file in the place of the attempts at a task costs that task alone.
        std::fs::write(folder.attempts(13), "").unwrap();
        let found =
            MeasuredTasks::find(&folder, &manifest, &NoBatchSystem(Ok(JobStates::default()))).unwrap();
        let missing: Vec<u32> = found.missing.iter().map(|(_, task)| task.task).collect();
        assert_eq!(missing, [5, 13, 26]);
        assert!(found.missing[0].1.state.starts_with("damaged: "), "{:?}", found.missing);
        assert!(found.missing[1].1.state.starts_with("failed: can't read `"), "{:?}", found.missing);
        let warning =
            "27 tasks (the first is task 1) have no run of the reference experiment, so they are not used";
        assert!(found.warnings[0].starts_with(warning), "{:?}", found.warnings);
        let piece =
            found.groups.iter().flat_map(|group| &group.pieces).find(|piece| piece.task == 6).unwrap();
        assert_eq!(piece.folder, second.run().unwrap());
        let tasks: usize = found.groups.iter().map(|group| group.pieces.len()).sum();
        assert_eq!((tasks, found.groups.len()), (27, 5), "four models, and the second group");
        let second = found.groups.iter().find(|group| group.facts.group.is_some()).unwrap();
        assert_eq!((second.pieces.len(), second.facts.missing.as_slice()), (1, &[][..]));
        let first = &found.groups[0];
        assert_eq!(first.pieces[0].task, 1);
        assert_eq!(first.began, Some(("2036-01-02T03:04:05Z".to_owned(), "1".to_owned())));
        // What other models have measured is missing here as well.
        assert_eq!(first.facts.missing.len(), 29 - first.pieces.len());
        let elsewhere = first.facts.missing.iter().filter(|task| task.state.starts_with("measured on CPU "));
        assert_eq!(elsewhere.count(), 26 - first.pieces.len());
        let nodes: Vec<&str> = first.pieces.iter().map(|piece| piece.node.as_str()).collect();
        assert!(nodes.iter().all(|node| ["n1", "n5"].contains(node)), "{nodes:?}");

        let out = tempfile::tempdir().unwrap();
        let save = SaveFolder::create(out.path(), "1").unwrap();
        let joined = join::join(&save, "1", "words", first.facts.clone(), &first.pieces).unwrap();
        save.fill_joined(&first.pieces, &joined, "page").unwrap();
        let facts = joined.experiment;
        assert_eq!((facts.id.as_str(), facts.rows), ("1", Some(6 * first.pieces.len())));
        let definition = facts.definition.unwrap();
        assert_eq!(
            (definition.description.as_str(), definition.patterns.lengths.len()),
            ("words on CPU 1", nodes.len())
        );
        assert_eq!(facts.parts.len(), nodes.len());
        assert_eq!(facts.parts[1].task.as_ref().unwrap().node, nodes[1]);
        let gathered = facts.gathered.unwrap();
        assert_eq!(gathered.nodes.len(), 2);
        assert_eq!(gathered.nodes[0].noise.floor_ns, Some(20.0));
        assert_eq!(join::check(save.path()).unwrap().rows, facts.rows);
    }

    #[test]
    fn a_task_whose_job_slurm_does_not_report_is_unknown_rather_than_not_submitted() {
        let place = tempfile::tempdir().unwrap();
        let (folder, manifest) = campaign(place.path(), 39, 1);
        let how = SubmitOptions {
            target: SubmitTarget::Slurm,
            options: Vec::new(),
            exclusive: true,
            array_limit: None,
            ignore_doctor: false,
            program: Vec::new(),
        };
        // Task 13 has a job, that of task 26 was refused, and task 39 was never submitted.
        let mut submission = Submission::new(1, how, &[12, 13, 26], 2);
        submission.arrays[0].job = Some("7".to_owned());
        submission.arrays[1].refused = Some("no such partition".to_owned());
        std::fs::create_dir(folder.submissions()).unwrap();
        submission.save(&folder).unwrap();
        std::fs::write(folder.submissions().join("0002.toml"), "number = ").unwrap();
        let system = NoBatchSystem(Err(Error::new("`squeue` failed: no answer")));
        let found = MeasuredTasks::find(&folder, &manifest, &system).unwrap();
        let missing: Vec<(u32, &str)> =
            found.missing.iter().map(|(_, task)| (task.task, task.state.as_str())).collect();
        let expected = [(13, UNKNOWN_STATE), (26, "not submitted"), (39, "not submitted")];
        assert_eq!(missing, expected);
        assert_eq!(found.notes, ["`squeue` failed: no answer"]);
        assert!(found.warnings[0].contains("0002.toml"), "{:?}", found.warnings);
    }

    #[test]
    fn ten_thousand_tasks_of_two_hundred_machines_are_gathered() {
        // In memory, because it writes some 60,000 files.
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        let (folder, manifest) = campaign(place.path(), 10_000, 200);
        let begun = Instant::now();
        let found =
            MeasuredTasks::find(&folder, &manifest, &NoBatchSystem(Ok(JobStates::default()))).unwrap();
        let seconds = begun.elapsed().as_secs_f64();
        assert_eq!((found.missing.len(), found.groups.len()), (769, 400), "100 texts on four models");
        let mut rows = 0;
        for (number, group) in found.groups.iter().enumerate() {
            let id = number.to_string();
            let save = SaveFolder::create(&place.path().join("gathered"), &id).unwrap();
            rows += join::join(&save, &id, "", group.facts.clone(), &group.pieces)
                .unwrap()
                .experiment
                .rows
                .unwrap();
        }
        assert_eq!(rows, 6 * (10_000 - 769));
        println!("found in {seconds:.1} s, joined after {:.1} s", begun.elapsed().as_secs_f64());
    }
}
