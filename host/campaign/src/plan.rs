//! Plans a campaign: cuts an experiment into tasks, and writes them with a manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;

use assay_base::error::{Error, Result, excerpt};
use assay_base::io::console::Console;
use assay_experiment::calls::CallSpec;
use assay_experiment::definition::{Experiment, Stats};
use assay_experiment::range::Range;
use assay_experiment::text_spec::TextSpec;
use assay_experiment::{Resolved, selection};
use assay_load::plugin::{self, Kind, Listing, Registry};
use assay_store::provenance::LibraryFacts;
use sha2::{Digest, Sha256};

use crate::cut::{Cut, CutRule};
use crate::folder::{CampaignFolder, EXPERIMENT, REFERENCE, TASKS, make, task_name};
use crate::manifest::{CampaignManifest, CampaignTask, ManifestLibrary, ManifestText, SCHEMA, sha256};

/// Length of the patterns of the reference experiment, if the campaign searches for such patterns.
const REFERENCE_LENGTH: usize = 8;
/// Repetitions of the reference experiment. On the embedded text of 50 KB they take less than 0.1 s, and ten
/// workers are started.
const REFERENCE_RUNS: usize = 200;

/// What decides how an experiment is cut, besides the experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOptions {
    /// How many minutes a task should take.
    pub minutes: f64,
    /// How many bytes of text an algorithm is assumed to search in a second.
    pub rate: u64,
    /// The algorithm that ties tasks and machines together; the first of the experiment if none is named.
    pub reference: Option<String>,
}

/// A campaign that is planned and not yet written.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCampaign {
    /// Its manifest.
    pub manifest: CampaignManifest,
    /// The files of the campaign without the manifest, each with its path in the folder.
    files: Vec<(String, String)>,
}

impl PlannedCampaign {
    /// Plans a campaign. Without a seed in the experiment, its content decides the seed, so that the same
    /// experiment gives the same campaign.
    ///
    /// # Errors
    /// If the experiment makes no sense, or names what can't be found.
    pub fn new(
        mut experiment: Experiment,
        options: &PlanOptions,
        registry: &Registry,
        console: &Console,
    ) -> Result<Self> {
        if experiment.budget.is_some() {
            return Err(Error::new(
                "the experiment has a `budget`, and each task of a campaign would take as long",
            )
            .remedy("use `until`, or a number of `runs`"));
        }
        let seed = experiment.seed.unwrap_or_else(|| seed_of(&experiment));
        experiment.seed = Some(seed);
        let (reference, planned) = PlannedTasks::cut(&experiment, options, registry, console)?;
        let measured_first = reference_experiment(&reference, &experiment, seed, registry, console)?;
        let reference_toml = measured_first.to_toml();
        let experiment_toml = experiment.to_toml();
        let PlannedTasks { libraries, texts, tasks, mut files } = planned;
        let manifest = CampaignManifest {
            schema: SCHEMA,
            sha256: String::new(),
            experiment_sha256: sha256(experiment_toml.as_bytes()),
            assay_sha256: program_sha256()?,
            seed,
            minutes: options.minutes,
            rate: options.rate,
            reference,
            reference_sha256: sha256(reference_toml.as_bytes()),
            libraries: libraries.into_iter().collect(),
            texts: texts.into_iter().collect(),
            tasks,
        };
        files.push((REFERENCE.to_owned(), reference_toml));
        files.push((EXPERIMENT.to_owned(), experiment_toml));
        Ok(PlannedCampaign { manifest: manifest.sealed(), files })
    }

