//! The file of a collection: its definition, and its progress.

use std::collections::BTreeMap;
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
                experiment,
                plan,
            });
        }
        let mut manifest: Manifest = toml_input::read(&path)?;
        experiment.seed = experiment.seed.or(manifest.experiment.seed);
        let differs = [
            (manifest.plan != plan, "the plan"),
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
        manifest.runs.retain(|_, run| folder.join(run).join(MEASUREMENTS).is_file());
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

    /// The folder of a part's run, if it is complete.
    pub fn run(&self, folder: &Path, part: PlannedRun) -> Option<PathBuf> {
        self.runs.get(&part.to_string()).map(|run| folder.join(run))
    }

    /// Notes that a part is complete.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn done(&mut self, folder: &Path, part: PlannedRun, run: &Path) -> Result<()> {
        let below = run.strip_prefix(folder).unwrap_or(run);
        self.runs.insert(part.to_string(), below.to_owned());
        self.save(folder)
    }

    fn save(&self, folder: &Path) -> Result<()> {
        let text = toml::to_string(self).expect("a collection has a TOML form");
        Output::in_folder(folder, NAME)?.write(|file| file.write_all(text.as_bytes()))
    }
}
