//! Attempts at a task. An attempt is made on one machine, in a folder of its own, and has a part for each
//! time that a job began or continued it there.
//!
//! The order of attempts is that of the numbers of their folders. No clock decides anything, because clocks
//! of machines differ.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result, excerpt};
use assay_base::io::atomic::Output;
use assay_base::io::toml_input;
use assay_base::moment::now;
use assay_doctor::CheckRecord;
use assay_load::plugin::printable::{self, line};
use assay_store::gathered::DAMAGED;
use assay_store::{FileLock, RESULTS};
use serde::{Deserialize, Serialize};

use crate::folder::make;
use crate::node::Node;

/// The file of an attempt.
const ATTEMPT: &str = "attempt.toml";
/// The file that a process locks while it is at a task.
const LOCK: &str = "lock";

/// An attempt at a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The machine.
    #[serde(flatten)]
    pub node: Node,
    /// The parts, one for each time that a job was at it.
    #[serde(rename = "part")]
    pub parts: Vec<AttemptPart>,
}

impl Attempt {
    /// Checks that each run that it names is a folder in it.
    fn with_own_runs(self, file: &Path) -> Result<Self> {
        let is_name = |run: &str| Path::new(run).file_name().is_some_and(|name| name == run);
        match self.parts.iter().filter_map(|part| part.run.as_deref()).find(|run| !is_name(run)) {
            Some(run) => Err(Error::new(format!(
                "{}: `{}` is not the id of a run",
                file.display(),
                excerpt(&line(run))
            ))),
            None => Ok(self),
        }
    }

    /// The attempt with each text cut to one short line, because anyone may have written the file and we
    /// print it.
    fn printable(self) -> Self {
        let part = |part: AttemptPart| AttemptPart {
            job: part.job.as_deref().map(printable::message),
            message: part.message.as_deref().map(printable::message),
            ..part
        };
        Attempt { node: self.node.printable(), parts: self.parts.into_iter().map(part).collect() }
    }

    /// An attempt whose file can't be read. It costs its task alone, which can be measured again.
    fn unreadable(error: &Error) -> Self {
        let node = Node { node: "unknown".to_owned(), cpu: None, kernel: String::new() };
        let (outcome, message) = (Some(AttemptOutcome::Failed), Some(error.message().to_owned()));
        Attempt { node, parts: vec![AttemptPart { outcome, message, ..AttemptPart::default() }] }
    }
}

/// What one job did of an attempt. Unknown fields are ignored, because a task that a later version has
/// measured is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttemptPart {
    /// The job of the batch system, such as `123_4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// When it began, by the clock of the machine, in UTC.
    pub began: String,
    /// When it ended; missing while it goes on, and after a process was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AttemptOutcome>,
    /// What else there is to say of how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The id of the run, if the task is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What was checked of the machine before it measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty", rename = "finding")]
    pub findings: Vec<CheckRecord>,
}

/// How a part of an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// The task is measured.
    Done,
    /// It can't be measured like this: something differs from the plan, or can't be read or written.
    Failed,
    /// A signal ended it. What was measured is kept.
    Interrupted,
    /// The machine was busy or too hot, so nothing was measured.
    Busy,
    /// The task was measured, and its run was found damaged later. It is measured again.
    Damaged,
}

/// The folder of an attempt, with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptFolder {
    path: PathBuf,
    number: u32,
    /// The attempt.
    pub attempt: Attempt,
}

