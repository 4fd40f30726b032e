//! The folder of gathered runs. One process at a time writes into it, and each run in it is complete at each
//! moment: a run is made in a hidden folder, and then takes the place of the earlier one.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::{Output, exchange_folders};
use assay_campaign::gather::TasksOfRun;
use assay_campaign::{AttemptFolder, CampaignFolder};
use assay_report::Report;
use assay_report::export::page::page;
use assay_store::folder::SaveFolder;
use assay_store::gathered::PartTask;
use assay_store::join::{FILES, join};
use assay_store::{FileLock, RESULTS, Run, all, is_like_id};

use super::GatheredRun;

/// The file that a process locks while it gathers. It is hidden, so that `gathered/*` names runs alone.
const LOCK: &str = ".gathering.lock";
/// The folder of runs that are not complete, or were replaced.
const UNFINISHED: &str = ".gathering";

/// The folder of gathered runs, locked as long as this lives.
pub(super) struct GatheredFolder<'a> {
    path: &'a Path,
    /// The folders of the runs that were gathered from the same campaigns before, and are not any more.
    old: Vec<PathBuf>,
    _lock: FileLock,
}

impl<'a> GatheredFolder<'a> {
    /// Opens the folder for the runs of these groups of tasks, which were measured in these campaigns, and
    /// removes what a gather has left that was killed.
    ///
    /// # Errors
    /// If another process gathers into it; or if it would lose something: a file that is not of a gathered
    /// run, or a run with tasks that are not gathered now.
    pub(super) fn open(path: &'a Path, groups: &[TasksOfRun], campaigns: &[CampaignFolder]) -> Result<Self> {
        check_is_no_campaign(path, campaigns)?;
        fs::create_dir_all(path).map_err(|error| Error::io("make the folder", path, &error))?;
        let lock = FileLock::take(&path.join(LOCK))?.ok_or_else(|| {
            Error::new(format!("another process gathers into `{}` now", path.display()))
                .remedy("wait until it is done, or name another folder with --out")
        })?;
        check_copies(groups)?;
        let ids: Vec<String> = groups.iter().map(id).collect();
        let mut old = old_runs(path, &ids, groups, campaigns)?;
        let same_ids = ids.iter().map(|id| path.join(id)).filter(|run| run.exists());
        let mut replaced: Vec<PathBuf> = same_ids.chain(old.iter().cloned()).collect();
        replaced.sort();
        replaced.dedup();
        check_strangers(&replaced)?;
        old.retain(|folder| !ids.iter().any(|id| folder.ends_with(id)));
        let folder = GatheredFolder { path, old, _lock: lock };
        folder.remove_unfinished()?;
        Ok(folder)
    }

    /// Joins the tasks of a run, and computes its figures. A run of the same id that was gathered before is
    /// replaced.
    ///
    /// # Errors
    /// If it can't be written. Then the earlier one is there.
    pub(super) fn gather(&self, tasks: &TasksOfRun) -> Result<GatheredRun> {
        let TasksOfRun { text, facts, pieces, .. } = tasks;
        let id = id(tasks);
        let folder = SaveFolder::create(&self.path.join(UNFINISHED), &id)?;
        join(&folder, &id, text, facts.clone(), pieces)?;
        let run = Report::begun(folder.path())?.results()?;
        folder.fill_joined(pieces, &run, &page(&run))?;
        let (made, target) = (folder.keep().finish()?, self.path.join(&id));
        if target.exists() {
            exchange_folders(&made, &target)?;
            remove(&made)?;
        } else {
            fs::rename(&made, &target).map_err(|error| Error::io("make the folder", &target, &error))?;
        }
        Ok(GatheredRun { run, tasks: pieces.len(), campaign: facts.campaign_sha256.clone() })
    }

    /// Removes the runs that were gathered before, and are not any more.
    ///
    /// # Errors
    /// If one can't be removed.
    pub(super) fn remove_old(&self) -> Result<()> {
        for folder in &self.old {
            // No run is there in part, also if this process is killed now.
            let hidden = self.path.join(UNFINISHED).join(folder.file_name().unwrap_or_default());
            fs::rename(folder, &hidden).map_err(|error| Error::io("remove", folder, &error))?;
        }
        self.remove_unfinished()
    }

    /// Writes a file into the folder. What a killed process leaves of it is removed by the next gather.
    ///
    /// # Errors
    /// If it can't be written.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let (unfinished, target) = (self.path.join(UNFINISHED), self.path.join(name));
        Output::in_folder(&unfinished, name)?.write(|file| file.write_all(text.as_bytes()))?;
        fs::rename(unfinished.join(name), &target).map_err(|error| Error::io("write", &target, &error))?;
        self.remove_unfinished()
    }

    fn remove_unfinished(&self) -> Result<()> {
        let folder = self.path.join(UNFINISHED);
        if folder.exists() { remove(&folder) } else { Ok(()) }
    }
}

