//! What a batch system must be able to do for a campaign.

use std::collections::HashMap;
use std::path::PathBuf;

use assay_base::error::{Error, Result};

/// A batch system. A job is an array of elements, each of which measures one task.
pub trait BatchSystem {
    /// Submits an array.
    ///
    /// # Errors
    /// If it is unknown whether it was submitted.
    fn submit(&self, request: &ArrayRequest) -> Result<SubmitAnswer>;

    /// The number of the job of this name, if the system knows one. It is asked when a process was ended
    /// between submitting an array and noting its number. `is_final`: without an answer, the caller submits
    /// the array again; so wait for a request that may still be in flight, and ask once more.
    ///
    /// # Errors
    /// If the system can't be asked.
    fn find(&self, name: &str, is_final: bool) -> Result<Option<String>>;

    /// What became of the elements of these jobs.
    ///
    /// # Errors
    /// If the system is there and can't be asked.
    fn states(&self, jobs: &[Job]) -> Result<JobStates>;

    /// The name of the cluster whose jobs it knows; `None` if that is unknown.
    fn cluster(&self) -> Option<String> {
        None
    }

    /// Ends these jobs, and keeps those of their elements that wait from beginning.
    ///
    /// # Errors
    /// If they were not ended.
    fn cancel(&self, jobs: &[String]) -> Result<()>;

    /// The greatest number of elements of an array, if there is a limit.
    ///
    /// # Errors
    /// If the system can't be asked.
    fn array_limit(&self) -> Result<Option<usize>>;
}

/// A job. Its number is not enough, because numbers begin anew on a cluster that was set up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub number: String,
    /// Its name, which no other job has.
    pub name: String,
}

/// An array to submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayRequest {
    /// Its name, which no other array has.
    pub name: String,
    /// The script of the job. It gets the number of the element, from 0 on, from the batch system.
    pub script: PathBuf,
    /// The folder for what the jobs print.
    pub logs: PathBuf,
    /// The number of elements.
    pub elements: usize,
    /// Whether each element gets a machine of its own.
    pub exclusive: bool,
    /// Options for the batch system, in the user's words.
    pub options: Vec<String>,
}

/// What a batch system answers to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmitAnswer {
    /// It has submitted the array as a job of this number.
    Job(String),
    /// It printed this number but exited with an error. The array counts as submitted; elements that the
    /// system does not know count as ended.
    Doubtful(String, Error),
    /// It has not submitted the array, for this reason.
    Refused(Error),
}

/// What a batch system knows of jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobStates {
    /// By the number of the job and of the element.
    pub elements: HashMap<(String, usize), ElementState>,
    /// Whether the system could be asked. If it could, an element that it does not know has ended.
    pub asked: bool,
    /// Notes for the user on how the system was asked.
    pub notes: Vec<String>,
}

/// The state of an element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementState {
    /// Its stage.
    pub stage: JobStage,
    /// The word of the batch system for it.
    pub word: String,
    /// The machine, if it has one.
    pub node: Option<String>,
}

/// The stage of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobStage {
    /// It is in the queue, in a state that this version does not know.
    Unknown,
    /// It waits for a machine, for the first time or again.
    Waiting,
    /// It has a machine.
    Running,
    /// It has ended with exit status 0.
    Completed,
    /// It was ended from outside: by the user, for another job, by its time limit, or with its machine.
    Ended,
    /// Its program failed, or needed more memory than it may.
    Failed,
}
