//! Compares a manifest with the files that it lists. Without this check, an edited manifest makes whole runs
//! look damaged, and `resume` measures their tasks again each time.

use std::fs;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::shell::quoted;
use assay_base::io::text_file;
use assay_experiment::definition::Experiment;
use assay_experiment::range::Range;

use crate::folder::{CampaignFolder, EXPERIMENT, MANIFEST, REFERENCE, TASKS, task_name};
use crate::manifest::{CampaignManifest, CampaignTask, MOST_BYTES, same, sha256};

impl CampaignManifest {
    /// Compares the manifest with the experiment and with all tasks.
    ///
    /// # Errors
    /// If one differs. The message names the field or the task.
    pub(crate) fn check(&self, folder: &CampaignFolder) -> Result<()> {
        self.check_experiment(folder)?;
        self.check_numbers(folder)?;
        self.tasks.iter().try_for_each(|task| self.check_task(folder, task))
    }

    /// Compares what the manifest says of a task with the file of the task.
    ///
    /// # Errors
    /// If it differs, or the file is missing.
    pub fn check_task(&self, folder: &CampaignFolder, task: &CampaignTask) -> Result<()> {
        let name = task_name(task.number);
        let experiment = self.checked(folder, &name, &task.sha256)?;
        let wrong = |field: &str, here: String, there: String| {
            Err(self.edited(folder, &differs(field, &here, &name, &there)))
        };
        if experiment.seed != Some(self.seed) {
            return wrong("seed", self.seed.to_string(), in_words(experiment.seed));
        }
        if let Some(values) = values(&experiment)
            && values != task.values
        {
            let field = format!("list of values of task {}", task.number);
            return wrong(&field, format!("{:?}", task.values), format!("{values:?}"));
        }
        if experiment.algorithms.len() != task.algorithms {
            let field = format!("number of algorithms of task {}", task.number);
            return wrong(&field, task.algorithms.to_string(), experiment.algorithms.len().to_string());
        }
        // For a text that is joined, repeated or cut, the manifest has the hash of the result, which only a
        // process that reads the text can compute; the task compares it.
        let text = &experiment.text;
        let is_whole = |used: u64| !text.fill_buffer && text.files.len() <= 1 && used <= text.bytes as u64;
        if let ([record], None | Some(Range::Threads(_))) = (text.recorded.as_slice(), &experiment.range)
            && is_whole(record.used)
            && let Some(recorded) = &record.sha256
            && !self.texts.iter().any(|text| text.sha256 == *recorded)
        {
            let found = self.texts.iter().find(|text| text.name == record.name || self.texts.len() == 1);
            let here = found.map_or_else(|| "no such text".to_owned(), |text| text.sha256.clone());
            return wrong(&format!("SHA-256 of the text `{}`", record.name), here, recorded.clone());
        }
        Ok(())
    }

