//! Compares a manifest with its checksum, and the files of a campaign with the manifest. Without this check,
//! tasks of one run could measure different things, or whole runs would look damaged.

use assay_base::error::{Error, Result};
use assay_base::io::shell::quoted;
use assay_base::io::text_file;

use crate::folder::{CampaignFolder, EXPERIMENT, MANIFEST, REFERENCE, TASKS, task_name};
use crate::manifest::{CampaignManifest, CampaignTask, MOST_BYTES, same, sha256};

impl CampaignManifest {
    /// Checks that the manifest is as it was planned, and so are the experiment, the reference and the files
    /// of all tasks, or of `only` this one.
    ///
    /// # Errors
    /// If one of them was edited or is missing, or there is no such task.
    pub fn check(&self, folder: &CampaignFolder, only: Option<u32>) -> Result<()> {
        if self.content_sha256() != self.sha256 {
            let manifest = folder.manifest();
            return Err(Error::new(format!(
                "`{}` was edited or damaged: its checksum (`sha256`) is not that of its content",
                manifest.display()
            ))
            .remedy(format!(
                "undo the edit, or restore the file from a copy; or, if its `minutes`, `rate` and `reference` are \
                 still those of the plan: {}",
                self.planned_again(folder, MANIFEST)
            )));
        }
        self.check_file(folder, EXPERIMENT, &self.experiment_sha256)?;
        self.check_file(folder, REFERENCE, &self.reference_sha256)?;
        self.check_is_there(folder, TASKS)?;
        let check_task = |task: &CampaignTask| self.check_file(folder, &task_name(task.number), &task.sha256);
        match only {
            Some(number) => check_task(self.task(number)?),
            None => self.tasks.iter().try_for_each(check_task),
        }
    }

    /// Checks that a file of the campaign has this SHA-256.
    fn check_file(&self, folder: &CampaignFolder, name: &str, expected: &str) -> Result<()> {
        self.check_is_there(folder, name)?;
        let path = folder.path().join(name);
        let found = text_file::read(&path, MOST_BYTES).map(|text| sha256(text.as_bytes()));
        found
            .and_then(|found| same(&format!("`{}`", path.display()), expected, &found))
            .map_err(|error| error.remedy(self.restored(folder, name)))
    }

    /// Checks that a file or a folder of the campaign is not missing.
    fn check_is_there(&self, folder: &CampaignFolder, name: &str) -> Result<()> {
        let path = folder.path().join(name);
        // One that can't be reached is not missing: reading it says why.
        if path.try_exists().unwrap_or(true) {
            return Ok(());
        }
        Err(Error::new(format!("`{}` is missing, and the campaign needs it", path.display()))
            .remedy(self.restored(folder, name)))
    }

    /// How a file or a folder of the campaign is made again.
    fn restored(&self, folder: &CampaignFolder, name: &str) -> String {
        if name == EXPERIMENT {
            return format!("restore `{EXPERIMENT}` from a copy; nothing else here can make it again");
        }
        self.planned_again(folder, name)
    }

