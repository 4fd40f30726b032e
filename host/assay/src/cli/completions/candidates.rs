//! The values that arguments can have on this machine, for a shell that completes a word.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use assay_counting::sets::EventSets;
use assay_experiment::selection;
use assay_experiment::sets::Sets;
use assay_experiment::texts;
use assay_load::plugin::{Kind, Listing, Registry};
use assay_store::{USUAL, all};
use clap::Arg;
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};

use crate::cli::list::family;
use crate::cli::sets::SET;

/// What an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentKind {
    Algorithm,
    /// An algorithm, or an experiment in its place.
    Experiment,
    Set,
    Metric,
    Statistic,
    /// Backends and event sets.
    Counter,
    EventSet,
    Corpus,
    Family,
    Text,
    /// A saved run.
    Run,
    /// Anything that has an id.
    Item,
}

impl ArgumentKind {
    /// What an argument names, by its id and by the name of its value in `--help`.
    pub(super) fn of_argument(arg: &Arg) -> Option<Self> {
        let value = arg.get_value_names()?.first()?.as_str();
        Some(match (arg.get_id().as_str(), value) {
            ("corpus", _) => ArgumentKind::Corpus,
            ("family", _) => ArgumentKind::Family,
            ("text", "NAME|FILE|DIR" | "FILE|NAME") => ArgumentKind::Text,
            (_, "ALGO" | "ALGO|REGEX") => ArgumentKind::Algorithm,
            (_, "ALGO|REGEX|FILE.toml|results/ID|last") => ArgumentKind::Experiment,
            (_, SET) => ArgumentKind::Set,
            (_, "@SET") => ArgumentKind::EventSet,
            (_, "METRIC,..") => ArgumentKind::Metric,
            (_, "STAT,..") => ArgumentKind::Statistic,
            (_, "EVENT|@SET,.." | "BACKEND" | "BACKEND[:EVENT]" | "BACKEND:EVENT") => ArgumentKind::Counter,
            (_, "RESULT" | "last|ID" | "EXPERIMENT.toml|RUN") => ArgumentKind::Run,
            (_, "ID") => ArgumentKind::Item,
            _ => return None,
        })
    }

    /// The names of this kind, each with what it stands for if that is known.
    fn names(self) -> Vec<(String, Option<String>)> {
        match self {
            ArgumentKind::Algorithm => algorithms(),
            ArgumentKind::Experiment => [algorithms(), runs()].concat(),
            ArgumentKind::Set => match Sets::open() {
                Ok(sets) => sets.named().map(|(name, ids)| (name.to_owned(), Some(ids.join(" ")))).collect(),
                Err(_) => Vec::new(),
            },
            ArgumentKind::Metric => listings(|listing| listing.kind == Kind::Metric),
            ArgumentKind::Statistic => listings(|listing| listing.kind == Kind::Statistic),
            ArgumentKind::Counter => {
                [listings(|listing| listing.kind == Kind::Counter), event_sets()].concat()
            }
            ArgumentKind::EventSet => event_sets(),
            ArgumentKind::Corpus => listings(|listing| listing.kind == Kind::Corpus),
            ArgumentKind::Family => families(),
            ArgumentKind::Text => {
                let known = texts::known(&texts::folders());
                known.into_iter().map(|text| (text.name, Some(text.path.display().to_string()))).collect()
            }
            ArgumentKind::Run => runs(),
            ArgumentKind::Item => listings(|listing| !listing.instrumented),
        }
    }

    /// Which paths can stand in place of a name.
    fn paths(self) -> Option<PathCompleter> {
        match self {
            ArgumentKind::Text | ArgumentKind::Run => Some(PathCompleter::any()),
            ArgumentKind::Experiment => Some(
                PathCompleter::any().filter(|path| path.extension().is_some_and(|ending| ending == "toml")),
            ),
            _ => None,
        }
    }
}

/// The words that an argument can have instead of `word`, which is the beginning of one, or of the last of
/// several with commas between them.
pub(super) fn candidates(subject: ArgumentKind, word: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = word.to_str() else { return Vec::new() };
    let (before, begin) = typed.rfind(',').map_or(("", typed), |comma| typed.split_at(comma + 1));
    let names = subject.names().into_iter().filter(|(name, _)| name.starts_with(begin));
    let mut found: Vec<CompletionCandidate> = names
        .map(|(name, help)| CompletionCandidate::new(format!("{before}{name}")).help(help.map(Into::into)))
        .collect();
    if let Some(paths) = subject.paths() {
        found.extend(paths.complete(word));
    }
    found
}

/// The libraries, without any question or warning: a shell would show it in the middle of the line.
fn registry() -> Option<Registry> {
    Registry::open(&values_of("--plugin-dir")).ok().map(|(registry, _)| registry)
}

/// The values of an option in the line that is completed, which the shell passes on as arguments.
fn values_of(option: &str) -> Vec<PathBuf> {
    let words: Vec<OsString> = env::args_os().collect();
    words.windows(2).filter(|pair| pair[0] == option).map(|pair| PathBuf::from(&pair[1])).collect()
}

fn listings(is_wanted: impl Fn(&Listing) -> bool) -> Vec<(String, Option<String>)> {
    let Some(registry) = registry() else { return Vec::new() };
    let wanted = registry.listings().iter().filter(|listing| is_wanted(listing));
    wanted.map(|listing| (listing.id.clone(), listing.title().map(str::to_owned))).collect()
}

fn algorithms() -> Vec<(String, Option<String>)> {
    let Some(registry) = registry() else { return Vec::new() };
    let ids = selection::ids(&registry).into_iter();
    ids.map(|(id, name)| (id.to_owned(), Some(name.to_owned()))).collect()
}

fn families() -> Vec<(String, Option<String>)> {
    let Some(registry) = registry() else { return Vec::new() };
    let families: BTreeSet<&str> = registry.listings().iter().filter_map(family).collect();
    families.into_iter().map(|name| (name.to_owned(), None)).collect()
}

fn event_sets() -> Vec<(String, Option<String>)> {
    let Some(registry) = registry() else { return Vec::new() };
    let sets = EventSets::among(registry.folders());
    sets.names().map(|name| (format!("@{name}"), None)).collect()
}

/// The ids of the saved runs, the newest first.
fn runs() -> Vec<(String, Option<String>)> {
    let out = values_of("--out").pop().unwrap_or_else(|| PathBuf::from(USUAL));
    let runs = all(&out).into_iter().rev().map(|run| (run.id, None));
    let last = Path::new(&out).is_dir().then(|| ("last".to_owned(), Some("the newest".to_owned())));
    last.into_iter().chain(runs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_stand_in_place_of_a_run_and_a_file_of_an_experiment_in_place_of_an_algorithm() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("abc.toml"), "").unwrap();
        std::fs::write(folder.path().join("abd.txt"), "").unwrap();
        let word = folder.path().join("ab");
        let found = |subject| -> Vec<String> {
            let found = candidates(subject, word.as_os_str());
            found.iter().map(|candidate| candidate.get_value().to_string_lossy().into_owned()).collect()
        };
        let path = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(found(ArgumentKind::Experiment), [path("abc.toml")]);
        assert_eq!(found(ArgumentKind::Run), [path("abc.toml"), path("abd.txt")]);
        assert!(found(ArgumentKind::Metric).is_empty());
    }
}