    /// Writes the campaign into a folder. Returns whether it was there already, and was left as it is.
    ///
    /// # Errors
    /// If the folder holds another campaign, or can't be written.
    pub fn write(&self, folder: &CampaignFolder) -> Result<bool> {
        if folder.holds_campaign() {
            let there = CampaignManifest::read(&folder.manifest())?;
            if there == self.manifest {
                return Ok(true);
            }
            let differences = there.differences(&self.manifest).join(", ");
            return Err(Error::new(format!(
                "`{}` holds another campaign, which differs in {}",
                folder.path().display(),
                if differences.is_empty() { "its tasks" } else { &differences }
            ))
            .remedy("name another folder with --out; or remove this one, with all that was measured"));
        }
        make(folder.path())?;
        let tasks = folder.path().join(TASKS);
        // Whoever makes this folder plans here. So of two plans at once, one writes and the other is refused.
        fs::create_dir(&tasks).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::new(format!(
                "`{}` exists already, and there is no campaign: another process plans into this folder now, or \
                 was ended while it did",
                tasks.display()
            ))
            .remedy("wait until it is done, or name another folder with --out"),
            _ => Error::io("make the folder", &tasks, &error),
        })?;
        let names = self.files.iter().map(|(name, _)| name);
        if let Some(other) = names.map(|name| folder.path().join(name)).find(|path| path.exists()) {
            // Best effort: there is another error to report.
            let _ = fs::remove_dir(&tasks);
            return Err(Error::new(format!(
                "`{}` exists already, and it is not of a campaign",
                other.display()
            ))
            .remedy("name an empty folder with --out"));
        }
        for (name, text) in &self.files {
            let path = folder.path().join(name);
            fs::write(&path, text).map_err(|error| Error::io("write", &path, &error))?;
        }
        // The manifest comes last: a folder without it is no campaign.
        self.manifest.write(&folder.manifest())?;
        Ok(false)
    }
}

/// The tasks of a campaign with what they use, as far as its texts have been cut.
#[derive(Debug, Default)]
struct PlannedTasks {
    libraries: BTreeSet<ManifestLibrary>,
    texts: BTreeSet<ManifestText>,
    tasks: Vec<CampaignTask>,
    files: Vec<(String, String)>,
}

impl PlannedTasks {
    /// Cuts an experiment, one text after the other. Returns the reference algorithm, too: the first one, if
    /// none is named.
    fn cut(
        experiment: &Experiment,
        options: &PlanOptions,
        registry: &Registry,
        console: &Console,
    ) -> Result<(String, Self)> {
        let parts = by_text(experiment);
        check_labels(&parts)?;
        let (mut reference, mut planned) = (options.reference.clone(), PlannedTasks::default());
        for (label, part) in parts {
            let resolved = part.resolve(registry, console)?;
            let reference = reference.get_or_insert_with(|| resolved.experiment.algorithms[0].clone());
            if !resolved.experiment.algorithms.contains(reference) {
                return Err(Error::new(format!(
                    "the reference algorithm `{reference}` is not in the experiment"
                ))
                .remedy("name one of its algorithms with --reference"));
            }
            let (seconds, rate) = (options.minutes * 60.0, options.rate as f64);
            let rule = CutRule { seconds, rate, reference: reference.clone() };
            planned.add(&label, &resolved, registry, &rule.cut(&resolved))?;
        }
        Ok((reference.unwrap_or_default(), planned))
    }

    /// Adds the tasks of an experiment.
    fn add(&mut self, label: &str, resolved: &Resolved, registry: &Registry, cuts: &[Cut]) -> Result<()> {
        self.libraries.extend(libraries(resolved, registry)?.into_iter().map(|(path, sha256)| {
            let file = path.file_name().unwrap_or_default();
            ManifestLibrary { file: file.to_string_lossy().into_owned(), sha256 }
        }));
        self.texts.extend(resolved.texts.iter().map(|text| {
            let facts = text.facts();
            ManifestText { name: facts.sources.join(", "), bytes: facts.bytes as u64, sha256: facts.sha256 }
        }));
        let experiment = with_absolute_paths(resolved.experiment.clone());
        for cut in cuts {
            let number = u32::try_from(self.tasks.len() + 1).unwrap_or(u32::MAX);
            let text = task_experiment(&experiment, resolved, cut).to_toml();
            self.tasks.push(CampaignTask {
                number,
                sha256: sha256(text.as_bytes()),
                text: label.to_owned(),
                values: resolved.points[cut.points.clone()].iter().map(|point| point.value).collect(),
                algorithms: cut.algorithms.len(),
                group: cut.group,
                seconds: (cut.seconds * 10.0).round() / 10.0,
            });
            self.files.push((task_name(number), text));
        }
        Ok(())
    }
}

/// SHA-256 of this program.
///
/// # Errors
/// If it can't be read.
pub fn program_sha256() -> Result<String> {
    let program = std::env::current_exe().map_err(|error| {
        Error::new(format!("the path of this program is unknown: {error}")).remedy("call it by its full path")
    })?;
    plugin::sha256(&program).map_err(|error| Error::io("read", &program, &error))
}

