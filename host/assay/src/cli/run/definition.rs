//! The experiment that the command line asks for.

use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::shell::quoted;
use assay_experiment::Resolved;
use assay_experiment::definition::{Experiment, Order, Stats};
use assay_experiment::keys::in_words_of;
use assay_experiment::selection::{copy, named, original};
use assay_load::plugin::Registry;
use assay_store::provenance::LibraryFacts;
use assay_store::{EXPERIMENT, ExperimentFacts, find, is_like_id, is_run};

use super::Args;
use crate::cli::sets::all_or_named;
use crate::cli::{Session, names};

impl Args {
    /// The resolved experiment, from a file, if one is named, and the flags. An error names the key of the
    /// file or the flag, whichever the user wrote.
    pub(super) fn resolved(&self, registry: &Registry, session: &Session) -> Result<Resolved> {
        let mut file = None;
        let resolved = self
            .experiment(&mut file, registry, session)
            .and_then(|experiment| experiment.resolve(registry, &session.console));
        resolved.map_err(|error| match &file {
            Some(file) => in_words_of(file, error, |option| session.has_typed(option)),
            None => error,
        })
    }

    /// The experiment of a run that is to be continued, which has these facts and this folder.
    ///
    /// # Errors
    /// If the command line changes it, or its file can't be read or was edited so that it makes no sense.
    pub(super) fn resumed(
        &self,
        folder: &Path,
        facts: &ExperimentFacts,
        registry: &Registry,
        session: &Session,
    ) -> Result<Resolved> {
        let path = folder.join(EXPERIMENT);
        let mut experiment = Experiment::load(&path).map_err(|error| {
            error.remedy(format!(
                "restore the file from a copy: without it, run {} can't be continued",
                facts.id
            ))
        })?;
        let mut changed = experiment.clone();
        self.apply(&mut changed)?;
        changed.text.force = experiment.text.force;
        let mut changes = changed_fields(&experiment, &changed);
        if self.all || self.null || self.sets.any() || !self.algorithms.is_empty() {
            changes.insert(0, "algorithms".to_owned());
        }
        if !changes.is_empty() {
            let changes = changes.join("`, `");
            return Err(Error::new(format!(
                "--resume continues the experiment as it was begun, and this command changes `{changes}`"
            ))
            .remedy("leave out what changes it; to measure something else, begin another run"));
        }
        check_libraries(&facts.libraries, registry)?;
        let ids = experiment.algorithms.iter().map(String::as_str);
        session.note_changed_ids_in(facts, ids, registry);
        // The comparison with the first part tells whether the text has changed.
        experiment.text.force = true;
        experiment.resolve(registry, &session.console).map_err(|error| in_words_of(&path, error, |_| false))
    }

    /// The experiment, from a file, if one is named, and the flags. The path of the file is stored in `from`.
    fn experiment(
        &self,
        from: &mut Option<PathBuf>,
        registry: &Registry,
        session: &Session,
    ) -> Result<Experiment> {
        let (files, names): (Vec<&String>, Vec<&String>) =
            self.algorithms.iter().partition(|name| self.is_place(name));
        let mut experiment = match files.as_slice() {
            [] => Experiment::default(),
            [file] => {
                let path = if file.ends_with(".toml") {
                    PathBuf::from(file)
                } else {
                    find(file, &self.out)?.join(EXPERIMENT)
                };
                let experiment = Experiment::load(&path)?;
                experiment.validate().map_err(|error| in_words_of(&path, error, |_| false))?;
                *from = Some(path);
                experiment
            }
            [_, second, ..] => {
                return Err(Error::new(format!("more than one experiment is named: `{second}`"))
                    .remedy("name one; `last` is the newest run"));
            }
        };
        if all_or_named(self.all, &names)? {
            experiment.algorithms = vec![".*".to_owned()];
        } else if !names.is_empty() || self.sets.any() {
            let names: Vec<String> = names.into_iter().cloned().collect();
            experiment.algorithms = self.sets.with(&names, registry, session)?;
        } else if let Some(file) = from {
            session.note_changed_ids_of_file(file, &experiment, registry);
        }
        if experiment.algorithms.is_empty() && !self.options.text.is_empty() {
            let words = self.options.text.join("`, `");
            return Err(Error::new(format!(
                "no algorithm is named: what follows --text is a text (`{words}`)"
            ))
            .remedy("name the algorithms before --text: every word after it is the name of a text"));
        }
        self.apply(&mut experiment)?;
        if self.null {
            measure_twice(&mut experiment, registry)?;
        }
        Ok(experiment)
    }

