//! Finds tasks that are done and whose runs are damaged, so that they are measured again.

use assay_base::error::Result;

use crate::attempt::{self, AttemptFolder};
use crate::folder::CampaignFolder;
use crate::gather::check;
use crate::manifest::{CampaignManifest, CampaignTask};

/// A task whose run is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedTask {
    /// The number of the task.
    pub number: u32,
    /// What is wrong with its run.
    pub reason: String,
}

/// Compares the runs of all tasks that are done with their checksums, as `gather` does. Attempts whose runs
/// are damaged do not count from then on, which is noted in them if `note` is set. Returns the tasks of
/// which no attempt is left that counts.
///
/// # Errors
/// If an attempt can't be written, or a file of a run may not be read: it may be sound.
pub fn find_damaged(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    note: bool,
) -> Result<Vec<DamagedTask>> {
    let mut found = Vec::new();
    for task in &manifest.tasks {
        let attempts = folder.attempts(task.number);
        if !AttemptFolder::all(&attempts).is_ok_and(|all| all.iter().any(AttemptFolder::is_done)) {
            continue;
        }
        // Whoever measures it now does so because there is nothing that counts.
        let Some(_lock) = attempt::lock(&attempts)? else { continue };
        found.extend(damage(folder, manifest, task, note)?);
    }
    Ok(found)
}

/// A task whose lock is held, if no attempt at it counts because of damage.
fn damage(
    folder: &CampaignFolder,
    manifest: &CampaignManifest,
    task: &CampaignTask,
    note: bool,
) -> Result<Option<DamagedTask>> {
    let mut damaged = None;
    for mut attempt in AttemptFolder::all(&folder.attempts(task.number))? {
        let Some(run) = attempt.run().filter(|_| attempt.is_done()) else { continue };
        let reason = match check(folder, manifest, task, &attempt, &run) {
            Ok(_) => return Ok(None),
            Err(error) if error.is_denied() => return Err(error),
            Err(error) => error.message().to_owned(),
        };
        if note {
            attempt.damaged(&reason)?;
        }
        damaged = Some(DamagedTask { number: task.number, reason });
    }
    Ok(damaged)
}
