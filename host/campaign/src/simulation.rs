//! A simulated cluster: machines that die, hang, are preempted, are busy, have a wrong clock or get a task
//! twice, and a batch system that forgets jobs and whose answers get lost. Everything else is the real code.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_base::error::{Error, Result};
use assay_store::RESULTS;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::attempt::AttemptFolder;
use crate::attempt::testing::node;
use crate::batch_system::{ArrayRequest, BatchSystem, ElementState, Job, JobStage, JobStates, SubmitAnswer};
use crate::manifest::testing::manifest;
use crate::submission::{Submission, SubmitOptions, SubmitTarget};
use crate::submit::{cancel, status, submit};
use crate::task::{TaskEnd, attend};
use crate::{CampaignFolder, CampaignStatus, TaskState};

const TASKS: u32 = 10_000;
const NODES: usize = 200;
const ARRAY_LIMIT: usize = 1000;

/// A batch system that does what a test says.
struct SimulatedCluster {
    folder: CampaignFolder,
    state: RefCell<ClusterState>,
}

struct ClusterState {
    random: SmallRng,
    jobs: BTreeMap<u32, SimulatedJob>,
    /// The tasks that have been measured to their end, with how often.
    measured: HashMap<u32, usize>,
    /// The folders of the attempts at each task, in the order in which they were begun.
    begun: HashMap<u32, Vec<PathBuf>>,
    lost_answers: usize,
    refused: HashSet<String>,
    twice: usize,
}

struct SimulatedJob {
    name: String,
    tasks: Vec<u32>,
    elements: Vec<ElementState>,
    /// How many steps each element still hangs.
    hangs: HashMap<usize, u32>,
}

impl SimulatedCluster {
    fn new(folder: &CampaignFolder) -> Self {
        let random = SmallRng::seed_from_u64(24);
        let state = ClusterState {
            random,
            jobs: BTreeMap::new(),
            measured: HashMap::new(),
            begun: HashMap::new(),
            lost_answers: 0,
            refused: HashSet::new(),
            twice: 0,
        };
        SimulatedCluster { folder: folder.clone(), state: RefCell::new(state) }
    }

    /// Lets each machine work at one element. Returns whether any had work.
    fn step(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let ClusterState { random, jobs, measured, begun, twice, .. } = &mut *state;
        let mut free = NODES;
        for (number, job) in jobs.iter_mut() {
            for place in 0..job.elements.len() {
                let element = &mut job.elements[place];
                let name = format!("n{free}");
                match element.stage {
                    JobStage::Running => {
                        let hang = job.hangs.entry(place).or_default();
                        *hang = hang.saturating_sub(1);
                        if *hang == 0 {
                            *element = ended("TIMEOUT");
                        }
                        free = free.saturating_sub(1);
                    }
                    JobStage::Waiting if free > 0 => {
                        free -= 1;
                        let (task, job_words) = (job.tasks[place], format!("{number}_{place}"));
                        let event = random.random_range(0..100);
                        let begun = begun.entry(task).or_default();
                        let mut deliver = |node: &str, event| {
                            self.deliver(task, node, Some(job_words.clone()), event, begun)
                        };
                        let end = deliver(&name, event);
                        if let Some(TaskEnd::Measured { .. }) = end {
                            *measured.entry(task).or_default() += 1;
                        }
                        // Some elements are delivered to another machine as well.
                        if event % 10 == 7 {
                            *twice += 1;
                            if let Some(TaskEnd::Measured { .. }) = deliver("other", 50) {
                                *measured.entry(task).or_default() += 1;
                            }
                        }
                        *element = match event {
                            0 => ended("NODE_FAIL"),
                            1 => {
                                job.hangs.insert(place, 5);
                                ElementState {
                                    stage: JobStage::Running,
                                    word: "RUNNING".into(),
                                    node: Some(name),
                                }
                            }
                            // It is preempted or busy, and goes back to the queue.
                            2 | 3 => waiting(),
                            4 => ended("CANCELLED by 0"),
                            5 => ElementState {
                                stage: JobStage::Failed,
                                word: "OUT_OF_MEMORY".into(),
                                node: None,
                            },
                            _ => ElementState {
                                stage: JobStage::Completed,
                                word: "COMPLETED".into(),
                                node: None,
                            },
                        };
                    }
                    _ => {}
                }
            }
        }
        // Jobs that have ended are forgotten after a while.
        let is_live = |job: &SimulatedJob| job.elements.iter().any(|one| one.stage <= JobStage::Running);
        let forgotten: Vec<u32> = jobs.iter().filter(|(_, job)| !is_live(job)).map(|(job, _)| *job).collect();
        for job in forgotten {
            if random.random_bool(0.2) {
                jobs.remove(&job);
            }
        }
        free < NODES
    }

