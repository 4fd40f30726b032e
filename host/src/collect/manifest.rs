//! What a collection is, and how much of it is done.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Part;
use crate::error::{Error, Result};
use crate::experiment::definition::Experiment;
use crate::io::atomic::Output;
use crate::io::toml_input;
use crate::plan::Plan;
use crate::results::MEASUREMENTS;

/// The name of its file.
pub const NAME: &str = "collection.toml";

/// A collection: what was asked, and the runs that are complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Whether each sub-experiment draws with a seed of its own.
    pub fresh: bool,
    /// The folder of each run that is complete, below that of the collection.
    pub runs: BTreeMap<String, PathBuf>,
    /// What is measured in each sub-experiment, but for the counters.
    pub experiment: Experiment,
    /// Which events are counted together.
    pub plan: Plan,
}

impl Manifest {
    /// Begins a collection in a folder, or goes on with the one that is there. Where no seed is asked for, that of the
    /// collection is taken, or any.
    ///
    /// # Errors
    /// If there is one already and it is not to go on; if it is another; if there is none to go on with; if the folder can't
    /// be made or read.
    pub fn open(
        folder: &Path,
        plan: Plan,
        mut experiment: Experiment,
        fresh: bool,
        resume: bool,
    ) -> Result<Manifest> {
        let path = folder.join(NAME);
        let there = path.exists();
        if there && !resume {
            return Err(Error::new(format!("`{}` holds a collection already", folder.display()))
                .remedy("--resume goes on with it; --out names another folder"));
        }
        if !there {
            if resume {
                return Err(Error::new(format!("`{}` holds no collection to go on with", folder.display()))
                    .remedy("leave out --resume, or name its folder with --out"));
            }
            experiment.seed.get_or_insert_with(|| rand::random::<u32>().into());
            std::fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
            let manifest = Manifest { fresh, runs: BTreeMap::new(), experiment, plan };
            manifest.save(folder)?;
            return Ok(manifest);
        }
        let mut manifest: Manifest = toml_input::read(&path)?;
        experiment.seed = experiment.seed.or(manifest.experiment.seed);
        let differs = [
            (manifest.plan != plan, "the plan"),
            (manifest.experiment != experiment, "the text, patterns, algorithms or options of measuring"),
            (manifest.fresh != fresh, "--fresh"),
        ];
        if let Some((_, what)) = differs.into_iter().find(|(differs, _)| *differs) {
            return Err(Error::new(format!("`{}` was begun otherwise: {what} differs", folder.display()))
                .remedy(
                    "go on as it was begun (its collection.toml tells), or name another folder with --out",
                ));
        }
        // What was deleted is measured again.
        manifest.runs.retain(|_, run| folder.join(run).join(MEASUREMENTS).is_file());
        Ok(manifest)
    }

    /// The folder of a part's run, if it is complete.
    pub fn run(&self, folder: &Path, part: Part) -> Option<PathBuf> {
        self.runs.get(&part.to_string()).map(|run| folder.join(run))
    }

    /// Notes that a part is complete.
    ///
    /// # Errors
    /// If that can't be written.
    pub fn done(&mut self, folder: &Path, part: Part, run: &Path) -> Result<()> {
        let below = run.strip_prefix(folder).unwrap_or(run);
        self.runs.insert(part.to_string(), below.to_owned());
        self.save(folder)
    }

    fn save(&self, folder: &Path) -> Result<()> {
        let text = toml::to_string(self).expect("a collection has a TOML form");
        Output::create(&folder.join(NAME))?.write(|file| file.write_all(text.as_bytes()))
    }
}