/// The libraries that an experiment uses, each with its SHA-256: those of its algorithms, of its counter
/// backends, and of the corpora that make its texts. A backend that does not work on this machine may work on
/// another.
///
/// # Errors
/// If a corpus is missing.
pub fn libraries(resolved: &Resolved, registry: &Registry) -> Result<BTreeSet<(PathBuf, String)>> {
    let facts = LibraryFacts::all(resolved).into_iter();
    let mut found: BTreeSet<(PathBuf, String)> =
        facts.map(|library| (library.path.into(), library.sha256)).collect();
    let mut add = |listing: &Listing| {
        found.insert((listing.library.path.clone(), listing.library.sha256.clone()));
    };
    resolved.failed_backends.iter().filter_map(|id| registry.find(Kind::Counter, id).ok()).for_each(&mut add);
    // Only generated texts have a seed.
    for record in resolved.experiment.text.recorded.iter().filter(|record| record.seed.is_some()) {
        add(registry.corpus_listing(&record.name)?.0);
    }
    Ok(found)
}

/// The seed of an experiment that names none: the beginning of the SHA-256 of its file form.
fn seed_of(experiment: &Experiment) -> u64 {
    let hash = Sha256::digest(experiment.to_toml().as_bytes());
    u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]).into()
}

/// The experiments that a campaign cuts further, each with the name of its text: one for each text of a range
/// over texts, or the experiment itself. So an experiment may have several texts and several pattern lengths,
/// which a single run can't have.
fn by_text(experiment: &Experiment) -> Vec<(String, Experiment)> {
    let Some(Range::Text(names)) = &experiment.range else {
        return vec![(label(&experiment.text), experiment.clone())];
    };
    let of_name = |name: &String| {
        let text = experiment.text.renamed(name);
        (label(&text), Experiment { text, range: None, ..experiment.clone() })
    };
    names.iter().map(of_name).collect()
}

/// Checks that no two texts have one name, because tasks know their text by it, and that each name is one
/// line.
fn check_labels(parts: &[(String, Experiment)]) -> Result<()> {
    if parts.is_empty() {
        return Err(Error::new("the range `text` has no text")
            .remedy("name at least one, or leave out [range] for the embedded text"));
    }
    for (number, (label, _)) in parts.iter().enumerate() {
        if parts[..number].iter().any(|(other, _)| other == label) {
            return Err(Error::new(format!("two texts are named `{label}`"))
                .remedy("rename the file, or leave out one of them"));
        }
        if label.chars().any(char::is_control) {
            return Err(Error::new(format!(
                "the name of the text {:?} has a line feed or another control character",
                excerpt(label)
            ))
            .remedy("rename the file"));
        }
    }
    Ok(())
}

/// The name of a text for people.
fn label(text: &TextSpec) -> String {
    match (&text.corpus, &text.data) {
        (Some(corpus), _) => corpus.clone(),
        (None, Some(_)) => "data".to_owned(),
        (None, None) if text.files.is_empty() => "embedded".to_owned(),
        (None, None) => text.files.join(" "),
    }
}

/// The experiment of a task.
fn task_experiment(experiment: &Experiment, resolved: &Resolved, cut: &Cut) -> Experiment {
    let mut task = experiment.clone();
    task.algorithms.clone_from(&cut.algorithms);
    match &mut task.range {
        None if task.patterns.given.is_none() => {
            let points = resolved.points[cut.points.clone()].iter();
            task.patterns.lengths = points.map(|point| point.set.length).collect();
        }
        None => {}
        Some(Range::TextBytes(values) | Range::Alphabet(values) | Range::Threads(values)) => {
            *values = values[cut.points.clone()].to_vec();
        }
        Some(Range::Text(_)) => unreachable!("each text is an experiment of its own"),
    }
    task
}

/// The experiment with the paths of its files in the place of their names, because a job begins in another
/// folder.
fn with_absolute_paths(mut experiment: Experiment) -> Experiment {
    let records = experiment.text.recorded.iter();
    let paths: BTreeMap<String, String> =
        records.filter_map(|record| Some((record.name.clone(), record.path.clone()?))).collect();
    let replace = |name: &mut String| {
        if let Some(path) = paths.get(name) {
            name.clone_from(path);
        }
    };
    experiment.text.files.iter_mut().for_each(replace);
    if let Some(Range::Text(names)) = &mut experiment.sumrange {
        names.iter_mut().for_each(replace);
    }
    let calls = experiment.calls.iter_mut();
    calls.filter_map(|CallSpec { text, .. }| text.as_mut()).for_each(replace);
    experiment.text.recorded.iter_mut().for_each(|record| replace(&mut record.name));
    experiment
}

