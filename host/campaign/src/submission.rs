//! What was submitted: the arrays of jobs, and which element of an array measures which task.
//!
//! A submission is written before the batch system is called, and again after each answer. So a process that
//! is ended between the two leaves an array whose name is known, and whose number can be asked for.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::toml_input;
use assay_base::moment::now;
use assay_store::FileLock;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::folder::{CampaignFolder, four_digits, make};
use crate::manifest::CampaignManifest;
use crate::node::Node;

/// The file that a process locks while it submits.
const LOCK: &str = "lock";

/// Who runs the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SubmitTarget {
    /// Slurm, by job arrays
    Slurm,
    /// This machine, one task after the other
    Local,
    /// Any other system: a job script for each task is written, and you submit them
    Script,
}

impl SubmitTarget {
    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            SubmitTarget::Slurm => "slurm",
            SubmitTarget::Local => "local",
            SubmitTarget::Script => "script",
        }
    }
}

/// How tasks are submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitOptions {
    /// Who runs them.
    #[serde(rename = "system")]
    pub target: SubmitTarget,
    /// Options for the batch system, in the user's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether each task gets a machine of its own.
    pub exclusive: bool,
    /// The greatest number of elements of an array, if the user gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_limit: Option<usize>,
    /// Whether to measure on busy machines too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_doctor: bool,
    /// The words that begin the command of a task: the program with its options.
    pub program: Vec<String>,
}

/// What was submitted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Its number.
    pub number: u32,
    /// When it was submitted, in UTC.
    pub when: String,
    /// The cluster that has its jobs, if Slurm names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// How.
    #[serde(flatten)]
    pub how: SubmitOptions,
    /// The arrays of jobs; none if no batch system was called.
    #[serde(default, rename = "array", skip_serializing_if = "Vec::is_empty")]
    pub arrays: Vec<SubmittedArray>,
}

/// An array of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedArray {
    /// Its name, which no other array has.
    pub name: String,
    /// The number that the batch system gave it; missing until it has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// Why the batch system has not submitted it. Nobody needs to ask for such an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// What the batch system said when it gave the number and failed nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// Whether the user has said that its job is gone, because the batch system can't be asked any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// The task of each element.
    pub tasks: Vec<u32>,
}

impl SubmittedArray {
    /// Whether the batch system may have a job for it.
    pub(crate) fn may_have_job(&self) -> bool {
        self.refused.is_none() && !self.gone
    }

    /// Whether it was or was not submitted: a process was ended before it could note the answer.
    pub(crate) fn is_unknown(&self) -> bool {
        self.job.is_none() && self.may_have_job()
    }
}

/// The submissions of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submissions {
    /// Those that can be read, the first one first.
    pub all: Vec<Submission>,
    /// Warnings about the others.
    pub warnings: Vec<String>,
    /// The number of the next one. No file has it, readable or not.
    pub next: u32,
}

impl Submission {
    /// A submission of these tasks that has not begun, in arrays of at most `limit` elements.
    pub(crate) fn new(number: u32, how: SubmitOptions, tasks: &[u32], limit: usize) -> Self {
        // The moment makes the name one that no other campaign has.
        let id = assay_store::folder::new_id();
        let arrays = match how.target {
            SubmitTarget::Slurm => tasks.chunks(limit.max(1)).collect(),
            SubmitTarget::Local | SubmitTarget::Script => Vec::new(),
        };
        let array = |(place, tasks): (usize, &[u32])| SubmittedArray {
            name: format!("assay-{id}-{}", place + 1),
            job: None,
            refused: None,
            doubt: None,
            gone: false,
            tasks: tasks.to_vec(),
        };
        let arrays = arrays.into_iter().enumerate().map(array).collect();
        Submission { number, when: now(), cluster: None, how, arrays }
    }

    /// The submissions of a campaign. One that can't be read costs no other.
    ///
    /// # Errors
    /// If the folder can't be read.
    pub fn all(folder: &CampaignFolder, manifest: &CampaignManifest) -> Result<Submissions> {
        let folder = folder.submissions();
        let mut found = Submissions { next: 1, ..Submissions::default() };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(Error::io("read", &folder, &error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| Error::io("read", &folder, &error))?.path();
            let Some(number) = number_of(&path) else { continue };
            found.next = found.next.max(number.saturating_add(1));
            match toml_input::read::<Submission>(&path) {
                Ok(submission) => {
                    found.warnings.extend(submission.wrong_task(manifest).map(|wrong| {
                        format!(
                            "{}: {wrong}, so the states of its tasks may be wrong: bring the file back; the line `set --` \
                             of each of its scripts has the tasks of an array",
                            path.display()
                        )
                    }));
                    found.all.push(Submission { number, ..submission });
                }
                Err(error) => found.warnings.push(format!(
                    "{}; its jobs are not known, and their tasks would be submitted again: bring the file back, or \
                     cancel those jobs first (`squeue --me` shows them)",
                    error.message()
                )),
            }
        }
        found.all.sort_by_key(|submission| submission.number);
        Ok(found)
    }

