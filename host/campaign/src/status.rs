//! What became of each task: joins what the attempts say with what the batch system says.
//!
//! Attempts decide what is done, because only they have rows. The batch system decides what waits or runs. A
//! lock shows a task that is measured without a batch system.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use assay_base::error::Result;
use assay_load::plugin::printable;

use crate::attempt::{self, AttemptFolder, AttemptOutcome};
use crate::batch_system::{BatchSystem, ElementState, Job, JobStage, JobStates};
use crate::folder::CampaignFolder;
use crate::manifest::CampaignManifest;
use crate::submission::{Submissions, SubmittedArray};

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskState {
    /// It is measured.
    Done,
    /// A job or another process is measuring it.
    Running,
    /// A job for it waits.
    Waiting,
    /// It was begun, or was to be, and did not come to its end.
    Interrupted,
    /// It can't be measured as it is.
    Failed,
    /// There is no job for it, and no process has begun it.
    NotSubmitted,
}

impl TaskState {
    /// All states, in the order in which they are listed.
    pub const ALL: [TaskState; 6] = [
        TaskState::Done,
        TaskState::Running,
        TaskState::Waiting,
        TaskState::Interrupted,
        TaskState::Failed,
        TaskState::NotSubmitted,
    ];

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            TaskState::Done => "done",
            TaskState::Running => "running",
            TaskState::Waiting => "waiting",
            TaskState::Interrupted => "interrupted",
            TaskState::Failed => "failed",
            TaskState::NotSubmitted => "not submitted",
        }
    }

    /// Whether the task must be submitted, because it is not done and has no job.
    pub fn is_left(self) -> bool {
        matches!(self, TaskState::Interrupted | TaskState::Failed | TaskState::NotSubmitted)
    }
}

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskStatus {
    /// The number of the task.
    pub number: u32,
    /// Its state.
    pub state: TaskState,
    /// The number of attempts.
    pub attempts: usize,
    /// The machine of the newest attempt, or of the job.
    pub node: Option<String>,
    /// The newest job.
    pub job: Option<String>,
    /// Why it is not done, or what was wrong with what was measured.
    pub reason: Option<String>,
    /// Whether a process without a job is measuring it.
    pub is_without_job: bool,
}

/// What became of all tasks of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignStatus {
    /// The tasks, in order.
    pub tasks: Vec<TaskStatus>,
    /// The jobs that have elements which wait or run.
    pub live_jobs: BTreeSet<String>,
    /// The jobs of tasks that are not done, if the batch system can't be asked about them.
    pub unknown_jobs: Vec<String>,
    /// Notes for the user, for example that Slurm keeps no accounts.
    pub notes: Vec<String>,
    /// Warnings, for example about a submission that can't be read.
    pub warnings: Vec<String>,
}

/// The attempts at a task.
struct TaskAttempts {
    /// The number of the task.
    number: u32,
    /// The first one first; none if they can't be read.
    all: Vec<AttemptFolder>,
    /// Why they can't be read.
    unreadable: Option<String>,
}

impl TaskAttempts {
    fn read(folder: &CampaignFolder, number: u32) -> Self {
        match AttemptFolder::all(&folder.attempts(number)) {
            Ok(all) => TaskAttempts { number, all, unreadable: None },
            Err(error) => {
                TaskAttempts { number, all: Vec::new(), unreadable: Some(error.message().to_owned()) }
            }
        }
    }

    fn is_done(&self) -> bool {
        self.all.iter().any(AttemptFolder::is_done)
    }
}

/// The arrays of all submissions that may have jobs, the first one first.
fn arrays(submissions: &Submissions) -> impl Iterator<Item = &SubmittedArray> {
    submissions.all.iter().flat_map(|submission| &submission.arrays).filter(|array| !array.gone)
}

/// A job for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Delivery {
    job: String,
    element: Option<ElementState>,
}

/// All jobs for the tasks of a campaign.
#[derive(Default)]
struct Deliveries {
    /// The jobs for each task, the newest one last.
    of_tasks: HashMap<u32, Vec<Delivery>>,
    /// Why the newest array of a task was refused; `None` if it was not.
    refusals: HashMap<u32, Option<String>>,
    /// The jobs that have elements which wait or run.
    live_jobs: BTreeSet<String>,
}

impl Deliveries {
    /// Joins the arrays of all submissions with what the batch system says of their jobs.
    fn join(submissions: &Submissions, states: &JobStates) -> Self {
        let mut found = Deliveries::default();
        for array in arrays(submissions) {
            let refusal =
                array.refused.as_ref().map(|words| format!("refused: {}", printable::message(words)));
            found.refusals.extend(array.tasks.iter().map(|task| (*task, refusal.clone())));
            let Some(job) = &array.job else { continue };
            for (place, task) in array.tasks.iter().enumerate() {
                let element = states.elements.get(&(job.clone(), place)).cloned();
                if element.as_ref().is_some_and(ElementState::is_live) {
                    found.live_jobs.insert(job.clone());
                }
                let delivery = Delivery { job: format!("{job}_{place}"), element };
                found.of_tasks.entry(*task).or_default().push(delivery);
            }
        }
        found
    }