impl AttemptFolder {
    /// The attempts in the folder of a task, the first one first.
    ///
    /// # Errors
    /// If the folder can't be read.
    pub fn all(task: &Path) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for (number, path) in folders(task)? {
            let file = path.join(ATTEMPT);
            // A process that was killed just after it made the folder has left none.
            if file.is_file() {
                let attempt = toml_input::read(&file).and_then(|read: Attempt| read.with_own_runs(&file));
                let attempt = attempt.map(Attempt::printable);
                let attempt = attempt.unwrap_or_else(|error| Attempt::unreadable(&error));
                all.push(AttemptFolder { attempt, path, number });
            }
        }
        all.sort_by_key(|attempt| attempt.number);
        Ok(all)
    }

    /// Begins or continues an attempt on this machine, for a job of the batch system. The newest attempt goes
    /// on if it was made on this machine, and has not failed, ended well or been damaged.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn begin(task: &Path, node: &Node, job: Option<String>) -> Result<Self> {
        make(task)?;
        let part = AttemptPart { job, began: now(), ..AttemptPart::default() };
        let newest = AttemptFolder::all(task)?.pop();
        let mut attempt = match newest.filter(|newest| newest.attempt.node == *node && newest.goes_on()) {
            Some(newest) => newest,
            None => AttemptFolder::create(task, node)?,
        };
        attempt.attempt.parts.push(part);
        attempt.save()?;
        Ok(attempt)
    }

    /// Begins another attempt on the same machine, because this one can't go on for this reason.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn begin_anew(mut self, task: &Path, reason: String) -> Result<Self> {
        let mut another = AttemptFolder::create(task, &self.attempt.node)?;
        let part = self.last_part().cloned().unwrap_or_default();
        another.attempt.parts.push(part);
        another.save()?;
        self.end(AttemptOutcome::Interrupted, Some(reason))?;
        Ok(another)
    }

    /// Makes the folder of a new attempt. No two attempts have the same, whoever else makes one.
    fn create(task: &Path, node: &Node) -> Result<Self> {
        let (mut last, mut newest) = folders(task)?.into_iter().max().unwrap_or((0, task.to_owned()));
        let name = node.file_name();
        let attempt = Attempt { node: node.clone(), parts: Vec::new() };
        loop {
            let number = last.checked_add(1).ok_or_else(|| {
                Error::new(format!(
                    "`{}` has the greatest number, so no attempt can follow",
                    newest.display()
                ))
                .remedy("remove this folder if it is no attempt, or begin its name with a smaller number")
            })?;
            let path = task.join(format!("{number:02}-{name}"));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(AttemptFolder { path, number, attempt }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (last, newest) = (number, path),
                Err(error) => return Err(Error::io("make the folder", &path, &error)),
            }
        }
    }

    /// Whether a job may continue it.
    fn goes_on(&self) -> bool {
        let is_over = [AttemptOutcome::Done, AttemptOutcome::Failed, AttemptOutcome::Damaged];
        !self.outcome().is_some_and(|outcome| is_over.contains(&outcome))
    }

    /// The newest part. `None` if the file was edited.
    pub fn last_part(&self) -> Option<&AttemptPart> {
        self.attempt.parts.last()
    }

    /// How the newest part ended; `None` if it goes on or was killed.
    pub fn outcome(&self) -> Option<AttemptOutcome> {
        self.last_part()?.outcome
    }

    /// Whether it has measured the task, and the run is still there.
    pub fn is_done(&self) -> bool {
        // A run that may not be read is there.
        let is_there = |run: PathBuf| match fs::metadata(run.join(RESULTS)) {
            Ok(_) => true,
            Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
        };
        self.outcome() == Some(AttemptOutcome::Done) && self.run().is_some_and(is_there)
    }

    /// Why an attempt whose outcome is `done` does not count.
    pub(crate) fn why_not_done(&self) -> String {
        match self.run().filter(|run| run.is_dir()) {
            Some(run) => format!("{DAMAGED}: its run `{}` has no {RESULTS}", run.display()),
            None => format!("{DAMAGED}: its run was removed"),
        }
    }

    /// The folder of the finished run.
    pub fn run(&self) -> Option<PathBuf> {
        self.last_part()?.run.as_ref().map(|run| self.runs().join(run))
    }

    /// The folder in which its run is saved.
    pub fn runs(&self) -> PathBuf {
        self.path.join("run")
    }

    /// Whether it has measured the run of this id, which may be damaged or removed by now.
    pub fn has_measured(&self, id: &str) -> bool {
        let is_noted = |part: &AttemptPart| part.run.as_deref() == Some(id);
        self.attempt.parts.iter().any(is_noted) || self.runs().join(id).join(RESULTS).exists()
    }

    /// The folder in which its run of the reference experiment is saved.
    pub fn reference(&self) -> PathBuf {
        self.path.join("reference")
    }

    /// Notes what was checked of the machine.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn checked(&mut self, findings: Vec<CheckRecord>) -> Result<()> {
        self.with_part(|part| part.findings = findings)
    }

    /// Notes that the run that it has measured is damaged, for this reason.
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn damaged(&mut self, reason: &str) -> Result<()> {
        let message = Some(format!("{DAMAGED}: {reason}"));
        self.with_part(|part| (part.outcome, part.message) = (Some(AttemptOutcome::Damaged), message))
    }

    /// Notes that the task is measured, in the run of this id.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn done(&mut self, run: String, message: Option<String>) -> Result<()> {
        self.end_with(AttemptOutcome::Done, message, Some(run))
    }

    /// Notes how the newest part has ended.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn end(&mut self, outcome: AttemptOutcome, message: Option<String>) -> Result<()> {
        self.end_with(outcome, message, None)
    }

    fn end_with(
        &mut self,
        outcome: AttemptOutcome,
        message: Option<String>,
        run: Option<String>,
    ) -> Result<()> {
        self.with_part(|part| {
            (part.ended, part.outcome) = (Some(now()), Some(outcome));
            (part.message, part.run) = (message, run);
        })
    }

    fn with_part(&mut self, change: impl FnOnce(&mut AttemptPart)) -> Result<()> {
        self.attempt.parts.last_mut().map(change);
        self.save()
    }

    fn save(&self) -> Result<()> {
        let text = toml::to_string(&self.attempt).expect("an attempt has a TOML form");
        Output::create(&self.path.join(ATTEMPT))?.write(|file| file.write_all(text.as_bytes()))
    }
}

