//! Resolving an experiment: finding and checking everything that it names, before anything is measured.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use assay_base::io::console::Console;
use assay_counting::sets::{BoundRelation, EventSet, bound};
use assay_load::plugin::{Kind, LibraryOrigin, Registry};
use assay_load::process::{Launch, SIMULATOR_SLOWDOWN};

use super::build;
use super::calls::{CallSpec, lanes, steps};
use super::counters::{self, BackendCounters, ChosenCounters};
use super::cpu;
use super::definition::{Experiment, Stats};
use super::former_ids;
use super::patterns;
use super::points::{Point, Step};
use super::range::Range;
use super::recorded::{self, TextRecord};
use super::rounds::Rounds;
use super::selection::{self, Chosen};
use super::text::{Text, TextFacts};
use super::text_spec::TextSpec;

/// An experiment that is ready to be measured: with its algorithms, texts, patterns and counters.
#[derive(Debug)]
pub struct Resolved {
    /// The experiment, with the ids of its algorithms in the place of names and expressions, and with a seed.
    pub experiment: Experiment,
    /// The seed, which decides everything that is drawn.
    pub seed: u64,
    /// The algorithms.
    pub algorithms: Vec<Chosen>,
    /// The texts. The first is that of the first point.
    pub texts: Vec<Text>,
    /// The points: what is measured of each algorithm, by range value.
    pub points: Vec<Point>,
    /// The counters that are read around each call.
    pub counters: Vec<BackendCounters>,
    /// The libraries of the counter backends.
    pub counter_libraries: Vec<Arc<LibraryOrigin>>,
    /// The counter backends that were asked for and failed before anything was measured.
    pub failed_backends: Vec<String>,
    /// The event sets that were asked for, with the metrics that are computed from the counts.
    pub event_sets: Vec<EventSet>,
    /// The relations that the counts must satisfy.
    pub relations: Vec<BoundRelation>,
    /// The launcher of the workers; `None` if the host starts them itself.
    pub launch: Option<Launch>,
    /// The CPU that the workers are pinned to; `None` if the system places them.
    pub cpu: Option<usize>,
    /// The CPUs of the threads, if several search together and the system does not place them; otherwise
    /// empty.
    pub team: Vec<usize>,
    /// When resolving began: the start of the run.
    pub since: Instant,
}

impl Experiment {
    /// Finds and checks everything that the experiment names.
    ///
    /// # Errors
    /// If something is missing or makes no sense.
    pub fn resolve(mut self, registry: &Registry, console: &Console) -> Result<Resolved> {
        let since = Instant::now();
        self.count_first_counter();
        self.validate()?;
        if self.in_process {
            // An experiment may come from others, so its words alone must not do this silently.
            console.note("libraries run in the process of assay (in_process), so no sandbox confines them");
        }
        let algorithms = selection::select(&self.algorithms, self.stats, registry, console)?;
        build::check(&algorithms, self.stats, self.allow_debug, console)?;
        self.algorithms = algorithms.iter().map(|chosen| chosen.id.clone()).collect();
        self.changed_ids = former_ids::changed(self.algorithms.iter().map(String::as_str), registry);
        let seed = *self.seed.get_or_insert_with(|| rand::random::<u32>().into());
        let cpu = cpu::choose(self.pin)?;
        let team = cpu::team(cpu, self.most_threads())?;
        let ChosenCounters { groups, sets: event_sets, known_sets, failed: mut failed_backends } =
            counters::resolve(&self.counters, cpu, registry, console)?;
        known_sets.unusable().for_each(|note| console.note(&note));
        if let Some(note) = self.note_of_rounds() {
            console.note(&note);
        }
        let counters = counters::with_options(groups, &self.counter_options)?;
        self.check_scopes(&counters)?;
        if cpu.is_none() {
            counters::check_stamps(&counters, registry)?;
        }
        let launch = counters::launch(&counters, self.multiplex, cpu, registry)?;
        if let (Some(_), Some(group)) = (&launch, counters.first()) {
            self.check_simulation(&group.backend)?;
            // A simulation counts the same in every round, and takes long to start.
            self.rounds = 1;
        }
        let report_to = (console, &mut failed_backends);
        let counters =
            counters::rehearsed(counters, self.multiplex, cpu, launch.as_ref(), registry, report_to)?;
        if launch.is_some() && counters.is_empty() {
            return Err(Error::new("no counter is left, and a run in a simulation has no times")
                .remedy("see the warning above, or leave out --counters"));
        }
        let mut texts = Texts { seed, registry, console, found: Vec::new() };
        let points = self.points(&mut texts)?;
        let (texts, recorded): (Vec<Text>, Vec<Vec<TextRecord>>) =
            texts.found.into_iter().map(|(_, text, recorded)| (text, recorded)).unzip();
        (self.text.recorded, self.text.force) = (recorded::all(recorded.into_iter().flatten()), false);
        let names: Vec<String> = counters.iter().flat_map(BackendCounters::names).collect();
        self.check_first_counter(&names)?;
        let relations = if names.is_empty() { Vec::new() } else { bound(&known_sets, &names) };
        for name in relations.iter().filter_map(|relation: &BoundRelation| relation.set.as_ref()) {
            if let Some(path) = known_sets.place(name) {
                console.detail(&format!(
                    "relations of counts by the event set `{name}` are from {}",
                    path.display()
                ));
            }
        }
        let library = |group: &BackendCounters| {
            registry.find(Kind::Counter, &group.backend).map(|listing| Arc::clone(&listing.library))
        };
        Ok(Resolved {
            experiment: self,
            seed,
            algorithms,
            texts,
            points,
            counter_libraries: counters.iter().map(library).collect::<Result<_>>()?,
            counters,
            failed_backends,
            event_sets,
            relations,
            launch,
            cpu,
            team,
            since,
        })
    }
}