    /// The command that makes a file or a folder of the campaign again.
    fn planned_again(&self, folder: &CampaignFolder, name: &str) -> String {
        let experiment = folder.path().join(EXPERIMENT);
        // A bare number of --rate would be MiB.
        format!(
            "`assay campaign plan {} --out OTHER --minutes {} --rate {}B --reference {}` writes all files of this \
             campaign again; copy `{name}` from OTHER",
            quoted(&experiment.to_string_lossy()),
            self.minutes,
            self.rate,
            quoted(&self.reference)
        )
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::manifest::{ManifestText, testing};

    /// A campaign of three tasks as it was planned.
    fn planned(place: &Path) -> (CampaignFolder, CampaignManifest) {
        let folder = CampaignFolder::at(place).unwrap();
        let mut manifest = testing::manifest(3);
        let text = |name: &str| ManifestText { name: name.to_owned(), bytes: 9, sha256: "ee".to_owned() };
        manifest.texts = vec![text("embedded"), text("english")];
        fs::create_dir(place.join(TASKS)).unwrap();
        let write = |name: &str| {
            fs::write(place.join(name), name).unwrap();
            sha256(name.as_bytes())
        };
        for task in &mut manifest.tasks {
            task.sha256 = write(&task_name(task.number));
        }
        manifest.experiment_sha256 = write(EXPERIMENT);
        manifest.reference_sha256 = write(REFERENCE);
        let manifest = manifest.sealed();
        manifest.write(&folder.manifest()).unwrap();
        (folder, manifest)
    }

    /// The error of opening a campaign.
    fn error(place: &Path) -> String {
        CampaignFolder::open_checked(place).unwrap_err().to_string()
    }

    #[test]
    fn whatever_was_edited_in_a_manifest_is_found() {
        let place = tempfile::tempdir().unwrap();
        let (folder, manifest) = planned(place.path());
        assert_eq!(CampaignFolder::open_checked(place.path()), Ok((folder.clone(), manifest.clone())));
        let edits: [&dyn Fn(&mut CampaignManifest); 14] = [
            &|manifest| manifest.seed = 2,
            &|manifest| manifest.minutes = 9.5,
            &|manifest| manifest.minutes = f64::NAN,
            &|manifest| manifest.rate = 0,
            &|manifest| manifest.reference = "bf".to_owned(),
            &|manifest| manifest.assay_sha256 = "ff".to_owned(),
            &|manifest| manifest.libraries[0].sha256 = "ff".to_owned(),
            &|manifest| manifest.texts.push(manifest.texts[0].clone()),
            &|manifest| manifest.texts.clear(),
            &|manifest| manifest.tasks[1].text = "english".to_owned(),
            &|manifest| manifest.tasks[1].group = Some([1, 2]),
            &|manifest| manifest.tasks[1].seconds = 1.0,
            &|manifest| manifest.tasks.swap(0, 1),
            &|manifest| manifest.sha256.clear(),
        ];
        for edit in edits {
            let mut edited = manifest.clone();
            edit(&mut edited);
            edited.write(&folder.manifest()).unwrap();
            let message = format!(
                "`{}` was edited or damaged: its checksum (`sha256`) is not that of its content\n  help: undo the \
                 edit, or restore the file from a copy; or, if its `minutes`, `rate` and `reference` are still those of the \
                 plan: `assay campaign plan ",
                folder.manifest().display()
            );
            assert!(error(place.path()).starts_with(&message), "{}", error(place.path()));
        }
        // The form of the file, and comments in it, are not its content.
        let text = manifest.to_toml();
        fs::write(folder.manifest(), format!("# a comment\n{}", text.replace(" = ", "="))).unwrap();
        assert!(CampaignFolder::open_checked(place.path()).is_ok());
        // The last task and its file, and all texts.
        let (before, _) = text.rsplit_once("[[task]]").unwrap();
        fs::write(folder.manifest(), before).unwrap();
        fs::remove_file(folder.task(3)).unwrap();
        assert!(error(place.path()).contains("was edited or damaged"), "{}", error(place.path()));
        let (before, rest) = text.split_once("[[text]]").unwrap();
        let (_, tasks) = rest.split_once("[[task]]").unwrap();
        fs::write(folder.manifest(), format!("{before}[[task]]{tasks}")).unwrap();
        assert!(error(place.path()).contains("was edited or damaged"), "{}", error(place.path()));
    }

    #[test]
    fn files_that_are_missing_or_others_are_named() {
        let place = tempfile::tempdir().unwrap();
        let (folder, _) = planned(place.path());
        for name in [EXPERIMENT, REFERENCE, "tasks/0002.toml"] {
            let remedy = if name == EXPERIMENT {
                "\n  help: restore `experiment.toml` from a copy; nothing else".to_owned()
            } else {
                let experiment = folder.path().join(EXPERIMENT);
                format!(
                    "\n  help: `assay campaign plan {} --out OTHER --minutes 10 --rate 1000000000B --reference hor` writes \
                     all files of this campaign again; copy `{name}` from OTHER",
                    experiment.display()
                )
            };
            let path = place.path().join(name);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, "seed = 2").unwrap();
            let edited = error(place.path());
            let message = format!("{name}` is not the one with which");
            assert!(edited.contains(&message) && edited.contains(&remedy), "{edited}");
            fs::remove_file(&path).unwrap();
            let missing = error(place.path());
            let message = format!("{name}` is missing, and the campaign needs it{remedy}");
            assert!(missing.contains(&message), "{missing}");
            fs::write(&path, text).unwrap();
        }
        fs::remove_dir_all(place.path().join(TASKS)).unwrap();
        let missing = error(place.path());
        assert!(
            missing.contains("/tasks` is missing") && missing.contains("copy `tasks` from OTHER"),
            "{missing}"
        );
    }
}