    /// Whether a word names an experiment. A slash or a day is enough, because no id or regular expression of
    /// algorithms has them.
    fn is_place(&self, word: &str) -> bool {
        word.ends_with(".toml") || word.contains('/') || is_like_id(word) || is_run(word, &self.out)
    }

    /// Overrides the settings of a file by the flags.
    fn apply(&self, experiment: &mut Experiment) -> Result<()> {
        if let Some(stats) = self.stats {
            experiment.stats = stats;
        }
        if let Some(description) = &self.description {
            experiment.description.clone_from(description);
        }
        experiment.multiplex |= self.multiplex;
        if !self.counters.is_empty() || !self.cpu_stats.is_empty() {
            experiment.counters = names::all(&self.counters);
            let backend = if self.simulate { "cachegrind" } else { "perf" };
            let events = self.cpu_stats.iter().flat_map(|stat| stat.events());
            experiment.counters.extend(events.map(|event| format!("{backend}:{event}")));
        }
        if self.first_counter.is_some() {
            experiment.first_counter.clone_from(&self.first_counter);
        }
        if !self.counter_option.is_empty() {
            experiment.counter_options.clone_from(&self.counter_option);
        }
        self.range.apply(experiment);
        self.stopping.apply(experiment);
        self.options.apply(experiment)
    }
}

/// Refuses to continue a run whose libraries are gone.
fn check_libraries(recorded: &[LibraryFacts], registry: &Registry) -> Result<()> {
    let is_there = |library: &&LibraryFacts| {
        let found = registry.libraries().iter();
        found
            .clone()
            .any(|other| other.sha256 == library.sha256 || other.path.display().to_string() == library.path)
    };
    match recorded.iter().find(|library| !is_there(library)) {
        None => Ok(()),
        Some(LibraryFacts { path, .. }) => {
            let folder = Path::new(path).parent().unwrap_or(Path::new("."));
            Err(Error::new(format!(
                "the run was measured with `{path}`, which is not among the plugin libraries"
            ))
            .remedy(format!(
                "name its folder, --plugin-dir {}, and accept the library if it is not trusted",
                quoted(&folder.to_string_lossy())
            )))
        }
    }
}

/// The fields in which two experiments differ, by their names in the file.
fn changed_fields(one: &Experiment, other: &Experiment) -> Vec<String> {
    let [one, other] = [one, other]
        .map(|experiment| serde_json::to_value(experiment).expect("an experiment has a JSON form"));
    let fields = one.as_object().into_iter().chain(other.as_object()).flat_map(|object| object.keys());
    let mut changed: Vec<String> = fields.filter(|field| one[*field] != other[*field]).cloned().collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}

/// Adds a copy of the first algorithm, unless an algorithm takes part twice already.
fn measure_twice(experiment: &mut Experiment, registry: &Registry) -> Result<()> {
    if experiment.stats == Stats::Algo {
        return Err(Error::new("--null measures how far times can be trusted, and --stats algo has none")
            .remedy("leave out one of them"));
    }
    if experiment.order == Order::Sequential {
        return Err(Error::new("--null needs rounds, and the order `sequential` has one")
            .remedy("measure in the order `interleaved` or `shuffled`"));
    }
    let ids = &experiment.algorithms;
    let has_copy = ids.iter().enumerate().any(|(i, id)| original(id) != id || ids[..i].contains(id));
    if let (Some(first), false) = (experiment.algorithms.first(), has_copy) {
        let id = named(first, registry)?.first().map(|id| copy(id, 2));
        experiment.algorithms.extend(id);
    }
    Ok(())
}
