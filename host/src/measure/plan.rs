//! Everything that a run needs, found and checked before anything is measured.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::experiment::counters::{self, Group};
use crate::experiment::definition::{Experiment, Pin};
use crate::experiment::patterns::{self, PatternSet, PatternSource};
use crate::experiment::selection::{self, Chosen};
use crate::experiment::text::Text;
use crate::io::console::Console;
use crate::measure::reference;
use crate::measure::worker::{
    self, Batch, CounterSetup, InProcess, Patterns, ProcessWorker, Setup, SharedText, Worker,
};
use crate::plugin::{Kind, Registry};
use crate::results::provenance::{self, LibraryFacts, allowed_cpus};

/// An experiment with all that it names at hand.
#[derive(Debug)]
pub struct Plan {
    /// The experiment, its algorithms replaced by their ids and its seed drawn.
    pub experiment: Experiment,
    /// Decides everything that is drawn.
    pub seed: u64,
    /// The algorithms.
    pub algorithms: Vec<Chosen>,
    /// The text.
    pub text: Text,
    /// The patterns, one set for each length.
    pub sets: Vec<PatternSet>,
    /// For each set and repetition, how often the pattern occurs.
    pub expected: Vec<Vec<u64>>,
    /// The counters that are read around each phase.
    pub counters: Vec<Group>,
    /// The CPU to measure on, if it matters.
    pub cpu: Option<usize>,
}

impl Plan {
    /// Resolves an experiment.
    ///
    /// # Errors
    /// If anything that it names is missing or makes no sense.
    pub fn new(mut experiment: Experiment, registry: &Registry, console: &Console) -> Result<Self> {
        experiment.validate()?;
        let algorithms = selection::select(&experiment.algorithms, experiment.stats, registry, console)?;
        experiment.check_size(algorithms.len())?;
        experiment.algorithms = algorithms.iter().map(|chosen| chosen.id.clone()).collect();
        let seed = *experiment.seed.get_or_insert_with(|| rand::random::<u32>().into());
        let cpu = choose_cpu(experiment.pin)?;
        let counters = counters::resolve(&experiment.counters, registry, console)?;
        let counters = counters::rehearsed(counters, cpu, registry, console)?;
        let text = Text::new(&experiment.text, seed, registry, console)?;
        let sets = patterns::draw(&experiment.patterns, experiment.runs, seed, &text.bytes)?;
        Ok(Plan { experiment, seed, algorithms, text, sets, expected: Vec::new(), counters, cpu })
    }