    /// Brings a task to a machine, where this happens.
    fn deliver(
        &self,
        task: u32,
        name: &str,
        job: Option<String>,
        event: u32,
        begun: &mut Vec<PathBuf>,
    ) -> Option<TaskEnd> {
        let work = |attempt: &mut AttemptFolder| {
            let folder = attempt.runs();
            if !begun.contains(&folder) {
                begun.push(folder);
            }
            if event.is_multiple_of(4) {
                // The clock of this machine is wrong by decades.
                attempt.attempt.parts.iter_mut().for_each(|part| part.began = "1999-01-01T00:00:00Z".into());
            }
            match event {
                // The process is killed, together with its machine or because it needs too much memory.
                0 | 1 | 5 => resume_unwind(Box::new("killed")),
                6 => Err(Error::new("the disk is full")),
                2 | 4 => Ok(TaskEnd::Interrupted),
                3 => Ok(TaskEnd::Busy("load: CPU 1 is 97 % busy".into())),
                _ => {
                    let run = attempt.runs().join("1");
                    fs::create_dir_all(&run).unwrap();
                    fs::write(run.join(RESULTS), "{}").unwrap();
                    Ok(TaskEnd::Measured { run: "1".into(), failures: None })
                }
            }
        };
        let attended = || attend(&self.folder, task, &node(name), job, work);
        catch_unwind(AssertUnwindSafe(attended)).ok()?.ok()
    }

    /// Checks that a status says of each task what has happened to it.
    fn agrees_with(&self, status: &CampaignStatus) {
        let live: HashSet<u32> = self.live_tasks().into_iter().collect();
        let state = self.state.borrow();
        let measured = &state.measured;
        assert_eq!(status.tasks.len(), TASKS as usize);
        for task in &status.tasks {
            let number = task.number;
            assert_eq!(task.state == TaskState::Done, measured.contains_key(&number), "{task:?}");
            // What has neither been measured nor has a job would be lost if it was not submitted again.
            let is_lost = !measured.contains_key(&number) && !live.contains(&number);
            assert_eq!(task.state.is_left(), is_lost, "{task:?}");
        }
    }

    /// The tasks for which a job waits or runs.
    fn live_tasks(&self) -> Vec<u32> {
        let state = self.state.borrow();
        let live = state.jobs.values().flat_map(|job| job.tasks.iter().zip(&job.elements));
        live.filter(|(_, element)| element.stage <= JobStage::Running).map(|(task, _)| *task).collect()
    }
}

fn waiting() -> ElementState {
    ElementState { stage: JobStage::Waiting, word: "PENDING".to_owned(), node: None }
}

fn ended(word: &str) -> ElementState {
    ElementState { stage: JobStage::Ended, word: word.to_owned(), node: None }
}

/// The tasks of a script: those in its line `set -- ..`.
fn tasks_of(script: &Path) -> Vec<u32> {
    let text = fs::read_to_string(script).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("set -- ")).unwrap();
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}

impl BatchSystem for SimulatedCluster {
    fn submit(&self, request: &ArrayRequest) -> Result<SubmitAnswer> {
        assert!(request.elements <= ARRAY_LIMIT);
        let tasks = tasks_of(&request.script);
        assert_eq!(tasks.len(), request.elements);
        let mut state = self.state.borrow_mut();
        if state.random.random_bool(0.3) {
            state.refused.insert(request.name.clone());
            return Ok(SubmitAnswer::Refused(Error::new("no such partition")));
        }
        let number = state.jobs.keys().next_back().map_or(1, |last| last + 1);
        let elements = vec![waiting(); tasks.len()];
        let job = SimulatedJob { name: request.name.clone(), tasks, elements, hangs: HashMap::new() };
        state.jobs.insert(number, job);
        if number.is_multiple_of(5) {
            state.lost_answers += 1;
            return Err(Error::new("the answer was lost"));
        }
        Ok(SubmitAnswer::Job(number.to_string()))
    }

