//! The file of a collection: its definition, and its progress.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::toml_input;
use assay_experiment::definition::Experiment;
use assay_experiment::text::TextFacts;
use assay_merge::plan::Plan;
use assay_store::MEASUREMENTS;
use serde::{Deserialize, Serialize};

use super::PlannedRun;

/// The name of the file.
pub const NAME: &str = "collection.toml";
/// The folder of its runs.
pub const RUNS: &str = "runs";

/// A collection: its definition, and the runs that are complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Whether all sub-experiments search for the same patterns.
    pub same_patterns: bool,
    /// SHA-256 of the text that all sub-experiments search; missing before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_sha256: Option<String>,
    /// The folder of each complete run, relative to that of the collection.
    pub runs: BTreeMap<String, PathBuf>,
    /// The folders of the runs that measured what was left of a part after searches that took too long.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub further_runs: BTreeMap<String, Vec<PathBuf>>,
    /// The experiment that each sub-experiment runs, without counters.
    pub experiment: Experiment,
    /// The plan: which events are counted together.
    pub plan: Plan,
}

impl Manifest {
    /// Starts a collection in a folder, or with `resume` continues the one in it. Without a seed in the
    /// experiment, a new collection draws one, and a continued one keeps its own. The folder of a new collection
    /// is made by [`check_text`](Self::check_text), when the first part is known to be possible, because a folder
    /// that remained after an error would be in the way of the next attempt.
    ///
    /// # Errors
    /// If the folder has a collection and `resume` is false, or has none and `resume` is true; if its
    /// collection has another definition, or can't be read.
    pub fn open(
        folder: &Path,
        plan: Plan,
        mut experiment: Experiment,
        same_patterns: bool,
        resume: bool,
    ) -> Result<Manifest> {
        let path = folder.join(NAME);
        let there = path.exists();
        if there && !resume {
            return Err(Error::new(format!("`{}` holds a collection already", folder.display()))
                .remedy("--resume continues it; --out names another folder"));
        }
        if !there {
            if resume {
                return Err(Error::new(format!("`{}` holds no collection to continue", folder.display()))
                    .remedy("leave out --resume, or name its folder with --out"));
            }
            experiment.seed.get_or_insert_with(|| rand::random::<u32>().into());
            return Ok(Manifest {
                same_patterns,
                text_sha256: None,
                runs: BTreeMap::new(),
                further_runs: BTreeMap::new(),
                experiment,
                plan,
            });
        }
        let mut manifest: Manifest = toml_input::read(&path)?;
        experiment.seed = experiment.seed.or(manifest.experiment.seed);
        let differs = [
            (!manifest.plan.is_same(&plan), "the plan"),
            (manifest.experiment != experiment, "the text, patterns, algorithms or options of measuring"),
            (manifest.same_patterns != same_patterns, "--same-patterns"),
        ];
        if let Some((_, what)) = differs.into_iter().find(|(differs, _)| *differs) {
            return Err(Error::new(format!("`{}` was begun otherwise: {what} differs", folder.display()))
                .remedy(
                    "continue it as it was begun (its collection.toml tells), or name another folder with --out",
                ));
        }
        // Runs whose rows were deleted are measured again.
        let is_there = |run: &PathBuf| folder.join(run).join(MEASUREMENTS).is_file();
        manifest.runs.retain(|_, run| is_there(run));
        let Manifest { runs, further_runs, .. } = &mut manifest;
        further_runs.retain(|part, _| runs.contains_key(part));
        further_runs.values_mut().for_each(|runs| runs.retain(is_there));
        Ok(manifest)
    }