    /// Counts the occurrences of every pattern with the trusted search; `progress` is told each. Equal patterns are counted
    /// once. Says whether it could: an interrupted count is none.
    pub fn count_expected(&mut self, interrupted: &AtomicBool, progress: impl Fn()) -> bool {
        let mut known = HashMap::<&[u8], u64>::new();
        let text = self.text.bytes.as_slice();
        let mut expected = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            let mut counts = Vec::with_capacity(self.experiment.runs);
            for repetition in 0..self.experiment.runs {
                if interrupted.load(Ordering::Relaxed) {
                    return false;
                }
                let pattern = set.pattern(text, repetition);
                counts.push(*known.entry(pattern).or_insert_with(|| reference::count(pattern, text)));
                progress();
            }
            expected.push(counts);
        }
        self.expected = expected;
        true
    }

    /// The libraries of the algorithms, each once.
    pub fn libraries(&self) -> Vec<LibraryFacts> {
        let mut libraries: Vec<LibraryFacts> = Vec::new();
        for Chosen { listing, .. } in &self.algorithms {
            let library = LibraryFacts {
                path: listing.library.display().to_string(),
                name: listing.library_name.clone(),
                version: listing.version.clone(),
                sha256: listing.sha256.clone(),
            };
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        }
        libraries
    }

    /// What is about to be measured, for those who want to know more.
    pub fn describe(&self) -> String {
        let variants = self
            .algorithms
            .iter()
            .map(|chosen| format!("{} of {}", chosen.listing.id, chosen.listing.library.display()));
        let cpu = self.cpu.map_or_else(|| "any CPU".to_owned(), |cpu| format!("CPU {cpu}"));
        format!("measuring on {cpu}:\n  {}", variants.collect::<Vec<_>>().join("\n  "))
    }

    /// Names of the counters, in the order of their columns.
    pub fn counter_names(&self) -> Vec<String> {
        self.counters.iter().flat_map(Group::names).collect()
    }

    /// Why an algorithm can't run on this CPU, if so.
    pub fn lacks(&self, algorithm: usize) -> Option<String> {
        provenance::lacks(&self.algorithms[algorithm].listing.cpu)
    }

    /// The batch of some repetitions with a set of patterns.
    pub fn batch(&self, set: usize, repetitions: std::ops::Range<usize>) -> Batch {
        let PatternSet { length, source } = &self.sets[set];
        let patterns = match source {
            PatternSource::Drawn(positions) => Patterns::At(positions[repetitions.clone()].to_vec()),
            PatternSource::Given(pattern) => Patterns::Same(pattern.clone(), repetitions.len()),
        };
        Batch { first: repetitions.start, length: *length, patterns, warmup: self.experiment.warmup }
    }

    /// Puts the text into shared memory, with room for the slack of the longest pattern.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn share_text(&self) -> Result<SharedText> {
        let longest = self.sets.iter().map(|set| set.length).max().unwrap_or(0);
        SharedText::new(&self.text.bytes, 2 * longest + 4096)
            .map_err(|error| Error::new(format!("no shared memory for the text: {error}")))
    }

    /// A worker for each algorithm. Those that measure in this process pin the calling thread.
    ///
    /// # Errors
    /// If a counter backend's library or memory for a worker can't be had.
    pub fn workers(&self, text: &SharedText, registry: &Registry) -> Result<Vec<Box<dyn Worker>>> {
        let counters = self.counters.iter().map(|group| {
            let listing = registry.find(Kind::Counter, &group.backend)?;
            let (library, sha256) = (listing.library.clone(), listing.sha256.clone());
            let events = group.events.iter().map(|event| event.name.clone()).zip(group.instants()).collect();
            Ok(CounterSetup { library, sha256, backend: group.backend.clone(), events })
        });
        let counters = counters.collect::<Result<Vec<_>>>()?;
        if let (true, Some(cpu)) = (self.experiment.in_process, self.cpu) {
            worker::pin(cpu);
        }
        let worker = |chosen: &Chosen| -> Result<Box<dyn Worker>> {
            let setup = Setup {
                library: chosen.listing.library.clone(),
                sha256: chosen.listing.sha256.clone(),
                algorithm: chosen.listing.id.clone(),
                counters: counters.clone(),
                text: text.place(),
                cpu: self.cpu,
            };
            if self.experiment.in_process {
                let worker = InProcess::new(&setup)
                    .map_err(|error| Error::new(format!("no memory for {}: {error}", chosen.id)))?;
                return Ok(Box::new(worker));
            }
            Ok(Box::new(ProcessWorker::new(setup, self.experiment.time_limit_ms)))
        };
        self.algorithms.iter().map(worker).collect()
    }
}

/// The CPU for the workers.
fn choose_cpu(pin: Pin) -> Result<Option<usize>> {
    let allowed = allowed_cpus();
    match pin {
        Pin::Off => Ok(None),
        Pin::Last => Ok(allowed.last().copied()),
        Pin::Cpu(cpu) if allowed.contains(&cpu) => Ok(Some(cpu)),
        Pin::Cpu(cpu) => {
            let allowed: Vec<String> = allowed.iter().map(usize::to_string).collect();
            Err(Error::new(format!("CPU {cpu} can't be used here"))
                .remedy(format!("--pin takes off, last or one of {}", allowed.join(", "))))
        }
    }
}
