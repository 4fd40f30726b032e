//! The experiment that the command line asks for.

use std::path::PathBuf;

use super::Args;
use super::values::Lengths;
use crate::cli::sets::all_or_named;
use crate::cli::shell::quoted;
use crate::cli::{Session, names};
use crate::error::{Error, Result};
use crate::experiment::definition::{Experiment, Order, Stats};
use crate::experiment::pattern_spec::Pattern;
use crate::experiment::selection::{copy, named, original};
use crate::plugin::Registry;
use crate::results::{EXPERIMENT, find, is_run};

impl Args {
    /// The experiment: from a file, if one is named, and the flags.
    pub(super) fn experiment(&self, registry: &Registry, session: &Session) -> Result<Experiment> {
        let (files, names): (Vec<&String>, Vec<&String>) =
            self.algorithms.iter().partition(|name| self.is_place(name));
        let mut experiment = match files.as_slice() {
            [] => Experiment::default(),
            [file] => {
                let path = match file.ends_with(".toml") {
                    true => PathBuf::from(file),
                    false => find(file, &self.out)?.join(EXPERIMENT),
                };
                let experiment = Experiment::load(&path)?;
                experiment.validate().map_err(|error| error.within(&path))?;
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
        }
        if experiment.algorithms.is_empty() && !self.text.is_empty() {
            let words = self.text.join("`, `");
            return Err(Error::new(format!(
                "no algorithm is named: what follows --text is a text (`{words}`)"
            ))
            .remedy("name the algorithms before --text: all words behind it are texts"));
        }
        self.apply(&mut experiment)?;
        if self.null {
            measure_twice(&mut experiment, registry)?;
        }
        Ok(experiment)
    }

    /// Whether a word names an experiment. No id or regular expression has a slash.
    fn is_place(&self, word: &str) -> bool {
        word.ends_with(".toml") || word.contains('/') || is_run(word, &self.out)
    }

    /// The words by which `assay test` knows the algorithms, too; none where only their ids do.
    pub(super) fn chosen_by(&self) -> String {
        let unknown_there = |name: &String| self.is_place(name) || name.contains('@');
        match self.all {
            true => "--all".to_owned(),
            false if self.algorithms.iter().any(unknown_there) => String::new(),
            false => {
                let names = self.algorithms.iter().map(|name| quoted(name));
                names.chain(self.sets.words()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Flags win over a file.
    fn apply(&self, experiment: &mut Experiment) -> Result<()> {
        fn set<T: Clone>(target: &mut T, given: &Option<T>) {
            if let Some(given) = given {
                target.clone_from(given);
            }
        }
        set(&mut experiment.stats, &self.stats);
        set(&mut experiment.runs, &self.runs);
        set(&mut experiment.time_limit_ms, &self.time_limit);
        set(&mut experiment.warmup, &self.warmup);
        set(&mut experiment.order, &self.order);
        set(&mut experiment.rounds, &self.rounds);
        set(&mut experiment.pin, &self.pin);
        set(&mut experiment.description, &self.description);
        experiment.seed = self.seed.or(experiment.seed);
        experiment.in_process |= self.in_process;
        experiment.multiplex |= self.multiplex;
        if !self.counters.is_empty() || !self.cpu_stats.is_empty() {
            experiment.counters = names::all(&self.counters);
            let backend = if self.simulate { "cachegrind" } else { "perf" };
            let events = self.cpu_stats.iter().flat_map(|stat| stat.events());
            experiment.counters.extend(events.map(|event| format!("{backend}:{event}")));
        }
        let text = &mut experiment.text;
        let corpus = self.corpus.clone().or_else(|| self.rand.map(|sigma| format!("rand{sigma}")));
        if !self.text.is_empty() || corpus.is_some() || self.data.is_some() {
            (text.files, text.corpus, text.data) = (self.text.clone(), corpus, self.data.clone());
            text.recorded.clear();
        }
        set(&mut text.bytes, &self.text_size);
        text.fill_buffer |= self.fill_buffer;
        text.force = self.force;
        self.apply_patterns(experiment)
    }

    fn apply_patterns(&self, experiment: &mut Experiment) -> Result<()> {
        let given = self.pattern.as_ref().map(|pattern| Pattern(pattern.as_bytes().to_vec()));
        let given = given.or_else(|| self.pattern_hex.clone());
        let chosen = if self.short {
            (2..=32).step_by(2).collect()
        } else if self.very_short {
            (1..=16).collect()
        } else {
            match (&self.plen, self.increment) {
                (Some(lengths), increment) => lengths.all(increment)?,
                (None, Some(_)) if !experiment.patterns.lengths.is_empty() => {
                    return Err(Error::new(
                        "--increment goes from a least to a greatest length, and the experiment lists them",
                    )
                    .remedy("give --plen MIN MAX too"));
                }
                (None, Some(increment)) => Lengths::DEFAULT.all(Some(increment))?,
                (None, None) => Vec::new(),
            }
        };
        if given.is_some() || !chosen.is_empty() {
            (experiment.patterns.given, experiment.patterns.lengths) = (given, chosen);
        }
        Ok(())
    }
}

/// Lets the first algorithm take part twice, unless one does already.
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