/// The folders of attempts with their numbers.
fn folders(task: &Path) -> Result<Vec<(u32, PathBuf)>> {
    let entries = match fs::read_dir(task) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", task, &error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::io("read", task, &error))?;
        let name = entry.file_name();
        if let Some(number) = name.to_str().and_then(|name| name.split_once('-')?.0.parse().ok()) {
            found.push((number, entry.path()));
        }
    }
    Ok(found)
}

/// Names the first folder in that of a task that has no file of an attempt, so that it is none.
pub(crate) fn no_attempt(task: &Path) -> Option<String> {
    let paths = folders(task).ok()?.into_iter().map(|(_, path)| path);
    let first = paths.filter(|path| !path.join(ATTEMPT).is_file()).min()?;
    Some(format!("`{}` has no {ATTEMPT} that can be read, and does not count", first.display()))
}

/// Takes the lock on a task; `None` if another process has it. A file system without locks allows
/// everything: then two attempts may measure the same task at once, each in its own folder, and the first of
/// them counts.
///
/// # Errors
/// If the lock can't be made.
pub fn lock(task: &Path) -> Result<Option<FileLock>> {
    make(task)?;
    FileLock::take(&task.join(LOCK))
}

/// Whether a process holds the lock of this task. On file systems that do not share locks between machines,
/// only processes of this machine are seen.
pub fn is_locked(task: &Path) -> bool {
    FileLock::is_held(&task.join(LOCK))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A machine of this name.
    pub(crate) fn node(name: &str) -> Node {
        Node { node: name.to_owned(), cpu: Some("Fast".to_owned()), kernel: "Linux 6".to_owned() }
    }

    /// Writes the run of an attempt, as far as `status` looks at it.
    pub(crate) fn save_run(attempt: &mut AttemptFolder) {
        let run = attempt.runs().join("1");
        fs::create_dir_all(&run).unwrap();
        fs::write(run.join(RESULTS), "{}").unwrap();
        attempt.done("1".to_owned(), None).unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{node, save_run};
    use super::*;

    #[test]
    fn an_interrupted_attempt_goes_on_where_it_was_and_begins_anew_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let task = folder.path().join("0001");
        let mut first = AttemptFolder::begin(&task, &node("n 1"), Some("7_0".to_owned())).unwrap();
        assert!(first.path.ends_with("01-n-1"));
        first.end(AttemptOutcome::Interrupted, None).unwrap();
        let again = AttemptFolder::begin(&task, &node("n 1"), None).unwrap();
        assert_eq!((again.number, again.attempt.parts.len()), (1, 2));
        let other_kernel = Node { kernel: "Linux 7".to_owned(), ..node("n 1") };
        let mut other = AttemptFolder::begin(&task, &other_kernel, None).unwrap();
        assert_eq!(other.number, 2);
        save_run(&mut other);
        let third = AttemptFolder::begin(&task, &other_kernel, None).unwrap();
        assert_eq!(third.number, 3, "a finished attempt is not changed");
        let all = AttemptFolder::all(&task).unwrap();
        let done: Vec<bool> = all.iter().map(AttemptFolder::is_done).collect();
        assert_eq!(done, [false, true, false]);
        let fourth = third.begin_anew(&task, "another CPU".to_owned()).unwrap();
        let all = AttemptFolder::all(&task).unwrap();
        assert_eq!((fourth.number, fourth.outcome()), (4, None));
        assert_eq!(all[2].outcome(), Some(AttemptOutcome::Interrupted));
        fs::remove_dir_all(other.runs()).unwrap();
        assert!(!other.is_done(), "its run is gone");
    }

    #[test]
    fn what_others_wrote_into_an_attempt_is_shown_as_one_line_and_its_times_are_only_shown() {
        let folder = tempfile::tempdir().unwrap();
        let attempt = AttemptFolder::begin(folder.path(), &node("n"), Some("7_0".to_owned())).unwrap();
        let file = attempt.path.join(ATTEMPT);
        let text = fs::read_to_string(&file).unwrap().replace("\"n\"", r#""a\u001b[31m\nb""#);
        let text = text.replace("7_0", r"7\r_0");
        let line = text.lines().find(|line| line.starts_with("began = ")).unwrap();
        let wild = [r#"began = "+99999-13-01T99:00:00Z""#, r#"ended = "292277026597-01-01""#, ""].join("\n");
        fs::write(&file, text.replace(line, &wild)).unwrap();
        let [read] = AttemptFolder::all(folder.path()).unwrap().try_into().unwrap();
        let job = read.last_part().unwrap().job.as_deref();
        assert_eq!((read.attempt.node.node.as_str(), job), ("a b", Some("7 _0")));
        // What a later version has added costs nothing.
        fs::write(&file, format!("later = 1\n{text}later = 2\n")).unwrap();
        assert_eq!(AttemptFolder::all(folder.path()).unwrap()[0].outcome(), None);
        // A date without quotes is no text: its file and its line are named.
        fs::write(&file, text.replace(line, "began = 99999-01-01")).unwrap();
        let [unreadable] = AttemptFolder::all(folder.path()).unwrap().try_into().unwrap();
        let message = unreadable.last_part().unwrap().message.clone().unwrap();
        assert!(message.starts_with(&format!("{}:", file.display())), "{message}");
    }

    #[test]
    fn a_run_elsewhere_is_none_of_an_attempt_and_one_that_was_removed_is() {
        let folder = tempfile::tempdir().unwrap();
        let read = || AttemptFolder::all(folder.path()).unwrap().pop().unwrap();
        let mut attempt = AttemptFolder::begin(folder.path(), &node("n"), None).unwrap();
        save_run(&mut attempt);
        attempt.damaged(&"x".repeat(5000)).unwrap();
        fs::remove_dir_all(attempt.runs()).unwrap();
        assert!(read().has_measured("1") && !read().has_measured("2"));
        assert!(read().last_part().unwrap().message.as_ref().unwrap().len() < 2000);
        attempt.done("/etc".to_owned(), None).unwrap();
        let message = read().last_part().unwrap().message.clone().unwrap();
        assert!(message.ends_with("attempt.toml: `/etc` is not the id of a run"), "{message}");
    }

    #[test]
    fn two_attempts_have_two_folders_and_one_without_a_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("03-n")).unwrap();
        assert_eq!(AttemptFolder::all(folder.path()).unwrap(), []);
        let reason = no_attempt(folder.path()).unwrap();
        assert!(reason.contains("/03-n` has no attempt.toml that can be read"), "{reason}");
        assert_eq!(AttemptFolder::begin(folder.path(), &node("n"), None).unwrap().number, 4);
        let last = format!("{}-vm", u32::MAX);
        fs::create_dir(folder.path().join(&last)).unwrap();
        let error = AttemptFolder::begin(folder.path(), &node("m"), None).unwrap_err().to_string();
        assert!(error.contains(&format!("/{last}` has the greatest number")), "{error}");
    }

    #[test]
    fn a_task_is_locked_by_one_process() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_locked(folder.path()));
        let lock = lock(folder.path()).unwrap().unwrap();
        assert!(is_locked(folder.path()));
        assert!(super::lock(folder.path()).unwrap().is_none());
        drop(lock);
        assert!(!is_locked(folder.path()));
    }
}