    fn find(&self, name: &str, _: bool) -> Result<Option<String>> {
        let state = self.state.borrow();
        assert!(!state.refused.contains(name), "what was refused is known, so nobody asks");
        let found = state.jobs.iter().find(|(_, job)| job.name == name);
        Ok(found.map(|(number, _)| number.to_string()))
    }

    fn states(&self, jobs: &[Job]) -> Result<JobStates> {
        let state = self.state.borrow();
        let mut states = JobStates { asked: true, ..JobStates::default() };
        for job in jobs {
            let Some(known) = state.jobs.get(&job.number.parse().unwrap()) else { continue };
            let elements = known.elements.iter().enumerate();
            states
                .elements
                .extend(elements.map(|(place, state)| ((job.number.clone(), place), state.clone())));
        }
        Ok(states)
    }

    fn cancel(&self, jobs: &[String]) -> Result<()> {
        let mut state = self.state.borrow_mut();
        for job in jobs {
            let job = state.jobs.get_mut(&job.parse().unwrap()).unwrap();
            for element in job.elements.iter_mut().filter(|element| element.stage <= JobStage::Running) {
                *element = ended("CANCELLED by 0");
            }
        }
        Ok(())
    }

    fn array_limit(&self) -> Result<Option<usize>> {
        Ok(Some(ARRAY_LIMIT))
    }
}

#[test]
fn ten_thousand_tasks_on_two_hundred_machines_are_measured_once_each_whatever_fails() {
    // In memory, because it writes some 50,000 files.
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let (folder, manifest) = (CampaignFolder::at(place.path()).unwrap(), manifest(TASKS));
    let cluster = SimulatedCluster::new(&folder);
    let how = SubmitOptions {
        target: SubmitTarget::Slurm,
        options: Vec::new(),
        exclusive: true,
        array_limit: None,
        ignore_doctor: false,
        program: vec!["assay".to_owned()],
    };
    let (mut rounds, mut slowest) = (0, 0.0_f64);
    loop {
        // An answer that was lost ends a submission in the middle; the next one knows what was submitted.
        while submit(&folder, &manifest, how.clone(), &cluster).is_err() {}
        let live = cluster.live_tasks();
        let different: HashSet<u32> = live.iter().copied().collect();
        assert_eq!(live.len(), different.len(), "no task waits or runs twice");
        if rounds == 2 {
            assert!(!cancel(&folder, &manifest, &cluster).unwrap().jobs.is_empty());
            assert!(cluster.live_tasks().is_empty());
        }
        for _ in 0..25 {
            cluster.step();
        }
        let begun = Instant::now();
        let status = status(&folder, &manifest, &cluster).unwrap();
        slowest = slowest.max(begun.elapsed().as_secs_f64());
        cluster.agrees_with(&status);
        rounds += 1;
        if status.count(TaskState::Done) == TASKS as usize {
            break;
        }
        assert!(rounds < 60, "it comes to an end");
    }
    let state = cluster.state.borrow();
    let seen = (state.lost_answers, state.refused.len(), state.twice);
    assert!(seen.0 > 0 && seen.1 > 0 && seen.2 > 100, "{seen:?} answers lost, arrays refused, tasks twice");
    assert!(state.measured.len() == TASKS as usize && state.measured.values().all(|times| *times == 1));
    let mut out_of_order = 0;
    for task in 1..=TASKS {
        let attempts = AttemptFolder::all(&folder.attempts(task)).unwrap();
        assert_eq!(attempts.iter().filter(|attempt| attempt.is_done()).count(), 1, "task {task}");
        // Their order is that in which they were begun, whatever the clocks of their machines show.
        let folders: Vec<PathBuf> = attempts.iter().map(AttemptFolder::runs).collect();
        assert_eq!(folders, state.begun[&task], "task {task}");
        let began = |attempt: &AttemptFolder| attempt.last_part().map(|part| part.began.clone());
        out_of_order += usize::from(!attempts.is_sorted_by_key(began));
    }
    assert!(out_of_order > 100, "{out_of_order} tasks have attempts with a wrong clock");
    let submissions = Submission::all(&folder, &manifest).unwrap().all.len();
    println!("{submissions} submissions; the status of {TASKS} tasks takes up to {slowest:.2} s");
}