    /// Decides the state of a task with attempts in this folder. `asked` says whether the batch system was.
    fn judge(&self, task: &TaskAttempts, asked: bool, folder: &Path) -> TaskStatus {
        let deliveries = self.of_tasks.get(&task.number).map_or(&[][..], Vec::as_slice);
        let mut status = Evidence { attempts: &task.all, deliveries, asked }.judge(task.number, folder);
        if !status.state.is_left() {
            return status;
        }
        if let Some(reason) = &task.unreadable {
            (status.state, status.reason) = (TaskState::Failed, Some(reason.clone()));
        }
        if status.state == TaskState::NotSubmitted && status.reason.is_none() {
            status.reason = attempt::no_attempt(folder);
        }
        if let Some(Some(refusal)) = self.refusals.get(&task.number) {
            let earlier = status.reason.map_or_else(String::new, |earlier| format!("{earlier}; then "));
            status.reason = Some(earlier + refusal);
        }
        status
    }
}

impl CampaignStatus {
    /// Reads the attempts, and asks the batch system about the jobs of these submissions.
    ///
    /// # Errors
    /// If the batch system is there and can't be asked.
    pub fn read(
        folder: &CampaignFolder,
        manifest: &CampaignManifest,
        submissions: &Submissions,
        system: &dyn BatchSystem,
    ) -> Result<Self> {
        let mut attempts: Vec<TaskAttempts> =
            manifest.tasks.iter().map(|task| TaskAttempts::read(folder, task.number)).collect();
        let undone: BTreeSet<u32> =
            attempts.iter().filter(|task| !task.is_done()).map(|task| task.number).collect();
        let open = arrays(submissions).filter(|array| array.tasks.iter().any(|task| undone.contains(task)));
        let job = |array: &SubmittedArray| Some(Job { number: array.job.clone()?, name: array.name.clone() });
        let jobs: Vec<Job> = open.filter_map(job).collect();
        let states = if jobs.is_empty() { JobStates::default() } else { system.states(&jobs)? };
        // A task may have ended while the batch system was asked, which takes a while on a busy cluster.
        for task in attempts.iter_mut().filter(|task| !jobs.is_empty() && !task.is_done()) {
            *task = TaskAttempts::read(folder, task.number);
        }
        let deliveries = Deliveries::join(submissions, &states);
        let judge = |task: &TaskAttempts| deliveries.judge(task, states.asked, &folder.attempts(task.number));
        let tasks = attempts.iter().map(judge).collect();
        let (live_jobs, warnings) = (deliveries.live_jobs, submissions.warnings.clone());
        let unknown_jobs =
            if states.asked { Vec::new() } else { jobs.into_iter().map(|job| job.number).collect() };
        Ok(CampaignStatus { tasks, live_jobs, unknown_jobs, notes: states.notes, warnings })
    }

    /// How many tasks are in a state.
    pub fn count(&self, state: TaskState) -> usize {
        self.tasks.iter().filter(|task| task.state == state).count()
    }

    /// The tasks that must be submitted.
    pub fn left(&self) -> Vec<u32> {
        self.tasks.iter().filter(|task| task.state.is_left()).map(|task| task.number).collect()
    }
}

impl ElementState {
    /// Whether it waits or runs.
    pub(crate) fn is_live(&self) -> bool {
        self.stage <= JobStage::Running
    }
}

/// Why the newest attempt at a task may have no end.
const WITHOUT_END: &str = "was killed, or the disk was too full to note how it ended";

/// What is known of a task.
struct Evidence<'a> {
    attempts: &'a [AttemptFolder],
    deliveries: &'a [Delivery],
    /// Whether the batch system was asked, so that it has forgotten what it does not know.
    asked: bool,
}