    /// Checks that the tasks have the numbers from 1 on, and that no other task has a file.
    fn check_numbers(&self, folder: &CampaignFolder) -> Result<()> {
        for (expected, task) in (1..).zip(&self.tasks) {
            if task.number != expected {
                let what = format!("task {} stands where task {expected} should be", task.number);
                return Err(self.edited(folder, &what));
            }
        }
        let (tasks, count) = (folder.path().join(TASKS), self.tasks.len());
        let entries = fs::read_dir(&tasks)
            .map_err(|error| missing_or(&tasks, &error).remedy(self.restored(folder, TASKS)))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".toml")?.parse::<usize>().ok());
            if let Some(number) = number.filter(|number| *number > count) {
                let what = format!("it lists tasks 1 to {count}, but there is a file for task {number}");
                return Err(self.edited(folder, &what));
            }
        }
        Ok(())
    }

    /// Compares the fields of the whole campaign with the experiment and the reference. The hash of each file
    /// comes first, because a field can only be blamed on the manifest if the file is the planned one.
    ///
    /// # Errors
    /// If one differs.
    pub fn check_experiment(&self, folder: &CampaignFolder) -> Result<()> {
        let seed = self.checked(folder, EXPERIMENT, &self.experiment_sha256)?.seed;
        if seed != Some(self.seed) {
            let here = self.seed.to_string();
            return Err(self.edited(folder, &differs("seed", &here, EXPERIMENT, &in_words(seed))));
        }
        // Before the reference, because the command that writes `reference.toml` again needs both values.
        let is_above_0 = self.minutes.is_finite() && self.minutes > 0.0;
        let wrong = [
            ("minutes", self.minutes.to_string(), is_above_0),
            ("rate", self.rate.to_string(), self.rate > 0),
        ];
        if let Some((field, here, _)) = wrong.into_iter().find(|(_, _, is_right)| !is_right) {
            return Err(Error::new(format!(
                "`{}` was edited: `{field}` is {here}; it must be above 0, and finite",
                folder.manifest().display()
            ))
            .remedy(format!("write the --{field} with which it was planned; no other file has it")));
        }
        let reference = self.checked(folder, REFERENCE, &self.reference_sha256)?.algorithms.join(", ");
        if reference != assay_experiment::selection::original(&self.reference) {
            let what = differs("reference", &self.reference, REFERENCE, &reference);
            // The command that writes the manifest again must have the planned reference.
            return Err(CampaignManifest { reference, ..self.clone() }.edited(folder, &what));
        }
        Ok(())
    }

    /// The experiment in a file of the campaign, which must have this SHA-256.
    fn checked(&self, folder: &CampaignFolder, name: &str, expected: &str) -> Result<Experiment> {
        let path = folder.path().join(name);
        let read = || {
            fs::metadata(&path).map_err(|error| missing_or(&path, &error))?;
            let text = text_file::read(&path, MOST_BYTES)?;
            let shown = format!("`{}`", path.display());
            same(&shown, expected, &sha256(text.as_bytes()))?;
            toml::from_str(&text)
                .map_err(|error| Error::new(format!("{shown} is no experiment: {}", error.message())))
        };
        read().map_err(|error: Error| error.remedy(self.restored(folder, name)))
    }

    /// How a file of the campaign is made again.
    fn restored(&self, folder: &CampaignFolder, name: &str) -> String {
        if name == EXPERIMENT {
            return format!("restore `{EXPERIMENT}` from a copy; nothing else here can make it again");
        }
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

    /// The error that the manifest was edited, so that this is wrong.
    fn edited(&self, folder: &CampaignFolder, what: &str) -> Error {
        Error::new(format!("`{}` was edited: {what}", folder.manifest().display()))
            .remedy(format!("undo that; or {}", self.restored(folder, MANIFEST)))
    }
}

/// That a field of the manifest differs from another file, in words.
fn differs(field: &str, here: &str, other: &str, there: &str) -> String {
    format!("its {field} is {here}, and in {other} it is {there}")
}

/// The pattern lengths of a task, or the other values of its range; `None` if they are patterns of the user.
fn values(experiment: &Experiment) -> Option<Vec<u64>> {
    let numbers = |values: &[usize]| values.iter().map(|value| *value as u64).collect();
    match &experiment.range {
        None if experiment.patterns.given.is_none() => Some(numbers(&experiment.patterns.lengths)),
        Some(Range::TextBytes(values) | Range::Alphabet(values) | Range::Threads(values)) => {
            Some(numbers(values))
        }
        None | Some(Range::Text(_)) => None,
    }
}

fn in_words(seed: Option<u64>) -> String {
    seed.map_or_else(|| "none".to_owned(), |seed| seed.to_string())
}