fn remove(folder: &Path) -> Result<()> {
    fs::remove_dir_all(folder).map_err(|error| Error::io("remove", folder, &error))
}

/// Checks that gathered runs do not lie among the files of a campaign.
fn check_is_no_campaign(out: &Path, campaigns: &[CampaignFolder]) -> Result<()> {
    let gathered = CampaignFolder::at(out)?;
    let is_inside = |campaign: &CampaignFolder| {
        let inside = gathered.path().strip_prefix(campaign.path()).ok();
        inside.is_some_and(|inside| inside.iter().next().is_none_or(|name| campaign.is_own_folder(name)))
    };
    if gathered.holds_campaign() || campaigns.iter().any(is_inside) {
        return Err(Error::new(format!(
            "`{}` belongs to a campaign, and gathered runs would lie among its files",
            out.display()
        ))
        .remedy("leave out --out, or name another folder"));
    }
    Ok(())
}

/// Checks that no measurement is in two runs, because it would count twice.
fn check_copies(groups: &[TasksOfRun]) -> Result<()> {
    let mut seen = HashMap::new();
    for group in groups {
        let campaign = (&group.facts.campaign_sha256, &group.model);
        for piece in &group.pieces {
            let Some(other) = seen.insert((campaign, piece.task, piece.folder.file_name()), piece) else {
                continue;
            };
            return Err(Error::new(format!(
                "`{}` and `{}` are the same run of task {}",
                other.folder.display(),
                piece.folder.display(),
                piece.task
            ))
            .remedy("one campaign is a copy of the other: name the one that has measured more"));
        }
    }
    Ok(())
}

/// The id of a gathered run: when its task with the lowest number began, and what it was gathered from. So it
/// is the same as long as that attempt at that task counts, whatever the clocks of other machines show. The
/// id of the run of that task is a part of it, because the same experiment gives the same campaign in every
/// folder.
fn id(tasks: &TasksOfRun) -> String {
    let (began, first) = tasks.began.as_ref().map_or(("", ""), |(began, run)| (began, run));
    let digits: String = began.chars().filter(char::is_ascii_digit).collect();
    let (day, time) = match (digits.get(..8), digits.get(8..14)) {
        (Some(day), Some(time)) => (day, time),
        // A file whose moment is none costs the name of the run, and nothing else.
        _ => ("00000000", "000000"),
    };
    let hash = tasks.facts.hash_with(&[&tasks.text, &tasks.model, first]);
    format!("{day}-{time}-{hash}")
}

/// The folders of the runs that were gathered from these campaigns before: from the same manifests, and an
/// attempt in these folders has measured a part of them, also if it was found damaged since. Runs of the same
/// experiment that was planned and measured elsewhere, too, are not among them.
///
/// # Errors
/// If a run has a task that is not gathered now: it may hold the only sound copy of these rows, so it can't
/// be replaced. It can't stay either, because a measurement would be in two runs, and agree with itself.
fn old_runs(
    out: &Path,
    ids: &[String],
    groups: &[TasksOfRun],
    campaigns: &[CampaignFolder],
) -> Result<Vec<PathBuf>> {
    let mut old = Vec::new();
    for saved in all(out).into_iter().filter(|saved| !saved.partial && is_like_id(&saved.id)) {
        let Ok(run) = Run::read(&saved.folder.join(RESULTS)) else { continue };
        let Some(gathered) = &run.experiment.gathered else { continue };
        let of_campaign =
            groups.iter().filter(|group| group.facts.campaign_sha256 == gathered.campaign_sha256);
        let tasks: HashSet<u32> =
            of_campaign.flat_map(|group| &group.pieces).map(|piece| piece.task).collect();
        if tasks.is_empty() {
            continue;
        }
        let mut parts = run.experiment.parts.iter().filter_map(|part| part.task.as_ref());
        if !ids.contains(&saved.id) && !parts.clone().any(|part| was_measured_in(campaigns, part)) {
            continue;
        }
        if let Some(part) = parts.find(|part| !tasks.contains(&part.task)) {
            return Err(Error::new(format!(
                "`{}` contains task {}, of which these campaigns have no sound run now; gathering would replace the run \
                 and lose its rows",
                saved.folder.display(),
                part.task
            ))
            .remedy("measure the task again (`assay campaign resume`), name another folder with --out, or remove this run"));
        }
        old.push(saved.folder);
    }
    Ok(old)
}

/// Whether a part of a gathered run was measured in the folder of one of these campaigns.
fn was_measured_in(campaigns: &[CampaignFolder], part: &PartTask) -> bool {
    campaigns.iter().any(|campaign| {
        // An attempt that can't be read is none here, so nothing is replaced because of it.
        let attempts = AttemptFolder::all(&campaign.attempts(part.task)).unwrap_or_default();
        attempts.iter().any(|attempt| attempt.has_measured(&part.run))
    })
}