    /// Checks that a part searches the same text as the parts before it. Notes the text of the first part, and makes
    /// the folder for it.
    ///
    /// # Errors
    /// If the text has changed, or can't be noted; if the folder can't be made.
    pub fn check_text(&mut self, text: &TextFacts, folder: &Path) -> Result<()> {
        match &self.text_sha256 {
            Some(begun) if *begun != text.sha256 => Err(Error::new(format!(
                "the text ({}) has changed since the collection in `{}` was begun: its SHA-256 is {}, and was {begun}",
                text.sources.join(", "),
                folder.display(),
                text.sha256
            ))
            .remedy("bring the text back, or begin another collection with --out: what two texts gave is not to be merged")),
            Some(_) => Ok(()),
            None => {
                self.text_sha256 = Some(text.sha256.clone());
                self.save(folder)
            }
        }
    }

    /// The folders of the runs of a part, its first one first; none if that is not complete.
    pub fn runs_of(&self, folder: &Path, part: PlannedRun) -> Vec<PathBuf> {
        let part = part.to_string();
        let further = self.further_runs.get(&part).into_iter().flatten();
        self.runs.get(&part).into_iter().chain(further).map(|run| folder.join(run)).collect()
    }

    /// Notes that a run of a part is complete.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn done(&mut self, folder: &Path, part: PlannedRun, run: &Path) -> Result<()> {
        let (part, below) = (part.to_string(), run.strip_prefix(folder).unwrap_or(run).to_owned());
        match self.runs.entry(part) {
            Entry::Vacant(first) => _ = first.insert(below),
            Entry::Occupied(first) => {
                self.further_runs.entry(first.key().clone()).or_default().push(below);
            }
        }
        self.save(folder)
    }

    /// Removes what a new collection has left in its folder before its first run was complete, so that it is
    /// not in the way of the next attempt. Files of others stay.
    pub fn withdraw(&self, folder: &Path) {
        if self.runs.is_empty() {
            // If something can't be removed, the error that ends the command matters more.
            let _ = fs::remove_file(folder.join(NAME));
            let _ = fs::remove_dir(folder.join(RUNS));
            let _ = fs::remove_dir(folder);
        }
    }

    fn save(&self, folder: &Path) -> Result<()> {
        let text = toml::to_string(self).expect("a collection has a TOML form");
        Output::in_folder(folder, NAME)?.write(|file| file.write_all(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(head: &str) -> Plan {
        let block = "[[block]]\nevents = [\"stats:jumps\"]\n";
        toml::from_str(&format!("method = \"much\"\ncounters = 1\n{head}\n{block}")).unwrap()
    }

    #[test]
    fn a_plan_that_was_searched_for_longer_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let open = |plan, resume| Manifest::open(folder.path(), plan, Experiment::default(), false, resume);
        let begun = open(plan("search = { seed = 1, rounds = 1 }"), false).unwrap();
        begun.save(folder.path()).unwrap();
        for head in ["search = { seed = 1, rounds = 9 }", ""] {
            assert_eq!(open(plan(head), true).unwrap().runs, begun.runs);
        }
        let other = open(plan("fixed = [\"stats:jumps\"]"), true).unwrap_err().to_string();
        assert!(other.contains("was begun otherwise: the plan differs"), "{other}");
    }

    #[test]
    fn runs_of_a_part_are_in_order_and_a_collection_without_runs_can_be_withdrawn() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("collected");
        let mut manifest = Manifest::open(&folder, plan(""), Experiment::default(), false, false).unwrap();
        manifest.save(&folder).unwrap();
        fs::create_dir(folder.join(RUNS)).unwrap();
        manifest.withdraw(&folder);
        assert!(!folder.exists());
        let part = PlannedRun::Block(0);
        assert!(manifest.runs_of(&folder, part).is_empty());
        for run in ["first", "second", "third"] {
            manifest.done(&folder, part, &folder.join(RUNS).join(run)).unwrap();
        }
        let runs = ["first", "second", "third"].map(|run| folder.join(RUNS).join(run));
        assert_eq!(manifest.runs_of(&folder, part), runs);
        manifest.withdraw(&folder);
        assert!(folder.join(NAME).exists(), "there are runs");
        // A part whose first run is lost is measured again as a whole.
        let again = Manifest::open(&folder, plan(""), Experiment::default(), false, true).unwrap();
        assert!(again.runs_of(&folder, part).is_empty());
    }
}