impl Experiment {
    /// Checks a run whose workers `backend` starts in a simulation.
    ///
    /// # Errors
    /// If the experiment asks for something that a simulation can't do.
    fn check_simulation(&self, backend: &str) -> Result<()> {
        if self.in_process {
            return Err(Error::new(format!("{backend} must start the workers, and --in-process has none"))
                .remedy("leave out --in-process"));
        }
        if self.cold {
            return Err(Error::new(format!(
                "{backend} counts in a simulation with caches of its own, which nothing can flush"
            ))
            .remedy("leave out --cold"));
        }
        if self.goes_on() {
            return Err(Error::new(format!(
                "{backend} runs the searches in a simulation, whose times can't decide how long to continue"
            ))
            .remedy("leave out --until and --budget"));
        }
        Ok(())
    }
}

/// The texts of an experiment. Each is found or generated once.
struct Texts<'a> {
    seed: u64,
    registry: &'a Registry,
    console: &'a Console,
    found: Vec<(TextSpec, Text, Vec<TextRecord>)>,
}

impl Texts<'_> {
    /// The number of a text, which is found if it is not known yet.
    ///
    /// # Errors
    /// As [`Text::new`].
    fn number(&mut self, spec: &TextSpec) -> Result<usize> {
        if let Some(number) = self.found.iter().position(|(known, _, _)| known == spec) {
            return Ok(number);
        }
        let (text, recorded) = Text::new(spec, self.seed, self.registry, self.console)?;
        self.found.push((spec.clone(), text, recorded));
        Ok(self.found.len() - 1)
    }

    /// The numbers of several texts.
    ///
    /// # Errors
    /// As [`Text::new`].
    fn numbers(&mut self, specs: &[TextSpec]) -> Result<Vec<usize>> {
        specs.iter().map(|spec| self.number(spec)).collect()
    }

    /// Checks that each text that these calls search has the size that was asked for.
    ///
    /// # Errors
    /// Names the first text that is shorter. `label` is the size to which the range goes.
    fn are_long_enough(&self, steps: &[Step], label: &str) -> Result<()> {
        let short = |step: &&Step| self.bytes(step.text).len() < self.found[step.text].0.bytes;
        let Some(step) = steps.iter().find(short) else { return Ok(()) };
        let text = &self.found[step.text].1;
        let (name, bytes) = (text.sources.join(", "), text.bytes.len());
        Err(Error::new(format!("the text {name} has {bytes} bytes, and the range goes to {label}"))
            .remedy("give a longer --text, --fill-buffer, or smaller sizes"))
    }

    /// Checks that no text that these calls search is shorter than the longest pattern, of `length` bytes.
    ///
    /// # Errors
    /// Names the first text that is shorter.
    fn hold_patterns(&self, steps: &[Step], length: usize) -> Result<()> {
        let Some(short) = steps.iter().find(|step| self.bytes(step.text).len() < length) else {
            return Ok(());
        };
        let Text { bytes, sources } = &self.found[short.text].1;
        Err(patterns::too_long(
            length,
            &format!("the text of {} bytes ({})", bytes.len(), sources.join(", ")),
        ))
    }

    /// How many bytes these calls search together.
    fn searched(&self, steps: &[Step]) -> usize {
        let searches = steps.iter().filter(|step| step.call == Call::Search);
        searches.map(|step| self.bytes(step.text).len()).sum()
    }

    /// The texts that these calls search, each once. Patterns are drawn from the first.
    fn searched_by(&self, steps: &[Step]) -> Vec<&[u8]> {
        let mut numbers: Vec<usize> = Vec::new();
        for step in steps {
            if !numbers.contains(&step.text) {
                numbers.push(step.text);
            }
        }
        numbers.into_iter().map(|number| self.bytes(number)).collect()
    }

    /// The bytes of the text of this number.
    fn bytes(&self, number: usize) -> &[u8] {
        &self.found[number].1.bytes
    }
}

