//! Measures a task under its lock, so that no two processes measure it at once, and notes how that ended.

use assay_base::error::Result;

use crate::attempt::{self, AttemptFolder, AttemptOutcome};
use crate::folder::CampaignFolder;
use crate::node::Node;

/// How a process left a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskEnd {
    /// It is measured now, in the run of this id.
    Measured {
        /// The id of the run.
        run: String,
        /// What failed in it, in words.
        failures: Option<String>,
    },
    /// It was measured before.
    WasDone,
    /// Another process is measuring it.
    InUse,
    /// The machine is busy or too hot, so nothing was measured; what was found.
    Busy(String),
    /// A signal ended it. What was measured is kept.
    Interrupted,
}

/// Calls `work` with an attempt at a task, unless the task is done or another process is measuring it, and
/// notes how it ended. `job` is that of the batch system, if there is one.
///
/// # Errors
/// As of `work`, which is noted, too; or if a file can't be written.
pub fn attend(
    folder: &CampaignFolder,
    number: u32,
    node: &Node,
    job: Option<String>,
    work: impl FnOnce(&mut AttemptFolder) -> Result<TaskEnd>,
) -> Result<TaskEnd> {
    let task = folder.attempts(number);
    let Some(_lock) = attempt::lock(&task)? else { return Ok(TaskEnd::InUse) };
    if AttemptFolder::all(&task)?.iter().any(AttemptFolder::is_done) {
        return Ok(TaskEnd::WasDone);
    }
    let mut attempt = AttemptFolder::begin(&task, node, job)?;
    let end = work(&mut attempt).inspect_err(|error| {
        // With more space, the task goes on where it was.
        let outcome = if error.is_no_space() { AttemptOutcome::Interrupted } else { AttemptOutcome::Failed };
        // The error itself is worth more than one about noting it.
        let _ = attempt.end(outcome, Some(error.message().to_owned()));
    })?;
    match &end {
        TaskEnd::Measured { run, failures } => attempt.done(run.clone(), failures.clone())?,
        TaskEnd::Busy(found) => attempt.end(AttemptOutcome::Busy, Some(found.clone()))?,
        TaskEnd::Interrupted => attempt.end(AttemptOutcome::Interrupted, None)?,
        TaskEnd::WasDone | TaskEnd::InUse => {}
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use assay_base::error::Error;

    use super::*;
    use crate::attempt::testing::node;

    #[test]
    fn a_full_disk_interrupts_a_task_and_another_error_fails_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = CampaignFolder::at(place.path()).unwrap();
        let outcome = |kind: io::ErrorKind| {
            let failed = || Err(Error::io("write", Path::new("x"), &kind.into()).after("task 1: "));
            attend(&folder, 1, &node("n"), None, |_| failed()).unwrap_err();
            AttemptFolder::all(&folder.attempts(1)).unwrap().pop().unwrap().outcome().unwrap()
        };
        assert_eq!(outcome(io::ErrorKind::StorageFull), AttemptOutcome::Interrupted);
        assert_eq!(outcome(io::ErrorKind::PermissionDenied), AttemptOutcome::Failed);
    }
}