/// The experiment that each task measures first: the reference algorithm on the embedded text.
fn reference_experiment(
    reference: &str,
    experiment: &Experiment,
    seed: u64,
    registry: &Registry,
    console: &Console,
) -> Result<Experiment> {
    let lengths = &experiment.patterns.lengths;
    let has_usual = lengths.is_empty() || lengths.contains(&REFERENCE_LENGTH);
    let length = if has_usual { REFERENCE_LENGTH } else { lengths[0] };
    let usual = Experiment::default();
    let mut first = Experiment {
        description: "the reference of a campaign".to_owned(),
        algorithms: vec![selection::original(reference).to_owned()],
        stats: Stats::Perf,
        runs: REFERENCE_RUNS,
        seed: Some(seed),
        pin: experiment.pin,
        // A reference that exceeds its limit fails the task, so it may take as long as any other search.
        time_limit_ms: usual.time_limit_ms.max(experiment.time_limit_ms),
        ..usual
    };
    first.patterns.lengths = vec![length];
    first.resolve(registry, console).map(|resolved| resolved.experiment)
}

#[cfg(test)]
mod tests {
    use assay_experiment::recorded::TextRecord;
    use assay_experiment::testing::example;

    use super::*;

    fn range(names: &[&str]) -> Experiment {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Experiment { range: Some(Range::Text(names)), ..Experiment::default() }
    }

    #[test]
    fn each_text_of_a_range_is_an_experiment_over_pattern_lengths() {
        let parts = by_text(&range(&["a.txt", "corpus:dna"]));
        let labels: Vec<&str> = parts.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["a.txt", "dna"]);
        assert!(parts.iter().all(|(_, part)| part.range.is_none()));
        assert_eq!(parts[1].1.text.corpus.as_deref(), Some("dna"));
        assert_eq!(by_text(&Experiment::default())[0].0, "embedded");
    }

    #[test]
    fn texts_of_one_name_or_of_several_lines_are_refused() {
        let error =
            |names: &[&str]| check_labels(&by_text(&range(names))).err().map(|error| error.to_string());
        assert_eq!(error(&["a.txt", "corpus:dna"]), None);
        assert!(error(&["dna", "corpus:dna"]).unwrap().contains("two texts are named `dna`"));
        assert!(error(&["a\nb"]).unwrap().contains(r#"the text "a\nb" has a line feed"#));
        assert!(error(&[]).unwrap().contains("has no text"));
    }

    #[test]
    fn a_task_has_the_values_and_the_algorithms_of_its_cut() {
        let resolved = example(3, 5);
        let algorithms = vec!["a1".to_owned()];
        let cut = Cut { points: 1..2, algorithms: algorithms.clone(), group: None, seconds: 1.0 };
        let task = task_experiment(&resolved.experiment, &resolved, &cut);
        assert_eq!((task.patterns.lengths.as_slice(), &task.algorithms), (&[3][..], &algorithms));
        let sizes = Experiment { range: Some(Range::TextBytes(vec![10, 20])), ..resolved.experiment.clone() };
        let task = task_experiment(&sizes, &resolved, &cut);
        assert_eq!(task.range, Some(Range::TextBytes(vec![20])));
    }

    #[test]
    fn files_are_named_by_their_paths() {
        let mut experiment = Experiment::default();
        experiment.text.files = vec!["tale".to_owned()];
        experiment.text.recorded = vec![TextRecord {
            name: "tale".to_owned(),
            path: Some("/far/tale".to_owned()),
            file: None,
            seed: None,
            bytes: Some(3),
            used: 3,
            sha256: None,
        }];
        experiment.calls = vec![CallSpec { text: Some("corpus:dna".to_owned()), ..CallSpec::default() }];
        let absolute = with_absolute_paths(experiment);
        assert_eq!(absolute.text.files, ["/far/tale"]);
        assert_eq!(absolute.text.recorded[0].name, "/far/tale");
        assert_eq!(absolute.calls[0].text.as_deref(), Some("corpus:dna"));
    }
}