/// Points that differ only in the pattern length, before their patterns are drawn.
struct PlannedPoints {
    /// The calls of a repetition, one after the other.
    steps: Vec<Step>,
    /// The same calls by thread, if each thread has its own; otherwise empty.
    lanes: Vec<Vec<Step>>,
    threads: usize,
    /// How many bytes a repetition searches.
    bytes: usize,
    /// The range value; `None` if it is the pattern length.
    value: Option<u64>,
    /// The seed of the patterns.
    seed: u64,
    /// The pattern lengths, each with its repetitions.
    lengths: Vec<(usize, Rounds)>,
}

impl Experiment {
    /// The points of the experiment, with their patterns.
    ///
    /// # Errors
    /// If a text is missing or too short, there are too many repetitions, or no pattern can be made.
    fn points(&self, texts: &mut Texts<'_>) -> Result<Vec<Point>> {
        let planned = self.planned(texts)?;
        let all = || planned.iter().flat_map(|planned| &planned.lengths).map(|(_, rounds)| *rounds);
        let asked_for = all().map(|rounds| rounds.count()).max().unwrap_or(1);
        let most = |rounds: Rounds| self.most_repetitions(rounds, asked_for);
        self.check_size(self.algorithms.len(), &all().map(most).collect::<Vec<_>>())?;
        let mut points = Vec::new();
        for PlannedPoints { steps, lanes, threads, bytes, value, seed, lengths } in planned {
            let most =
                |length| lengths.iter().find(|(known, _)| *known == length).map_or(0, |(_, of)| most(*of));
            texts.hold_patterns(&steps, lengths.iter().map(|(length, _)| *length).max().unwrap_or(0))?;
            let sets = patterns::draw(&self.patterns, most, seed, &texts.searched_by(&steps))?;
            points.extend(sets.into_iter().zip(&lengths).map(|(set, (length, rounds))| Point {
                value: value.unwrap_or(*length as u64),
                set,
                steps: lanes.first().unwrap_or(&steps).clone(),
                lanes: lanes.clone(),
                threads,
                bytes,
                rounds: *rounds,
            }));
        }
        Ok(points)
    }

    /// The points of the experiment without their patterns, an entry for each range value, or one entry if
    /// the range is the pattern length.
    fn planned(&self, texts: &mut Texts<'_>) -> Result<Vec<PlannedPoints>> {
        let Some(range) = &self.range else {
            let (steps, lanes) = self.steps(&self.text, texts)?;
            let (bytes, lengths) = (texts.searched(&steps), self.rounds_by_length(&steps, texts)?);
            let (threads, seed) = (lanes.len().max(self.threads), texts.seed);
            return Ok(vec![PlannedPoints { steps, lanes, threads, bytes, value: None, seed, lengths }]);
        };
        let specs = range.texts(&self.text)?;
        let mut all = Vec::new();
        for (i, (value, label)) in range.values().into_iter().enumerate() {
            let spec = specs.as_ref().map_or(&self.text, |specs| &specs[i]);
            let (steps, lanes) = self.steps(spec, texts)?;
            if let Range::TextBytes(_) = range {
                texts.are_long_enough(&steps, &label)?;
            }
            let seed = seed_of(texts.seed, value);
            let threads = match range {
                Range::Threads(_) => value as usize,
                _ => lanes.len().max(self.threads),
            };
            let (bytes, lengths) = (texts.searched(&steps), self.rounds_by_length(&steps, texts)?);
            all.push(PlannedPoints { steps, lanes, threads, bytes, value: Some(value), seed, lengths });
        }
        Ok(all)
    }

    /// The pattern lengths of a repetition with these calls, each with its repetitions.
    ///
    /// # Errors
    /// If a formula of the experiment has no value for a length.
    fn rounds_by_length(&self, steps: &[Step], texts: &Texts<'_>) -> Result<Vec<(usize, Rounds)>> {
        let shortest = steps.iter().map(|step| texts.bytes(step.text).len()).min().unwrap_or_default();
        let searched = texts.searched(steps);
        let lengths: Vec<(Call, usize)> =
            steps.iter().map(|step| (step.call, texts.bytes(step.text).len())).collect();
        let mut rounds = Vec::new();
        for length in self.patterns.all_lengths(shortest) {
            self.check_operations(&lengths, length)?;
            rounds.push((length, self.rounds_at(searched, length)?));
        }
        Ok(rounds)
    }