    /// What is wrong with the tasks of its arrays, if the file was edited.
    fn wrong_task(&self, manifest: &CampaignManifest) -> Option<String> {
        let mut open: HashSet<u32> = manifest.tasks.iter().map(|task| task.number).collect();
        let task = self.arrays.iter().flat_map(|array| &array.tasks).find(|task| !open.remove(task))?;
        let is_known = manifest.tasks.iter().any(|known| known.number == *task);
        let wrong = if is_known { "is in it twice" } else { "is none of the campaign" };
        Some(format!("task {task} {wrong}"))
    }

    /// Writes what is known of it.
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn save(&self, folder: &CampaignFolder) -> Result<()> {
        let path = folder.submissions().join(format!("{}.toml", four_digits(self.number)));
        let text = toml::to_string(self).expect("a submission has a TOML form");
        Output::create(&path)?.write(|file| file.write_all(text.as_bytes()))
    }

    /// The script of an array, or of each task if there are no arrays.
    pub(crate) fn script(&self, folder: &CampaignFolder, place: usize) -> PathBuf {
        folder.scripts().join(format!("{}-{place}.sh", four_digits(self.number)))
    }
}

/// The number of a submission by its file; `None` for other files of the folder: locks and unfinished ones.
fn number_of(path: &Path) -> Option<u32> {
    path.file_name()?.to_str()?.strip_suffix(".toml")?.parse().ok()
}

/// Keeps other processes from submitting tasks of this campaign.
///
/// # Errors
/// If another process submits now.
pub(crate) fn lock(folder: &CampaignFolder) -> Result<FileLock> {
    make(&folder.submissions())?;
    FileLock::take(&folder.submissions().join(LOCK))?.ok_or_else(|| {
        Error::new(format!("another process submits tasks of `{}` now", folder.path().display())).remedy(
            format!("wait until it is done; then {} shows what is submitted", folder.command("status")),
        )
    })
}

/// Keeps other processes of this machine from measuring tasks of this campaign with `--on local` as long as
/// it lives, because they would disturb each other. Another machine may do so.
///
/// # Errors
/// If another process does so now.
pub fn lock_machine(folder: &CampaignFolder, node: &Node) -> Result<FileLock> {
    make(&folder.submissions())?;
    let name = format!("local-{}.lock", node.file_name());
    FileLock::take(&folder.submissions().join(name))?.ok_or_else(|| {
        Error::new(format!(
            "another process measures tasks of `{}` on this machine now, and two would disturb each other",
            folder.path().display()
        ))
        .remedy("wait until it is done, or end it with Ctrl-C where it runs")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::testing::manifest;

    #[test]
    fn tasks_of_a_submission_are_those_of_the_campaign_and_each_is_in_it_once() {
        let place = tempfile::tempdir().unwrap();
        let folder = CampaignFolder::at(place.path()).unwrap();
        let warnings = |tasks: &str| {
            let text = format!(
                "number = 1\nwhen = \"\"\nsystem = \"slurm\"\nexclusive = true\nprogram = []\n\
                 [[array]]\nname = \"a\"\njob = \"7\"\ntasks = [1, 2]\n[[array]]\nname = \"b\"\ntasks = {tasks}\n"
            );
            make(&folder.submissions()).unwrap();
            fs::write(folder.submissions().join("0001.toml"), text).unwrap();
            let Submissions { all, warnings, .. } = Submission::all(&folder, &manifest(4)).unwrap();
            (all.len(), warnings.concat())
        };
        assert_eq!(warnings("[3, 4]"), (1, String::new()));
        assert_eq!(warnings("[]"), (1, String::new()));
        for (tasks, wrong) in
            [("[3, 99]", "task 99 is none of the campaign"), ("[3, 2]", "task 2 is in it twice")]
        {
            let (count, words) = warnings(tasks);
            assert!(count == 1 && words.contains(&format!("0001.toml: {wrong}, ")), "{words}");
        }
        let (count, words) = warnings("[\"x\"]");
        assert!(count == 0 && words.contains("its jobs are not known"), "{words}");
    }

    #[test]
    fn a_folder_of_submissions_that_cannot_be_read_is_not_taken_for_an_empty_one() {
        let place = tempfile::tempdir().unwrap();
        let folder = CampaignFolder::at(place.path()).unwrap();
        assert_eq!(Submission::all(&folder, &manifest(1)).unwrap().next, 1);
        fs::write(folder.submissions(), "").unwrap();
        let error = Submission::all(&folder, &manifest(1)).unwrap_err();
        assert!(error.message().starts_with("can't read `"), "{error}");
    }
}