impl Evidence<'_> {
    /// Decides the state of a task with attempts in this folder.
    fn judge(&self, number: u32, folder: &Path) -> TaskStatus {
        let newest = self.attempts.last();
        let done = self.attempts.iter().find(|attempt| attempt.is_done());
        let status = |state, reason: Option<String>| {
            let live = self.live(JobStage::Running);
            let node = live.and_then(|delivery| delivery.element.as_ref()?.node.clone());
            TaskStatus {
                number,
                state,
                attempts: self.attempts.len(),
                node: node.or_else(|| Some(done.or(newest)?.attempt.node.node.clone())),
                job: self.deliveries.last().map(|delivery| delivery.job.clone()),
                reason,
                is_without_job: state == TaskState::Running && live.is_none(),
            }
        };
        if let Some(done) = done {
            return status(TaskState::Done, done.last_part().and_then(|part| part.message.clone()));
        }
        if self.live(JobStage::Running).is_some() || attempt::is_locked(folder) {
            return status(TaskState::Running, None);
        }
        if self.live(JobStage::Waiting).is_some() {
            // A job that was sent back waits again.
            let earlier = newest.and_then(AttemptFolder::last_part).and_then(|part| part.message.clone());
            return status(TaskState::Waiting, earlier);
        }
        if let Some(delivery) = self.live(JobStage::Unknown) {
            let reason = self.word(Some(delivery));
            return status(
                TaskState::Waiting,
                reason.map(|job| job + ", which this version of assay does not know"),
            );
        }
        let (state, reason) = self.ended();
        status(state, reason)
    }

    /// The newest job at this stage.
    fn live(&self, stage: JobStage) -> Option<&Delivery> {
        let at_stage = |delivery: &&Delivery| delivery.element.as_ref().is_some_and(|job| job.stage == stage);
        self.deliveries.iter().rev().find(at_stage)
    }

    /// The state of a task that is not done and that no process is measuring, and the reason.
    fn ended(&self) -> (TaskState, Option<String>) {
        let delivery = self.deliveries.last();
        let Some(newest) = self.attempts.last() else {
            return match delivery {
                None => (TaskState::NotSubmitted, None),
                Some(delivery) => self.without_attempt(delivery),
            };
        };
        let part = newest.last_part();
        let job = part.and_then(|part| part.job.as_ref());
        // A newer job has ended before it could begin an attempt.
        if let (Some(job), Some(delivery)) = (job, delivery)
            && delivery.job != *job
        {
            return self.without_attempt(delivery);
        }
        let message = part.and_then(|part| part.message.clone());
        match newest.outcome() {
            Some(AttemptOutcome::Failed) => (TaskState::Failed, message),
            Some(AttemptOutcome::Busy | AttemptOutcome::Damaged) => (TaskState::Interrupted, message),
            Some(AttemptOutcome::Interrupted) => {
                let reason = message.or_else(|| self.word(delivery));
                (TaskState::Interrupted, reason.or_else(|| Some("a signal ended it".to_owned())))
            }
            Some(AttemptOutcome::Done) => (TaskState::Interrupted, Some(newest.why_not_done())),
            None => self.killed(delivery),
        }
    }

    /// The state of a task whose newest attempt has noted no end: a signal that can't be handled has ended its
    /// process, or there was no room for the note. That is an interruption, but a task that needs too much
    /// memory will need it again.
    fn killed(&self, delivery: Option<&Delivery>) -> (TaskState, Option<String>) {
        let Some((delivery, element)) = delivery.and_then(|one| Some((one, one.element.as_ref()?))) else {
            return (TaskState::Interrupted, Some(format!("its process {WITHOUT_END}")));
        };
        let (job, word) = (&delivery.job, &element.word);
        let state =
            if word.starts_with("OUT_OF_MEMORY") { TaskState::Failed } else { TaskState::Interrupted };
        (state, Some(format!("job {job}: {word}; its process {WITHOUT_END}; see logs/{job}.txt")))
    }

    /// The state of a task whose newest job has left no attempt.
    fn without_attempt(&self, delivery: &Delivery) -> (TaskState, Option<String>) {
        let job = &delivery.job;
        match &delivery.element {
            Some(ElementState { stage: JobStage::Failed, word, .. }) => {
                (TaskState::Failed, Some(format!("job {job}: {word}; see logs/{job}.txt")))
            }
            Some(ElementState { word, .. }) => (TaskState::Interrupted, Some(format!("job {job}: {word}"))),
            None if self.asked => {
                (TaskState::Interrupted, Some(format!("job {job} has ended, and has not begun the task")))
            }
            None => (TaskState::Waiting, Some(format!("submitted as job {job}"))),
        }
    }

    /// The word of the batch system for a job that has ended.
    fn word(&self, delivery: Option<&Delivery>) -> Option<String> {
        let delivery = delivery?;
        let element = delivery.element.as_ref()?;
        (element.stage != JobStage::Completed).then(|| format!("job {}: {}", delivery.job, element.word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt::testing::{node, save_run};

    /// The state of a task of which an attempt by `job` has ended so, with what the batch system says of its
    /// newest job.
    fn state(
        attempt: Option<(&str, Option<AttemptOutcome>)>,
        delivery: Option<(&str, Option<JobStage>)>,
        asked: bool,
    ) -> TaskState {
        let folder = tempfile::tempdir().unwrap();
        if let Some((job, outcome)) = attempt {
            let job = (!job.is_empty()).then(|| job.to_owned());
            let mut attempt = AttemptFolder::begin(folder.path(), &node("n"), job).unwrap();
            match outcome {
                Some(AttemptOutcome::Done) => save_run(&mut attempt),
                Some(outcome) => attempt.end(outcome, None).unwrap(),
                None => {}
            }
        }
        let element = |stage| ElementState { stage, word: "WORD".to_owned(), node: None };
        let delivery =
            delivery.map(|(job, stage)| Delivery { job: job.to_owned(), element: stage.map(element) });
        let attempts = AttemptFolder::all(folder.path()).unwrap();
        let evidence = Evidence { attempts: &attempts, deliveries: delivery.as_slice(), asked };
        evidence.judge(1, folder.path()).state
    }

    #[test]
    fn attempts_decide_what_is_done_and_the_batch_system_what_is_under_way() {
        use AttemptOutcome::{Busy, Done, Failed, Interrupted};
        use JobStage::{Completed, Ended, Running, Waiting};
        let cases = [
            (None, None, TaskState::NotSubmitted),
            (None, Some(("7_0", Some(Waiting))), TaskState::Waiting),
            (None, Some(("7_0", Some(Running))), TaskState::Running),
            (None, Some(("7_0", Some(Ended))), TaskState::Interrupted),
            (None, Some(("7_0", Some(Completed))), TaskState::Interrupted),
            (None, Some(("7_0", Some(JobStage::Failed))), TaskState::Failed),
            (None, Some(("7_0", None)), TaskState::Interrupted),
            (Some(("7_0", Some(Done))), Some(("7_0", Some(JobStage::Failed))), TaskState::Done),
            (Some(("7_0", Some(Done))), Some(("8_0", Some(Waiting))), TaskState::Done),
            (Some(("7_0", Some(Failed))), Some(("7_0", Some(JobStage::Failed))), TaskState::Failed),
            (Some(("7_0", Some(Failed))), Some(("8_0", Some(Waiting))), TaskState::Waiting),
            (Some(("7_0", Some(Busy))), Some(("7_0", Some(JobStage::Failed))), TaskState::Interrupted),
            (Some(("7_0", Some(Busy))), Some(("7_0", Some(Waiting))), TaskState::Waiting),
            (Some(("7_0", Some(Interrupted))), Some(("7_0", Some(Ended))), TaskState::Interrupted),
            (Some(("7_0", None)), Some(("7_0", Some(Running))), TaskState::Running),
            (Some(("7_0", None)), Some(("7_0", Some(JobStage::Failed))), TaskState::Interrupted),
            (Some(("7_0", None)), Some(("7_0", None)), TaskState::Interrupted),
            (Some(("7_0", Some(Interrupted))), Some(("8_0", Some(JobStage::Failed))), TaskState::Failed),
            (Some(("", Some(Interrupted))), None, TaskState::Interrupted),
            (Some(("", Some(Done))), None, TaskState::Done),
            (None, Some(("7_0", Some(JobStage::Unknown))), TaskState::Waiting),
        ];
        for (attempt, delivery, expected) in cases {
            assert_eq!(state(attempt, delivery, true), expected, "{attempt:?} {delivery:?}");
        }
        assert_eq!(state(None, Some(("7_0", None)), false), TaskState::Waiting, "nobody could be asked");
    }

    #[test]
    fn a_killed_process_is_an_interruption_unless_it_needed_too_much_memory() {
        let folder = tempfile::tempdir().unwrap();
        AttemptFolder::begin(folder.path(), &node("n"), Some("7_0".to_owned())).unwrap();
        let attempts = AttemptFolder::all(folder.path()).unwrap();
        let judged = |word: &str| {
            let element = ElementState { stage: JobStage::Failed, word: word.to_owned(), node: None };
            let delivery = Delivery { job: "7_0".to_owned(), element: Some(element) };
            let evidence = Evidence { attempts: &attempts, deliveries: &[delivery], asked: true };
            let status = evidence.judge(1, folder.path());
            (status.state, status.reason.unwrap())
        };
        let (state, reason) = judged("FAILED");
        assert_eq!(state, TaskState::Interrupted);
        assert_eq!(reason, format!("job 7_0: FAILED; its process {WITHOUT_END}; see logs/7_0.txt"));
        assert_eq!(judged("OUT_OF_MEMORY").0, TaskState::Failed);
    }

    #[test]
    fn a_task_whose_lock_is_held_runs() {
        let folder = tempfile::tempdir().unwrap();
        let lock = attempt::lock(folder.path()).unwrap();
        let evidence = Evidence { attempts: &[], deliveries: &[], asked: false };
        assert_eq!(evidence.judge(1, folder.path()).state, TaskState::Running);
        drop(lock);
        assert_eq!(evidence.judge(1, folder.path()).state, TaskState::NotSubmitted);
    }
}