/// The error that a file or a folder of a campaign is missing or can't be read.
fn missing_or(path: &Path, error: &std::io::Error) -> Error {
    if error.kind() == std::io::ErrorKind::NotFound {
        return Error::new(format!("`{}` is missing, and the campaign needs it", path.display()));
    }
    Error::io("read", path, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::testing;

    fn experiment(algorithms: &[&str], lengths: &[usize]) -> Experiment {
        let algorithms = algorithms.iter().map(|id| (*id).to_owned()).collect();
        let mut experiment = Experiment { algorithms, seed: Some(1), ..Experiment::default() };
        experiment.patterns.lengths = lengths.to_vec();
        experiment.text.recorded = vec![assay_experiment::recorded::TextRecord {
            name: "embedded".to_owned(),
            path: None,
            file: None,
            seed: None,
            bytes: Some(9),
            used: 9,
            sha256: Some("ee".to_owned()),
        }];
        experiment
    }

    /// A campaign of three tasks as it was planned.
    fn planned(place: &Path) -> (CampaignFolder, CampaignManifest) {
        let folder = CampaignFolder::at(place).unwrap();
        let mut manifest = testing::manifest(3);
        let text = "embedded".to_owned();
        manifest.texts =
            vec![crate::manifest::ManifestText { name: text, bytes: 9, sha256: "ee".to_owned() }];
        fs::create_dir(place.join(TASKS)).unwrap();
        let write = |name: &str, experiment: Experiment| {
            fs::write(place.join(name), experiment.to_toml()).unwrap();
            sha256(experiment.to_toml().as_bytes())
        };
        for task in &mut manifest.tasks {
            (task.values, task.algorithms) = (vec![8, 16], 2);
            task.sha256 = write(&task_name(task.number), experiment(&["hor", "bf"], &[8, 16]));
        }
        manifest.experiment_sha256 = write(EXPERIMENT, experiment(&["hor", "bf"], &[8, 16]));
        manifest.reference_sha256 = write(REFERENCE, experiment(&["hor"], &[8]));
        (folder, manifest)
    }

    #[test]
    fn what_was_edited_in_a_manifest_is_named() {
        let place = tempfile::tempdir().unwrap();
        let (folder, manifest) = planned(place.path());
        assert_eq!(manifest.check(&folder), Ok(()));
        let wrong = |edit: &dyn Fn(&mut CampaignManifest)| {
            let mut manifest = manifest.clone();
            edit(&mut manifest);
            let error = manifest.check(&folder).unwrap_err();
            error.to_string().rsplit_once("campaign.toml` was edited: ").unwrap().1.to_owned()
        };
        let experiment = folder.path().join(EXPERIMENT);
        let remedy = |reference: &str| {
            format!(
                "\n  help: undo that; or `assay campaign plan {} --out OTHER --minutes 10 --rate 1000000000B --reference \
                 {reference}` writes all files of this campaign again; copy `campaign.toml` from OTHER",
                experiment.display()
            )
        };
        let expected = "its reference is bf, and in reference.toml it is hor".to_owned() + &remedy("hor");
        assert_eq!(wrong(&|manifest| manifest.reference = "bf".to_owned()), expected);
        let expected = |what: &str| what.to_owned() + &remedy("hor");
        let seed = expected("its seed is 2, and in experiment.toml it is 1");
        assert_eq!(wrong(&|manifest| manifest.seed = 2), seed);
        let text = expected("its SHA-256 of the text `embedded` is ff, and in tasks/0001.toml it is ee");
        assert_eq!(wrong(&|manifest| manifest.texts[0].sha256 = "ff".to_owned()), text);
        let values = expected("its list of values of task 2 is [8], and in tasks/0002.toml it is [8, 16]");
        assert_eq!(wrong(&|manifest| manifest.tasks[1].values = vec![8]), values);
        let algorithms = expected("its number of algorithms of task 3 is 9, and in tasks/0003.toml it is 2");
        assert_eq!(wrong(&|manifest| manifest.tasks[2].algorithms = 9), algorithms);
        let order = expected("task 3 stands where task 2 should be");
        assert_eq!(wrong(&|manifest| drop(manifest.tasks.remove(1))), order);
        let fewer = expected("it lists tasks 1 to 2, but there is a file for task 3");
        assert_eq!(wrong(&|manifest| drop(manifest.tasks.pop())), fewer);
        let minutes = wrong(&|manifest| manifest.minutes = f64::NAN);
        assert!(minutes.starts_with("`minutes` is NaN; it must be above 0"), "{minutes}");
        let rate = wrong(&|manifest| manifest.rate = 0);
        assert!(rate.starts_with("`rate` is 0; it must be above 0"), "{rate}");
    }

    #[test]
    fn files_that_are_missing_or_others_are_named() {
        let place = tempfile::tempdir().unwrap();
        let (folder, manifest) = planned(place.path());
        for name in [EXPERIMENT, REFERENCE, "tasks/0002.toml"] {
            let remedy = if name == EXPERIMENT {
                "\n  help: restore `experiment.toml` from a copy; nothing else".to_owned()
            } else {
                "\n  help: `assay campaign plan ".to_owned()
            };
            let path = place.path().join(name);
            let text = fs::read_to_string(&path).unwrap();
            // The field is one that the manifest has as well: the file was edited, not the manifest.
            for (field, edit) in [("seed = 1", "seed = 2"), ("\"hor\"", "\"bom\"")] {
                fs::write(&path, text.replacen(field, edit, 1)).unwrap();
                let error = manifest.check(&folder).unwrap_err().to_string();
                let message = format!("{name}` is not the one with which");
                assert!(error.contains(&message) && error.contains(&remedy), "{error}");
            }
            fs::remove_file(&path).unwrap();
            let error = manifest.check(&folder).unwrap_err().to_string();
            let message = format!("is missing, and the campaign needs it{remedy}");
            assert!(error.contains(&message), "{error}");
            fs::write(&path, text).unwrap();
        }
        fs::remove_dir_all(place.path().join(TASKS)).unwrap();
        let error = manifest.check(&folder).unwrap_err().to_string();
        assert!(error.contains("/tasks` is missing") && error.contains("copy `tasks` from OTHER"), "{error}");
    }
}