/// Checks that folders that will be replaced hold nothing but the files of gathered runs, because everything
/// else was put there by the user, and would be lost.
fn check_strangers(folders: &[PathBuf]) -> Result<()> {
    let failed = |folder: &Path, error: &std::io::Error| Error::io("read", folder, error);
    let mut strangers = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
            let entry = entry.map_err(|error| failed(folder, &error))?;
            if !FILES.iter().any(|file| entry.file_name() == *file) {
                strangers.push(format!("`{}`", entry.path().display()));
            }
        }
    }
    let Some(first) = strangers.first() else { return Ok(()) };
    let more =
        if strangers.len() > 1 { format!(" (and {} more)", strangers.len() - 1) } else { String::new() };
    Err(Error::new(format!(
        "{first}{more} is not a file of a gathered run, and would be removed when the run is gathered again"
    ))
    .remedy("move it to another folder, or gather into another one with --out"))
}

#[cfg(test)]
mod tests {
    use assay_store::gathered::GatheredFacts;
    use assay_store::join::RunPiece;

    use super::*;

    /// A run that was gathered of a task in the folder of a campaign, into a folder.
    fn replaceable(out: &Path) -> PathBuf {
        let run = out.join("20260102-030405-aa");
        fs::create_dir_all(&run).unwrap();
        FILES.iter().for_each(|name| fs::write(run.join(name), "").unwrap());
        run
    }

    #[test]
    fn files_of_the_user_are_named_before_anything_is_removed() {
        let out = tempfile::tempdir().unwrap();
        let run = replaceable(out.path());
        assert_eq!(check_strangers(std::slice::from_ref(&run)), Ok(()));
        fs::write(run.join("notes.txt"), "mine").unwrap();
        let error = check_strangers(std::slice::from_ref(&run)).unwrap_err().to_string();
        assert!(error.contains("notes.txt` is not a file of a gathered run"), "{error}");
    }

    #[test]
    fn one_process_gathers_into_a_folder_and_removes_what_a_killed_one_left() {
        let place = tempfile::tempdir().unwrap();
        let (campaign, out) = (place.path().join("c"), place.path().join("out"));
        let campaigns = [CampaignFolder::at(&campaign).unwrap()];
        fs::create_dir_all(out.join(UNFINISHED).join("20260102-030405-aa")).unwrap();
        let first = GatheredFolder::open(&out, &[], &campaigns).unwrap();
        assert!(!out.join(UNFINISHED).exists());
        first.write("summary", "new").unwrap();
        assert_eq!(fs::read_to_string(out.join("summary")).unwrap(), "new");
        let names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.len() == 2 && names.contains(&LOCK.into()), "{names:?}");
        let error = GatheredFolder::open(&out, &[], &campaigns).err().unwrap().to_string();
        assert!(error.contains("another process gathers into"), "{error}");
        drop(first);
        assert!(GatheredFolder::open(&out, &[], &campaigns).is_ok());
        for inside in [campaign.clone(), campaign.join("attempts/0001"), campaign.join("tasks")] {
            let error = GatheredFolder::open(&inside, &[], &campaigns).err().unwrap().to_string();
            assert!(error.contains("belongs to a campaign"), "{error}");
        }
        assert!(GatheredFolder::open(&campaign.join("gathered"), &[], &campaigns).is_ok());
    }

    #[test]
    fn no_measurement_is_in_two_runs() {
        let group = |campaign: &str, model: &str, tasks: &[u32]| {
            let piece = |task: &u32| RunPiece {
                folder: PathBuf::from(format!("{campaign}/{task}/run")),
                task: *task,
                node: "n".to_owned(),
            };
            let (text, model) = ("t".to_owned(), model.to_owned());
            let (facts, pieces) = (GatheredFacts::default(), tasks.iter().map(piece).collect());
            TasksOfRun { text, model, facts, began: None, pieces }
        };
        let first = group("c", "m", &[1, 3]);
        assert_eq!(check_copies(&[first.clone(), group("c", "m", &[2]), group("d", "other", &[3])]), Ok(()));
        let error = check_copies(&[first, group("d", "m", &[2, 3])]).unwrap_err().to_string();
        assert!(error.starts_with("`c/3/run` and `d/3/run` are the same run of task 3\n"), "{error}");
    }

    #[test]
    fn the_name_of_a_run_begins_with_a_moment_whatever_a_file_says() {
        let id = |began: &str| {
            let (text, model) = ("t".to_owned(), "m".to_owned());
            let (facts, pieces) = (GatheredFacts::default(), Vec::new());
            let began = Some((began.to_owned(), "run".to_owned()));
            id(&TasksOfRun { text, model, facts, began, pieces })
        };
        assert!(id("2026-01-02T03:04:05Z").starts_with("20260102-030405-"));
        assert!(id("2026").starts_with("00000000-000000-") && id("").starts_with("00000000-000000-"));
        let long = id(&"9".repeat(5000));
        assert!(is_like_id(&long) && long.len() < 30, "{long}");
    }
}
