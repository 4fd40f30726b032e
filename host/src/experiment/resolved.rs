//! An experiment with all that it names at hand: found and checked before anything is measured.

use std::time::Instant;

use super::build;
use super::counters::{self, Counters, Group};
use super::cpu;
use super::definition::{Experiment, Stats};
use super::patterns::{self, PatternSet};
use super::selection::{self, Chosen};
use super::text::Text;
use crate::counters::sets::{BoundRelation, EventSet, bound};
use crate::error::{Error, Result};
use crate::io::console::Console;
use crate::plugin::Registry;
use crate::process::{Launch, SLOWER};

/// An experiment with all that it names at hand.
#[derive(Debug)]
pub struct Resolved {
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
    /// The counters that are read around each call.
    pub counters: Vec<Group>,
    /// The event sets that were asked for: what is computed of the counts.
    pub event_sets: Vec<EventSet>,
    /// What must hold of the counts.
    pub relations: Vec<BoundRelation>,
    /// How the workers are started; none if as ever.
    pub launch: Option<Launch>,
    /// The CPU to measure on, if it matters.
    pub cpu: Option<usize>,
    /// When the search for all this began.
    pub since: Instant,
}

impl Experiment {
    /// Finds all that the experiment names.
    ///
    /// # Errors
    /// If anything of it is missing or makes no sense.
    pub fn resolve(mut self, registry: &Registry, console: &Console) -> Result<Resolved> {
        let since = Instant::now();
        self.validate()?;
        let algorithms = selection::select(&self.algorithms, self.stats, registry, console)?;
        self.check_size(algorithms.len())?;
        build::check(&algorithms, self.stats, self.allow_debug, console)?;
        self.algorithms = algorithms.iter().map(|chosen| chosen.id.clone()).collect();
        let seed = *self.seed.get_or_insert_with(|| rand::random::<u32>().into());
        let cpu = cpu::choose(self.pin)?;
        let Counters { groups, sets: event_sets, known_sets } =
            counters::resolve(&self.counters, cpu, registry, console)?;
        known_sets.unusable().for_each(|told| console.note(&told));
        let counters = counters::with_options(groups, &self.counter_options)?;
        if cpu.is_none() {
            counters::check_stamps(&counters, registry)?;
        }
        let launch = counters::launch(&counters, self.multiplex, cpu, registry)?;
        if let (true, Some(group), Some(_)) = (self.in_process, counters.first(), &launch) {
            return Err(Error::new(format!(
                "{} starts the workers by itself, and with --in-process there are none",
                group.backend
            ))
            .remedy("leave out --in-process"));
        }
        if let (true, Some(group), Some(_)) = (self.cold, counters.first(), &launch) {
            return Err(Error::new(format!(
                "{} counts in a simulation with caches of its own, which nothing can flush",
                group.backend
            ))
            .remedy("leave out --cold"));
        }
        if let (true, Some(group), Some(_)) = (self.goes_on(), counters.first(), &launch) {
            return Err(Error::new(format!(
                "{} runs the searches in a simulation, and its times are none to go on by",
                group.backend
            ))
            .remedy("leave out --until and --budget"));
        }
        if launch.is_some() {
            // A simulation counts the same in every round, and takes long to start.
            self.rounds = 1;
        }
        let counters =
            counters::rehearsed(counters, self.multiplex, cpu, launch.as_ref(), registry, console)?;
        if launch.is_some() && counters.is_empty() {
            return Err(Error::new("nothing is left that could be counted, and this run has no times")
                .remedy("see the warning above, or leave out --counters"));
        }
        let (text, recorded) = Text::new(&self.text, seed, registry, console)?;
        (self.text.recorded, self.text.force) = (recorded, false);
        let sets = patterns::draw(&self.patterns, self.most_runs(), seed, &text.bytes)?;
        let names: Vec<String> = counters.iter().flat_map(Group::names).collect();
        let relations = if names.is_empty() { Vec::new() } else { bound(&known_sets, &names) };
        for (name, path) in relations.iter().filter_map(|of: &BoundRelation| {
            let name = of.set.as_ref()?;
            Some((name, known_sets.place(name)?))
        }) {
            console.detail(&format!(
                "what must hold of counts by the event set `{name}` is of {}",
                path.display()
            ));
        }
        Ok(Resolved {
            experiment: self,
            seed,
            algorithms,
            text,
            sets,
            counters,
            event_sets,
            relations,
            launch,
            cpu,
            since,
        })
    }
}

impl Resolved {
    /// How many patterns are searched for, by each algorithm, if it does not go on.
    pub fn searches(&self) -> u64 {
        (self.sets.len() * self.experiment.runs) as u64
    }

    /// How long a preparation and a search may take.
    pub fn time_limit_ms(&self) -> u64 {
        let slower = if self.launch.is_some() { SLOWER } else { 1 };
        self.experiment.time_limit_ms.saturating_mul(slower.into())
    }

    /// Whether the start of each worker is timed: a process of its own has one, and it tells something where searches are timed.
    pub fn times_starts(&self) -> bool {
        self.experiment.stats == Stats::Perf && self.launch.is_none() && !self.experiment.in_process
    }

    /// Names of the counters, in the order of their columns.
    pub fn counter_names(&self) -> Vec<String> {
        self.counters.iter().flat_map(Group::names).collect()
    }

    /// What is about to be measured, for those who want to know more.
    pub fn describe(&self) -> String {
        let variant =
            |chosen: &Chosen| format!("\n  {} of {}", chosen.listing.id, chosen.listing.library.display());
        let cpu = self.cpu.map_or_else(|| "any CPU".to_owned(), |cpu| format!("CPU {cpu}"));
        format!("measuring on {cpu}:{}", self.algorithms.iter().map(variant).collect::<String>())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::experiment::definition::Order;
    use crate::experiment::patterns::PatternSource;
    use crate::plugin::{Kind, listing};

    /// An experiment with the algorithms `a0`, `a1` .. and patterns of 2 and of 3 bytes.
    pub fn example(algorithms: usize, runs: usize) -> Resolved {
        let chosen = |algorithm: usize| Chosen {
            id: format!("a{algorithm}"),
            listing: listing(Kind::Algorithm, &format!("a{algorithm}"), "", ""),
        };
        let set = |length| PatternSet { length, source: PatternSource::Drawn(vec![0; runs]) };
        Resolved {
            experiment: Experiment { runs, order: Order::Sequential, ..Experiment::default() },
            seed: 1,
            algorithms: (0..algorithms).map(chosen).collect(),
            text: Text { bytes: b"abcd".to_vec(), sources: Vec::new() },
            sets: vec![set(2), set(3)],
            counters: Vec::new(),
            event_sets: Vec::new(),
            relations: Vec::new(),
            launch: None,
            cpu: None,
            since: Instant::now(),
        }
    }
}
