//! Compares a manifest with the files that it lists. Without this, a manifest that was edited would put the
//! blame on tasks and runs, which differ from it, and the tasks would be measured again and again.

use std::fs;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::text_file;
use assay_experiment::definition::Experiment;
use assay_experiment::range::Range;

use crate::folder::{CampaignFolder, EXPERIMENT, REFERENCE, TASKS, task_name};
use crate::manifest::{CampaignManifest, CampaignTask, MOST_BYTES, same, sha256};

impl CampaignManifest {
    /// Compares the manifest with the experiment and with all tasks.
    ///
    /// # Errors
    /// If one differs. The message names the field or the task.
    pub(crate) fn check(&self, folder: &CampaignFolder) -> Result<()> {
        self.check_numbers(folder)?;
        self.check_experiment(folder)?;
        self.tasks.iter().try_for_each(|task| self.check_task(folder, task))
    }

    /// Compares what the manifest says of a task with the file of the task.
    ///
    /// # Errors
    /// If it differs, or the file is missing.
    pub fn check_task(&self, folder: &CampaignFolder, task: &CampaignTask) -> Result<()> {
        let name = task_name(task.number);
        let experiment = checked(folder, &name, &task.sha256)?;
        let wrong =
            |field: &str, here: String, there: String| Err(edited(folder, field, &here, &name, &there));
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
        // A text that is joined, repeated or cut has a hash of its own, which only those who read it know.
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
                let there = format!("task {}", task.number);
                return Err(edited(
                    folder,
                    "list of tasks",
                    &there,
                    "its place",
                    &format!("task {expected}"),
                ));
            }
        }
        let (tasks, count) = (folder.path().join(TASKS), self.tasks.len());
        let entries = fs::read_dir(&tasks).map_err(|error| missing_or(&tasks, &error))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".toml")?.parse::<usize>().ok());
            if let Some(number) = number.filter(|number| *number > count) {
                let here = format!("tasks 1 to {count}");
                return Err(edited(folder, "list of tasks", &here, TASKS, &format!("task {number}")));
            }
        }
        Ok(())
    }

    /// Compares the fields of the whole campaign with the experiment and the reference.
    ///
    /// # Errors
    /// If one differs.
    pub fn check_experiment(&self, folder: &CampaignFolder) -> Result<()> {
        let seed = read(folder, EXPERIMENT)?.1.seed;
        if seed != Some(self.seed) {
            return Err(edited(folder, "seed", &self.seed.to_string(), EXPERIMENT, &in_words(seed)));
        }
        let reference = read(folder, REFERENCE)?.1.algorithms;
        let original = assay_experiment::selection::original(&self.reference);
        if reference != [original] {
            return Err(edited(folder, "reference", &self.reference, REFERENCE, &reference.join(", ")));
        }
        if !(self.minutes.is_finite() && self.minutes > 0.0 && self.rate > 0) {
            let here = format!("{} and {}", self.minutes, self.rate);
            return Err(edited(folder, "minutes or rate", &here, "a plan", "numbers above 0"));
        }
        checked(folder, EXPERIMENT, &self.experiment_sha256)?;
        checked(folder, REFERENCE, &self.reference_sha256).map(drop)
    }
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

/// The experiment in a file of a campaign, whose SHA-256 is this.
fn checked(folder: &CampaignFolder, name: &str, expected: &str) -> Result<Experiment> {
    let (text, experiment) = read(folder, name)?;
    let path = folder.path().join(name);
    same(&format!("`{}`", path.display()), expected, &sha256(text.as_bytes()))
        .map_err(|error| error.remedy(restored(folder)))?;
    Ok(experiment)
}

/// The experiment in a file of a campaign, with its text.
fn read(folder: &CampaignFolder, name: &str) -> Result<(String, Experiment)> {
    let path = folder.path().join(name);
    let restore = |error: Error| error.remedy(restored(folder));
    if let Err(error) = fs::metadata(&path) {
        return Err(restore(missing_or(&path, &error)));
    }
    let text = text_file::read(&path, MOST_BYTES).map_err(restore)?;
    let experiment = Experiment::load(&path).map_err(restore)?;
    Ok((text, experiment))
}

/// The error that a file or a folder of a campaign is missing or can't be read.
fn missing_or(path: &Path, error: &std::io::Error) -> Error {
    if error.kind() == std::io::ErrorKind::NotFound {
        return Error::new(format!("`{}` is missing, and the campaign needs it", path.display()));
    }
    Error::io("read", path, error)
}

/// How a file of a campaign is brought back.
fn restored(folder: &CampaignFolder) -> String {
    format!(
        "bring it back: `assay campaign plan {}/{EXPERIMENT} --out OTHER`, with the --minutes, --rate and --reference \
         of this campaign, writes all files again",
        folder.path().display()
    )
}

/// The error that a field of the manifest differs from another file.
fn edited(folder: &CampaignFolder, field: &str, here: &str, other: &str, there: &str) -> Error {
    Error::new(format!(
        "`{}` was edited: its {field} is {here}, and in {other} it is {there}",
        folder.manifest().display()
    ))
    .remedy(format!("undo that, or {}", restored(folder)))
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
            assert!(error.to_string().contains("bring it back"), "{error}");
            error.message().rsplit_once("campaign.toml` was edited: its ").unwrap().1.to_owned()
        };
        let expected = "seed is 2, and in experiment.toml it is 1";
        assert_eq!(wrong(&|manifest| manifest.seed = 2), expected);
        let expected = "reference is bf, and in reference.toml it is hor";
        assert_eq!(wrong(&|manifest| manifest.reference = "bf".to_owned()), expected);
        let expected = "SHA-256 of the text `embedded` is ff, and in tasks/0001.toml it is ee";
        assert_eq!(wrong(&|manifest| manifest.texts[0].sha256 = "ff".to_owned()), expected);
        let expected = "list of values of task 2 is [8], and in tasks/0002.toml it is [8, 16]";
        assert_eq!(wrong(&|manifest| manifest.tasks[1].values = vec![8]), expected);
        let expected = "number of algorithms of task 3 is 9, and in tasks/0003.toml it is 2";
        assert_eq!(wrong(&|manifest| manifest.tasks[2].algorithms = 9), expected);
        let expected = "list of tasks is task 3, and in its place it is task 2";
        assert_eq!(wrong(&|manifest| drop(manifest.tasks.remove(1))), expected);
        let expected = "list of tasks is tasks 1 to 2, and in tasks it is task 3";
        assert_eq!(wrong(&|manifest| drop(manifest.tasks.pop())), expected);
        assert!(wrong(&|manifest| manifest.minutes = f64::NAN).starts_with("minutes or rate is NaN"));
    }

    #[test]
    fn files_that_are_missing_or_others_are_named() {
        let place = tempfile::tempdir().unwrap();
        let (folder, manifest) = planned(place.path());
        for name in [EXPERIMENT, REFERENCE, "tasks/0002.toml"] {
            let path = place.path().join(name);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text.replacen("runs = ", "runs = 1", 1)).unwrap();
            let error = manifest.check(&folder).unwrap_err().to_string();
            assert!(error.contains(&format!("{name}` is not the one with which")), "{error}");
            fs::remove_file(&path).unwrap();
            let error = manifest.check(&folder).unwrap_err().to_string();
            assert!(
                error.contains("is missing, and the campaign needs it\n  help: bring it back"),
                "{error}"
            );
            fs::write(&path, text).unwrap();
        }
    }
}