    /// The calls of a repetition on this text, one after the other, and by thread, if each thread has its own.
    ///
    /// # Errors
    /// If a text is missing or too short.
    fn steps(&self, text: &TextSpec, texts: &mut Texts<'_>) -> Result<(Vec<Step>, Vec<Vec<Step>>)> {
        let sum = match &self.sumrange {
            Some(sumrange) => sumrange.texts(text)?.expect("a sum-range goes over texts"),
            // One text stands for all, because each call brings its own.
            None if self.calls_name_all_texts() => {
                self.calls.iter().flat_map(|call| &call.text).take(1).map(|name| text.renamed(name)).collect()
            }
            None => vec![text.clone()],
        };
        let sum = texts.numbers(&sum)?;
        if let Some(Range::TextBytes(_)) = &self.sumrange {
            texts.are_long_enough(&steps(&sum, &[]), "more")?;
        }
        let mut calls = Vec::with_capacity(self.calls.len());
        for CallSpec { text: name, searches, .. } in &self.calls {
            let own_text = name.as_ref().map(|name| texts.number(&text.renamed(name))).transpose()?;
            calls.push((own_text, *searches));
        }
        let lanes = if self.is_parallel() { lanes(&sum, &calls, self.sumrange_parallel) } else { Vec::new() };
        Ok((steps(&sum, &calls), lanes))
    }
}

/// The seed of the patterns at a range value. Each value has patterns of its own. The value of a text is its
/// place in the list.
fn seed_of(seed: u64, value: u64) -> u64 {
    // Multiplying by the bits of the golden ratio spreads small values over all bits of the seed.
    seed ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Resolved {
    /// The facts of the texts from which patterns are drawn, by the numbers of the texts.
    pub fn text_facts(&self) -> BTreeMap<usize, TextFacts> {
        let numbers: BTreeSet<usize> = self.points.iter().map(Point::text).collect();
        numbers.into_iter().map(|number| (number, self.texts[number].facts())).collect()
    }

    /// The text from which the patterns of a point are drawn.
    pub fn text_of(&self, point: usize) -> &Text {
        &self.texts[self.points[point].text()]
    }

    /// Number of repetitions of each algorithm, without those of a run that continues.
    pub fn searches(&self) -> u64 {
        self.points.iter().map(|point| point.rounds.runs() as u64).sum()
    }

    /// Number of rounds that are asked for: those of the point with most rounds.
    pub fn asked_for(&self) -> usize {
        self.points.iter().map(|point| point.rounds.count()).max().unwrap_or(1)
    }

    /// The time limit of a repetition, in milliseconds: that of a preparation and a search, for each of its
    /// searches. In a simulation it is longer.
    pub fn time_limit_ms(&self) -> u64 {
        let slower = if self.launch.is_some() { SIMULATOR_SLOWDOWN } else { 1 };
        let searches = self.points.iter().map(|point| point.searched().count() as u64).max().unwrap_or(1);
        self.experiment.time_limit_ms.saturating_mul(slower.into()).saturating_mul(searches)
    }

    /// Whether the start of each worker is timed. It is not if workers have no process of their own, or if
    /// searches are not timed either, as with twins and in a simulation.
    pub fn times_starts(&self) -> bool {
        self.experiment.stats == Stats::Perf && self.launch.is_none() && !self.experiment.in_process
    }

    /// Names of the counters, in the order of their columns.
    pub fn counter_names(&self) -> Vec<String> {
        self.counters.iter().flat_map(BackendCounters::names).collect()
    }

    /// What is about to be measured, for `--verbose`.
    pub fn describe(&self) -> String {
        let algorithms = self.algorithms.iter().map(|chosen| &chosen.listing);
        let lines =
            algorithms.map(|listing| format!("\n  {} of {}", listing.id, listing.library.path.display()));
        let cpu = self.cpu.map_or_else(|| "any CPU".to_owned(), |cpu| format!("CPU {cpu}"));
        format!("measuring on {cpu}:{}", lines.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::example;

    #[test]
    fn searches_are_those_of_all_points() {
        let mut resolved = example(1, 10).in_rounds(10, 4);
        assert_eq!((resolved.searches(), resolved.asked_for()), (20, 4));
        resolved.points[1].rounds = Rounds::new(3, 4);
        assert_eq!((resolved.searches(), resolved.asked_for()), (13, 4));
    }
}
